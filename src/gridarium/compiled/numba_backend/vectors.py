"""Compiled implementations of `gridarium.compiled.data_types.vectors`: arrays of numbers in scratch memory."""

from __future__ import annotations

import operator
from typing import Any

import numba
import numpy as np
from numba import types

from gridarium.compiled.data_types.value_class import generated
from gridarium.compiled.data_types.vectors import Vector
from gridarium.compiled.numba_backend import arithmetic, value_types
from gridarium.compiled.numba_backend.array_views import ViewType
from gridarium.compiled.numba_backend.intrinsics import _slice, scratch_array, take_scratch
from gridarium.compiled.numba_backend.numeric_semantics import whole

_OPTIONS = value_types.JIT_OPTIONS
VectorType: Any = value_types.register(Vector)


def a_count(scratch: Any, count: Any) -> Any:
    """Check that a number of items is an integer, and that they go to scratch memory."""
    raise NotImplementedError


@value_types.overload_of(a_count)
def _a_count(scratch: Any, count: Any) -> Any:
    if not isinstance(scratch, ViewType | types.Array) or scratch.ndim != 1:
        raise value_types.refused("the memory of an array is state.scratch")
    if not isinstance(count, types.Integer):
        raise value_types.refused("the number of items is a whole number")
    return lambda scratch, count: count


def _zeros(dtype: Any) -> Any:
    """Create a function that allocates an array of one type in scratch memory, filled with zeros."""

    @numba.njit(**_OPTIONS)
    def new(scratch: Any, count: Any) -> Any:
        items = scratch_array(scratch, take_scratch(scratch, a_count(scratch, count)), (count,), dtype)
        for i in range(count):
            items[i] = 0
        return Vector(items, (count,), scratch)

    return new


new_integers, new_floats = _zeros(np.int64), _zeros(np.float64)


