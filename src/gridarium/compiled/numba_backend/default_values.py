"""Defaults of parameters are told apart where compiled code can tell them apart.

numba has one type for all defaults that are equal in Python, such as (1, 2) and (1.0, 2.0), and compiles the function of
each with the value of the one that was there first.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numba import types

from gridarium.compiled.data_types.value_class import is_value

_begin = types.Omitted.__init__


@contextlib.contextmanager
def told_apart() -> Iterator[None]:
    """Context in which defaults have one type only if they are the same; the caller must hold numba's lock."""

    def begin(omitted: Any, default: Any) -> None:
        _begin(omitted, default)
        omitted._value_key = identity(default)

    before = types.Omitted.__init__
    types.Omitted.__init__ = begin
    try:
        yield
    finally:
        types.Omitted.__init__ = before


def identity(thing: Any) -> Any:
    """A hashable stand-in for a parameter or default: equal if compiled code cannot distinguish two of them.

    1, 1.0 and True are equal in Python, as are 0.0 and -0.0. Other objects than numbers and text are compared by
    identity; the caller must keep these alive.
    """
    if thing is None or type(thing) in (bool, int, str):
        return type(thing), thing
    if isinstance(thing, float | np.generic):
        return type(thing), np.asarray(thing).tobytes()
    if isinstance(thing, tuple):
        return type(thing), tuple(map(identity, thing))
    if is_value(thing):
        return type(thing), tuple(identity(getattr(thing, name)) for name in type(thing).__value_fields__)
    return id(thing)
