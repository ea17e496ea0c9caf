"""Finds the free names that the code of a function reads, and their values."""

from __future__ import annotations

import contextlib
import dis
import functools
import types
from collections import ChainMap
from collections.abc import Iterator, Mapping
from typing import Any

from gridarium.compiled.cache.library_code import names_of
from gridarium.compiled.source_pass.source import home_of


def scope_of(function: types.FunctionType) -> Mapping[str, Any]:
    """The values of a function's free names, except closure cells that are still empty, and Python's own builtins."""
    cells = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):
            cells[name] = cell.cell_contents
    return ChainMap(cells, function.__globals__, replaced_builtins(function))


def replaced_builtins(function: types.FunctionType) -> dict[str, Any]:
    """The builtins that a function may read and that are not Python's own, but were added or replaced."""
    builtins = builtins_of(function)
    names = builtins.keys() & names_of(function.__code__)
    return {name: builtins[name] for name in names if not _is_pythons(builtins[name], name)}


def builtins_of(function: Any) -> dict[str, Any]:
    """The builtins that a function sees, by their names."""
    found: dict[str, Any] = function.__builtins__
    return found


def _is_pythons(thing: Any, name: str) -> bool:
    own = isinstance(thing, types.BuiltinFunctionType | type) and home_of(thing) == "builtins"
    return thing is NotImplemented or thing is ... or (own and thing.__name__ == name)


@functools.lru_cache(maxsize=4096)
def chains(code: types.CodeType, free: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The free names that code reads, each with the attributes that are read from it: `a.b.c` as (a, b, c).

    Free names are globals, and those names of outer functions that are listed. Remembered, since disassembling takes long.
    """
    return tuple(dict.fromkeys(_chains(code, free)))


def _chains(code: types.CodeType, free: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
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
            yield from _chains(constant, free)


_READS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF")
