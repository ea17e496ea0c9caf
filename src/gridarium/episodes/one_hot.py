"""Whole numbers as vectors with a single 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from gridarium.episodes.errors import EpisodeError

LARGEST_TABLE = 128
"""Spaces of up to so many values look their vectors up in a table (64 KiB at most)."""

SHORT = 64
"""So many numbers are checked faster one by one than by numpy."""

REMEMBERED = 8

T = TypeVar("T")


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
        self._known: dict[tuple[int, ...], npt.NDArray[np.float32]] = {}
        tabled = len(sizes) == 1 and self._width <= LARGEST_TABLE
        self._rows = list(np.eye(self._width, dtype=np.float32)) if tabled else []
        self._tables: dict[Any, npt.NDArray[np.float32]] = {}

    def one(self, value: Any) -> Any:
        """The vector of one item."""
        if self._rows:
            at = int(value) - self._starts[0]
            if 0 <= at < self._width:
                return self._rows[at].copy()
        numbers = np.asarray(value).reshape(-1).tolist()
        vector = self._known.get(key := tuple(numbers))
        if vector is None:
            vector = self._placed([numbers], 0, 0, 0.0)[0]
            if len(self._known) < LARGEST_TABLE:
                self._known[key] = vector
        return vector.copy()

    def many(self, values: Any, left: int, right: int, fill: Any) -> Any:
        """The vectors of an array of items, between filled ones."""
        fill = 0.0 if fill is None else fill
        n = len(values)
        if n > SHORT:
            return self._placed_by_numpy(np.asarray(values, np.int64).reshape(n, -1), left, right, fill)
        if not self._rows or left + right > SHORT:
            return self._placed(values.reshape(n, len(self._sizes)).tolist(), left, right, fill)
        at, start = values.tolist(), self._starts[0]
        if at and not (start <= min(at) and max(at) < start + self._width):
            self._refuse(at, start, self._width)
        if start:
            at = [number - start for number in at]
        if left or right:
            at = [self._width] * left + at + [self._width] * right
        return self._table(fill).take(at, 0)

    def filled(self, fill: Any) -> Any:
        """A vector of a number."""
        return self._table(fill)[-1].copy()

    def _placed(self, items: list[list[int]], left: int, right: int, fill: Any) -> Any:
        """Few vectors: the places of the ones are found in Python."""
        ones, base = [], left * self._width
        for numbers in items:
            for number, (start, size, offset) in zip(numbers, self._places, strict=True):
                if not start <= number < start + size:
                    self._refuse(numbers, start, size)
                ones.append(base + int(number) + offset)
            base += self._width
        vectors = self._between(len(items), left, right, fill)
        vectors.put(ones, 1.0)
        return vectors

    def _placed_by_numpy(self, items: npt.NDArray[np.int64], left: int, right: int, fill: Any) -> Any:
        """Many vectors."""
        low, high = items.min(axis=0).tolist(), items.max(axis=0).tolist()
        for least, most, start, size in zip(low, high, self._starts, self._sizes, strict=True):
            if not (start <= least and most < start + size):
                self._refuse([least, most], start, size)
        vectors = self._between(len(items), left, right, fill)
        vectors[np.arange(left, left + len(items))[:, None], items + self._offsets] = 1.0
        return vectors

    def _between(self, n: int, left: int, right: int, fill: Any) -> npt.NDArray[np.float32]:
        """Zeros, between filled vectors."""
        vectors = np.zeros((left + n + right, self._width), np.float32)
        if left or right:
            vectors[:left] = vectors[left + n :] = fill
        return vectors

    def _table(self, fill: Any) -> npt.NDArray[np.float32]:
        """The vectors of all values that have a table, and a filled one after them."""
        try:
            return self._tables[fill]
        except (KeyError, TypeError):
            return remembered(self._tables, fill, lambda: self._new_table(fill))

    def _new_table(self, fill: Any) -> npt.NDArray[np.float32]:
        return np.vstack([*self._rows, np.full(self._width, fill, np.float32)])

    def _refuse(self, numbers: list[int], start: int, size: int) -> None:
        raise EpisodeError(
            f"{self._path or 'value'}: {numbers} is outside the space, allowed: {start} to {start + size - 1}"
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
