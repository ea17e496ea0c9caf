"""Seeds and initial states for several worlds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.compiled.data_types.random import world_key

Seeds: TypeAlias = int | Sequence[int | None] | npt.NDArray[np.integer[Any]] | None
"""One seed for several worlds (world i gets seed + i), or one for each; None continues their sequences of episodes."""


def seed_for_each(seed: Any, n: int) -> list[int | None]:
    """The seeds of `n` worlds; None where a world continues its own sequence of episodes.

    Args:
        seed: None for all; an integer, to which each world's index is added; or an integer or None for each.
        n: the number of worlds.

    Raises:
        ValueError: the number of seeds differs from that of worlds, or a seed is negative.
        TypeError: a seed is not an integer.
    """
    if seed is None:
        return [None] * n
    if isinstance(seed, Sequence | np.ndarray) and np.ndim(seed) > 0:
        if len(seed) != n:
            raise ValueError(f"one seed for each of {n} worlds is needed, got {len(seed)}")
        return list(seed)
    world_key(seed)  # raises for an invalid seed
    return [seed.__index__() + i for i in range(n)]


def state_for_each(state: Any, n: int) -> Sequence[Any]:
    """The initial states of `n` worlds.

    Args:
        state: one for all, or one for each.
        n: the number of worlds.

    Raises:
        ValueError: the number of states differs from that of worlds.
    """
    if not isinstance(state, list | tuple):
        return [state] * n
    if len(state) != n:
        raise ValueError(f"one state for all, or one for each of {n} worlds is needed, got {len(state)}")
    return state
