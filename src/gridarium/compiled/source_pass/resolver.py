"""What names mean in compiled code, as far as that is known before compiling."""

from __future__ import annotations

import ast
import enum
import functools
import hashlib
import types
from typing import Any

from gridarium.compiled.source import Unsupported, home_of
from gridarium.compiled.symbol import Symbol


class Static:
    """A value known before compiling, or the lack of one."""

    __slots__ = ("known", "value")

    def __init__(self, known: bool, value: Any = None) -> None:
        self.known, self.value = known, value


UNKNOWN = Static(False)


class Resolver:
    """What static things become in compiled code. `world.vocabulary` adds kinds, colors and actions."""

    def __fingerprint__(self) -> list[Any]:
        """What compiled programs depend on (see `fingerprint`)."""
        return []

    def prepare(self) -> None:
        """Do what has to be done before anything is compiled."""

    def constant(self, thing: Any) -> ast.expr | None:
        """An expression for a constant, or None if it is none."""
        if isinstance(thing, str | enum.Enum):
            thing = as_symbol(thing)
            if isinstance(thing, Symbol):
                return symbol_of(thing.number)
        if thing is None or type(thing) in (bool, int, float):
            return ast.Constant(thing)
        return None

    def is_name(self, thing: Any) -> bool:
        """Whether a thing, like a color, can only be compared with its like."""
        return False

    def symbol(self, thing: Any) -> Symbol:
        """What compiled code has in the place of a thing that `is_name` says is one."""
        raise NotImplementedError

    def is_name_attribute(self, name: str) -> bool:
        """Whether what attributes of that name hold can only be compared with its like."""
        return False

    def is_number_attribute(self, name: str) -> bool:
        """Whether what attributes of that name hold are surely numbers."""
        return False

    def is_whole_field(self, name: str) -> bool:
        """Whether what is assigned to attributes of that name becomes a whole number."""
        return False

    def fixed(self, owner: str, name: str) -> Static:
        """What `something.<owner>.<name>` is, where that is the same throughout a program."""
        return UNKNOWN

    def parameter(self, thing: Any, name: str) -> str:
        """What the parameter that a call of a class or callable object names is called in compiled code."""
        return name

    def made(self, thing: Any, given: list[Static], named: dict[str, Static]) -> Any | None:
        """The object that a class or callable object makes, where all that it is given is known.

        Raises:
            TypeError, ValueError: it cannot be called like that.
        """
        return None

    def attribute(self, name: str) -> tuple[Any, Any] | None:
        """How an attribute is read that is not the same for all things of one compiled type, or None.

        Returns:
            two functions: `choose(thing, read)`, known to numba, reads the attribute of anything, through
            `read(thing)` where it takes that; the second is in ordinary Python, yet to be linked.
        """
        return None

    def member_test(self, name: str, member: enum.IntEnum) -> Any | None:
        """The function of a thing for `thing.<name> is member`, yet to be linked, or None if that cannot be known."""
        return None

    def instance_test(self, subject: ast.expr, classes: tuple[Any, ...]) -> ast.expr | None:
        """An expression for `isinstance(subject, classes)`, or None if that cannot be known."""
        return None

    def callable(self, thing: Any) -> Any | None:
        """The function that compiled code calls in the place of a class or callable object, or None."""
        return None


def as_symbol(thing: str | enum.Enum) -> Any:
    """What stands for a text or for a member of an enum; for one that is a number, that number."""
    if not isinstance(thing, enum.Enum):
        return Symbol(word_number(f"text {thing}"))
    cls = type(thing)
    if operators := operators_of(cls):
        raise ValueError(
            f"{cls.__name__} has {', '.join(operators)} of its own; members are compared, nothing else"
        )
    if isinstance(thing, str):
        return as_symbol(thing.value)
    if isinstance(thing, int | float):
        return thing.value
    return Symbol(word_number(f"member {cls.__module__}.{cls.__qualname__}.{thing.name}"))


@functools.cache
def operators_of(cls: type) -> list[str]:
    """What a class of members or tuples has its own meaning for, beyond how they are made and shown."""
    own = [base for base in cls.__mro__ if base.__module__ not in ("enum", "builtins")]
    found = {n for base in own for n, member in vars(base).items() if isinstance(member, types.FunctionType)}
    return sorted(n for n in found if n.startswith("__") and n not in _OF_MEMBERS)


_OF_MEMBERS = (
    *("__new__", "__init__", "__str__", "__repr__", "__format__", "__reduce_ex__", "__reduce__", "__hash__"),
    *("__dir__", "__copy__", "__deepcopy__", "__set_name__", "__getnewargs__", "__replace__"),
)


def symbol_of(number: int) -> ast.expr:
    """An expression for a symbol."""
    name = ast.Name("Symbol", ast.Load())
    name.means = Symbol  # type: ignore[attr-defined]
    return ast.Call(name, [ast.Constant(number)], [])


def word_number(word: str) -> int:
    """The number that stands for a word in compiled code, where words can only be compared: 62 bits of a hash of it."""
    return int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest()) >> 2 | 1 << 61


def unwrap_partial(thing: Any) -> tuple[Any, dict[str, Any]]:
    """A function and the keyword arguments that `functools.partial` objects around it have fixed."""
    bound: dict[str, Any] = {}
    while isinstance(thing, functools.partial):
        if thing.args:
            raise Unsupported("a partial with positional arguments; name them")
        bound = {**thing.keywords, **bound}
        thing = thing.func
    return thing, bound


NOT_PASSABLE = (type, types.FunctionType, types.MethodType, functools.partial, str, set, frozenset)


def is_passable(thing: Any) -> bool:
    """Whether compiled code can hand a thing to a function; what it cannot is fixed when that function is compiled."""
    if isinstance(thing, list | tuple):
        return all(is_passable(item) for item in thing)
    return not isinstance(thing, NOT_PASSABLE)


def is_specialisable(thing: Any) -> bool:
    """Whether a call of a thing is a call of a function that the source pass rewrites."""
    function = unwrap_partial(thing)[0] if isinstance(thing, functools.partial) else thing
    if not isinstance(function, types.FunctionType) or hasattr(function, "__compiled__"):
        return False
    return home_of(function).split(".")[0] not in ("math", "numpy", "numba")
