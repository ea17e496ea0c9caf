"""What a draw is in compiled code: the next number of a stream, or a fork where the scratch memory is a script.

Importing this module imports numba.
"""

from __future__ import annotations

import operator
from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, register_model

from gridarium.compiled import branching, intrinsics, lowering
from gridarium.compiled.views import ViewType, _ViewModel, view_at


class ScriptType(ViewType):
    """Scratch memory whose random numbers branch: int64[n] like any other, but told apart by its type."""

    def __init__(self) -> None:
        super().__init__(types.int64, 1)
        self.name = "script"

    def __reduce__(self) -> Any:
        return ScriptType, ()


register_model(ScriptType)(_ViewModel)
NumberType: Any = lowering.register(branching.Number)


@intrinsic
def script_at(context: Any, address: Any, shape: Any) -> Any:
    """See `gridarium.compiled.branching.script_at`."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return view_at(
            context, builder, signature.return_type, args[0], cgutils.unpack_tuple(builder, args[1])
        )

    return ScriptType()(types.int64, types.UniTuple(types.int64, 1)), build


def draw_integer(scratch: Any, slot: Any, span: Any) -> Any:
    """See `gridarium.compiled.random.draw_integer`."""
    raise NotImplementedError


@lowering.twin_of(draw_integer)
def _draw_integer(scratch: Any, slot: Any, span: Any) -> Any:
    if isinstance(scratch, ScriptType):
        return lowering.prepared(branching.branching_integer)
    return intrinsics.draw_integer.py_func


def draw_float(scratch: Any, slot: Any) -> Any:
    """See `gridarium.compiled.random.draw_float`."""
    raise NotImplementedError


@lowering.twin_of(draw_float)
def _draw_float(scratch: Any, slot: Any) -> Any:
    if isinstance(scratch, ScriptType):
        return lowering.prepared(branching.branching_number)
    return intrinsics.draw_float.py_func


# a number on the right side of an operator, and what value classes have no operator for

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
    @lowering.twin_of(operation)
    def choose(known: Any, number: Any) -> Any:
        return written if isinstance(number, NumberType) and isinstance(known, types.Number) else None


for _operation, _written in _MIRRORED.items():
    _mirror(_operation, _written)


@lowering.twin_of(operator.truediv)
def _divide(number: Any, known: Any) -> Any:
    return (lambda number, known: number * (1.0 / known)) if isinstance(number, NumberType) else None


@lowering.twin_of(int)
def _round_down(number: Any) -> Any:
    return (lambda number: number.part()) if isinstance(number, NumberType) else None
