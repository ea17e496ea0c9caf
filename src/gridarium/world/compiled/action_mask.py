"""Compiled implementations of masks of actions."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types

from gridarium.compiled.data_types.random import POOL_START
from gridarium.compiled.data_types.value_class import generated
from gridarium.compiled.numba_backend import intrinsics, value_types
from gridarium.world.action_mask import AXES, RANK, ActionMask, ArgumentMask, MaskRows
from gridarium.world.geometry import Position

value_types.register(ActionMask)
value_types.register(ArgumentMask)
value_types.register(MaskRows)


def whole_number(bits: Any) -> Any:
    """See `gridarium.world.action_mask.whole_number`."""
    raise NotImplementedError


@value_types.overload_of(whole_number)
def _whole_number(bits: Any) -> Any:
    if not isinstance(bits, types.Integer):
        raise value_types.refused("a row of a mask is a whole number, with one bit for each value")
    return lambda bits: bits


def offset_in(part: Any, place: Any, omitted: Any) -> Any:
    """See `gridarium.world.action_mask.offset_in`."""
    raise NotImplementedError


@value_types.overload_of(offset_in)
def _offset_in(part: Any, place: Any, omitted: Any) -> Any:
    several = isinstance(place, types.BaseTuple)
    numbers: list[str] = []
    for k, kind in enumerate(place if several else [place]):
        text = f"place[{k}]" if several else "place"
        if isinstance(types.unliteral(kind), types.Integer):
            numbers.append(text)
        elif isinstance(kind, value_types.ValueType) and kind.cls is Position:
            numbers += [f"{text}.y", f"{text}.x"]
        else:
            raise value_types.refused(f"an argument of an action is a whole number or a position, not {kind}")
    lines = [
        "def offset(part, place, omitted):",
        f"    if fixed(part.params, part.at + {RANK}) - omitted != {len(numbers)}:",
        '        raise IndexError("the wrong number of arguments")',
        "    offset = 0",
    ]
    for k, number in enumerate(numbers):
        lines += [
            f"    length = fixed(part.params, part.at + {AXES + 3 * k})",
            f"    if not 0 <= {number} < length:",
            '        raise IndexError("an argument is out of range")',
            f"    offset = offset * length + {number}",
        ]
    text = "\n".join([*lines, "    return offset"]) + "\n"
    return generated(f"offset of {len(numbers)} arguments", text, fixed=intrinsics.fixed)


@numba.njit(**value_types.JIT_OPTIONS)
def new_words(scratch: Any, count: Any) -> Any:
    """See `gridarium.world.action_mask.new_words`."""
    start = intrinsics.take_scratch(scratch, (count + 1) // 2)
    return intrinsics.scratch_array(scratch, start, (count,), np.uint32)


@numba.njit(**value_types.JIT_OPTIONS)
def kept_words(scratch: Any, start: Any, count: Any) -> Any:
    """See `gridarium.world.action_mask.kept_words`."""
    return intrinsics.scratch_array(scratch, start, (count,), np.uint32)


@numba.njit(**value_types.JIT_OPTIONS)
def keep_words(scratch: Any, used: Any, words: Any) -> Any:
    """See `gridarium.world.action_mask.keep_words`."""
    return POOL_START + used
