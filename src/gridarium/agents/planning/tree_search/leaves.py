"""Leaves of search trees that are to be evaluated, and checks of their evaluation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.engine.threads.outputs import Arrays
from gridarium.world import State


@dataclass(frozen=True)
class Leaves:
    """New states in which an agent decides, one of each of m trees.

    Attributes:
        trees: int64[m]: the trees.
        agents: int64[m]: the agent that decides in each.
        observations: of these agents: name -> array[m, ...].
        legal: bool[m, actions]: the legal actions.
        state: `state(i)` is a copy of the i-th of the m states, from the agent's point of view.
    """

    trees: npt.NDArray[np.int64]
    agents: npt.NDArray[np.int64]
    observations: Arrays
    legal: npt.NDArray[np.bool_]
    state: Callable[[int], State]

    def __len__(self) -> int:
        return len(self.trees)


Evaluate: TypeAlias = Callable[[Leaves], tuple[npt.ArrayLike, npt.ArrayLike]]
"""Priors and values of m leaves.

Returns:
    priors: float[m, actions]: probabilities; those of illegal actions are not used, the others are normalized.
    values: float[m, agents]: the expected return of each agent from there on; or float[m], that of the agent that
        decides, where there is one, or two of which each wins what the other one loses.
"""


def checked_evaluation(
    given: Any, leaves: Leaves, actions: int, agents: int, *, mover_only: bool
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Priors float64[m, actions] and values float64[m, agents] of what an `Evaluate` returned.

    Args:
        given: what it returned.
        leaves: what it was given.
        actions: their number.
        agents: their number.
        mover_only: whether other agents than the one that decides need no values.

    Raises:
        TypeError: not two arrays.
        ValueError: arrays of another shape, numbers that are not finite, or priors below 0.
    """
    if not isinstance(given, tuple) or len(given) != 2:
        raise TypeError(f"evaluate returns priors and values, not {given!r}")
    priors, values = (np.asarray(array, np.float64) for array in given)
    count = len(leaves)
    if priors.shape != (count, actions):
        raise ValueError(f"priors are float[{count}, {actions}], not {list(priors.shape)}")
    if values.shape == (count,):
        values = _of_all(values, leaves.agents, agents, mover_only=mover_only)
    if values.shape != (count, agents):
        raise ValueError(f"values are float[{count}] or float[{count}, {agents}], not {list(values.shape)}")
    if not (np.isfinite(priors).all() and np.isfinite(values).all() and (priors >= 0).all()):
        raise ValueError("priors and values are finite, and priors not below 0")
    return priors, values


def _of_all(
    values: npt.NDArray[np.float64], movers: npt.NDArray[np.int64], agents: int, *, mover_only: bool
) -> npt.NDArray[np.float64]:
    """The values of all agents, given those of the agents that decide."""
    if agents > 2 and not mover_only:
        raise ValueError(f"with {agents} agents values are float[m, {agents}]")
    own = np.arange(agents) == movers[:, None]
    found: npt.NDArray[np.float64] = np.where(own, values[:, None], 0.0 if mover_only else -values[:, None])
    return found
