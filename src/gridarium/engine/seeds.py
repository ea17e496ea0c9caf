"""Seeds and initial states for several worlds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.compiled.data_types.random import GOLDEN, MASK, mix, world_key

Seeds: TypeAlias = int | Sequence[int | None] | npt.NDArray[np.integer[Any]] | None
"""One seed for several worlds (world i gets seed + i), or one for each; None continues their sequences of episodes."""


def key_for_each(
    seed: Any, n: int, worlds: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """The keys of the seeds of some of `n` worlds, and which of these have a seed; the others continue their own episodes.

    Args:
        seed: None for all; an integer, to which each world's index is added; or an integer or None for each of the n.
        n: the number of worlds.
        worlds: int64[m]: the worlds that are asked for.

    Returns:
        int64[m]: keys, 0 where there is no seed.
        bool[m]: whether there is one.

    Raises:
        ValueError: the number of seeds differs from that of worlds, or a seed is negative.
        TypeError: a seed is not an integer.
    """
    keys, has_seed = np.zeros(len(worlds), np.int64), np.ones(len(worlds), np.bool_)
    if seed is None:
        has_seed[:] = False
    elif isinstance(seed, Sequence | np.ndarray) and np.ndim(seed) > 0:
        if len(seed) != n:
            raise ValueError(f"one seed for each of {n} worlds is needed, got {len(seed)}")
        given = [seed[i] for i in worlds.tolist()]
        has_seed[:] = [one is not None for one in given]
        keys[has_seed] = [world_key(one) for one in given if one is not None]
    else:
        keys[:] = world_keys(seed, n)[worlds]
    return keys, has_seed


def world_keys(seed: int, count: int) -> npt.NDArray[np.int64]:
    """The keys of `count` worlds whose seeds follow each other, int64[count]; raises as `world_key`."""
    world_key(seed)
    first = seed.__index__()
    if first + count > MASK:
        return np.array([world_key(first + i) for i in range(count)], np.int64)
    seeds: Any = np.arange(count, dtype=np.uint64) + np.uint64(first)
    keys: npt.NDArray[np.int64] = mix(seeds + np.uint64(mix(GOLDEN))).view(np.int64)  # type: ignore[attr-defined]
    return keys


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
