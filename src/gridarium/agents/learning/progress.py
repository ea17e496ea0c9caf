"""Episodes in progress of a learner, and its learning curve."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.engine import Batch
from gridarium.engine.arguments import check_shares

Rate: TypeAlias = float | Callable[[int], float]
"""A number, or a function of how many episodes have ended."""


@dataclass(frozen=True)
class LearningCurve:
    """Returns and lengths of the episodes of learning, in the order in which they ended.

    Attributes:
        returns: float64[n]: sums of rewards, not discounted.
        lengths: int64[n]: in ticks.
    """

    returns: npt.NDArray[np.float64]
    lengths: npt.NDArray[np.int64]


@dataclass
class EpisodesInProgress:
    """Episodes under way in n worlds.

    Attributes:
        seen: int64[n]: the table's row of what the agent sees.
        last, decided: int64[n]: row and action of its last decision, -1 before the first.
        gained: float64[n]: rewards since then, discounted.
        weight: float64[n]: how much the next reward counts among them.
        returns: float64[n]: rewards since the episode began.
        actions: int64[n, agents]: what everyone does next.
    """

    seen: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]
    decided: npt.NDArray[np.int64]
    gained: npt.NDArray[np.float64]
    weight: npt.NDArray[np.float64]
    returns: npt.NDArray[np.float64]
    actions: npt.NDArray[np.int64]

    @staticmethod
    def of(batch: Batch, seen: npt.NDArray[np.int64]) -> EpisodesInProgress:
        """As episodes begin."""
        n = batch.n
        last, decided = np.full(n, -1, np.int64), np.full(n, -1, np.int64)
        actions = np.zeros(batch.memory.actions.shape, np.int64)
        return EpisodesInProgress(seen, last, decided, np.zeros(n), np.ones(n), np.zeros(n), actions)


def greedy(values: npt.NDArray[np.float64], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """int64[n]: the best of each row, any of equals."""
    best = values == values.max(axis=1, keepdims=True)
    chosen: npt.NDArray[np.int64] = (best * rng.random(values.shape)).argmax(axis=1)
    return chosen


def rate_after(rate: Rate, episodes: int) -> float:
    """A rate after so many episodes.

    Raises:
        TypeError, ValueError: a function has given no number from 0 to 1.
    """
    if not callable(rate):
        return rate
    found = rate(episodes)
    check_shares(**{f"a rate (after {episodes} episodes)": found})
    return float(found)
