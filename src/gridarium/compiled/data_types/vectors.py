"""Arrays of numbers: `RandomArray` in plain Python, `Vector` over scratch memory in compiled code."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from typing import Any, ClassVar, TypeAlias

import numpy as np

from gridarium.compiled.data_types.primitives import compiled_as, for_rules
from gridarium.compiled.data_types.value_class import value

Size: TypeAlias = int | tuple[int, ...]
"""A size: a number of items, or a shape."""


class RandomArray(np.ndarray):
    """A numpy array whose scalar items are Python numbers, as in compiled code.

    numpy's scalars wrap around in 64 bits, combine bools by `or` where Python adds them, and divide by zero.
    Raises TypeError if a float is assigned to an item of an integer array, which would truncate it.
    """

    def __getitem__(self, place: Any) -> Any:
        if type(place) is int and self.ndim == 1:  # most rules read one number after another
            return self.item(place)
        found = super().__getitem__(_place(place))
        return found.item() if isinstance(found, np.generic) else found

    def __setitem__(self, place: Any, new: Any) -> None:
        if self.dtype.kind == "i" and isinstance(new, float | np.floating):
            raise TypeError(f"an array of whole numbers takes none such as {new!r}; write int(...)")
        super().__setitem__(_place(place), new)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return repr(self.view(np.ndarray))

    def __str__(self) -> str:
        return str(self.view(np.ndarray))


def _place(place: Any) -> Any:
    """An index of an array in which truth values are the numbers 0 and 1, as in Python's sequences."""
    if isinstance(place, tuple):
        return tuple(map(_place, place))
    return int(place) if isinstance(place, bool | np.bool_) else place


@value
class Vector:
    """The type that `Rng` returns for several numbers in compiled code (`RandomArray` when interpreted).

    Attributes:
        items: the numbers in row-major order.
        shape: the lengths of its axes.
        memory: int64[n], scratch memory for vectors computed from this one.
    """

    __shown_as__: ClassVar[str] = "array"
    __hidden__: ClassVar[tuple[str, ...]] = ("items", "memory")
    __numbered__: ClassVar[bool] = True
    items: Any
    shape: Any
    memory: Any

    def __getitem__(self, i: Any) -> Any:
        return vector_item(self, i)

    def __setitem__(self, i: Any, number: Any) -> None:
        put_item(self.items, vector_offset(self, i), number)

    def __len__(self) -> int:
        return int(self.shape[0])

    @property
    def size(self) -> int:
        """The number of items."""
        return int(self.items.shape[0])

    def __contains__(self, number: Any) -> bool:
        for i in range(self.items.shape[0]):
            if self.items[i] == number:
                return True
        return False

    def __iter__(self) -> Any:
        for i in range(self.shape[0]):
            yield vector_part(self, i)

    def __eq__(self, number: Any) -> Any:
        return equal_each(self, number)

    def astype(self, dtype: Any) -> Any:
        """Copy to another type: `bool`, `int` or `float`."""
        return converted(self, dtype)


@for_rules
@compiled_as("gridarium.compiled.numba_backend.vectors:new_integers")
def new_integers(scratch: Any, count: int) -> Any:
    """int64[count] of scratch memory (interpreted: a new array)."""
    return np.zeros(int(count), np.int64).view(RandomArray)


@for_rules
@compiled_as("gridarium.compiled.numba_backend.vectors:new_floats")
def new_floats(scratch: Any, count: int) -> Any:
    """float64[count] of scratch memory (interpreted: a new array, of objects if random draws branch)."""
    return np.zeros(int(count), object if hasattr(scratch, "enumerator") else np.float64).view(RandomArray)


@compiled_as("gridarium.compiled.numba_backend.vectors:count_of")
def count_of(size: Size) -> int:
    """The number of items in an array of a size.

    Raises:
        ValueError: a negative length.
        TypeError: a length is not an integer.
    """
    lengths = [operator.index(n) for n in (size if isinstance(size, tuple | list) else (size,))]
    if any(n < 0 for n in lengths):
        raise ValueError(f"negative dimensions are not allowed: size={size}")
    return math.prod(lengths)


@compiled_as("gridarium.compiled.numba_backend.vectors:shaped")
def shaped(numbers: Any, size: Size) -> Any:
    """Reshape a one-dimensional array to a size."""
    return numbers.reshape(_place(size))


@compiled_as("gridarium.compiled.numba_backend.vectors:length_of")
def length_of(a: Any) -> int:
    """The number of items to choose from: `a` itself, or its length."""
    return len(a) if hasattr(a, "__len__") else int(a)


@compiled_as("gridarium.compiled.numba_backend.vectors:item_of")
def item_of(a: Any, i: int) -> Any:
    """The i-th item to choose from: `i` itself, or an item."""
    return a[i] if hasattr(a, "__len__") else i


@compiled_as("gridarium.compiled.numba_backend.vectors:items_of")
def items_of(scratch: Any, a: Any, chosen: Any) -> Any:
    """The chosen items: the numbers themselves, or an array of items."""
    if not hasattr(a, "__len__"):
        return chosen.view(RandomArray)
    if isinstance(a, np.ndarray):
        return a[chosen].view(RandomArray)
    items = [a[i] for i in chosen.ravel()]
    if all(isinstance(item, int | float | np.number) for item in items):
        numbers = [int(item) if isinstance(item, bool) else item for item in items]
        return np.array(numbers).reshape(chosen.shape).view(RandomArray)
    array = np.empty(len(items), object)
    array[:] = items
    return array.reshape(chosen.shape).view(RandomArray)


@compiled_as("gridarium.compiled.numba_backend.vectors:weights_of")
def weights_of(p: Any) -> Any:
    """Convert probabilities to an indexable sequence of floats."""
    return [float(weight) for weight in p]


@compiled_as("gridarium.compiled.numba_backend.vectors:exchange")
def exchange(x: Any, i: int, j: int) -> None:
    """Exchange two items of an array or list (rows, of an array with several axes)."""
    if getattr(x, "ndim", 1) > 1:
        x[[i, j]] = x[[j, i]]
    else:
        x[i], x[j] = x[j], x[i]


@compiled_as("gridarium.compiled.numba_backend.vectors:vector_item")
def vector_item(vector: Any, i: Any) -> Any:
    """One item, a row or a slice of a `Vector`."""
    return vector[i]


@compiled_as("gridarium.compiled.numba_backend.vectors:vector_offset")
def vector_offset(vector: Any, i: Any) -> Any:
    """The offset of an index in a `Vector`'s items."""
    return i


@compiled_as("gridarium.compiled.numba_backend.vectors:put_item")
def put_item(items: Any, i: int, number: Any) -> None:
    """Set one item of a one-dimensional array; an integer array accepts only integers."""
    items[i] = number


@compiled_as("gridarium.compiled.numba_backend.vectors:vector_part")
def vector_part(vector: Any, i: Any) -> Any:
    """One item or row of a `Vector`, for a valid index."""
    return vector[i]


@compiled_as("gridarium.compiled.numba_backend.vectors:equal_each")
def equal_each(vector: Any, number: Any) -> Any:
    """Compare each number of a `Vector` with a number for equality."""
    return vector == number


@compiled_as("gridarium.compiled.numba_backend.vectors:converted")
def converted(vector: Any, kind: Any) -> Any:
    """Convert a `Vector` to another type of numbers."""
    return vector.astype(kind)
