"""Fingerprints of composed programs: a hash of everything that their meaning depends on, transitively.

Covered are code objects, defaults, closure cells and the values of globals that a rule reads, of everything that it
calls in turn, the methods of value classes, versions, and the source of this library's packages that are part of every
program. Programs that cannot be hashed are not cached, with a warning.
"""

from __future__ import annotations

import abc
import contextlib
import dataclasses
import enum
import functools
import hashlib
import inspect
import re
import sys
import types
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import numpy as np

from gridarium.compiled.cache.global_reads import chains, scope_of
from gridarium.compiled.cache.library_code import (
    captures,
    is_generated,
    is_given,
    is_library,
    library_digest,
    library_names,
)
from gridarium.compiled.data_types.value_class import is_value, is_value_class
from gridarium.compiled.source_pass.fixed_values import operators_of, without_meaning
from gridarium.compiled.source_pass.source import home_of, is_ours


class Unhashable(Exception):
    """Something that a rule depends on cannot be hashed, so the compiled program cannot be cached on disk."""


def fingerprint(*things: Any, unnamed: Collection[str] = ()) -> str:
    """Return a hash (40 hex digits) of everything that the meaning of `things` depends on.

    Args:
        things: what is hashed.
        unnamed: modules whose names do not count, so that the same code in a module of another name has the same hash. Compiled
            types have their names, so programs are not found by such hashes.

    Raises:
        Unhashable: something has no content that can be hashed.
    """
    walk = _UnnamedWalk(unnamed) if unnamed else _Walk()
    walk.feed("versions", sys.version, __debug__, np.__version__, library_digest())
    try:
        walk.visit_all(things)
    except RecursionError:
        raise Unhashable("what leads from object to object too far, or back within sets") from None
    return walk.digest.hexdigest()


def names_in(*things: Any) -> set[str] | None:
    """Return the names of globals and attributes in all user code that the meaning of `things` depends on.

    None if that is not known, for example if a module is passed as an argument, or if something cannot be hashed.
    """
    walk = _NameWalk()
    try:
        walk.visit_all(things)
    except (Unhashable, RecursionError):
        return None
    return walk.names


@contextlib.contextmanager
def _named(name: str) -> Iterator[None]:
    """Add the name that a rule uses to the message of `Unhashable`."""
    try:
        yield
    except Unhashable as error:
        if ": " in str(error):
            raise
        raise Unhashable(f"{name}: {error}") from None


def _by_content(thing: Any) -> bool:
    """Whether something is compared by content only, and cannot contain itself, so that it needs no cycle check."""
    return (
        declares_content(thing) or isinstance(thing, tuple | frozenset | functools.partial) or is_value(thing)
    )


def declares_content(thing: Any) -> bool:
    """Whether an object of this library says what programs depend on, by `__fingerprint__`."""
    cls: Any = type(thing)
    return not isinstance(thing, type) and _declares_content(cls)


@functools.cache
def _declares_content(cls: type) -> bool:
    return is_ours(getattr(cls, "__fingerprint__", None))


