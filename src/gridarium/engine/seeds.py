"""The seeds and first states that one may give to several worlds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gridarium.compiled.random import world_key


def one_for_each(seed: Any, n: int) -> list[Any]:
    """The seeds of `n` worlds; None where a world goes on with its own stream.

    Args:
        seed: None for all; a whole number for all, to which each world's number is added; or one or None for each.
        n: how many worlds.

    Raises:
        ValueError: not as many seeds as worlds, or a negative one.
        TypeError: a seed that is no whole number.
    """
    if seed is None:
        return [None] * n
    if isinstance(seed, Sequence | np.ndarray) and np.ndim(seed) > 0:
        if len(seed) != n:
            raise ValueError(f"one seed for each of {n} worlds is needed, got {len(seed)}")
        return list(seed)
    world_key(seed)  # refuses what is no seed
    return [seed.__index__() + i for i in range(n)]


def one_state_for_each(state: Any, n: int) -> Sequence[Any]:
    """The states in which `n` worlds begin.

    Args:
        state: one for all, or one for each.
        n: how many worlds.

    Raises:
        ValueError: not as many states as worlds.
    """
    if not isinstance(state, list | tuple):
        return [state] * n
    if len(state) != n:
        raise ValueError(f"one state for all, or one for each of {n} worlds is needed, got {len(state)}")
    return state
