"""What need not be hashed piece by piece: this library's code, numpy and what comes with Python.

Versions and one digest of the library's source stand for it. But names can be bound anew by those who try something out,
so what this library's code calls by which name is hashed all the same, by the names of functions only, which is quick.
"""

from __future__ import annotations

import functools
import hashlib
import sys
import sysconfig
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

COMPILED_ROOMS = ("compiled", "world", "rules", "draw", "engine")
PACKAGE = __name__.split(".", maxsplit=1)[0]
_STANDARD = sysconfig.get_path("stdlib")


@functools.cache
def library_digest() -> str:
    """A hash of this library's own source, as far as it can end up in compiled code."""
    digest = hashlib.blake2b(digest_size=20)
    root = Path(__file__).parent.parent
    for path in sorted(path for room in COMPILED_ROOMS for path in (root / room).rglob("*.py")):
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def is_library(thing: Any) -> bool:
    """Whether a function or class was written in one of the rooms that end up in compiled code."""
    return _in_rooms(home(thing))


def is_given(module: str) -> bool:
    """Whether versions and the digest settle what stands in a module."""
    return _in_rooms(module) or _in_python(module)


def home(thing: Any) -> str:
    """The module that something was written in; what stands in for a function may have taken over its name."""
    written = thing.__globals__.get("__name__") if isinstance(thing, types.FunctionType) else None
    return written or getattr(thing, "__module__", None) or ""


def is_generated(function: types.FunctionType) -> bool:
    """Whether a function was made of a text that this library wrote (see `values.generated`)."""
    return function.__code__.co_filename.startswith("<gridarium")


def library_names(thing: Any, seen: set[int]) -> tuple[list[str], list[tuple[str, Any]]]:
    """What the library's code calls by which name, from one of its functions or classes on.

    Args:
        thing: where to begin.
        seen: by their ids, functions and classes of the library that have been looked at; more are added.

    Returns:
        A line for each name that stands for a function, class or constant of the library; and the names that stand for
        other code, with that code.
    """
    lines: list[str] = []
    foreign: list[tuple[str, Any]] = []
    waiting = [thing]
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        for name, part in _parts(thing):
            if name.isupper() and isinstance(part, bool | int | float | str):
                lines.append(f"{name} = {part!r}")
            elif isinstance(part, types.FunctionType | type):
                if not is_library(part) or (isinstance(part, types.FunctionType) and part.__closure__):
                    foreign.append((name, part))
                else:
                    lines.append(f"{name}: {part.__module__}.{part.__qualname__}")
                    waiting.append(part)
    return lines, foreign


def _parts(thing: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(thing, type):
        for name, member in vars(thing).items():
            yield from ((name, code) for code in _code_of(member))
        return
    known, names = thing.__globals__, names_of(thing.__code__)
    for name in names:
        part = known.get(name)
        yield name, part
        if isinstance(part, types.ModuleType) and _in_rooms(part.__name__):
            yield from ((inner, vars(part)[inner]) for inner in names if inner in vars(part))


def _code_of(member: Any) -> tuple[Any, ...]:
    """The functions that a member of a class is made of; those that the library generates follow from the class."""
    if isinstance(member, types.FunctionType):
        return () if is_generated(member) else (member,)
    if isinstance(member, property):
        return tuple(f for f in (member.fget, member.fset) if f is not None)
    return (member.__func__,) if isinstance(member, staticmethod | classmethod) else ()


def names_of(code: types.CodeType) -> tuple[str, ...]:
    """The names that code reads as globals, or as attributes."""
    names = code.co_names
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            names += names_of(part)
    return names


@functools.cache
def _in_rooms(module: str) -> bool:
    package, _, inner = module.partition(".")
    return package == PACKAGE and inner.partition(".")[0] in COMPILED_ROOMS


@functools.cache
def _in_python(module: str) -> bool:
    package = module.partition(".")[0]
    file = getattr(sys.modules.get(package), "__file__", None) or _STANDARD
    standard = package in sys.stdlib_module_names and file.startswith(_STANDARD) and "-packages" not in file
    return standard or package in ("numpy", "builtins", "math")
