"""Resolves names in compiled code to compile-time values."""

from __future__ import annotations

import ast
import enum
import functools
import hashlib
import types
from typing import Any

from gridarium.compiled.data_types.symbol import Symbol
from gridarium.compiled.source_pass.fixed_values import operators_of
from gridarium.compiled.source_pass.source import Unsupported, home_of, is_ours


class StaticValue:
    """A value known at compile time, or the lack of one."""

    __slots__ = ("known", "value")

    def __init__(self, known: bool, value: Any = None) -> None:
        self.known, self.value = known, value


UNKNOWN = StaticValue(False)


class Resolver:
    """Resolves static objects to their representation in compiled code.

    `world.vocabulary` adds kinds, colors and actions.
    """

    def __fingerprint__(self) -> list[Any]:
        """The parts that compiled programs depend on (see `fingerprint`)."""
        return []

    def prepare(self) -> None:
        """Prepare compilation; called before anything is compiled."""

    def constant(self, thing: Any) -> ast.expr | None:
        """An expression for a constant, or None if it is not a constant."""
        if isinstance(thing, str | enum.Enum):
            thing = as_symbol(thing)
            if isinstance(thing, Symbol):
                return symbol_of(thing.number)
        if thing is None or type(thing) in (bool, int, float):
            return ast.Constant(thing)
        return None

    def is_symbolic(self, thing: Any) -> bool:
        """Whether an object, like a color, is represented by a symbol."""
        return False

    def symbol(self, thing: Any) -> Symbol:
        """The symbol for an object that satisfies `is_symbolic`."""
        raise NotImplementedError

    def is_symbolic_attribute(self, name: str) -> bool:
        """Whether attributes of this name hold symbols."""
        return False

    def is_number_attribute(self, name: str) -> bool:
        """Whether attributes of this name certainly hold numbers."""
        return False

    def fixed(self, owner: str, name: str) -> StaticValue:
        """The value of `something.<owner>.<name>`, if it is the same throughout a program."""
        return UNKNOWN

    def parameter(self, thing: Any, name: str) -> str:
        """The compiled name of a keyword parameter of a class or callable object."""
        return name

    def made(self, thing: Any, given: list[StaticValue], named: dict[str, StaticValue]) -> Any | None:
        """The result of calling a class or callable object, if all arguments are known.

        Raises:
            TypeError, ValueError: it cannot be called like that.
        """
        return None

    def attribute(self, name: str) -> tuple[Any, ...]:
        """The access to an attribute that differs between objects of one compiled type; empty if there is none.

        Returns:
            functions: `choose(thing, *reads)`, known to numba, reads the attribute of anything, using `read(thing)` where
            needed; the others are these, in ordinary Python, not yet linked.
        """
        return ()

    def member_test(self, name: str, member: enum.Enum) -> Any | None:
        """The function for `thing.<name> is member`, not yet linked, or None if unknown."""
        return None

    def instance_test(self, subject: ast.expr, classes: tuple[Any, ...]) -> ast.expr | None:
        """An expression for `isinstance(subject, classes)`, or None if unknown."""
        return None

    def incomparable(self, thing: Any) -> str | None:
        """Why nothing may be compared with a constant, and what to write instead; None for all others."""
        return None

    def refused_call(self, thing: Any) -> str | None:
        """Why rules do not make objects of a class; None if they may."""
        return None

    def callable(self, thing: Any) -> Any | None:
        """The function that compiled code calls instead of a class or callable object, or None."""
        return None


def as_symbol(thing: str | enum.Enum) -> Any:
    """The symbol of a string or of an enum member; for a numeric member, its number."""
    cls = type(thing)
    if cls is str:
        return Symbol(word_number(f"text {thing}"))
    if not isinstance(thing, enum.Enum):
        raise ValueError(
            f"{thing!r} is text of a class of its own, {cls.__name__}; write str(...) where it is made"
        )
    if operators := operators_of(cls):
        raise ValueError(
            f"{cls.__name__} has {', '.join(operators)} of its own; members are compared, nothing else"
        )
    if isinstance(thing, enum.Flag):
        raise ValueError(
            f"members of {cls.__name__} are flags, of which Python keeps the known bits only; "
            f"write {cls.__name__}.{thing.name}.value, or a constant FLAG = int({cls.__name__}.{thing.name})"
        )
    if mixed := [b for b in cls.__mro__ if home_of(b) == "builtins" and b not in (object, int, float, str)]:
        raise ValueError(
            f"members of {cls.__name__} are {mixed[0].__name__}s as well; leave {mixed[0].__name__} out of its bases"
        )
    if isinstance(thing, str):
        return as_symbol(str.__str__(thing))
    if isinstance(thing, int):
        return int(thing)
    if isinstance(thing, float):
        return float(thing)
    return Symbol(word_number(f"member {_enum_name(cls)}.{thing.name}"))


@functools.cache
def _enum_name(cls: type) -> str:
    """The name of an enum, with a number if another class of this process has the same, such as before a reload."""
    name = f"{cls.__module__}.{cls.__qualname__}"
    number = _enums_called[name] = _enums_called.get(name, 0) + 1
    return name if number == 1 else f"{name} {number}"


_enums_called: dict[str, int] = {}


def symbol_of(number: int) -> ast.expr:
    """An expression for a symbol."""
    name = ast.Name("Symbol", ast.Load())
    name.means = Symbol  # type: ignore[attr-defined]
    return ast.Call(name, [ast.Constant(number)], [])


def word_number(word: str) -> int:
    """The number that represents a string in compiled code, where strings can only be compared: 62 bits of its hash."""
    return int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest()) >> 2 | 1 << 61


def unwrap_partial(thing: Any) -> tuple[Any, dict[str, Any]]:
    """A function and the keyword arguments that `functools.partial` objects around it have fixed."""
    bound: dict[str, Any] = {}
    while type(thing) is functools.partial:  # a class of a user's may be called in another way
        if thing.args:
            raise Unsupported("a partial with positional arguments; name them")
        bound = {**thing.keywords, **bound}
        thing = thing.func
    return thing, bound


NOT_PASSABLE = (
    type, types.UnionType, types.FunctionType, types.BuiltinFunctionType, types.MethodType, functools.partial, str, list, set, frozenset,
)  # fmt: skip


def is_passable(thing: Any) -> bool:
    """Whether compiled code can pass an object as an argument; others are fixed when the callee is compiled."""
    if isinstance(thing, tuple):
        return all(is_passable(item) for item in thing)
    return not isinstance(thing, NOT_PASSABLE)


def is_primitive(function: types.FunctionType) -> bool:
    """Whether a function of the library has an implementation of its own in compiled code (see `primitives`)."""
    return hasattr(function, "__compiled__") and is_ours(function)


def is_specialisable(thing: Any) -> bool:
    """Whether calling an object calls a function that the source pass rewrites."""
    function = unwrap_partial(thing)[0]
    if not isinstance(function, types.FunctionType) or is_primitive(function):
        return False
    return home_of(function).split(".")[0] not in ("math", "numpy", "numba")
