"""Whole numbers as vectors with a single 1."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from typing import Any, NoReturn, TypeVar, cast

import numpy as np
import numpy.typing as npt

from gridarium.episodes.errors import EpisodeError

LARGEST_TABLE = 128
"""Spaces of up to so many values look their vectors up in a table (64 KiB at most)."""

SHORT = 8
"""So many values are looked up faster one by one than by numpy."""

REMEMBERED = 8

# looked up here once, since numpy's own work is short
asarray, zeros, ravel_multi_index = np.asarray, np.zeros, cast(Any, np.ravel_multi_index)

T = TypeVar("T")
Vectors = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]

FLOAT, INT, UNSIGNED = np.dtype(np.float32), np.dtype(np.int64), np.dtype(np.uint64)


class OneHot:
    """An encoder (see `gridarium.episodes.encoding.Encoder`) of one or several numbers: float32 vectors, joined.

    Args:
        sizes: how many values each number may have.
        starts: the smallest of them.
        path: of the leaf, for errors.
    """

    def __init__(self, sizes: list[int], starts: list[int], path: str) -> None:
        self._sizes, self._starts, self._path = tuple(sizes), tuple(starts), path
        self._single, self._begins_at_zero = len(sizes) == 1, not any(starts)
        self._width = sum(sizes)
        self._places = range(len(sizes))
        self._offsets = np.cumsum([0, *sizes[:-1]])
        self._table: Vectors | None = None
        self._vector_of: dict[Any, Vectors] = {}
        self._bytes_of: dict[Any, bytes] = {}
        self._filled: dict[Any, Vectors] = {}
        self._filled_bytes: dict[Any, bytes] = {}
        if prod(sizes) <= LARGEST_TABLE:
            values: list[Any] = list(product(*(range(a, a + n) for a, n in zip(starts, sizes, strict=True))))
            self._table = np.zeros((len(values), self._width), FLOAT)
            self._put(self._table, np.array(values, INT))
            values = [value for (value,) in values] if self._single else values
            self._vector_of = dict(zip(values, self._table, strict=True))
            self._bytes_of = {value: vector.tobytes() for value, vector in self._vector_of.items()}

    def one(self, value: Any) -> Any:
        """The vector of one item."""
        try:
            return self._vector_of[value if self._single else tuple(value.tolist())].copy()
        except (KeyError, TypeError, AttributeError):  # see `several`
            return self.several([value])[0]

    def several(self, values: list[Any]) -> list[Any]:
        """The vectors of a list of items."""
        vector_of = self._vector_of
        try:
            if self._single:
                return [vector_of[value].copy() for value in values]
            return [vector_of[tuple(value.tolist())].copy() for value in values]
        except (KeyError, TypeError, AttributeError):  # no table, or not simply numbers or arrays of numbers
            try:
                numbers = np.array([np.asarray(value).reshape(-1) for value in values])
            except ValueError as error:
                raise EpisodeError(
                    f"{self._path or 'value'}: not whole numbers of the space: {error}"
                ) from error
            return list(self.many(self._whole(numbers), 0, 0, None))

    def many(self, values: Any, left: int, right: int, fill: Any) -> Any:
        """The vectors of an array of items, between filled ones."""
        n = len(values)
        if n <= SHORT:
            try:
                return self._joined(values, left, right, fill)
            except (KeyError, TypeError):  # no table, or not simply numbers
                pass
        vectors = zeros((left + n + right, self._width), FLOAT)
        if fill:
            vectors[:left] = vectors[left + n :] = fill
        if n:
            stored = vectors[left : left + n] if right else vectors[left:]
            if values.dtype is not INT:
                values = self._whole(values)
            if self._table is None:
                self._put(stored, values.reshape(n, -1))
            else:  # "clip" looks at nothing again, and writes without a copy
                self._table.take(self._rows(values), 0, stored, "clip")
        return vectors

    def filled(self, fill: Any) -> Any:
        """A vector of a number."""
        try:
            return self._filled[fill].copy()
        except (KeyError, TypeError):
            return remembered(self._filled, fill, lambda: full((self._width,), fill, FLOAT)).copy()

    def _joined(self, values: Any, left: int, right: int, fill: Any) -> Vectors:
        """The vectors of few values, put together byte by byte."""
        bytes_of = self._bytes_of
        items = values.tolist()
        data = b"".join([bytes_of[item] for item in (items if self._single else map(tuple, items))])
        if left or right:
            filled = self._filled_bytes.get(fill)
            if filled is None:
                filled = remembered(self._filled_bytes, fill, lambda: self.filled(fill).tobytes())
            data = filled * left + data + filled * right
        return np.ndarray((left + len(items) + right, self._width), FLOAT, bytearray(data))

    def _whole(self, values: npt.NDArray[Any]) -> Numbers:
        """Values as int64.

        Raises:
            EpisodeError: one of them is no whole number.
        """
        try:
            with np.errstate(invalid="ignore"):
                numbers = values.astype(INT)
        except (ValueError, TypeError, OverflowError) as error:
            raise EpisodeError(f"{self._path or 'value'}: not whole numbers of the space: {error}") from error
        if values.size != len(values) * len(self._sizes):
            raise EpisodeError(
                f"{self._path or 'value'}: {len(self._sizes)} numbers make an item, got the shape {values.shape[1:]}"
            )
        odd = numbers != values
        if odd.any():
            raise EpisodeError(
                f"{self._path or 'value'}: {values[odd].flat[0]} is no whole number, as the space has them"
            )
        return numbers

    def _rows(self, values: Numbers) -> Numbers:
        """Where in the table the vectors of items are."""
        if self._single:
            values = values if values.ndim == 1 else values.reshape(-1)
            if not self._begins_at_zero:
                values = values - self._starts[0]
            # negative ones are the largest then; and finding a place costs a third of finding a value
            unsigned = values.view(UNSIGNED)
            if unsigned.item(unsigned.argmax()) >= self._width:
                self._refuse(values[:, None])
            return values
        values = values if values.ndim == 2 else values.reshape(len(values), -1)
        if not self._begins_at_zero:
            values = values - self._starts
        try:
            rows: Numbers = ravel_multi_index([values[:, i] for i in self._places], self._sizes)
            return rows
        except ValueError:
            self._refuse(values)

    def _put(self, vectors: Vectors, numbers: Numbers) -> None:
        """Write ones into vectors of zeros; the numbers are those of an item each."""
        from_zero = numbers - self._starts
        if (from_zero < 0).any() or (from_zero >= self._sizes).any():
            self._refuse(from_zero)
        vectors[np.arange(len(numbers))[:, None], from_zero + self._offsets] = 1.0

    def _refuse(self, from_zero: Numbers) -> NoReturn:
        item, i = np.argwhere((from_zero < 0) | (from_zero >= self._sizes))[0]
        start = self._starts[i]
        raise EpisodeError(
            f"{self._path or 'value'}: {(from_zero[item] + self._starts).tolist()} is outside the space, "
            f"allowed: {start} to {start + self._sizes[i] - 1}"
        )


def full(shape: tuple[int, ...], fill: Any, dtype: Any) -> npt.NDArray[Any]:
    """An array in which every number is `fill`.

    Raises:
        EpisodeError: the type has no such number.
    """
    try:
        return np.full(shape, fill, dtype)
    except (ValueError, TypeError, OverflowError) as error:
        raise EpisodeError(f"fill is 'random' or a number of type {np.dtype(dtype)}, got {fill!r}") from error


def remembered(known: dict[Any, T], fill: Any, make: Callable[[], T]) -> T:
    """What belongs to a fill, made once; the last few are kept."""
    try:
        return known[fill]
    except KeyError:
        if len(known) >= REMEMBERED:
            known.clear()
        known[fill] = make()
        return known[fill]
    except TypeError:  # an array, say, cannot be looked up
        return make()
