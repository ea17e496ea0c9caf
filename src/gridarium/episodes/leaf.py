"""The layout of a number or an array: which typed array holds it, and how it is read back (see `layout`)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from operator import countOf
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.episodes.exactness import EXACT, NUMERIC, holds
from gridarium.episodes.loops import alike, pack
from gridarium.episodes.structs import Struct

Array = npt.NDArray[Any]

PYTHON = {bool: np.dtype(np.bool_), int: np.dtype(np.int64), float: np.dtype(np.float64)}


class Leaf(NamedTuple):
    """A number or an array.

    Attributes:
        kind: `bool`, `int`, `float`, a numpy scalar type, or `numpy.ndarray`.
        dtype: of the array that holds it.
        shape: of one item.
    """

    kind: type
    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    @property
    def arrays(self) -> int:
        """One array holds the leaf."""
        return 1

    def pack(self, values: list[Any], *, same: bool = False) -> list[Array] | None:
        """See `Layout.pack`."""
        n = len(values)
        if self.kind is np.ndarray:
            packed = pack(values, self.dtype, self.shape, same)
            return None if packed is None else [np.ndarray((n, *self.shape), self.dtype, packed)]
        if not same and countOf(map(type, values), self.kind) != n:
            return None
        if self.kind in PYTHON:
            data = bytearray(n * self.dtype.itemsize)
            try:
                struct.pack_into(f"{n}{self.dtype.char}", data, 0, *values)
            except struct.error:  # a whole number beyond 64 bits
                return None
            return [np.frombuffer(data, self.dtype)]
        if not self.plain:
            return None
        return [np.frombuffer(bytearray().join(values), self.dtype)]

    @property
    def sure(self) -> bool:
        """Whether class, shape and type of a value tell that it has this layout."""
        return self.kind is np.ndarray or (self.plain and self.kind is not int)

    @property
    def plain(self) -> bool:
        """Whether all scalars of one class have the same bytes as an entry of the array."""
        return self.dtype.isnative and self.dtype.kind in NUMERIC

    def same(self, value: Any) -> bool:
        """See `Layout.same`."""
        if self.kind is np.ndarray:
            return alike(value, self.dtype, self.shape)
        kind = type(value)
        if kind is not self.kind:
            return False
        return -EXACT <= value <= EXACT if kind is int else self.plain

    def fits(self, value: Any) -> bool:
        """See `Layout.fits`."""
        kind = value.__class__
        if kind is int:
            return -EXACT <= value <= EXACT and not self.shape and self.dtype.kind in NUMERIC
        if kind is np.ndarray or issubclass(kind, np.generic):
            return value.shape == self.shape and holds(self.dtype, value.dtype)
        return kind in PYTHON and not self.shape and holds(self.dtype, PYTHON[kind])

    def build(self, arrays: Sequence[Any]) -> Struct:
        """See `Layout.build`."""
        return arrays[0]

    def part(self, arrays: Sequence[Array], which: int | slice) -> Struct:
        """See `Layout.part`."""
        return arrays[0][which]

    def item(self, arrays: Sequence[Array], at: int) -> Any:
        """See `Layout.item`."""
        if self.kind in PYTHON:
            return arrays[0].item(at)
        return arrays[0][at, ...].copy() if self.kind is np.ndarray else arrays[0][at]

    def unpack(self, arrays: Sequence[Array], n: int) -> list[Any]:
        """See `Layout.unpack`."""
        array = arrays[0]
        if self.kind in PYTHON:
            return array.tolist()  # type: ignore[no-any-return]
        if self.shape or self.kind is not np.ndarray:
            return list(array)
        return [array[i, ...] for i in range(n)]

    def flatten(self, value: Struct) -> list[Any]:
        """See `Layout.flatten`."""
        if isinstance(value, (dict, tuple)):
            raise TypeError("a leaf was expected")
        return [value]
