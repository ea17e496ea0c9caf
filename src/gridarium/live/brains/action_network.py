"""A small network in plain arrays that scores actions by their names: a trained policy as a file, played without further libraries."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gridarium.engine.threads.outputs import Arrays
from gridarium.vision.model_file import ModelError, read_arrays
from gridarium.world import Action

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class ActionNetwork:
    """Dense layers with tanh between them, from one array of an observation to a score for each name of an action.

    Actions with arguments, such as GrabObject(3), have the score of their name, so a network does not depend on how many
    things there are. As a policy, it takes the best legal action, or draws one.

    Attributes:
        view: the name of the array that it observes.
        names: of actions, in the order of the scores.
        weights: for each layer float32[inputs, outputs].
        biases: for each layer float32[outputs].
        draws: whether actions are drawn with the probabilities that follow from the scores, rather than the best one taken.

    Raises:
        ModelError: layers that do not fit together, or numbers that are not finite.
    """

    view: str
    names: tuple[str, ...]
    weights: tuple[Floats, ...]
    biases: tuple[Floats, ...]
    draws: bool = False

    def __post_init__(self) -> None:
        if not self.weights or len(self.weights) != len(self.biases):
            raise ModelError(f"{len(self.weights)} layers of weights, {len(self.biases)} of biases")
        if len(set(self.names)) != len(self.names):
            raise ModelError("two actions have the same name")
        inputs = self.weights[0].shape[:1]
        for i, (weights, biases) in enumerate(zip(self.weights, self.biases, strict=True)):
            if weights.ndim != 2 or weights.shape != (*inputs, *biases.shape):
                shapes = f"{list(weights.shape)} and {list(biases.shape)}"
                raise ModelError(f"layer {i} has weights and biases of the shapes {shapes}")
            if not (_is_finite(weights) and _is_finite(biases)):
                raise ModelError(f"layer {i} has something that is not a finite float")
            inputs = biases.shape
        if inputs != (len(self.names),):
            raise ModelError(f"there are {len(self.names)} names of actions for {inputs[0]} scores")

    def scores(self, observed: npt.ArrayLike) -> Floats:
        """The score of each name.

        Args:
            observed: float[..., inputs].

        Returns:
            float32[..., names].

        Raises:
            ValueError: another number of inputs.
        """
        x = np.asarray(observed, np.float32)
        if x.shape[-1:] != self.weights[0].shape[:1]:
            raise ValueError(f"the network has {len(self.weights[0])} inputs, not {list(x.shape)}")
        for i, (weights, biases) in enumerate(zip(self.weights, self.biases, strict=True)):
            x = (np.tanh(x) if i else x) @ weights + biases
        return x

    def __call__(self, observation: Arrays, actions: tuple[Action, ...], rng: np.random.Generator) -> Action:
        """Choose one of the legal actions; of those with the same name any.

        Raises:
            ValueError: the world does not show what it observes, or none of the actions has a score.
        """
        if self.view not in observation:
            raise ValueError(f"the network observes {self.view!r}; the world shows {', '.join(observation)}")
        scores = dict(zip(self.names, self.scores(observation[self.view].reshape(-1)).tolist(), strict=True))
        known = [(scores[name], a) for a in actions if (name := a.name.partition("(")[0]) in scores]
        if not known:
            raise ValueError(f"the network knows the actions {', '.join(self.names)}; none of them is legal")
        given = np.array([score for score, _ in known])
        if self.draws:
            likely = np.exp(given - given.max())
            return known[int(rng.choice(len(known), p=likely / likely.sum()))][1]
        best = np.flatnonzero(given == given.max())
        return known[int(best[rng.integers(len(best))])][1]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it as an npz file of plain arrays.

        Raises:
            OSError: it cannot be written.
        """
        arrays: dict[str, Any] = {"view": np.array(self.view), "names": np.array(self.names)}
        arrays |= {f"weights_{i}": each for i, each in enumerate(self.weights)}
        arrays |= {f"biases_{i}": each for i, each in enumerate(self.biases)}
        with Path(path).open("wb") as file:
            np.savez(file, draws=np.array(self.draws), **arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read what `save` has written; nothing in it is executed.

        Raises:
            FileNotFoundError: there is no such file.
            ModelError: it is no such file, or its parts do not fit together.
        """
        arrays = read_arrays(path, "network for actions")
        layers = sum(name.startswith("weights_") for name in arrays)
        wanted = {"view", "names", "draws"}
        wanted |= {f"{what}_{i}" for what in ("weights", "biases") for i in range(layers)}
        if wanted != arrays.keys():
            raise ModelError(
                f"{path} is no network for actions: it has the arrays {', '.join(arrays) or 'none'}"
            )
        if arrays["view"].dtype.kind != "U" or arrays["names"].dtype.kind != "U" or arrays["names"].ndim != 1:
            raise ModelError(f"{path} is no network for actions: 'view' and 'names' are not texts")
        try:
            return cls(
                str(arrays["view"]),
                tuple(arrays["names"].tolist()),
                tuple(arrays[f"weights_{i}"] for i in range(layers)),
                tuple(arrays[f"biases_{i}"] for i in range(layers)),
                bool(arrays["draws"].all()),
            )
        except ModelError as error:
            raise ModelError(f"{path}: {error}") from error

    @classmethod
    def of(
        cls,
        view: str,
        names: Sequence[str],
        layers: Sequence[tuple[npt.ArrayLike, npt.ArrayLike]],
        *,
        draws: bool = False,
    ) -> Self:
        """A network of weights [inputs, outputs] and biases, of any kind that numpy converts."""
        weights = tuple(np.asarray(w, np.float32) for w, _ in layers)
        return cls(view, tuple(names), weights, tuple(np.asarray(b, np.float32) for _, b in layers), draws)


def _is_finite(array: npt.NDArray[Any]) -> bool:
    return array.dtype == np.float32 and bool(np.isfinite(array).all())
