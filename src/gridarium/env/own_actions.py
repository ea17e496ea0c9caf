"""The space of an agent's actions where agents have different ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces


class OwnActions(spaces.Discrete):
    """Indices into a world's list of actions, of which an agent has only some: those are contained and sampled.

    Args:
        own: bool[actions]: which it has.
    """

    def __init__(self, own: npt.ArrayLike) -> None:
        self.own: npt.NDArray[np.int8] = np.array(own, np.int8)
        super().__init__(len(self.own))

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """One of the agent's actions, or as `Discrete.sample` where a mask or probabilities are given."""
        if probability is not None:
            return super().sample(mask, probability)
        return super().sample(self.own if mask is None else mask)

    def contains(self, x: Any) -> bool:
        """Whether it is the index of one of the agent's actions."""
        return super().contains(x) and bool(self.own[int(x)])

    def __repr__(self) -> str:
        return f"OwnActions({int(self.own.sum())} of {self.n})"
