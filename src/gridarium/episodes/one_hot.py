"""Whole numbers as vectors with a single 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from gridarium.episodes.errors import EpisodeError

LARGEST_TABLE = 128
"""Spaces of up to so many values look their vectors up in a table (64 KiB at most)."""

SHORT = 64
"""So many values are found faster one by one than by numpy."""

REMEMBERED = 8

T = TypeVar("T")
Vectors = npt.NDArray[np.float32]


class OneHot:
    """An encoder (see `gridarium.episodes.encoding.Encoder`) of one or several numbers: float32 vectors, joined.

    Args:
        sizes: how many values each number may have.
        starts: the smallest of them.
        path: of the leaf, for errors.
    """

    def __init__(self, sizes: list[int], starts: list[int], path: str) -> None:
        self._sizes, self._starts, self._path = sizes, starts, path
        self._width = sum(sizes)
        ends = np.cumsum(sizes)
        self._offsets = ends - sizes - starts
        self._places = list(zip(starts, sizes, self._offsets.tolist(), strict=True))
        self._row_of: dict[Any, int] = {}
        self._vector_of: dict[Any, Vectors] = {}
        self._tables: dict[Any, Vectors] = {}
        self._filled: dict[Any, Vectors] = {}
        if prod(sizes) <= LARGEST_TABLE:
            values: list[Any] = list(product(*(range(a, a + n) for a, n in zip(starts, sizes, strict=True))))
            vectors = self._placed(values, 0, 0, 0.0)
            values = values if len(sizes) > 1 else [value for (value,) in values]
            self._row_of = {value: row for row, value in enumerate(values)}
            self._vector_of = dict(zip(values, vectors, strict=True))

    def one(self, value: Any) -> Any:
        """The vector of one item."""
        try:
            return self._vector_of[value if len(self._sizes) == 1 else tuple(value.tolist())].copy()
        except (
            KeyError,
            TypeError,
            AttributeError,
        ):  # no table, or not simply a number or an array of numbers
            numbers = tuple(map(int, np.asarray(value).reshape(-1).tolist()))
            return self._placed([numbers], 0, 0, 0.0)[0]

    def many(self, values: Any, left: int, right: int, fill: Any) -> Any:
        """The vectors of an array of items, between filled ones."""
        n = len(values)
        fill = 0.0 if fill is None else fill
        if n > SHORT:
            return self._placed_by_numpy(np.asarray(values, np.int64).reshape(n, -1), left, right, fill)
        items = values.tolist()
        if len(self._sizes) > 1:
            items = list(map(tuple, items if values.ndim == 2 else values.reshape(n, -1).tolist()))
        elif values.ndim > 1:
            items = values.reshape(n).tolist()
        if not self._row_of or left + right > SHORT:
            return self._placed(items, left, right, fill)
        try:
            at = [self._row_of[item] for item in items]
        except KeyError:
            return self._placed(items, left, right, fill)  # which tells what is wrong
        return self._table(fill).take([-1] * left + at + [-1] * right, 0)

    def filled(self, fill: Any) -> Any:
        """A vector of a number."""
        try:
            return self._filled[fill].copy()
        except (KeyError, TypeError):
            return remembered(self._filled, fill, lambda: np.full(self._width, fill, np.float32)).copy()

    def _placed(self, items: Sequence[Any], left: int, right: int, fill: Any) -> Vectors:
        """Few vectors: the places of the ones are found in Python."""
        ones, base = [], left * self._width
        for item in items:
            numbers = item if isinstance(item, tuple) else (item,)
            for number, (start, size, offset) in zip(numbers, self._places, strict=True):
                if not start <= number < start + size:
                    self._refuse(numbers, start, size)
                ones.append(base + int(number) + offset)
            base += self._width
        vectors = self._between(len(items), left, right, fill)
        vectors.put(ones, 1.0)
        return vectors

    def _placed_by_numpy(self, items: npt.NDArray[np.int64], left: int, right: int, fill: Any) -> Vectors:
        """Many vectors."""
        low, high = items.min(axis=0).tolist(), items.max(axis=0).tolist()
        for least, most, start, size in zip(low, high, self._starts, self._sizes, strict=True):
            if not (start <= least and most < start + size):
                self._refuse([least, most], start, size)
        vectors = self._between(len(items), left, right, fill)
        vectors[np.arange(left, left + len(items))[:, None], items + self._offsets] = 1.0
        return vectors

    def _between(self, n: int, left: int, right: int, fill: Any) -> Vectors:
        """Zeros, between filled vectors."""
        vectors = np.zeros((left + n + right, self._width), np.float32)
        if left or right:
            vectors[:left] = vectors[left + n :] = fill
        return vectors

    def _table(self, fill: Any) -> Vectors:
        """The vectors of all values that have a table, and a filled one after them."""
        try:
            return self._tables[fill]
        except (KeyError, TypeError):
            return remembered(self._tables, fill, lambda: self._new_table(fill))

    def _new_table(self, fill: Any) -> Vectors:
        return np.vstack([*self._vector_of.values(), np.full(self._width, fill, np.float32)])

    def _refuse(self, numbers: Sequence[int], start: int, size: int) -> None:
        raise EpisodeError(
            f"{self._path or 'value'}: {list(numbers)} is outside the space, allowed: {start} to {start + size - 1}"
        )


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
