"""The vision sensor of the ghost world: a noisy camera over the agent's cell, and a classifier of its pictures."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.ghost.world import checks
from gridarium.ghost.world.board import PICTURES, cell_object


class VisionSensor:
    """Classifies noisy pictures of a cell as dog, flower or background.

    Args:
        model_path: a file written by `gridarium vision train`; None for the built-in model.
        strength: of the noise: at 0 pictures are as drawn; at 1 about nine of ten are classified correctly where classes are
            equally frequent, and five of six on the cells of the default layout.
        seed: of its own random numbers.

    Attributes:
        class_names: "dog", "flower", "background".
        class_priors: their frequencies in training; filters divide by them to get likelihoods.
        model: the classifier.

    Raises:
        FileNotFoundError: there is no such file.
        ModelError: not a model, a broken one, or one with other classes.
        ValueError: a negative strength.

    Source: the name and `predict` are those of CustomGridEnv's VisionSensor.
    """

    def __init__(
        self,
        model_path: str | os.PathLike[str] | None = None,
        *,
        strength: float = 1.0,
        seed: int | np.random.Generator | None = None,
    ) -> None:
        from gridarium.vision import Classifier, ModelError

        self.model = Classifier.load(model_path)
        self.class_names = list(self.model.class_names)
        self.class_priors = list(self.model.class_priors)
        if set(self.class_names) != {"dog", "flower", "background"}:
            raise ModelError(
                f"{model_path} tells {', '.join(self.class_names)} apart; this sensor needs dog, flower, background"
            )
        self.strength = checks.not_negative("strength", strength)
        self.reset(seed)

    def reset(self, seed: int | np.random.Generator | None = None) -> None:
        """Reseed the random numbers."""
        self.rng = checks.generator(seed)

    def snapshot(self) -> Any:
        """The state of the random numbers, which `predict` changes."""
        return self.rng.bit_generator.state

    def restore(self, snapshot: Any) -> None:
        """Return to a snapshot."""
        self.rng.bit_generator.state = snapshot

    def predict(self, cell: dict[str, Any], walls: int = 0) -> dict[str, Any]:
        """Take a picture of a cell and classify it.

        Args:
            cell: as in `CustomGridEnv.grid`.
            walls: the sides with walls: 1 (above) + 2 (right) + 4 (below) + 8 (left).

        Returns:
            `prediction`, the most probable class and its probability, and `probs`, the probability of each class.
        """
        shares = self.model.posteriors(self.picture(cell, walls)[None], self.strength)[0].tolist()
        best = max(range(len(shares)), key=shares.__getitem__)
        return {"prediction": (self.class_names[best], shares[best]), "probs": shares}

    def picture(self, cell: dict[str, Any], walls: int = 0) -> npt.NDArray[np.float32]:
        """float32[size, size, 3], from 0 to 1: a picture of a cell with new noise."""
        from gridarium.vision import Scene, disturb

        items = cell["items"]
        exit_shown = bool(cell["is_goal"]) and not any(item in PICTURES for item in items)
        scene = Scene(cell_object(int(cell["colour"]), items, exit_shown), cell["text"], walls)
        clean = scene.picture(self.model.size)[None]
        return disturb(clean, self.strength, self.rng).reshape(clean.shape[1:])
