"""The vision sensor of the ghost world: a bad camera over the agent's cell, and a classifier of its pictures."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.ghost import settings
from gridarium.ghost.board import PICTURES, thing


class VisionSensor:
    """Looks at a cell and says how probable a dog, a flower and neither are.

    Args:
        model_path: a file that `gridarium vision train` has written; None for the model that comes along.
        strength: how bad its pictures are: at 0 as drawn, at 1 it is right about nine times in ten where its classes are equally
            frequent, and five in six on the cells of the usual layout.
        seed: of its own random numbers.

    Attributes:
        class_names: "dog", "flower", "background".
        class_priors: how frequent they were in training; filters divide by this to get likelihoods.
        model: the classifier that it sees with.

    Raises:
        FileNotFoundError: there is no such file.
        ModelError: it is no model, is broken, or tells other classes apart.
        ValueError: a strength below 0.

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
        self.strength = settings.number("strength", strength)
        self.reset(seed)

    def reset(self, seed: int | np.random.Generator | None = None) -> None:
        """Begin the random numbers anew."""
        self.rng = settings.generator(seed)

    def snapshot(self) -> Any:
        """A copy of what looking changes: the random numbers."""
        return self.rng.bit_generator.state

    def restore(self, snapshot: Any) -> None:
        """Go back to a snapshot."""
        self.rng.bit_generator.state = snapshot

    def predict(self, cell: dict[str, Any], walls: int = 0) -> dict[str, Any]:
        """Take a picture of a cell, and say what is on it.

        Args:
            cell: as in `CustomGridEnv.grid`.
            walls: the sides at which walls stand: 1 (above) + 2 (right) + 4 (below) + 8 (left).

        Returns:
            `prediction`, the most probable class and its probability, and `probs`, the probability of each class.
        """
        shares = self.model.posteriors(self.picture(cell, walls)[None], self.strength)[0].tolist()
        best = max(range(len(shares)), key=shares.__getitem__)
        return {"prediction": (self.class_names[best], shares[best]), "probs": shares}

    def picture(self, cell: dict[str, Any], walls: int = 0) -> npt.NDArray[np.float32]:
        """float32[size, size, 3], from 0 to 1: a picture of a cell, another one each time."""
        from gridarium.vision import Scene, disturb

        items = cell["items"]
        exit_shown = bool(cell["is_goal"]) and not any(item in PICTURES for item in items)
        scene = Scene(thing(int(cell["colour"]), items, exit_shown), cell["text"], walls)
        clean = scene.picture(self.model.size)[None]
        return disturb(clean, self.strength, self.rng).reshape(clean.shape[1:])