@numba.njit(**_OPTIONS)
def _new_truths(scratch: Any, count: Any) -> Any:
    items = scratch_array(scratch, take_scratch(scratch, (count + 7) // 8), (count,), np.bool_)
    return Vector(items, (count,), scratch)


def _new(dtype: Any) -> Any:
    """The constructor of vectors of a type."""
    if isinstance(dtype, types.Boolean):
        return _new_truths
    return new_floats if isinstance(dtype, types.Float) else new_integers


# sizes


def count_of(size: Any) -> Any:
    """See `gridarium.compiled.data_types.vectors.count_of`."""
    raise NotImplementedError


@value_types.overload_of(count_of)
def _count_of(size: Any) -> Any:
    lengths = _lengths(size)
    lines = [
        "def count(size):",
        "    product, room = 1, 8",
    ]  # numpy asks for room even where an axis is empty
    for length in lengths:
        lines += [
            f"    if {length} < 0:",
            '        raise ValueError("negative dimensions are not allowed")',
            f"    room = multiply(room, {length} if {length} > 0 else 1)",
            f"    product *= {length}",
        ]
    text = "\n".join([*lines, "    return product"]) + "\n"
    return generated("count of a size", text, multiply=arithmetic.multiply)


def shaped(numbers: Any, size: Any) -> Any:
    """See `gridarium.compiled.data_types.vectors.shaped`."""
    raise NotImplementedError


@value_types.overload_of(shaped)
def _shaped(numbers: Any, size: Any) -> Any:
    listed = "".join(f"int({length}), " for length in _lengths(size))
    text = f"def shape(numbers, size):\n    return Vector(numbers.items, ({listed}), numbers.memory)\n"
    return generated("shape of a vector", text, Vector=Vector)


def _lengths(size: Any) -> list[str]:
    """The source of each length in a size."""
    if isinstance(size, types.Integer):
        return ["size"]
    if isinstance(size, types.BaseTuple) and len(size) and all(isinstance(n, types.Integer) for n in size):
        return [f"size[{k}]" for k in range(len(size))]
    raise value_types.refused("a size is a whole number or a tuple of some")


# indices


def vector_offset(vector: Any, i: Any) -> Any:
    """See `gridarium.compiled.data_types.vectors.vector_offset`."""
    raise NotImplementedError


@value_types.overload_of(vector_offset)
def _vector_offset(vector: Any, i: Any) -> Any:
    axes = len(vector.member("shape"))
    if isinstance(i, types.Integer) and axes == 1:
        indices = ["i"]
    elif _is_whole_index(i, axes):
        indices = [f"i[{k}]" for k in range(axes)]
    else:
        raise value_types.refused(
            f"an item of an array with {axes} axes has {axes} whole numbers for an index"
        )
    lines = ["def place(vector, i):", "    offset = 0"]
    for k, index in enumerate(indices):
        length = f"vector.shape[{k}]"
        lines += [
            f"    if not -{length} <= {index} < {length}:",
            '        raise IndexError("index out of range")',
            f"    offset = offset * {length} + ({index} if {index} >= 0 else {index} + {length})",
        ]
    return generated("place in a vector", "\n".join([*lines, "    return offset"]) + "\n")


def put_item(items: Any, i: Any, number: Any) -> None:
    """See `gridarium.compiled.data_types.vectors.put_item`."""
    raise NotImplementedError


@value_types.overload_of(put_item)
def _put_item(items: Any, i: Any, number: Any) -> Any:
    if isinstance(items.dtype, types.Integer) and arithmetic.is_real(number):
        raise value_types.refused("an array of whole numbers takes no floats; write int(...)")

    def put(items: Any, i: Any, number: Any) -> None:
        items[i] = number

    return put


def _is_whole_index(i: Any, axes: int) -> bool:
    return isinstance(i, types.BaseTuple) and len(i) == axes and all(isinstance(k, types.Integer) for k in i)


def vector_part(vector: Any, i: Any) -> Any:
    """See `gridarium.compiled.data_types.vectors.vector_part`."""
    raise NotImplementedError


@value_types.overload_of(vector_part)
def _vector_part(vector: Any, i: Any) -> Any:
    if len(vector.member("shape")) == 1:
        return lambda vector, i: vector.items[i]

    def row(vector: Any, i: Any) -> Any:
        length = vector.items.shape[0] // vector.shape[0]
        return Vector(_slice(vector.items, i * length, (i + 1) * length), vector.shape[1:], vector.memory)

    return row


def vector_item(vector: Any, i: Any) -> Any:
    """See `gridarium.compiled.data_types.vectors.vector_item`."""
    raise NotImplementedError


@value_types.overload_of(vector_item)
def _vector_item(vector: Any, i: Any) -> Any:
    axes = len(vector.member("shape"))
    if isinstance(i, types.SliceType) and axes == 1:
        return _sliced
    if isinstance(i, types.Integer) and axes > 1:
        return _row
    return lambda vector, i: vector.items[vector_offset(vector, i)]


def _sliced(vector, i):  # type: ignore[no-untyped-def]
    start, stop, step = i.indices(vector.items.shape[0])
    if step != 1:
        raise ValueError("a slice of a vector has step 1")
    items = _slice(vector.items, start, max(start, stop))
    return Vector(items, items.shape, vector.memory)


def _row(vector, i):  # type: ignore[no-untyped-def]
    if not -vector.shape[0] <= i < vector.shape[0]:
        raise IndexError("index out of range")
    return vector_part(vector, i if i >= 0 else i + vector.shape[0])


# choosing


def length_of(a: Any) -> Any:
    """See `gridarium.compiled.data_types.vectors.length_of`."""
    raise NotImplementedError


@value_types.overload_of(length_of)
def _length_of(a: Any) -> Any:
    def length(a: Any) -> Any:
        return len(a)

    return (lambda a: a) if isinstance(a, types.Integer) else length


def item_of(a: Any, i: Any) -> Any:
    """See `gridarium.compiled.data_types.vectors.item_of`."""
    raise NotImplementedError


@value_types.overload_of(item_of)
def _item_of(a: Any, i: Any) -> Any:
    return (lambda a, i: i) if isinstance(a, types.Integer) else (lambda a, i: a[i])


def items_of(scratch: Any, a: Any, chosen: Any) -> Any:
    """See `gridarium.compiled.data_types.vectors.items_of`."""
    raise NotImplementedError


@value_types.overload_of(items_of)
def _items_of(scratch: Any, a: Any, chosen: Any) -> Any:
    if isinstance(a, types.Integer):
        return lambda scratch, a, chosen: chosen
    listed = a.member("items") if isinstance(a, VectorType) else a
    dtype = getattr(listed, "dtype", None)
    new = _new(types.int64 if dtype == types.boolean and listed is a else dtype)

    def take(scratch: Any, a: Any, chosen: Any) -> Any:
        numbers = new(scratch, chosen.size)
        for i in range(chosen.size):
            numbers.items[i] = a[chosen.items[i]]
        return shaped(numbers, chosen.shape)

    return take


def weights_of(p: Any) -> Any:
    """See `gridarium.compiled.data_types.vectors.weights_of`."""
    raise NotImplementedError


@value_types.overload_of(weights_of)
def _weights_of(p: Any) -> Any:
    if not isinstance(p, types.BaseTuple):
        return lambda p: p
    listed = "".join(f"float(p[{k}]), " for k in range(len(p)))
    return generated("weights", f"def weights(p):\n    return ({listed})\n")


@numba.njit(**_OPTIONS)
def exchange(x: Any, i: Any, j: Any) -> Any:
    x[i], x[j] = x[j], x[i]


# numbers one by one


def converted(vector: Any, kind: Any) -> Any:
    """See `gridarium.compiled.data_types.vectors.converted`."""
    raise NotImplementedError


@value_types.overload_of(converted)
def _converted(vector: Any, kind: Any) -> Any:
    named = getattr(kind, "typing_key", None) or getattr(kind, "dtype", None)
    made = _KINDS.get(named)
    if made is None:
        raise value_types.refused("`astype` takes bool, int or float")
    text, dtype = made
    return _each("vector, kind", text, dtype)


_KINDS: dict[Any, tuple[str, Any]] = {
    bool: ("number != 0", types.boolean),
    whole: ("whole(number)", types.int64),
    float: ("float(number)", types.float64),
    types.boolean: ("number != 0", types.boolean),
    types.int64: ("whole(number)", types.int64),
    types.float64: ("float(number)", types.float64),
}


def _each(parameters: str, text: str, dtype: Any) -> Any:
    """Create a function that maps a vector by an expression of `number`."""
    lines = [
        f"def each({parameters}):",
        "    made = new(vector.memory, vector.size)",
        "    for i in range(vector.size):",
        "        number = vector.items[i]",
        f"        made.items[i] = {text}",
        "    return shaped(made, vector.shape)",
    ]
    return generated(f"each {text}", "\n".join(lines) + "\n", new=_new(dtype), shaped=shaped, whole=whole)


def equal_each(vector: Any, other: Any) -> Any:
    """See `gridarium.compiled.data_types.vectors.equal_each`."""
    raise NotImplementedError


def _compare(operation: Any, sign: str) -> None:
    @value_types.overload_of(operation)
    def choose(vector: Any, other: Any) -> Any:
        if not (isinstance(vector, VectorType) and isinstance(other, types.Number | types.Boolean)):
            return None
        return _each("vector, other", f"number {sign} other", types.boolean)


for _operation, _sign in ((operator.lt, "<"), (operator.le, "<="), (operator.gt, ">"), (operator.ge, ">=")):
    _compare(_operation, _sign)
_compare(equal_each, "==")
