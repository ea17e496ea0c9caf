"""Compiled random draws: the next number of a stream, or a fork if the scratch memory is a script.

Importing this module imports numba.
"""

from __future__ import annotations

import operator
from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, register_model

from gridarium.compiled.data_types import branching
from gridarium.compiled.numba_backend import intrinsics, value_types
from gridarium.compiled.numba_backend.array_views import ViewType, _ViewModel, view_at


class ScriptType(ViewType):
    """Scratch memory whose random numbers branch: int64[n] like any other, but of a distinct type."""

    def __init__(self) -> None:
        super().__init__(types.int64, 1)
        self.name = "script"

    def __reduce__(self) -> Any:
        return ScriptType, ()


register_model(ScriptType)(_ViewModel)
NumberType: Any = value_types.register(branching.BranchingNumber)


@intrinsic
def script_at(context: Any, address: Any, shape: Any) -> Any:
    """See `gridarium.compiled.data_types.branching.script_at`."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return view_at(
            context, builder, signature.return_type, args[0], cgutils.unpack_tuple(builder, args[1])
        )

    return ScriptType()(types.int64, types.UniTuple(types.int64, 1)), build


def draw_integer(scratch: Any, slot: Any, span: Any) -> Any:
    """See `gridarium.compiled.data_types.random.draw_integer`."""
    raise NotImplementedError


@value_types.overload_of(draw_integer)
def _draw_integer(scratch: Any, slot: Any, span: Any) -> Any:
    if isinstance(scratch, ScriptType):
        return value_types.prepared(branching.branching_integer)
    return intrinsics.draw_integer.py_func


def draw_float(scratch: Any, slot: Any) -> Any:
    """See `gridarium.compiled.data_types.random.draw_float`."""
    raise NotImplementedError


@value_types.overload_of(draw_float)
def _draw_float(scratch: Any, slot: Any) -> Any:
    if isinstance(scratch, ScriptType):
        return value_types.prepared(branching.branching_number)
    return intrinsics.draw_float.py_func


# numbers on the right side of an operator, and operators that value classes do not support

_MIRRORED: dict[Any, Any] = {
    operator.lt: lambda known, number: number > known,
    operator.le: lambda known, number: number > known,
    operator.gt: lambda known, number: number < known,
    operator.ge: lambda known, number: number < known,
    operator.add: lambda known, number: number + known,
    operator.mul: lambda known, number: number * known,
    operator.sub: lambda known, number: number * -1.0 + known,
}


def _mirror(operation: Any, written: Any) -> None:
    @value_types.overload_of(operation)
    def choose(known: Any, number: Any) -> Any:
        return written if isinstance(number, NumberType) and isinstance(known, types.Number) else None


for _operation, _written in _MIRRORED.items():
    _mirror(_operation, _written)


@value_types.overload_of(operator.truediv)
def _divide(number: Any, known: Any) -> Any:
    return (lambda number, known: number * (1.0 / known)) if isinstance(number, NumberType) else None


@value_types.overload_of(int)
def _round_down(number: Any) -> Any:
    return (lambda number: number.part()) if isinstance(number, NumberType) else None
