"""The seeds that one may give to several worlds."""

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
