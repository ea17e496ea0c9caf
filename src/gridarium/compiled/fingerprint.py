"""What a composed program depends on, as one hash: its meaning, transitively.

Covered are code objects, defaults, closure cells and the values of globals that a rule reads, of everything that it
calls in turn, the methods of value classes, versions, and the source of this library's rooms whose code every program
has. What cannot be hashed is not cached, and says so.
"""

from __future__ import annotations

import contextlib
import dataclasses
import dis
import enum
import functools
import hashlib
import sys
import types
from collections.abc import Iterable, Iterator
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


@contextlib.contextmanager
def _named(name: str, function: types.FunctionType) -> Iterator[None]:
    """What cannot be hashed is told with the name that a rule has for it."""
    try:
        yield
    except Unhashable as error:
        if " in " in str(error):
            raise
        raise Unhashable(f"{name} in {function.__name__}: {error}") from None


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
        elif isinstance(thing, property):
            self.feed("property")
            self.visit_all([thing.fget, thing.fset])
        elif isinstance(thing, staticmethod | classmethod):
            self.feed(type(thing).__name__)
            self.visit(thing.__func__)
        elif isinstance(thing, types.ModuleType | np.ufunc):
            self.feed(type(thing).__name__, thing.__name__)
        elif isinstance(thing, types.WrapperDescriptorType | types.MethodDescriptorType):
            self.feed("built in", thing.__qualname__)
        elif isinstance(thing, types.BuiltinFunctionType | type):
            self.type_or_builtin(thing)
        elif isinstance(thing, list | tuple):
            self.feed(type(thing).__name__, len(thing))
            self.visit_all(thing)
        elif isinstance(thing, dict):
            self.feed("dict", len(thing))
            self.visit_all(part for item in thing.items() for part in item)
        elif isinstance(thing, set | frozenset):
            self.feed("set", sorted(_alone(item) for item in thing))
        elif is_value(thing) or dataclasses.is_dataclass(thing):
            self.visit(type(thing))
            self.visit_all(getattr(thing, name) for name in _fields(thing))
        elif isinstance(getattr(thing, "py_func", None), types.FunctionType):
            self.feed("compiled by numba")
            self.visit(thing.py_func)
        else:
            raise Unhashable(f"a {type(thing).__name__}, whose content cannot be hashed")

    def visit_all(self, things: Iterable[Any]) -> None:
        for thing in things:
            self.visit(thing)

    def _plain(self, thing: Any) -> bool:
        if isinstance(thing, enum.Enum):
            self.feed("member", thing.name)
            self.visit_all([type(thing), thing.value])
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
        self.visit_all(thing.__bases__)
        if is_value_class(thing):
            self.feed(vars(thing)["__value_fields__"], vars(thing)["__value_casts__"])
        if issubclass(thing, enum.Enum):
            self.visit_all([member.name, member.value] for member in thing.__members__.values())
        for name, member in _members(thing):
            self.feed(name)
            self.visit(member)

    def function(self, function: types.FunctionType) -> None:
        self.feed("function", function.__module__, function.__qualname__)
        written_here = function.__code__.co_filename.startswith("<gridarium")
        if _is_library(function) and not written_here and not function.__closure__:
            return
        self.code(function.__code__)
        self.visit_all([function.__defaults__, function.__kwdefaults__])
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            with _named(name, function), contextlib.suppress(ValueError):  # an empty cell
                self.visit(cell.cell_contents)
        for chain in sorted(_chains(function.__code__)):
            if chain[0] in function.__globals__:
                self.feed("global", *chain)
                with _named(".".join(chain), function):
                    self.attribute(function.__globals__[chain[0]], chain[1:])

    def attribute(self, thing: Any, names: tuple[str, ...]) -> None:
        """What a dotted name in a rule means; attributes of anything but a module belong to the thing itself."""
        while isinstance(thing, types.ModuleType) and names and hasattr(thing, names[0]):
            thing, names = getattr(thing, names[0]), names[1:]
        self.visit(thing)

    def code(self, code: types.CodeType) -> None:
        self.feed(
            code.co_code, code.co_names, code.co_varnames, code.co_freevars, code.co_flags, code.co_argcount
        )
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self.code(constant)
            else:
                self.visit(constant)


def _chains(code: types.CodeType) -> Iterator[tuple[str, ...]]:
    """The global names that code reads, each with the attributes that are read from it: `a.b.c` as (a, b, c)."""
    chain: tuple[str, ...] = ()
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            if chain:
                yield chain
            chain = (step.argval,)
        elif chain and step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            chain = (*chain, step.argval)
        elif chain and step.opname not in ("PUSH_NULL", "CACHE"):
            yield chain
            chain = ()
    if chain:
        yield chain
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _chains(constant)


def _members(cls: type) -> Iterator[tuple[str, Any]]:
    """What a class defines that a rule may use. A class can name what has no meaning for rules (such as pictures)."""
    skipped = (*_NO_MEANING, *getattr(cls, "__no_meaning__", ()))
    for name, member in vars(cls).items():
        made_by_python = isinstance(member, types.MemberDescriptorType | types.GetSetDescriptorType)
        if name in skipped or made_by_python or (issubclass(cls, enum.Enum) and not _is_code(member)):
            continue
        yield name, member


_NO_MEANING = (
    *("__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__slots__", "__annotations__"),
    *("__firstlineno__", "__static_attributes__", "__match_args__", "__orig_bases__", "__parameters__"),
    *("__dataclass_fields__", "__dataclass_params__", "__abstractmethods__", "_abc_impl"),
)


def _is_code(member: Any) -> bool:
    own = isinstance(member, types.FunctionType) and member.__module__ != "enum"
    return own or isinstance(member, property | staticmethod | classmethod)


def _fields(thing: Any) -> Iterable[str]:
    return type(thing).__value_fields__ if is_value(thing) else [f.name for f in dataclasses.fields(thing)]


def _alone(thing: Any) -> str:
    """The hash of one thing, so that a set has the same hash in whatever order it lists its items."""
    walk = _Walk()
    walk.visit(thing)
    return walk.digest.hexdigest()


def _is_library(thing: Any) -> bool:
    """Whether a thing's meaning follows from versions and the digest of the compiled rooms."""
    package, _, inner = (getattr(thing, "__module__", None) or "").partition(".")
    if package == PACKAGE:
        return inner.partition(".")[0] in COMPILED_ROOMS
    return package in ("numpy", "builtins", "math")
