"""Compiled implementations of the primitives of copy on write."""

from __future__ import annotations

from typing import Any

import numba
from numba import types
from numba.extending import intrinsic

from gridarium.compiled.data_types.random import WATCHED
from gridarium.compiled.numba_backend import value_types
from gridarium.compiled.numba_backend.array_views import data_pointer


@intrinsic
def address_of(context: Any, cells: Any) -> Any:
    """The address of an array's first element."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = data_pointer(context, builder, signature.args[0], args[0])
        return builder.ptrtoint(pointer, context.get_value_type(types.int64))

    return types.int64(cells), build


@numba.njit(**value_types.JIT_OPTIONS)
def is_watched(cells: Any, scratch: Any) -> Any:
    return address_of(cells) == scratch[WATCHED]
