"""Finds the free names that the code of a function reads, and their values."""

from __future__ import annotations

import contextlib
import dis
import types
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def scope_of(function: types.FunctionType) -> Mapping[str, Any]:
    """The values of a function's free names, except closure cells that are still empty."""
    cells = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):
            cells[name] = cell.cell_contents
    return ChainMap(cells, function.__globals__)


def chains(code: types.CodeType, free: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The free names that code reads, each with the attributes that are read from it: `a.b.c` as (a, b, c).

    Free names are globals, and those names of outer functions that are listed.
    """
    chain: tuple[str, ...] = ()
    for step in dis.get_instructions(code):
        if step.opname in _READS and (not step.opname.endswith("DEREF") or step.argval in free):
            if chain:
                yield chain
            chain = (step.argval,)
        elif chain and step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            chain = (*chain, step.argval)
        elif chain and step.opname not in ("PUSH_NULL", "CACHE", "EXTENDED_ARG"):
            yield chain
            chain = ()
    if chain:
        yield chain
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from chains(constant, free)


_READS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF")