class _Walk:
    def __init__(self) -> None:
        self.digest = hashlib.blake2b(digest_size=20)
        self.seen: dict[int, int] = {}
        self.looked_at: set[int] = set()
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
        if declares_content(thing):
            self.feed("own")
            self.visit_all(thing.__fingerprint__())
            self.visit(type(thing))
            if not is_ours(type(thing)):
                self.attributes(thing)
        elif isinstance(thing, types.FunctionType):
            self.function(thing)
        elif isinstance(thing, types.BuiltinFunctionType | type):
            self.type_or_builtin(thing)
        elif isinstance(thing, list | tuple | dict | set | frozenset):
            self.container(thing)
        elif is_value(thing) or dataclasses.is_dataclass(thing):
            self.visit(type(thing))
            for name in fields_of(thing):
                self.feed(name)
                self.visit(getattr(thing, name))
            if not is_value(thing):
                self.attributes(thing, fields_of(thing))
        elif not self.named_or_wrapped(thing):
            raise Unhashable(f"a {type(thing).__name__}, whose content cannot be hashed")

    def container(self, thing: Any) -> None:
        if not is_given(home_of(type(thing))) and operators_of(type(thing)):
            raise Unhashable(f"a {type(thing).__name__}, which has operators of its own")
        if isinstance(thing, set | frozenset):
            self.feed("set", sorted(_alone(item) for item in thing))
        elif isinstance(thing, dict):
            self.feed("dict", len(thing))
            self.visit_all(part for item in thing.items() for part in item)
        else:
            self.feed(type(thing).__name__, len(thing))
            self.visit_all(thing)
        self.subclass(thing)

    def named_or_wrapped(self, thing: Any) -> bool:
        if type(thing) is functools.partial:
            self.feed("partial")
            self.visit_all([thing.func, list(thing.args)])
            for name, given in sorted(thing.keywords.items()):
                self.feed("given", name)
                with _named(f"parameter {name}"):
                    self.visit(given)
        elif isinstance(thing, types.ModuleType | np.ufunc):
            self.feed(type(thing).__name__, thing.__name__)
            if isinstance(thing, types.ModuleType) and not _is_given_module(thing):
                raise Unhashable("a module that is passed on, of which anything may be read")
        elif isinstance(thing, types.UnionType):
            self.feed("union")
            self.visit_all(thing.__args__)
        elif home_of(type(thing)) == "dataclasses":  # stands for a default that is made each time
            self.feed(type(thing).__name__)
        elif isinstance(thing, types.WrapperDescriptorType | types.MethodDescriptorType):
            self.feed("built in", thing.__qualname__)
        elif isinstance(thing, MADE_BY_PYTHON):
            self.feed("field", *_field_of(thing))
        else:
            self.feed(type(thing).__name__)
            self.visit_all(getattr(thing, name) for name in parts_of(thing))
            return bool(parts_of(thing))
        return True

    def visit_all(self, things: Iterable[Any]) -> None:
        for thing in things:
            self.visit(thing)

    def _plain(self, thing: Any) -> bool:
        if isinstance(thing, enum.Enum):
            self.feed("member", thing.name)
            self.visit_all([type(thing), thing.value])
        elif type(thing) is int:
            self.feed("int", hex(thing))  # a decimal has at most 4,300 digits
        elif thing is None or thing is ... or type(thing) in (*PLAIN, range):
            self.feed(type(thing).__name__, thing)
        elif isinstance(thing, np.generic | np.ndarray) and thing.dtype != object:
            self.feed("array", str(thing.dtype), thing.shape, thing.tobytes())
            if home_of(type(thing)) != "numpy":
                self.subclass(thing)
        elif isinstance(thing, PLAIN):
            self.feed(next(base.__repr__(thing) for base in PLAIN if isinstance(thing, base)))
            self.subclass(thing)
        else:
            return False
        return True

    def subclass(self, thing: Any) -> None:
        """Visit what an instance of a subclass of a built-in type has besides its content."""
        if home_of(type(thing)) != "builtins":
            self.visit(type(thing))
            self.attributes(thing)

    def attributes(self, thing: Any, but: Iterable[str] = ()) -> None:
        """Visit the attributes set on an object; names in double underscores belong to Python and this library."""
        own = attributes_of(thing)
        for name in sorted(own.keys() - set(but)):
            if not name.startswith("__"):
                self.feed("attribute", name)
                self.visit(own[name])

    def type_or_builtin(self, thing: Any) -> None:
        self.feed("type", thing.__module__, thing.__qualname__)
        if not isinstance(thing, type):
            return
        if is_given(home_of(thing)):
            self.given(thing)
            return
        self.visit_all([*thing.__bases__, type(thing)])
        if is_value_class(thing):
            self.feed(vars(thing)["__value_fields__"], vars(thing)["__value_casts__"])
        if issubclass(thing, enum.Enum):
            for name, member in thing.__members__.items():  # aliases, too
                self.visit_all([name, member.name, member.value])
                self.attributes(member, _OF_MEMBERS)
        for name, member in members_of(thing):
            self.feed(name)
            with _named(f"{thing.__qualname__}.{name}"):
                self.visit(member)

    def function(self, function: types.FunctionType) -> None:
        self.feed("function", function.__module__, function.__qualname__)
        if is_given(home_of(function)) and not is_generated(function) and not captures(function):
            self.given(function)
            return
        self.code(function.__code__)
        with _named(f"a default of {function.__name__}"):
            self.visit_all([function.__defaults__, function.__kwdefaults__])
        self.attributes(function)
        scope = scope_of(function)
        for chain in sorted(chains(function.__code__, function.__code__.co_freevars)):
            if chain[0] in scope:
                self.feed("name", *chain)
                with _named(f"{'.'.join(chain)} in {function.__name__}"):
                    self.attribute(scope[chain[0]], chain[1:])

    def given(self, thing: Any) -> None:
        """Visit code that is covered by versions and the digest, and replacements of parts of it."""
        if is_library(thing):
            lines, foreign = library_names(thing, self.looked_at)
            self.feed("\n".join(lines))
            for name, code in foreign:
                self.feed(name)
                self.visit(code)

    def attribute(self, thing: Any, names: tuple[str, ...]) -> None:
        """Visit the meaning of a dotted name in a rule.

        Attributes of anything but a module belong to the object itself.
        """
        while isinstance(thing, types.ModuleType) and names and hasattr(thing, names[0]):
            thing, names = getattr(thing, names[0]), names[1:]
        self.visit(thing)

    def code(self, code: types.CodeType) -> None:
        self.feed(
            code.co_code, code.co_exceptiontable, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars,
            code.co_flags, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount,
        )  # fmt: skip
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self.code(constant)
            else:
                self.visit(constant)


class _UnnamedWalk(_Walk):
    def __init__(self, modules: Collection[str]) -> None:
        super().__init__()
        names = "|".join(map(re.escape, modules))
        self.names = re.compile(rf"""(?<=['"])(?:{names})(?=['"\\.])""")

    def feed(self, *words: object) -> None:
        super().feed(*(self.names.sub("", repr(word)) for word in words))


