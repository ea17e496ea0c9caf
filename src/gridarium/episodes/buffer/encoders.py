"""Encoders of the items of a space, as they are or one-hot, and of the items that are filled in where nothing is stored."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from typing import Any, NoReturn, Protocol, TypeVar

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from gridarium.episodes.buffer.structs import Struct, batch, map_structs
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.loops import columns, put_ones

MAX_TABLE = 128
"""The vectors of spaces of up to this many values are computed in advance (64 KiB at most)."""

MAX_CACHED = 8

zeros = np.zeros  # looked up once: the call itself is short

T = TypeVar("T")
Vectors = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]

FLOAT, INT = np.dtype(np.float32), np.dtype(np.int64)


class OneHotEncoder:
    """An encoder (see `gridarium.episodes.buffer.encoders.ItemEncoder`) of one or several numbers: float32 vectors, joined.

    Args:
        sizes: how many values each number may have.
        starts: the smallest of them.
        path: of the leaf, for errors.
    """

    def __init__(self, sizes: list[int], starts: list[int], path: str) -> None:
        self._path, self._numbers, self._width = path, len(sizes), sum(sizes)
        self._bounds = np.array([starts, sizes], INT)
        self._vector_of: dict[Any, Vectors] = {}
        self._filled: dict[Any, Vectors] = {}
        if prod(sizes) <= MAX_TABLE:
            values: list[Any] = list(product(*(range(a, a + n) for a, n in zip(starts, sizes, strict=True))))
            vectors = self.encode_arrays(np.array(values, INT), 0, 0, None)
            values = [value for (value,) in values] if self._numbers == 1 else values
            self._vector_of = dict(zip(values, vectors, strict=True))

    def encode(self, value: Any) -> Any:
        """Return the vector of one item."""
        return self.encode_list([value])[0]

    def encode_list(self, values: list[Any]) -> list[Any]:
        """Return the vectors of a list of items."""
        vector_of = self._vector_of
        try:
            if self._numbers == 1:
                return [vector_of[value].copy() for value in values]
            return [vector_of[tuple(value.tolist())].copy() for value in values]
        except (KeyError, TypeError, AttributeError):  # not computed in advance, or not simply numbers
            try:
                numbers = np.array([np.asarray(value).reshape(-1) for value in values])
            except ValueError as error:
                raise EpisodeError(
                    f"{self._path or 'value'}: not whole numbers of the space: {error}"
                ) from error
            return list(self.encode_arrays(numbers, 0, 0, None))

    def encode_arrays(self, values: Any, left: int, right: int, fill: Any) -> Any:
        """Return the vectors of an array of items, between filled ones."""
        n = len(values)
        vectors = zeros((left + n + right, self._width), FLOAT)
        if fill:
            vectors[:left] = vectors[left + n :] = fill
        if values.dtype is not INT or values.size != n * self._numbers:
            values = self._whole(values)
        odd = put_ones(values, self._bounds, vectors, left)
        if odd >= 0:
            self._raise_outside(values[odd])
        return vectors

    def filled(self, fill: Any) -> Any:
        """Return a vector in which every number is `fill`."""
        try:
            return self._filled[fill].copy()
        except (KeyError, TypeError):
            return cached(self._filled, fill, lambda: full((self._width,), fill, FLOAT)).copy()

    def _whole(self, values: npt.NDArray[Any]) -> Numbers:
        """Values as int64.

        Raises:
            EpisodeError: one of them is not an integer, or their number is wrong.
        """
        try:
            with np.errstate(invalid="ignore"):
                numbers = values.astype(INT)
        except (ValueError, TypeError, OverflowError) as error:
            raise EpisodeError(f"{self._path or 'value'}: not whole numbers of the space: {error}") from error
        if values.size != len(values) * self._numbers:
            raise EpisodeError(
                f"{self._path or 'value'}: {self._numbers} numbers make an item, got the shape {values.shape[1:]}"
            )
        odd = numbers != values
        if odd.any():
            raise EpisodeError(
                f"{self._path or 'value'}: {values[odd].flat[0]} is not a whole number, as the space needs"
            )
        return numbers

    def _raise_outside(self, item: Numbers) -> NoReturn:
        """Raise the error for an item with a number outside the space."""
        starts, sizes = self._bounds
        numbers = item.reshape(-1)
        i = int(((numbers < starts) | (numbers - starts >= sizes)).argmax())
        raise EpisodeError(
            f"{self._path or 'value'}: {numbers.tolist()} is outside the space, "
            f"allowed: {starts[i]} to {starts[i] + sizes[i] - 1}"
        )


def full(shape: tuple[int, ...], fill: Any, dtype: Any) -> npt.NDArray[Any]:
    """Return an array in which every number is `fill`.

    Raises:
        EpisodeError: the dtype has no such number.
    """
    try:
        return np.full(shape, fill, dtype)
    except (ValueError, TypeError, OverflowError) as error:
        raise EpisodeError(f"fill is 'random' or a number of type {np.dtype(dtype)}, got {fill!r}") from error


def cached(known: dict[Any, T], fill: Any, make: Callable[[], T]) -> T:
    """Return the value for a fill, made once; the last few are cached."""
    try:
        return known[fill]
    except KeyError:
        if len(known) >= MAX_CACHED:
            known.clear()
        known[fill] = make()
        return known[fill]
    except TypeError:  # not hashable
        return make()


TILES = 32
"""The number of filled items that are cached side by side."""


class ItemEncoder(Protocol):
    """Encodes the items of one space, stored ones and filled ones."""

    def encode(self, value: Any) -> Any:
        """Encode a stored item."""

    def encode_list(self, values: list[Any]) -> list[Any]:
        """Encode a list of stored items."""

    def encode_arrays(self, values: Any, left: int, right: int, fill: Any) -> Any:
        """Encode a struct of stored values with a leading axis, between `left` and `right` filled items."""

    def filled(self, fill: Any) -> Any:
        """Return a new item in which every number is `fill`."""


def space_struct(space: gym.Space[Any] | None) -> Struct:
    """Return a space as plain dicts and tuples, with the spaces that hold values as leaves."""
    if isinstance(space, gym.spaces.Dict):
        return {key: space_struct(part) for key, part in space.spaces.items()}
    if isinstance(space, gym.spaces.Tuple):
        return tuple(space_struct(part) for part in space.spaces)
    return space


def plain_encoder(struct: Struct) -> ItemEncoder:
    """Return the encoder of a space (see `space_struct`) that returns values unchanged."""
    if isinstance(struct, dict):
        return _DictEncoder({key: plain_encoder(part) for key, part in struct.items()})
    if isinstance(struct, tuple):
        return _TupleEncoder(tuple(map(plain_encoder, struct)))
    return _IdentityEncoder(struct)


def one_hot_encoder(struct: Struct, path: str = "") -> ItemEncoder:
    """Return the encoder of a space (see `space_struct`) that returns one-hot vectors for its discrete parts."""
    if isinstance(struct, dict):
        return _DictEncoder({key: one_hot_encoder(part, f"{path}[{key!r}]") for key, part in struct.items()})
    if isinstance(struct, tuple):
        return _TupleEncoder(tuple(one_hot_encoder(part, f"{path}[{i}]") for i, part in enumerate(struct)))
    if isinstance(struct, gym.spaces.Discrete):
        return OneHotEncoder([int(struct.n)], [int(struct.start)], path)
    if isinstance(struct, gym.spaces.MultiDiscrete):
        return OneHotEncoder(struct.nvec.reshape(-1).tolist(), struct.start.reshape(-1).tolist(), path)
    return _IdentityEncoder(struct)


class _IdentityEncoder:
    """Returns values unchanged. Filled items have the dtype of the space."""

    def __init__(self, space: Any) -> None:
        self._shape: tuple[int, ...] | None = space.shape
        self._dtype: Any = None if space.shape is None else space.dtype  # graphs, sequences, texts: no arrays
        self._items: dict[Any, Any] = {}
        self._tiles: dict[Any, Any] = {}

    def encode(self, value: Any) -> Any:
        return value

    def encode_list(self, values: list[Any]) -> list[Any]:
        return values

    def encode_arrays(self, values: Any, left: int, right: int, fill: Any) -> Any:
        if not (left or right):
            return values
        n = len(values)
        if not fill and n and self._dtype == values.dtype:
            result = np.zeros((left + n + right, *values.shape[1:]), self._dtype)
            result[left : left + n] = values
            return result
        item = self._item(fill)
        if max(left, right) > TILES or not n:
            return pad(item, values, left, right)
        tiles = cached(self._tiles, fill, lambda: np.stack([item] * TILES))
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
            return cached(self._items, fill, lambda: full(shape, fill, dtype))


class _DictEncoder:
    def __init__(self, parts: dict[Any, ItemEncoder]) -> None:
        self._parts = parts
        self._keys = tuple(parts)
        self._encode_lists = [part.encode_list for part in parts.values()]
        self._encode_arrays = [(key, part.encode_arrays) for key, part in parts.items()]

    def encode(self, value: Any) -> Any:
        return {key: part.encode(value[key]) for key, part in self._parts.items()}

    def encode_list(self, values: list[Any]) -> list[Any]:
        keys = self._keys
        if not keys:
            return values
        # items with further keys are read, too
        listed = columns(values, dict, keys) or [[value[key] for value in values] for key in keys]
        encoded = [encode_list(column) for encode_list, column in zip(self._encode_lists, listed)]  # noqa: B905
        return [dict(zip(keys, row)) for row in zip(*encoded)]  # noqa: B905  # as long, and this is called often

    def encode_arrays(self, values: Any, left: int, right: int, fill: Any) -> Any:
        return {
            key: encode_arrays(values[key], left, right, fill) for key, encode_arrays in self._encode_arrays
        }

    def filled(self, fill: Any) -> Any:
        return {key: part.filled(fill) for key, part in self._parts.items()}


class _TupleEncoder:
    def __init__(self, parts: tuple[ItemEncoder, ...]) -> None:
        self._parts = parts

    def encode(self, value: Any) -> Any:
        return tuple(part.encode(v) for part, v in zip(self._parts, value, strict=True))

    def encode_list(self, values: list[Any]) -> list[Any]:
        encoded = [part.encode_list([value[i] for value in values]) for i, part in enumerate(self._parts)]
        return list(zip(*encoded, strict=True)) if encoded else values

    def encode_arrays(self, values: Any, left: int, right: int, fill: Any) -> Any:
        pairs = zip(self._parts, values, strict=True)
        return tuple(part.encode_arrays(v, left, right, fill) for part, v in pairs)

    def filled(self, fill: Any) -> Any:
        return tuple(part.filled(fill) for part in self._parts)


def pad(item: Any, values: Any, left: int, right: int) -> Any:
    """Return an array between copies of an item: [left + n + right, ...]."""
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


def get_dummy_batch_for_space(
    space: gym.Space[Any],
    batch_size: int = 32,
    *,
    fill_value: float | str = 0.0,
    time_size: int | None = None,
    time_major: bool = False,
    one_hot_discrete: bool = False,
) -> Struct:
    """Return a struct of arrays in the form of a space, for instance to initialize a model.

    Args:
        space: of one item.
        batch_size: length of the batch axis; 0 for no such axis.
        fill_value: every number of the items, or "random" for samples of the space.
        time_size: length of a time axis after the batch axis; None for no such axis.
        time_major: put the time axis first.
        one_hot_discrete: vectors for the discrete parts, see `InfiniteLookbackBuffer.get`.

    Returns:
        Arrays [batch_size, time_size, ...], in the types of the space.
    """
    lengths = [batch_size] if batch_size else []
    if time_size is not None:
        lengths.insert(0 if time_major else len(lengths), time_size)
    parts = space_struct(space)
    encoder = one_hot_encoder(parts) if one_hot_discrete else plain_encoder(parts)
    if fill_value == "random":
        n = int(np.prod(lengths))
        samples = [encoder.encode(space.sample()) for _ in range(n)]
        if not lengths:
            return map_structs(lambda _, leaf: np.asarray(leaf), samples[0])
        return map_structs(lambda _, leaf: leaf.reshape(*lengths, *leaf.shape[1:]), batch(samples))
    return map_structs(
        lambda _, leaf: np.broadcast_to(leaf, (*lengths, *leaf.shape)).copy(), encoder.filled(fill_value)
    )
