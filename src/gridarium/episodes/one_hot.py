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
        self._offsets = (ends - sizes - starts).tolist()
        self._single = len(sizes) == 1
        self._rows = list(np.eye(self._width, dtype=np.float32)) if self._tabled else []
        self._tables: dict[Any, npt.NDArray[np.float32]] = {}

    @property
    def _tabled(self) -> bool:
        return self._single and self._width <= LARGEST_TABLE

    def one(self, value: Any) -> Any:
        """The vector of one item."""
        numbers = [int(value)] if self._single else np.asarray(value).reshape(-1).tolist()
        self._check(numbers)
        if self._rows:
            return self._rows[numbers[0] - self._starts[0]].copy()
        vector = np.zeros(self._width, np.float32)
        for number, offset in zip(numbers, self._offsets, strict=True):
            vector[number + offset] = 1.0
        return vector

    def many(self, values: Any, left: int, right: int, fill: Any) -> Any:
        """The vectors of an array of items, between filled ones."""
        n = len(values)
        if self._rows and left + n + right <= SHORT and values.dtype.kind in "iu":
            numbers = values.reshape(-1).tolist()
            if numbers:
                self._check([min(numbers)])
                self._check([max(numbers)])
            start = self._starts[0]
            at = [number - start for number in numbers] if start else numbers
            filled = [self._width]
            return self._table(fill).take(filled * left + at + filled * right, axis=0)
        columns = np.asarray(values, np.int64).reshape(n, len(self._sizes))
        if n:
            self._check(columns.min(axis=0).tolist())
            self._check(columns.max(axis=0).tolist())
        vectors = np.zeros((left + n + right, self._width), np.float32)
        vectors[:left] = vectors[left + n :] = 0.0 if fill is None else fill
        vectors[np.arange(left, left + n)[:, None], columns + self._offsets] = 1.0
        return vectors

    def filled(self, fill: Any) -> Any:
        """A vector of a number."""
        return np.full(self._width, fill, np.float32)

    def _table(self, fill: Any) -> npt.NDArray[np.float32]:
        """The vectors of all values, and a filled one after them."""
        filled = 0.0 if fill is None else fill
        return remembered(self._tables, filled, lambda: np.vstack([*self._rows, self.filled(filled)]))

    def _check(self, numbers: list[int]) -> None:
        for number, start, size in zip(numbers, self._starts, self._sizes, strict=True):
            if not start <= number < start + size:
                raise EpisodeError(
                    f"{self._path or 'value'}: {number} is outside the space, allowed: {start} to {start + size - 1}"
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
