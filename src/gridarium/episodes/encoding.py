"""What a space says of values: how they look one-hot, and what an item looks like that is filled in."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.structs import Struct

LARGEST_TABLE = 256
"""Spaces of up to so many values keep a table of their one-hot vectors (256 KiB at most)."""


class Encoder(Protocol):
    """How values of one space are shown with `one_hot_discrete`."""

    def one(self, value: Any) -> Any:
        """A value, encoded; an array of its own."""

    def many(self, values: Any) -> Any:
        """A struct of values with a leading axis, encoded."""

    def filled(self, fill: Any) -> Any:
        """An encoded item in which every number is `fill`."""


def space_struct(space: gym.Space[Any] | None) -> Struct:
    """A space as plain dicts and tuples, with the spaces that hold values as leaves."""
    if isinstance(space, gym.spaces.Dict):
        return {key: space_struct(part) for key, part in space.spaces.items()}
    if isinstance(space, gym.spaces.Tuple):
        return tuple(space_struct(part) for part in space.spaces)
    return space


def filled_item(struct: Struct, fill: Any) -> Struct:
    """An item of a space (see `space_struct`) in which every number is `fill`, cast to the type of the space."""
    if isinstance(struct, dict):
        return {key: filled_item(part, fill) for key, part in struct.items()}
    if isinstance(struct, tuple):
        return tuple(filled_item(part, fill) for part in struct)
    if struct.shape is None or struct.dtype is None:  # a graph, a sequence, or a text
        return fill
    return np.full(struct.shape, fill, struct.dtype)


def one_hot_encoder(struct: Struct, path: str = "") -> Encoder:
    """The encoder of a space (see `space_struct`)."""
    if isinstance(struct, dict):
        return _Dict({key: one_hot_encoder(part, f"{path}[{key!r}]") for key, part in struct.items()})
    if isinstance(struct, tuple):
        return _Tuple(tuple(one_hot_encoder(part, f"{path}[{i}]") for i, part in enumerate(struct)))
    if isinstance(struct, gym.spaces.Discrete):
        return _OneHot(np.array([struct.n]), np.array([struct.start]), path)
    if isinstance(struct, gym.spaces.MultiDiscrete):
        return _OneHot(struct.nvec.reshape(-1), struct.start.reshape(-1), path)
    return _Same(struct)


class _Same:
    """Values that stay what they are."""

    def __init__(self, space: Any) -> None:
        self._space = space

    def one(self, value: Any) -> Any:
        return value

    def many(self, values: Any) -> Any:
        return values

    def filled(self, fill: Any) -> Any:
        return filled_item(self._space, fill)


class _OneHot:
    """Whole numbers, each as a vector with a single 1; those of one value one after another.

    Args:
        sizes: int64[k]: how many values each number may have.
        starts: int64[k]: the smallest of them.
        path: of the leaf, for errors.
    """

    def __init__(self, sizes: npt.NDArray[Any], starts: npt.NDArray[Any], path: str) -> None:
        self._sizes, self._starts, self._path = sizes, starts, path
        self._width = int(sizes.sum())
        self._offsets = np.cumsum(sizes) - sizes - starts
        self._table = one_hot_table(self._width) if len(sizes) == 1 and self._width <= LARGEST_TABLE else None
        self._start = int(starts[0]) if len(sizes) else 0

    def one(self, value: Any) -> Any:
        if self._table is None:
            return self.many(np.asarray(value)[None])[0]
        at = int(value) - self._start
        if not 0 <= at < self._width:
            self._refuse(value)
        return self._table[at].copy()

    def many(self, values: Any) -> Any:
        if values.dtype.kind != "i":
            values = values.astype(np.int64)
        if self._table is not None and values.ndim == 1:
            at = values - self._start
            if at.size and not (at.min() >= 0 and at.max() < self._width):
                self._refuse(values)
            return self._table[at]
        numbers = np.asarray(values).reshape(len(values), len(self._sizes))
        relative = numbers - self._starts
        if numbers.size and not ((relative >= 0) & (relative < self._sizes)).all():
            self._refuse(values)
        encoded = np.zeros((len(numbers), self._width), np.float32)
        encoded[np.arange(len(numbers))[:, None], numbers + self._offsets] = 1.0
        return encoded

    def filled(self, fill: Any) -> Any:
        return np.full(self._width, fill, np.float32)

    def _refuse(self, value: Any) -> None:
        allowed = ", ".join(
            f"{start} to {start + size - 1}" for start, size in zip(self._starts, self._sizes, strict=True)
        )
        raise EpisodeError(f"{self._path or 'value'}: {value} is outside the space, allowed: {allowed}")


class _Dict:
    def __init__(self, parts: dict[Any, Encoder]) -> None:
        self._parts = parts

    def one(self, value: Any) -> Any:
        return {key: part.one(value[key]) for key, part in self._parts.items()}

    def many(self, values: Any) -> Any:
        return {key: part.many(values[key]) for key, part in self._parts.items()}

    def filled(self, fill: Any) -> Any:
        return {key: part.filled(fill) for key, part in self._parts.items()}


class _Tuple:
    def __init__(self, parts: tuple[Encoder, ...]) -> None:
        self._parts = parts

    def one(self, value: Any) -> Any:
        return tuple(part.one(v) for part, v in zip(self._parts, value, strict=True))

    def many(self, values: Any) -> Any:
        return tuple(part.many(v) for part, v in zip(self._parts, values, strict=True))

    def filled(self, fill: Any) -> Any:
        return tuple(part.filled(fill) for part in self._parts)


@lru_cache(maxsize=32)
def one_hot_table(n: int) -> npt.NDArray[np.float32]:
    """float32[n, n]: the one-hot vectors of length n; not to be written to."""
    table = np.eye(n, dtype=np.float32)
    table.flags.writeable = False
    return table
