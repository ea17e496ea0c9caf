"""Compiled implementations of the grid's primitives."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import extending

from gridarium.compiled.data_types.value_class import generated
from gridarium.compiled.numba_backend import arithmetic, intrinsics, numeric_semantics, value_types
from gridarium.compiled.numba_backend.array_views import ViewType, data_pointer, element_count, make_view
from gridarium.compiled.numba_backend.intrinsics import copy_words, fill_words, scratch_array, take_scratch
from gridarium.compiled.source_pass.resolver import as_symbol
from gridarium.world.grid import Cells, Grid
from gridarium.world.mask import Mask

value_types.register(Cells)
value_types.register(Mask)
_GRID_TYPE = value_types.register(Grid)


@numba.njit(**value_types.JIT_OPTIONS)
def _area_of(scratch: Any, height: Any, width: Any) -> Any:
    """The number of cells; more than scratch memory can hold where it would overflow."""
    most = 8 * scratch.shape[0]
    if not (0 <= height <= most and 0 <= width <= most):
        return most * most
    return height * width


@numba.njit(**value_types.JIT_OPTIONS)
def blank_cells(scratch: Any, height: Any, width: Any, word: Any) -> Any:
    start = take_scratch(scratch, (_area_of(scratch, height, width) + 1) // 2)
    cells = scratch_array(scratch, start, (height, width), np.uint32)
    fill_words(cells, word)
    return Cells(cells)


@numba.njit(**value_types.JIT_OPTIONS)
def blank_mask(scratch: Any, height: Any, width: Any, fill: Any) -> Any:
    start = take_scratch(scratch, (_area_of(scratch, height, width) + 7) // 8)
    cells = scratch_array(scratch, start, (height, width), np.uint8)
    fill_words(cells, 1 if fill else 0)
    return Mask(cells)


@numba.njit(**value_types.JIT_OPTIONS)
def blank_layers(scratch: Any, count: Any, height: Any, width: Any) -> Any:
    start = take_scratch(scratch, count * _area_of(scratch, height, width))
    layers = scratch_array(scratch, start, (count, height, width), np.int64)
    fill_words(layers, 0)
    return Cells(layers)


def copied(scratch: Any, words: Any) -> Any:
    """See `gridarium.world.grid.copied`."""
    raise NotImplementedError


@value_types.overload_of(copied)
def _copied(scratch: Any, words: Any) -> Any:
    dtype = np.dtype(str(words.dtype)).type
    lengths = [f"words.shape[{k}]" for k in range(words.ndim)]
    lines = [
        "def copied(scratch, words):",
        f"    start = take_scratch(scratch, ({' * '.join(lengths)} * {dtype().itemsize} + 7) // 8)",
        f"    copy = scratch_array(scratch, start, ({', '.join(lengths)},), dtype)",
        "    copy_words(words, copy)",
        "    return Cells(copy)",
    ]
    names = {"take_scratch": take_scratch, "scratch_array": scratch_array, "copy_words": copy_words}
    return generated(f"copy of {words}", "\n".join(lines) + "\n", Cells=Cells, dtype=dtype, **names)


@extending.intrinsic
def _flat(context: Any, words: Any) -> Any:
    """The elements of a view or of a numba array as a one-dimensional array."""
    view = ViewType(words.dtype, 1)

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = data_pointer(context, builder, words, args[0])
        return make_view(context, builder, view, pointer, [element_count(context, builder, words, args[0])])

    return view(words), build


@numba.njit(**value_types.JIT_OPTIONS)
def flat_cells(grid: Any) -> Any:
    return Cells(_flat(grid.cells))


def comparable(first: Any, second: Any) -> Any:
    """See `gridarium.world.grid.comparable`."""
    raise NotImplementedError


@value_types.overload_of(comparable)
def _comparable(first: Any, second: Any) -> Any:
    if first.member("vocabulary") == second.member("vocabulary"):
        return lambda first, second: True
    return None


def is_grid(thing: Any) -> Any:
    """See `gridarium.world.grid.is_grid`."""
    raise NotImplementedError


@value_types.overload_of(is_grid)
def _is_grid(thing: Any) -> Any:
    return (lambda thing: True) if isinstance(thing, _GRID_TYPE) else (lambda thing: False)


def read_number(grid: Any, name: Any, y: Any, x: Any) -> Any:
    """See `gridarium.world.grid.read_number`."""
    raise NotImplementedError


def write_number(grid: Any, name: Any, y: Any, x: Any, new: Any) -> None:
    """See `gridarium.world.grid.write_number`."""
    raise NotImplementedError


@value_types.overload_of(read_number)
def _read_number(grid: Any, name: Any, y: Any, x: Any) -> Any:
    vocabulary = grid.member("vocabulary").content
    lines = ["def read(grid, name, y, x):"]
    floats = any(field.type == "float" for field in vocabulary.cell_fields)
    for k, field in enumerate(vocabulary.cell_fields, vocabulary.first_cell_field):
        read = f"{field.type}(grid.layers[{k}, y, x])"
        if field.type == "float":
            read = f"get_float(grid.layers[{k}, y], x)"
        elif floats:  # all of one type
            read = f"exact(int({read}))"
        lines += [f"    if name.number == {as_symbol(field.name).number}:", f"        return {read}"]
    lines.append('    raise AttributeError("no such cell field")')
    return generated(
        "read cell field", "\n".join(lines) + "\n", get_float=intrinsics.get_float, exact=arithmetic.exact
    )


@value_types.overload_of(write_number)
def _write_number(grid: Any, name: Any, y: Any, x: Any, new: Any) -> Any:
    vocabulary = grid.member("vocabulary").content
    lines = ["def write(grid, name, y, x, new):"]
    for k, field in enumerate(vocabulary.cell_fields, vocabulary.first_cell_field):
        lines.append(f"    if name.number == {as_symbol(field.name).number}:")
        if field.type == "float":
            lines.append(f"        set_float(grid.layers[{k}, y], x, plain_float(float(new)))")
        elif field.type == "bool":
            lines.append(f"        grid.layers[{k}, y, x] = int(bool(new))")
        else:
            lines.append("        number = whole(new)")
            if arithmetic.is_real(new):  # also of an integer that was read where other fields are floats
                lines += ["        if number != new:", '            raise TypeError("no whole number")']
            lines.append(f"        grid.layers[{k}, y, x] = number")
        lines.append("        return")
    lines.append('    raise AttributeError("no such cell field")')
    return generated(
        "write cell field",
        "\n".join(lines) + "\n",
        set_float=intrinsics.set_float,
        plain_float=intrinsics.plain_float,
        whole=numeric_semantics.whole,
    )
