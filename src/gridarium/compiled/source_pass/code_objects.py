"""Compares code objects: whether a function was compiled from a given text."""

from __future__ import annotations
import __future__

import ast
import functools
import inspect
import operator
import sys
from collections.abc import Iterator
from types import CodeType
from typing import Any


def meaning_of(code: CodeType) -> tuple[Any, ...]:
    """Equal for code that does the same: instructions, names, jumps and constants, regardless of its location."""
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return code.co_code, code.co_exceptiontable, *counts, *names, *map(_constant, code.co_consts)


def is_compiled_from(code: CodeType, text: str) -> bool:
    """Whether a text contains the function with this code at the same line, and within the same classes and functions.

    Raises:
        SyntaxError: the text is not valid Python.
    """
    placed = code.co_name == "<lambda>" and any(column is not None for *_, column in code.co_positions())
    wanted, flags, place = (
        _identity(code, placed),
        code.co_flags & _FUTURE,
        (code.co_qualname, code.co_firstlineno),
    )
    return any(
        _identity(other, placed) == wanted
        for way in _WAYS
        for other in _codes(text, flags, way).get(place, ())
    )


def _identity(code: CodeType, placed: bool) -> tuple[Any, ...]:
    """The meaning of code, with its lines and columns if several lambdas in one line are to be told apart."""
    return *meaning_of(code), *(code.co_positions() if placed else ())


def _constant(thing: Any) -> Any:
    """Equal for constants of the same type and value: 1, True and 1.0 are different, as are 0.0 and -0.0."""
    if isinstance(thing, CodeType):
        return meaning_of(thing)
    if isinstance(thing, tuple):
        return tuple, *map(_constant, thing)
    if isinstance(thing, frozenset):
        return frozenset, frozenset(map(_constant, thing))
    return type(thing), repr(thing) if isinstance(thing, float | complex) else thing


@functools.lru_cache(256)
def _codes(text: str, flags: int, way: str) -> dict[tuple[str, int], list[CodeType]]:
    """The code objects in a source text, by qualified name and first line.

    Args:
        text: the source.
        flags: the compiler flags for `from __future__`, which earlier cells of a notebook may have set.
        way: one of `_WAYS`.
    """
    found: dict[tuple[str, int], list[CodeType]] = {}
    waiting = [compile(module, "", "exec", flags, dont_inherit=True) for module in _modules(text, flags, way)]
    for code in waiting:  # grows during the loop
        found.setdefault((code.co_qualname, code.co_firstlineno), []).append(code)
        waiting += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return found


def _modules(text: str, flags: int, way: str) -> Iterator[str | ast.Module]:
    if way == "whole":
        yield text
        return
    tree = compile(text, "", "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
    if way == "statements":
        yield from (ast.Module([statement], []) for statement in tree.body)
    elif (pytest := sys.modules.get("_pytest.assertion.rewrite")) is not None:
        pytest.rewrite_asserts(tree, text.encode())
        yield tree


_WAYS = ("whole", "statements", "asserts")
"""How a text may have been compiled: as a module, as cells of a notebook are, and with asserts rewritten by pytest."""
_FUTURE = (
    functools.reduce(
        operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
    )
    & ~inspect.CO_NESTED
)
"""The flags of `from __future__ import ...`, which earlier cells of a notebook may have set for later ones."""
