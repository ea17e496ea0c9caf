"""What a composed program depends on, as one hash: its meaning, transitively.

Covered are code objects, defaults, closure cells and the values of globals that a rule reads, of everything that it
calls in turn, the methods of value classes, versions, and this library's own source. What cannot be hashed is not
cached, and says so.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import sys
import types
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from gridarium.compiled.values import is_value, is_value_class

COMPILED_ROOMS = ("compiled", "world", "rules", "draw", "engine")
PACKAGE = __name__.split(".", maxsplit=1)[0]


class Unhashable(Exception):
    """Something that a rule depends on cannot be hashed, so the compiled program cannot be kept on disk."""


def fingerprint(*things: Any) -> str:
    """A hash (40 hex digits) of everything that the meaning of `things` depends on.

    Raises:
        Unhashable: something has no content that could be hashed.
    """
    walk = _Walk()
    walk.feed("versions", sys.version, np.__version__, library_digest())
    for thing in things:
        walk.visit(thing)
    return walk.digest.hexdigest()


@functools.cache
def library_digest() -> str:
    """A hash of this library's own source, as far as it can end up in compiled code."""
    digest = hashlib.blake2b(digest_size=20)
    root = Path(__file__).parent.parent
    for path in sorted(path for room in COMPILED_ROOMS for path in (root / room).rglob("*.py")):
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _by_content(thing: Any) -> bool:
    """Whether it does not matter that something is met twice, or something equal instead: it cannot contain itself."""
    own = hasattr(thing, "__fingerprint__") and not isinstance(thing, type)
    return own or isinstance(thing, tuple | frozenset | functools.partial) or is_value(thing)


class _Walk:
    def __init__(self) -> None:
        self.digest = hashlib.blake2b(digest_size=20)
        self.seen: dict[int, int] = {}
        self.kept: list[Any] = []

    def feed(self, *words: object) -> None:
        for word in words:
            text = repr(word).encode()
            self.digest.update(f"{len(text)}:".encode() + text)

    def visit(self, thing: Any) -> None:
        if self._plain(thing):
            return
        if not _by_content(thing):
            if id(thing) in self.seen:
                self.feed("again", self.seen[id(thing)])
                return
            self.seen[id(thing)] = len(self.seen)
            self.kept.append(thing)
        own = getattr(thing, "__fingerprint__", None)
        if own is not None and not isinstance(thing, type):
            self.feed("own")
            self.visit_all(own())
        elif isinstance(thing, functools.partial):
            self.feed("partial")
            self.visit_all([thing.func, list(thing.args), dict(sorted(thing.keywords.items()))])
        elif isinstance(thing, types.FunctionType):
            self.function(thing)
        elif isinstance(thing, types.MethodType):
            self.feed("method")
            self.visit_all([thing.__func__, thing.__self__])
        elif isinstance(thing, types.ModuleType):
            self.feed("module", thing.__name__)
        elif isinstance(thing, types.BuiltinFunctionType | type):
            self.type_or_builtin(thing)
        elif isinstance(thing, list | tuple):
            self.feed(type(thing).__name__, len(thing))
            self.visit_all(thing)
        elif isinstance(thing, dict):
            self.feed("dict", len(thing))
            self.visit_all(part for item in thing.items() for part in item)
        elif isinstance(thing, set | frozenset):
            self.feed("set", sorted(map(repr, thing)))
        elif is_value(thing):
            self.feed("value", type(thing).__qualname__)
            self.visit_all(getattr(thing, f) for f in type(thing).__value_fields__)
        else:
            raise Unhashable(f"{thing!r:.80} of type {type(thing).__name__}")

    def visit_all(self, things: Iterable[Any]) -> None:
        for thing in things:
            self.visit(thing)

    def _plain(self, thing: Any) -> bool:
        if isinstance(thing, enum.Enum):
            self.feed("enum", type(thing).__qualname__, thing.name, thing.value)
        elif thing is None or isinstance(thing, bool | int | float | complex | str | bytes | type(Ellipsis)):
            self.feed(type(thing).__name__, thing)
        elif isinstance(thing, np.generic | np.ndarray) and thing.dtype != object:
            self.feed("array", str(thing.dtype), thing.shape, thing.tobytes())
        else:
            return False
        return True

    def type_or_builtin(self, thing: Any) -> None:
        self.feed("type", thing.__module__, thing.__qualname__)
        if _is_library(thing) or not isinstance(thing, type):
            return
        if is_value_class(thing):
            self.feed(vars(thing)["__value_fields__"], vars(thing)["__value_casts__"])
        self.visit_all(
            m for m in vars(thing).values() if isinstance(m, types.FunctionType | property | staticmethod)
        )
        meaning = getattr(thing, "__fingerprint_class__", None)
        if meaning is not None:
            self.visit_all(meaning())

    def function(self, function: types.FunctionType) -> None:
        self.feed("function", function.__module__, function.__qualname__)
        written_here = function.__code__.co_filename.startswith("<gridarium")
        if _is_library(function) and not written_here and not function.__closure__:
            return
        self.code(function.__code__)
        self.visit_all([function.__defaults__, function.__kwdefaults__])
        for cell in function.__closure__ or ():
            try:
                self.visit(cell.cell_contents)
            except ValueError:
                self.feed("empty cell")
        for name in sorted(_names(function.__code__)):
            if name in function.__globals__:
                self.feed("global", name)
                self.global_value(function.__globals__[name], function.__code__)

    def global_value(self, thing: Any, code: types.CodeType) -> None:
        self.visit(thing)
        if isinstance(thing, types.ModuleType) and thing.__name__.split(".")[0] not in (
            "numpy",
            "math",
            PACKAGE,
        ):
            for name in sorted(_names(code)):
                if hasattr(thing, name):
                    self.feed("attribute", name)
                    self.visit(getattr(thing, name))

    def code(self, code: types.CodeType) -> None:
        self.feed(
            code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_flags, code.co_argcount
        )
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self.code(constant)
            else:
                self.visit(constant)


def _names(code: types.CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names(constant)
    return names


def _is_library(thing: Any) -> bool:
    module = getattr(thing, "__module__", None) or ""
    return module.split(".")[0] in (PACKAGE, "numpy", "builtins", "math")
