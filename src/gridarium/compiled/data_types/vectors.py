"""Several numbers at once: a `Numbers` array in plain Python, a `Vector` over scratch memory in compiled code."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from typing import Any, ClassVar, TypeAlias

import numpy as np

from gridarium.compiled.primitives import compiled_as
from gridarium.compiled.values import value

Size: TypeAlias = int | tuple[int, ...]
"""How many: a number, or the lengths of several axes."""


class Numbers(np.ndarray):
    """A numpy array whose single items are Python's numbers, as they are in compiled code.

    numpy's own would wrap around in 64 bits, join truth values by `or` where Python adds them, and divide by zero.
    Raises TypeError where a float is assigned to an item of an array of whole numbers, which would cut it off.
    """

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        return found.item() if isinstance(found, np.generic) else found

    def __setitem__(self, place: Any, new: Any) -> None:
        if self.dtype.kind == "i" and isinstance(new, float | np.floating):
            raise TypeError(f"an array of whole numbers takes none such as {new!r}; write int(...)")
        super().__setitem__(place, new)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return repr(self.view(np.ndarray))

    def __str__(self) -> str:
        return str(self.view(np.ndarray))


@value
class Vector:
    """What `Rng` returns for several numbers in compiled code (`Numbers` when interpreted).

    Attributes:
        items: the numbers in one row, the last axis first.
        shape: the lengths of its axes.
        memory: int64[n], scratch memory for vectors that are made from this one.
    """

    __shown_as__: ClassVar[str] = "array"
    __hidden__: ClassVar[tuple[str, ...]] = ("items", "memory")
    items: Any
    shape: Any
    memory: Any

    def __getitem__(self, i: Any) -> Any:
        return vector_item(self, i)

    def __setitem__(self, i: Any, number: Any) -> None:
        put_item(self.items, vector_place(self, i), number)

    def __len__(self) -> int:
        return int(self.shape[0])

    @property
    def size(self) -> int:
        """How many."""
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

    def astype(self, kind: Any) -> Any:
        """A copy as truth values, whole numbers or floats, for `bool`, `int` or `float`."""
        return converted(self, kind)


@compiled_as("gridarium.compiled.vector_twins:new_integers")
def new_integers(scratch: Any, count: int) -> Any:
    """int64[count] of scratch memory (interpreted: a fresh array)."""
    return np.zeros(count, np.int64).view(Numbers)


@compiled_as("gridarium.compiled.vector_twins:new_floats")
def new_floats(scratch: Any, count: int) -> Any:
    """float64[count] of scratch memory (interpreted: a fresh array)."""
    return np.zeros(count, np.float64).view(Numbers)


@compiled_as("gridarium.compiled.vector_twins:count_of")
def count_of(size: Size) -> int:
    """How many numbers there are in an array of a size.

    Raises:
        ValueError: a negative length.
        TypeError: a length that is no whole number.
    """
    lengths = [operator.index(n) for n in (size if isinstance(size, tuple | list) else (size,))]
    if any(n < 0 for n in lengths):
        raise ValueError(f"negative dimensions are not allowed: size={size}")
    return math.prod(lengths)


@compiled_as("gridarium.compiled.vector_twins:shaped")
def shaped(numbers: Any, size: Size) -> Any:
    """Numbers in one row as an array of a size."""
    return numbers.reshape(size)


@compiled_as("gridarium.compiled.vector_twins:length_of")
def length_of(a: Any) -> int:
    """The number of things to choose from: `a` itself, or its length."""
    return len(a) if hasattr(a, "__len__") else int(a)


@compiled_as("gridarium.compiled.vector_twins:item_of")
def item_of(a: Any, i: int) -> Any:
    """The i-th thing to choose from: `i` itself, or an item."""
    return a[i] if hasattr(a, "__len__") else i


@compiled_as("gridarium.compiled.vector_twins:items_of")
def items_of(scratch: Any, a: Any, chosen: Any) -> Any:
    """The chosen things: the numbers themselves, or an array of items."""
    if not hasattr(a, "__len__"):
        return chosen.view(Numbers)
    if isinstance(a, np.ndarray):
        return a[chosen].view(Numbers)
    items = [a[i] for i in chosen.ravel()]
    if all(isinstance(item, int | float | np.number) for item in items):
        return np.array(items).reshape(chosen.shape).view(Numbers)
    array = np.empty(len(items), object)
    array[:] = items
    return array.reshape(chosen.shape).view(Numbers)


@compiled_as("gridarium.compiled.vector_twins:weights_of")
def weights_of(p: Any) -> Any:
    """Probabilities as floats that can be indexed."""
    return [float(weight) for weight in p]


@compiled_as("gridarium.compiled.vector_twins:exchange")
def exchange(x: Any, i: int, j: int) -> None:
    """Exchange two items of an array or list (rows, of an array with several axes)."""
    if getattr(x, "ndim", 1) > 1:
        x[[i, j]] = x[[j, i]]
    else:
        x[i], x[j] = x[j], x[i]


@compiled_as("gridarium.compiled.vector_twins:vector_item")
def vector_item(vector: Any, i: Any) -> Any:
    """One item, a row or a slice of a `Vector`."""
    return vector[i]


@compiled_as("gridarium.compiled.vector_twins:vector_place")
def vector_place(vector: Any, i: Any) -> Any:
    """Where among a `Vector`'s items the one with an index is."""
    return i


@compiled_as("gridarium.compiled.vector_twins:put_item")
def put_item(items: Any, i: int, number: Any) -> None:
    """Set one item of a row, which takes whole numbers alone if it is one of these."""
    items[i] = number


@compiled_as("gridarium.compiled.vector_twins:vector_part")
def vector_part(vector: Any, i: Any) -> Any:
    """One item or row of a `Vector`, for an index that is known to be one."""
    return vector[i]


@compiled_as("gridarium.compiled.vector_twins:equal_each")
def equal_each(vector: Any, number: Any) -> Any:
    """Whether each number of a `Vector` is equal to a number."""
    return vector == number


@compiled_as("gridarium.compiled.vector_twins:converted")
def converted(vector: Any, kind: Any) -> Any:
    """A `Vector` of another kind of numbers."""
    return vector.astype(kind)
