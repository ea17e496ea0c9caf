"""Declared fields with a shape: arrays of numbers in a state or in an agent, such as `state.hand[player, card]`."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from operator import index
from typing import Any, ClassVar

import numpy as np

from gridarium.compiled.data_types.primitives import compiled_as, get_float, plain_float, set_float
from gridarium.compiled.data_types.value_class import Static, value
from gridarium.world.geometry import Position


class Layout(Static):
    """The shape and the type of the numbers of an array.

    Args:
        shape: the lengths of the axes.
        type: 'bool', 'int' or 'float'.
        read_only: whether items cannot be set.
    """

    __slots__ = ("read_only", "shape", "size", "type")

    def __init__(self, shape: tuple[int, ...], type: str, read_only: bool = False) -> None:
        self.shape, self.type, self.size, self.read_only = shape, type, math.prod(shape), read_only

    def part(self, axes: int) -> Layout:
        """That of a part selected by indices for the first axes."""
        return Layout(self.shape[axes:], self.type, self.read_only)

    def is_like(self, other: Layout) -> bool:
        """Whether arrays of these layouts may be equal: they have the same shape and type."""
        return self.shape == other.shape and self.type == other.type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and other.__fingerprint__() == self.__fingerprint__()

    def __hash__(self) -> int:
        return hash((self.shape, self.type))

    def __reduce__(self) -> Any:
        return Layout, (self.shape, self.type, self.read_only)

    def __fingerprint__(self) -> list[Any]:
        """The parts that compiled programs depend on."""
        return [self.shape, self.type, self.read_only]


@value
class FieldArray:
    """The numbers of a declared field with a shape: a view of the state, so that assigning to items changes it.

    Items are Python numbers. An index is a whole number for each axis, or a position for two of them; fewer select a part of
    the array.

    Attributes:
        row: int64[n]: the row of the state that holds the numbers.
        start: the index of the first of them in that row.
        layout: shape and type.
    """

    __numbered__: ClassVar[bool] = True
    row: Any
    start: int
    layout: Layout

    def __getitem__(self, i: Any) -> Any:
        return get_item(self, i)

    def __setitem__(self, i: Any, new: Any) -> None:
        set_item(self, i, new)

    def __len__(self) -> int:
        return axis_length(self)

    def __iter__(self) -> Iterator[Any]:
        for i in range(axis_length(self)):
            yield get_item(self, i)

    def __contains__(self, number: Any) -> bool:
        for i in range(self.layout.size):
            if is_equal(get_number(self, i), number):
                return True
        return False

    @property
    def size(self) -> int:
        """The number of items."""
        return self.layout.size

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return shape_of(self)

    def fill(self, number: Any) -> None:
        """Set all items to a number."""
        for i in range(self.layout.size):
            set_number(self, i, number)

    def __eq__(self, other: Any) -> bool:
        return same_items(self, other)

    def __hash__(self) -> int:
        raise TypeError("an array of a state cannot be hashed, since it changes; tuple(array) can")

    def __repr__(self) -> str:
        return f"array({_nested(self)})"


def _nested(array: FieldArray) -> Any:
    return [_nested(item) if isinstance(item, FieldArray) else item for item in array]


@compiled_as("gridarium.world.compiled.field_array:axis_length")
def axis_length(array: FieldArray) -> int:
    """The length of the first axis."""
    return array.layout.shape[0]


@compiled_as("gridarium.world.compiled.field_array:shape_of")
def shape_of(array: FieldArray) -> tuple[int, ...]:
    """The lengths of the axes."""
    return array.layout.shape


@compiled_as("gridarium.world.compiled.field_array:same_items")
def same_items(array: FieldArray, other: Any) -> bool:
    """Whether another array or table has the same shape, type and items."""
    if isinstance(other, Table):
        return same_items(array, other._array)
    if not isinstance(other, FieldArray) or not other.layout.is_like(array.layout):
        return False
    return all(get_number(array, i) == get_number(other, i) for i in range(array.layout.size))


@compiled_as("gridarium.compiled.numba_backend.numeric_semantics:is_equal")
def is_equal(number: Any, other: Any) -> bool:
    """Whether two numbers are equal."""
    return bool(number == other)


@compiled_as("gridarium.world.compiled.field_array:get_item")
def get_item(array: FieldArray, i: Any) -> Any:
    """An item, or a part of the array if there are fewer indices than axes.

    Raises:
        IndexError: an index is out of range, or there are too many.
        TypeError: an index is not a whole number.
    """
    offset, part = _located(array, i)
    if part.shape:
        return FieldArray(array.row, array.start + offset, part)
    return get_number(array, offset)


@compiled_as("gridarium.world.compiled.field_array:set_item")
def set_item(array: FieldArray, i: Any, new: Any) -> None:
    """Set an item.

    Raises:
        IndexError: as `get_item`, or there are fewer indices than axes.
        TypeError: a number with a fraction for an array of whole numbers.
    """
    offset, part = _located(array, i)
    if part.shape:
        raise IndexError(
            f"an item of an array with {len(array.layout.shape)} axes has as many indices; "
            "array[i].fill(number) sets a part of it"
        )
    set_number(array, offset, new)


def _located(array: FieldArray, i: Any) -> tuple[int, Layout]:
    shape = array.layout.shape
    indices = i if isinstance(i, tuple) else (i,)
    if Position in map(type, indices):
        indices = tuple(n for part in indices for n in _of_axes(part))
    if not 1 <= len(indices) <= len(shape):
        raise IndexError(f"an array with {len(shape)} axes has at most as many indices, not {len(indices)}")
    offset = 0
    for number, length in zip(map(index, indices), shape, strict=False):
        if not -length <= number < length:
            raise IndexError(f"index {number} is out of range for an axis of length {length}")
        offset = offset * length + number % length
    part = array.layout.part(len(indices))
    return offset * part.size, part


def _of_axes(part: Any) -> tuple[Any, ...]:
    """A part of an index for each axis; a position outside of all grids does not count from the end.

    Raises:
        IndexError: it has a number below 0.
    """
    if not isinstance(part, Position):
        return (part,)
    if part.y < 0 or part.x < 0:
        raise IndexError(f"{part!r} is outside the array")
    return part.y, part.x


@compiled_as("gridarium.world.compiled.field_array:whole_number")
def whole_number(new: Any) -> int:
    """An integer for a field, or an item of an array.

    Raises:
        TypeError: it is a float, whose fraction would be lost, or no number.
        OverflowError: it has more than 64 bits.
    """
    if isinstance(new, _FLOATS):
        raise TypeError(f"a field of whole numbers takes none such as {new!r}; write int(...)")
    number = index(new)
    if not -(2**63) <= number < 2**63:
        raise OverflowError(f"a field of whole numbers takes those of 64 bits; {number} has more")
    return number


_FLOATS = (float, np.floating)


@compiled_as("gridarium.world.compiled.field_array:get_number")
def get_number(array: FieldArray, offset: int) -> bool | int | float:
    """The number at an offset, in row-major order."""
    if array.layout.type == "float":
        return float(get_float(array.row, array.start + offset))
    number = int(array.row[array.start + offset])
    return bool(number) if array.layout.type == "bool" else number


@compiled_as("gridarium.world.compiled.field_array:set_number")
def set_number(array: FieldArray, offset: int, new: Any) -> None:
    """Set the number at an offset, in row-major order.

    Raises:
        TypeError: a float for an array of whole numbers, or a table, which does not change.
    """
    if array.layout.read_only:
        raise TypeError(READ_ONLY)
    if array.layout.type == "float":
        set_float(array.row, array.start + offset, plain_float(float(new)))
    elif array.layout.type == "bool":
        array.row[array.start + offset] = int(bool(new))
    elif isinstance(new, _FLOATS):
        raise TypeError(f"an array of whole numbers takes none such as {new!r}; write int(...)")
    else:
        array.row[array.start + offset] = whole_number(new)


class Table(Static):
    """A constant array of numbers in a module, for rules: `LINES[k, i]`, `for line in LINES`. Made by `table`.

    Args:
        layout: shape and type.
        words: the numbers in row-major order as 64 bits each.
    """

    __slots__ = ("_array", "digest", "layout", "words")

    def __init__(self, layout: Layout, words: bytes) -> None:
        self.layout, self.words = layout, words
        self.digest = hashlib.blake2b(words, digest_size=16).hexdigest()
        self._array = FieldArray(np.frombuffer(words, np.int64), 0, layout)

    def __eq__(self, other: object) -> bool:
        return self._array == other

    def __hash__(self) -> int:
        return hash((self.layout.shape, self.layout.type))

    @property
    def __static_key__(self) -> Any:
        return Table, *self.__fingerprint__()  # not its items: -0.0 equals 0.0, and NaN nothing

    def __reduce__(self) -> Any:
        return Table, (self.layout, self.words)

    def __fingerprint__(self) -> list[Any]:
        """The parts that compiled programs depend on."""
        return [*self.layout.__fingerprint__(), self.digest]

    def __getitem__(self, i: Any) -> Any:
        return self._array[i]

    def __setitem__(self, i: Any, new: Any) -> None:
        raise TypeError(READ_ONLY)

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._array)

    def __contains__(self, number: Any) -> bool:
        return number in self._array

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return self.layout.shape

    @property
    def size(self) -> int:
        """The number of items."""
        return self.layout.size

    def __repr__(self) -> str:
        return f"table({_nested(self._array)})"


@compiled_as("gridarium.world.compiled.field_array:array_of_table")
def array_of_table(table: Table) -> FieldArray:
    """The array of a table."""
    return table._array


def table(numbers: Any) -> Table:
    """Make a constant array for rules, which a module gives a name.

    Compiled rules read it from memory, where a long tuple that is indexed by a variable would become a chain of tests.

    Args:
        numbers: bools, whole numbers or floats, in nested lists of equal lengths or a numpy array.

    Example:
        >>> LINES = table([[0, 1, 2], [3, 4, 5], [6, 7, 8]])
        >>> LINES[1, 2]
        5

    Raises:
        ValueError: it is empty, ragged, or holds something else than numbers of 64 bits.
    """
    try:
        array = np.asarray(numbers)
    except ValueError:
        raise ValueError("a table is made of lists of equal lengths") from None
    kinds = {"b": "bool", "i": "int", "u": "int", "f": "float"}
    if array.dtype.kind not in kinds or array.ndim == 0 or array.size == 0:
        raise ValueError(f"a table is made of numbers, in lists of equal lengths, not of {numbers!r:.60}")
    kind = kinds[array.dtype.kind]
    if array.dtype.kind == "u" and array.max() > np.iinfo(np.int64).max:
        raise ValueError("a table holds whole numbers of 64 bits")
    words = array.astype(np.float64 if kind == "float" else np.int64)
    return Table(Layout(array.shape, kind, read_only=True), words.tobytes())


READ_ONLY = "a table does not change; numbers that change are declared fields of the world"
