"""What a space says of values: how they look one-hot, and what an item looks like that is filled in."""

from __future__ import annotations

from typing import Any, Protocol

import gymnasium as gym
import numpy as np

from gridarium.episodes.loops import columns
from gridarium.episodes.one_hot import OneHot, full, remembered
from gridarium.episodes.structs import Struct

TILES = 32
"""So many filled items are kept ready, side by side."""


class Encoder(Protocol):
    """How items of one space are shown, stored ones and filled ones."""

    def one(self, value: Any) -> Any:
        """A stored item, shown."""

    def several(self, values: list[Any]) -> list[Any]:
        """A list of stored items, shown."""

    def many(self, values: Any, left: int, right: int, fill: Any) -> Any:
        """A struct of stored values with a leading axis, shown, between so many filled items."""

    def filled(self, fill: Any) -> Any:
        """An item in which every number is `fill`; a new one."""


def space_struct(space: gym.Space[Any] | None) -> Struct:
    """A space as plain dicts and tuples, with the spaces that hold values as leaves."""
    if isinstance(space, gym.spaces.Dict):
        return {key: space_struct(part) for key, part in space.spaces.items()}
    if isinstance(space, gym.spaces.Tuple):
        return tuple(space_struct(part) for part in space.spaces)
    return space


def plain_encoder(struct: Struct) -> Encoder:
    """The encoder of a space (see `space_struct`) that shows values as they are."""
    if isinstance(struct, dict):
        return _Dict({key: plain_encoder(part) for key, part in struct.items()})
    if isinstance(struct, tuple):
        return _Tuple(tuple(map(plain_encoder, struct)))
    return _Same(struct)


def one_hot_encoder(struct: Struct, path: str = "") -> Encoder:
    """The encoder of a space (see `space_struct`) that shows its discrete parts as one-hot vectors."""
    if isinstance(struct, dict):
        return _Dict({key: one_hot_encoder(part, f"{path}[{key!r}]") for key, part in struct.items()})
    if isinstance(struct, tuple):
        return _Tuple(tuple(one_hot_encoder(part, f"{path}[{i}]") for i, part in enumerate(struct)))
    if isinstance(struct, gym.spaces.Discrete):
        return OneHot([int(struct.n)], [int(struct.start)], path)
    if isinstance(struct, gym.spaces.MultiDiscrete):
        return OneHot(struct.nvec.reshape(-1).tolist(), struct.start.reshape(-1).tolist(), path)
    return _Same(struct)


class _Same:
    """Values that stay what they are. What is filled in is cast to the type of the space."""

    def __init__(self, space: Any) -> None:
        self._shape: tuple[int, ...] | None = space.shape
        self._dtype: Any = None if space.shape is None else space.dtype  # graphs, sequences, texts: no arrays
        self._items: dict[Any, Any] = {}
        self._tiles: dict[Any, Any] = {}

    def one(self, value: Any) -> Any:
        return value

    def several(self, values: list[Any]) -> list[Any]:
        return values

    def many(self, values: Any, left: int, right: int, fill: Any) -> Any:
        if not (left or right):
            return values
        n = len(values)
        if not fill and n and self._dtype == values.dtype:
            result = np.zeros((left + n + right, *values.shape[1:]), self._dtype)
            result[left : left + n] = values
            return result
        item = self._item(fill)
        if max(left, right) > TILES or not n:
            return between(item, values, left, right)
        tiles = remembered(self._tiles, fill, lambda: np.stack([item] * TILES))
        if not right:
            return np.concatenate((tiles[:left], values))
        return np.concatenate((tiles[:left], values, tiles[:right]))

    def filled(self, fill: Any) -> Any:
        item = self._item(fill)
        return item.copy() if isinstance(item, np.ndarray) else item

    def _item(self, fill: Any) -> Any:
        if self._shape is None or self._dtype is None:
            return fill
        try:
            return self._items[fill]
        except (KeyError, TypeError):
            shape, dtype = self._shape, self._dtype
            return remembered(self._items, fill, lambda: full(shape, fill, dtype))


class _Dict:
    def __init__(self, parts: dict[Any, Encoder]) -> None:
        self._parts = parts
        self._keys = tuple(parts)
        self._several = [part.several for part in parts.values()]
        self._many = [(key, part.many) for key, part in parts.items()]

    def one(self, value: Any) -> Any:
        return {key: part.one(value[key]) for key, part in self._parts.items()}

    def several(self, values: list[Any]) -> list[Any]:
        keys = self._keys
        if not keys:
            return values
        # what has further keys is read, too
        listed = columns(values, dict, keys) or [[value[key] for value in values] for key in keys]
        shown = [several(column) for several, column in zip(self._several, listed)]  # noqa: B905
        return [dict(zip(keys, row)) for row in zip(*shown)]  # noqa: B905  # as long, and this is called often

    def many(self, values: Any, left: int, right: int, fill: Any) -> Any:
        return {key: many(values[key], left, right, fill) for key, many in self._many}

    def filled(self, fill: Any) -> Any:
        return {key: part.filled(fill) for key, part in self._parts.items()}


class _Tuple:
    def __init__(self, parts: tuple[Encoder, ...]) -> None:
        self._parts = parts

    def one(self, value: Any) -> Any:
        return tuple(part.one(v) for part, v in zip(self._parts, value, strict=True))

    def several(self, values: list[Any]) -> list[Any]:
        shown = [part.several([value[i] for value in values]) for i, part in enumerate(self._parts)]
        return list(zip(*shown, strict=True)) if shown else values

    def many(self, values: Any, left: int, right: int, fill: Any) -> Any:
        pairs = zip(self._parts, values, strict=True)
        return tuple(part.many(v, left, right, fill) for part, v in pairs)

    def filled(self, fill: Any) -> Any:
        return tuple(part.filled(fill) for part in self._parts)


def between(item: Any, values: Any, left: int, right: int) -> Any:
    """An array between copies of an item: [left + n + right, ...]."""
    n = len(values)
    item = np.asarray(item)
    dtype = values.dtype if item.dtype == values.dtype else np.result_type(item, values)
    result = np.empty((left + n + right, *values.shape[1:]), dtype if n else item.dtype)
    if left:
        result[:left] = item
    if n:
        result[left : left + n] = values
    if right:
        result[left + n :] = item
    return result
