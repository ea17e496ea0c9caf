"""What numba types are, for the checks of users' code: whose classes they have, what kind they are of, and what messages call them.

Importing this module imports numba.
"""

from __future__ import annotations

from typing import Any

from numba import types

from gridarium.compiled.data_types.value_class import generated_equality, shown_name
from gridarium.compiled.numba_backend.arithmetic import inner, is_whole
from gridarium.compiled.numba_backend.array_views import ViewType
from gridarium.compiled.numba_backend.mixed_numbers import REAL, TRUTH, WHOLE, is_none, is_value
from gridarium.compiled.source_pass.source import is_ours

ITERATORS = (types.Generator, types.EnumerateType, types.ZipType)
"""Iterated types whose items can be taken only once."""


def is_of_library(found: Any) -> bool:
    """Whether a type consists of value classes of the library, in which nothing is unequal to itself."""
    found = inner(found)
    if isinstance(found, types.BaseTuple):
        return all(is_of_library(types.unliteral(item)) for item in found)
    return is_value(found) and is_ours(found.cls)


def record_of_users(found: Any) -> str | None:
    """The name of a user's class with attributes in a type, if there is one."""
    found = inner(found)
    if isinstance(found, types.BaseNamedTuple):
        return str(found.instance_class.__name__)
    if isinstance(found, types.BaseTuple):
        return next(filter(None, (record_of_users(types.unliteral(item)) for item in found)), None)
    return shown_name(found.cls) if is_value(found) and not is_ours(found.cls) else None


def own_equality(found: Any) -> type | None:
    """The user's class with an `__eq__` of its own, which Python may ask about objects of any type, in a type."""
    found = inner(found)
    if isinstance(found, types.BaseTuple):
        return next(filter(None, (own_equality(types.unliteral(item)) for item in found)), None)
    own = is_value(found) and not is_ours(found.cls) and generated_equality(found.cls) is None
    return found.cls if own else None


def never_compared(found: Any) -> str | None:
    """Why objects of a type are not compared, if they are not."""
    found = inner(found)
    if isinstance(found, types.BaseTuple):
        return next(filter(None, (never_compared(types.unliteral(item)) for item in found)), None)
    return getattr(getattr(found, "cls", None), "__never_compared__", None)


def is_place(found: Any) -> bool:
    """Whether a value has coordinates, like positions."""
    return is_value(found) and hasattr(found.cls, "__coordinates__")


def is_number(found: Any) -> bool:
    """Whether a type is one of the three of numbers: integers, floats, truth values."""
    return bool(found in (WHOLE, REAL, TRUTH))


def is_of_whole_numbers(found: Any) -> bool:
    """Whether all items of a tuple's type are integers."""
    return all(is_whole(types.unliteral(item)) for item in found)


def kind_of(found: Any) -> str:
    """A letter for the kind of a type: bool, int, float, None, value, tuple, and so on."""
    if found == TRUTH:
        return "b"
    if found == WHOLE:
        return "i"
    if found == REAL:
        return "f"
    for letter, cls in _KINDS:
        if isinstance(found, cls):
            return letter
    return "v" if is_value(found) else "?"


_KINDS = (
    ("n", types.NoneType), ("o", types.Optional), ("t", types.BaseTuple), ("r", types.RangeType),
    ("g", ITERATORS),
)  # fmt: skip
_CONTAINERS = (
    (types.List, "a list"),
    (types.LiteralList, "a list"),
    (types.Set, "a set"),
    (types.DictType, "a dict"),
    (types.UnicodeType, "text"),
)
_NAMES = ((WHOLE, "a whole number"), (REAL, "a float"), (TRUTH, "a truth value"))


def shown_type(found: Any) -> str:
    """The user-facing name of a type."""
    for known, name in _NAMES:
        if found == known:
            return name
    if isinstance(found, types.Optional):
        return f"{shown_type(found.type)} or None"
    if is_none(found):
        return "None"
    if is_value(found):
        return shown_name(found.cls)
    if isinstance(found, types.BaseTuple):
        return f"a tuple ({', '.join(map(shown_type, found))})" if len(found) < 4 else "a tuple"
    if isinstance(found, types.Generator):
        return "a generator"
    if isinstance(found, types.RangeType):
        return "a range"
    if isinstance(found, ViewType | types.Array):
        return "a raw array"
    for cls, name in _CONTAINERS:
        if isinstance(found, cls):
            return name
    if isinstance(found, types.Integer | types.Float):
        return f"a number of type {found}"
    return str(found)
