"""Whole numbers as vectors with a single 1."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from typing import Any, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.loops import put_ones

LARGEST_TABLE = 128
"""The vectors of spaces of up to so many values are kept ready (64 KiB at most)."""

REMEMBERED = 8

zeros = np.zeros  # looked up here once, since numpy's own work is short

T = TypeVar("T")
Vectors = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]

FLOAT, INT = np.dtype(np.float32), np.dtype(np.int64)


class OneHot:
    """An encoder (see `gridarium.episodes.encoding.Encoder`) of one or several numbers: float32 vectors, joined.

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
        if prod(sizes) <= LARGEST_TABLE:
            values: list[Any] = list(product(*(range(a, a + n) for a, n in zip(starts, sizes, strict=True))))
            vectors = self.many(np.array(values, INT), 0, 0, None)
            values = [value for (value,) in values] if self._numbers == 1 else values
            self._vector_of = dict(zip(values, vectors, strict=True))

    def one(self, value: Any) -> Any:
        """The vector of one item."""
        return self.several([value])[0]

    def several(self, values: list[Any]) -> list[Any]:
        """The vectors of a list of items."""
        vector_of = self._vector_of
        try:
            if self._numbers == 1:
                return [vector_of[value].copy() for value in values]
            return [vector_of[tuple(value.tolist())].copy() for value in values]
        except (KeyError, TypeError, AttributeError):  # not kept ready, or not simply numbers
            try:
                numbers = np.array([np.asarray(value).reshape(-1) for value in values])
            except ValueError as error:
                raise EpisodeError(
                    f"{self._path or 'value'}: not whole numbers of the space: {error}"
                ) from error
            return list(self.many(numbers, 0, 0, None))

    def many(self, values: Any, left: int, right: int, fill: Any) -> Any:
        """The vectors of an array of items, between filled ones."""
        n = len(values)
        vectors = zeros((left + n + right, self._width), FLOAT)
        if fill:
            vectors[:left] = vectors[left + n :] = fill
        if values.dtype is not INT or values.size != n * self._numbers:
            values = self._whole(values)
        odd = put_ones(values, self._bounds, vectors, left)
        if odd >= 0:
            self._refuse(values[odd])
        return vectors

    def filled(self, fill: Any) -> Any:
        """A vector of a number."""
        try:
            return self._filled[fill].copy()
        except (KeyError, TypeError):
            return remembered(self._filled, fill, lambda: full((self._width,), fill, FLOAT)).copy()

    def _whole(self, values: npt.NDArray[Any]) -> Numbers:
        """Values as int64.

        Raises:
            EpisodeError: one of them is no whole number, or they are too many or too few.
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
                f"{self._path or 'value'}: {values[odd].flat[0]} is no whole number, as the space has them"
            )
        return numbers

    def _refuse(self, item: Numbers) -> NoReturn:
        """Tell of an item with a number outside the space."""
        starts, sizes = self._bounds
        numbers = item.reshape(-1)
        i = int(((numbers < starts) | (numbers - starts >= sizes)).argmax())
        raise EpisodeError(
            f"{self._path or 'value'}: {numbers.tolist()} is outside the space, "
            f"allowed: {starts[i]} to {starts[i] + sizes[i] - 1}"
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
