"""Compiled implementations of arrays of declared fields: shapes and types are constants."""

from __future__ import annotations

from typing import Any

from numba import extending, types

from gridarium.compiled.data_types.value_class import generated
from gridarium.compiled.numba_backend import arithmetic, intrinsics, value_types
from gridarium.compiled.numba_backend.array_views import ViewType, make_view
from gridarium.compiled.numba_backend.static_types import StaticType
from gridarium.world.field_array import READ_ONLY, FieldArray, Layout
from gridarium.world.geometry import Position

INDICES = "an index of an array is a whole number or a position, or some, separated by commas"
_ARRAY_TYPE: Any = value_types.register(FieldArray)


def array_type(row: Any, layout: Layout) -> Any:
    """The numba type of an array in a row."""
    return _ARRAY_TYPE(FieldArray, (row, types.int64, StaticType(layout)))


@extending.intrinsic
def _words_of(context: Any, table: Any) -> Any:
    """The numbers of a table as an array of 64-bit words in the compiled program."""
    view, content = ViewType(types.int64, 1), table.content

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = context.insert_const_bytes(builder.module, content.words, name=f"table_{content.digest}")
        address = builder.bitcast(pointer, context.get_data_type(types.int64).as_pointer())
        return make_view(context, builder, view, address, [context.get_constant(types.int64, content.size)])

    return view(table), build


def array_of_table(table: Any) -> Any:
    """The array of a table in compiled code."""
    raise NotImplementedError


@value_types.overload_of(array_of_table)
def _array_of_table(table: Any) -> Any:
    layout = table.content.layout
    return lambda table: FieldArray(_words_of(table), 0, layout)


def axis_length(array: Any) -> Any:
    """See `gridarium.world.field_array.axis_length`."""
    raise NotImplementedError


@value_types.overload_of(axis_length)
def _axis_length(array: Any) -> Any:
    length = _layout(array).shape[0]
    return lambda array: length


def shape_of(array: Any) -> Any:
    """See `gridarium.world.field_array.shape_of`."""
    raise NotImplementedError


@value_types.overload_of(shape_of)
def _shape_of(array: Any) -> Any:
    shape = _layout(array).shape
    return lambda array: shape


def same_items(array: Any, other: Any) -> bool:
    """See `gridarium.world.field_array.same_items`."""
    raise NotImplementedError


@value_types.overload_of(same_items)
def _same_items(array: Any, other: Any) -> Any:
    if not isinstance(other, _ARRAY_TYPE):
        raise value_types.refused("an array of a state is compared with another one, or item by item")
    if not _layout(array).is_like(_layout(other)):
        return lambda array, other: False
    size = _layout(array).size

    def same(array: Any, other: Any) -> bool:
        for i in range(size):
            if get_number(array, i) != get_number(other, i):
                return False
        return True

    return same


def get_item(array: Any, i: Any) -> Any:
    """See `gridarium.world.field_array.get_item`."""
    raise NotImplementedError


@value_types.overload_of(get_item)
def _get_item(array: Any, i: Any) -> Any:
    layout = _layout(array)
    lines, part = _offset(layout, i)
    if not part.shape:
        text = "\n".join(["def get(array, i):", *lines, "    return get_number(array, offset)"]) + "\n"
        return generated(f"item {layout.shape}", text, get_number=get_number)
    lines.append("    return FieldArray(array.row, array.start + offset, part)")
    names = {"FieldArray": FieldArray, "part": part}
    return generated(f"part {layout.shape}", "\n".join(["def get(array, i):", *lines]) + "\n", **names)


def set_item(array: Any, i: Any, new: Any) -> None:
    """See `gridarium.world.field_array.set_item`."""
    raise NotImplementedError


@value_types.overload_of(set_item)
def _set_item(array: Any, i: Any, new: Any) -> Any:
    layout = _layout(array)
    lines, part = _offset(layout, i)
    if part.shape:
        raise value_types.refused(
            f"an item of an array with {len(layout.shape)} axes has as many indices; array[i].fill(number) sets a part"
        )
    text = "\n".join(["def put(array, i, new):", *lines, "    set_number(array, offset, new)"]) + "\n"
    return generated(f"set item {layout.shape}", text, set_number=set_number)


def _offset(layout: Layout, i: Any) -> tuple[list[str], Layout]:
    """The source that computes `offset` from an index `i`, and the layout of what it selects."""
    parts = [(f"i[{k}]", part) for k, part in enumerate(i)] if isinstance(i, types.BaseTuple) else [("i", i)]
    indices, lines = [], ["    offset = 0"]
    for text, part in parts:
        if isinstance(part, value_types.ValueType) and part.cls is Position:
            indices += [f"{text}.y", f"{text}.x"]
            lines += [
                f"    if {text}.y < 0 or {text}.x < 0:",
                '        raise IndexError("outside the array")',
            ]
        elif isinstance(part, types.Integer):
            indices.append(text)
        else:
            raise value_types.refused(INDICES)
    if not indices:
        raise value_types.refused(INDICES)
    if len(indices) > len(layout.shape):
        raise value_types.refused(
            f"an array with {len(layout.shape)} axes has at most as many indices, not {len(indices)}"
        )
    for text, length in zip(indices, layout.shape, strict=False):
        lines += [
            f"    if not -{length} <= {text} < {length}:",
            '        raise IndexError("index out of range")',
            f"    offset = offset * {length} + ({text} if {text} >= 0 else {text} + {length})",
        ]
    part = layout.part(len(indices))
    if part.shape:
        lines.append(f"    offset = offset * {part.size}")
    return lines, part


def whole_number(new: Any) -> Any:
    """See `gridarium.world.field_array.whole_number`."""
    raise NotImplementedError


@value_types.overload_of(whole_number)
def _whole_number(new: Any) -> Any:
    if arithmetic.is_real(new):
        raise value_types.refused("a field of whole numbers takes no floats; write int(...)")

    def whole(new: Any) -> Any:
        return int(new)

    return whole


def get_number(array: Any, offset: Any) -> Any:
    """See `gridarium.world.field_array.get_number`."""
    raise NotImplementedError


@value_types.overload_of(get_number)
def _get_number(array: Any, offset: Any) -> Any:
    read = {
        "float": "get_float(array.row, array.start + offset)",
        "bool": "array.row[array.start + offset] != 0",
        "int": "int(array.row[array.start + offset])",
    }[_layout(array).type]
    return generated(
        f"number: {read}", f"def get(array, offset):\n    return {read}\n", get_float=intrinsics.get_float
    )


def set_number(array: Any, offset: Any, new: Any) -> None:
    """See `gridarium.world.field_array.set_number`."""
    raise NotImplementedError


@value_types.overload_of(set_number)
def _set_number(array: Any, offset: Any, new: Any) -> Any:
    kind = _layout(array).type
    if _layout(array).read_only:
        raise value_types.refused(READ_ONLY)
    if kind == "int" and arithmetic.is_real(new):
        raise value_types.refused("an array of whole numbers takes no floats; write int(...)")
    write = {
        "float": "set_float(array.row, array.start + offset, plain_float(float(new)))",
        "bool": "array.row[array.start + offset] = int(bool(new))",
        "int": "array.row[array.start + offset] = int(new)",
    }[kind]
    names = {"set_float": intrinsics.set_float, "plain_float": intrinsics.plain_float}
    return generated(
        f"set number: {write}", f"def put(array, offset, new):\n    {write}\n    return None\n", **names
    )


def _layout(array: Any) -> Layout:
    layout: Layout = array.member("layout").content
    return layout