class _NameWalk(_Walk):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def feed(self, *words: object) -> None:
        """Only names are wanted, no hash."""

    def visit(self, thing: Any) -> None:
        if isinstance(thing, types.ModuleType) and thing.__name__ not in ("math", "numpy"):
            raise Unhashable("a module, of which anything may be read")
        super().visit(thing)

    def code(self, code: types.CodeType) -> None:
        self.names.update(code.co_names)
        super().code(code)


def parts_of(thing: Any) -> tuple[str, ...]:
    """The functions, and the objects they are bound to, in a wrapper of functions."""
    if isinstance(thing, types.MethodType):
        return ("__func__", "__self__")
    if type(thing) is property:
        return ("fget", "fset")
    if type(thing) in (staticmethod, classmethod):
        return ("__func__",)
    return (
        ("py_func",)
        if home_of(type(thing)).partition(".")[0] == "numba" and hasattr(thing, "py_func")
        else ()
    )


def members_of(cls: type) -> Iterator[tuple[str, Any]]:
    """The members of a class that a rule may use.

    A class of the library can list members without meaning for rules (such as pictures).
    """
    skipped = {*_NO_MEANING, *without_meaning(cls)}
    for name, member in vars(cls).items():
        made_by_enum = issubclass(cls, enum.Enum) and (name.startswith("_") or _is_member(cls, name, member))
        of_abc = name == "_abc_impl" and type(member) is _ABC_DATA
        if name in skipped or of_abc or (made_by_enum and not _is_code(member)):
            continue
        yield name, member


PLAIN = (bool, int, float, complex, str, bytes)
MADE_BY_PYTHON = (types.MemberDescriptorType, types.GetSetDescriptorType, type(inspect.FullArgSpec.args))
"""Types of descriptors that Python adds to classes for slots, attributes and (last) items of named tuples."""
_ABC_DATA = type(vars(abc.ABC)["_abc_impl"])
_OF_MEMBERS = ("_value_", "_name_", "_sort_order_", "_hashable_values_", "_unhashable_values_", "_inverted_")
_NO_MEANING = (
    *("__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__slots__"),
    *("__annotations__", "__annotate__", "__annotate_func__", "__annotations_cache__"),
    *("__firstlineno__", "__static_attributes__", "__match_args__", "__orig_bases__", "__parameters__"),
    *("__dataclass_fields__", "__dataclass_params__", "__abstractmethods__"),
)


def _field_of(descriptor: Any) -> tuple[Any, ...]:
    """The slot, attribute or number of an item that a descriptor leads to, by whatever name it is called."""
    if isinstance(descriptor, types.MemberDescriptorType | types.GetSetDescriptorType):
        return descriptor.__objclass__.__qualname__, descriptor.__name__
    (number, _) = descriptor.__reduce__()[1]  # of a named tuple
    return (number,)


def _is_given_module(module: types.ModuleType) -> bool:
    return is_given(module.__name__) and sys.modules.get(module.__name__) is module


def _is_member(cls: Any, name: str, member: Any) -> bool:
    """Whether an attribute of an enum leads to its member of that name, as `enum` made it."""
    known = cls.__members__
    return name in known and (member is known[name] or isinstance(member, types.DynamicClassAttribute))


def _is_code(member: Any) -> bool:
    own = isinstance(member, types.FunctionType) and member.__module__ != "enum"
    return own or isinstance(member, property | staticmethod | classmethod)


def fields_of(thing: Any) -> Iterable[str]:
    """The names of the fields of a value or a dataclass, as far as they are set."""
    if is_value(thing):
        return type(thing).__value_fields__
    return [f.name for f in dataclasses.fields(thing) if _is_set(thing, f.name)]


def _slots_of(thing: Any) -> list[str]:
    """The names of the attributes that an object keeps in slots, declared by any of its classes, as far as they are set."""
    names = []
    for cls in type(thing).__mro__:
        slots = vars(cls).get("__slots__", ())
        for name in [slots] if isinstance(slots, str) else slots:
            private = name.startswith("__") and not name.endswith("__")
            names.append(f"_{cls.__name__.lstrip('_')}{name}" if private else name)
    return [name for name in names if not name.startswith("__") and _is_set(thing, name)]


def _is_set(thing: Any, name: str) -> bool:
    try:
        object.__getattribute__(thing, name)
    except AttributeError:
        return False
    return True


def attributes_of(thing: Any) -> dict[str, Any]:
    """The attributes that were set on an object, in its `__dict__` and in slots; no code of its class is asked."""
    slots = {name: object.__getattribute__(thing, name) for name in _slots_of(thing)}
    return {**(dict_of(thing) or {}), **slots}


def dict_of(thing: Any) -> dict[str, Any] | None:
    """The `__dict__` of an object, if it has one."""
    return object.__getattribute__(thing, "__dict__") if _is_set(thing, "__dict__") else None


def _alone(thing: Any) -> str:
    """The hash of one object by itself, so that the hash of a set does not depend on its order."""
    walk = _Walk()
    walk.visit(thing)
    return walk.digest.hexdigest()
