"""Which values a space allows. Whole arrays are asked at once, which costs little where all of them lie inside."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

Flags = npt.NDArray[np.bool_]
Bound = Any
"""A number for all entries of an item, or an array of the item's shape."""

WIDE = 64

SIMPLE = (gym.spaces.Box, gym.spaces.Discrete, gym.spaces.MultiDiscrete, gym.spaces.MultiBinary)


class Limits:
    """The values that a space of numbers allows, from a smallest to a largest one.

    Args:
        space: one of `SIMPLE`.
    """

    def __init__(self, space: gym.Space[Any]) -> None:
        self.space = space
        low, high = _bounds(space)
        self._low, self._high = _one_for_all(low), _one_for_all(high)
        self._uniform = np.ndim(self._low) == np.ndim(self._high) == 0

    def outside(self, values: npt.NDArray[Any]) -> Flags | None:
        """Which of n items [n, ...] lie outside, as bool[n]; None if all lie inside. NaN lies outside of everything."""
        least, most = _extremes(values.dtype)
        above = bool(np.all(self._low <= least))
        below = bool(np.all(self._high >= most))
        if not values.size or (above and below):
            return None
        values = self._like(values)
        if not above:
            above = bool(np.all(self._low <= self._extreme(np.minimum, values)))
        if above and not below:
            below = bool(np.all(self._extreme(np.maximum, values) <= self._high))
        if above and below:
            return None
        return np.asarray(self._odd(values).reshape(len(values), -1).any(1))

    def told(self, value: Any) -> str:
        """What is wrong with an item that lies outside."""
        value = np.asarray(value)
        at = np.argwhere(self._odd(self._like(value)))[0]
        entry = f", entry {tuple(map(int, at))}" if len(at) else ""
        return f"{entry}: {value[tuple(at)]} is outside {self.space}"

    def _like(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The values in the space's own type, as far as both are floats: its bounds are rounded to it."""
        return values.astype(self.space.dtype, copy=False) if values.dtype.kind == "f" else values

    def _odd(self, values: npt.NDArray[Any]) -> Flags:
        with np.errstate(invalid="ignore"):
            odd: Flags = ~((values >= self._low) & (values <= self._high))
        return odd

    def _extreme(self, which: np.ufunc, values: npt.NDArray[Any]) -> Any:
        """The smallest or the largest values: of all entries, or of each entry, as the bounds are."""
        if self._uniform:
            return which.reduce(values, None)
        n, item = len(values) // WIDE * WIDE, values.shape[1:]
        if n:  # long rows are compared several times as fast as short ones
            rows = which.reduce(values[:n].reshape(n // WIDE, -1)).reshape(WIDE, *item)
            values = np.concatenate([rows, values[n:]])
        return which.reduce(values)


def _extremes(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    """The smallest and the largest value of a type. NaN is neither: so floats have none."""
    if dtype.kind == "b":
        return 0, 1
    if dtype.kind in "iu":
        return np.iinfo(dtype).min, np.iinfo(dtype).max
    return np.nan, np.inf


def _one_for_all(bound: Any) -> Bound:
    """A bound as one number, if it is the same for all entries."""
    bound = np.asarray(bound)
    return bound.flat[0] if bound.size and (bound == bound.flat[0]).all() else bound


def _bounds(space: Any) -> tuple[Any, Any]:
    if isinstance(space, gym.spaces.Box):
        return space.low, space.high
    if isinstance(space, gym.spaces.Discrete):
        return int(space.start), int(space.start + space.n) - 1
    if isinstance(space, gym.spaces.MultiDiscrete):
        return space.start, space.start + space.nvec - 1
    return 0, 1
