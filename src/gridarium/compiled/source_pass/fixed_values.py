"""What the source pass may ask objects for once, when a rule is compiled, as Python gets the same each time it asks.

Everything else runs code of users, or uses objects up: iterators, special methods, properties, descriptors.
"""

from __future__ import annotations

import abc
import cmath
import enum
import functools
import inspect
import types
from collections.abc import ItemsView, KeysView, ValuesView
from typing import Any

import numpy as np

from gridarium.compiled.data_types.value_class import is_value
from gridarium.compiled.source_pass.source import home_of, is_ours, is_pythons


def operators_of(cls: type) -> list[str]:
    """The special members of a class, except those that Python and this library define, construction and the like."""
    own = [base for base in cls.__mro__ if home_of(base) not in _TRUSTED and not is_ours(base)]
    found = {
        name
        for base in own
        for name, member in vars(base).items()
        if name.startswith("__") and not _is_made(member)
    }
    return sorted(found - NO_OPERATION)


def _is_made(member: Any) -> bool:
    """Whether a member is one of those that Python gives each enum of flags, and this library each value class."""
    return isinstance(member, types.FunctionType) and (home_of(member) == "enum" or is_ours(member))


def is_sequence(thing: Any) -> bool:
    """Whether an object is a list, tuple or set without operators of its own."""
    return isinstance(thing, list | tuple | set | frozenset) and not operators_of(type(thing))


def gives_same_items(thing: Any) -> bool:
    """Whether a loop over an object has the same items each time, as over a sequence or the members of an enum."""
    cls: Any = type(thing)
    is_view = isinstance(thing, KeysView | ValuesView | ItemsView)  # of a dict that may change
    return hasattr(cls, "__iter__") and not hasattr(cls, "__next__") and not is_view and not operators_of(cls)


def compares_alike(thing: Any) -> bool:
    """Whether comparing an object has the same result each time."""
    cls: Any = type(thing)
    if operators_of(cls):
        return False
    if not isinstance(thing, list | tuple | set | frozenset | dict):
        return True
    items = [*thing, *thing.values()] if isinstance(thing, dict) else thing
    return all(
        compares_alike(item) and not _is_nan(item) for item in items
    )  # one and the same NaN is equal there


def _is_nan(thing: Any) -> bool:
    return isinstance(thing, float | complex) and cmath.isnan(thing)


def numbers_of(cls: Any) -> list[int] | None:
    """The numbers of an enum's members, if they are integers that are looked up as Python does by itself."""
    plain = type(cls) is enum.EnumMeta and issubclass(cls, enum.IntEnum) and not operators_of(cls)
    if not plain or "_missing_" in {
        name for base in cls.__mro__[:-1] for name in vars(base) if home_of(base) != "enum"
    }:
        return None
    members = list(cls)
    if not members or any(type(m.value) is not int or int(m) != m.value for m in members):
        return None
    return [int(m) for m in members]


def has_identity(thing: Any) -> bool:
    """Whether an object is another than any equal one, also for the key of a program.

    Python shares equal numbers, texts and tuples as it likes, and keys tell equal values, arrays and partials not apart.
    """
    cls: Any = type(thing)
    if isinstance(thing, bool | enum.Enum) or hasattr(cls, "__single__"):
        return True
    by_content = is_value(thing) or hasattr(cls, "__fingerprint__")
    return not (by_content or isinstance(thing, _EQUAL_BY_CONTENT))


def chooses_its_instances(cls: type) -> bool:
    """Whether more than its subclasses may be instances of a class: by its metaclass, or registered with it, as with `abc.ABC`."""
    return isinstance(cls, abc.ABCMeta) or bool(operators_of(type(cls)))


def is_asked_anew(thing: Any, name: str) -> bool:
    """Whether reading an attribute runs code of a user: a property, another descriptor, `__getattr__`."""
    missing = object()
    if isinstance(thing, types.ModuleType):
        own = thing.__name__.partition(".")[0] == __name__.partition(".")[0]
        lacks = name not in vars(thing) and "__getattr__" in vars(thing) and not own
        return lacks or type(thing) is not types.ModuleType
    cls, places = type(thing), [type(thing)]
    if isinstance(thing, type):
        places.append(thing)
    members = [inspect.getattr_static(place, name, missing) for place in places]
    if isinstance(members[0], functools.cached_property):
        return is_to_be_computed(thing, name)
    if not all(map(_is_fixed, members)):
        return True
    asked = {special for special in ("__getattr__", "__getattribute__") if not _is_fixed_access(cls, special)}
    found = inspect.getattr_static(thing, name, missing) is not missing
    return "__getattribute__" in asked or ("__getattr__" in asked and not found)


def without_meaning(cls: type) -> set[str]:
    """The members of a class that this library lists as of no meaning for rules, such as pictures."""
    return {name for base in cls.__mro__ if is_ours(base) for name in vars(base).get("__no_meaning__", ())}


def is_set_by_users(thing: Any, name: str) -> bool:
    """Whether users have set an attribute on what belongs to this library or to Python, which nothing follows.

    `thing` is a function, a class, or a member of an enum.

    The attributes of this library's own classes are declared, or members of enums.
    """
    if isinstance(thing, types.FunctionType):
        return _is_given(thing) and name in vars(thing)
    if isinstance(thing, enum.Enum):
        if name in vars(thing):
            return _is_given(type(thing))
        thing = type(thing)
    owner = next((base for base in getattr(thing, "__mro__", ()) if name in vars(base)), None)
    if owner is None or not _is_given(owner):
        return False
    member = vars(owner)[name]
    code = getattr(member, "fget", getattr(member, "__func__", member))
    if isinstance(code, type | types.FunctionType):
        return not _is_given(code)
    declared = any(name in vars(base).get("__annotations__", ()) for base in owner.__mro__)
    return not (declared or isinstance(member, owner) or hasattr(type(member), "__get__"))


def _is_given(thing: Any) -> bool:
    return is_ours(thing) or is_pythons(thing)


def is_to_be_computed(thing: Any, name: str) -> bool:
    """Whether an attribute is a `functools.cached_property` that nobody has asked for yet."""
    member = inspect.getattr_static(type(thing), name, None)
    return isinstance(member, functools.cached_property) and name not in vars(thing)


def _is_fixed(member: Any) -> bool:
    """Whether a member of a class gives an object the same attribute each time."""
    kind = type(member)
    if kind in (property, types.DynamicClassAttribute, enum.property):
        return member.fget is None or is_ours(member.fget) or home_of(member.fget) == "enum"
    if kind in (
        types.GetSetDescriptorType,
        types.MemberDescriptorType,
    ):  # in C, where changes are not seen, or a slot
        owner = member.__objclass__
        is_slot = kind is types.MemberDescriptorType and "__slots__" in vars(owner)
        of_numpy = home_of(owner) == "numpy" and member.__name__ in _FIXED_OF_NUMPY
        return is_slot or owner in _FIXED_IN_C or of_numpy
    if kind is classmethod:
        return isinstance(member.__func__, types.FunctionType | types.BuiltinFunctionType)
    return not hasattr(kind, "__get__") or kind in _DESCRIPTORS or is_ours(kind)


def _is_fixed_access(cls: type, special: str) -> bool:
    access = getattr(cls, special, None)
    return (
        access is None
        or isinstance(access, types.WrapperDescriptorType)
        or is_ours(access)
        or home_of(access) == "enum"
    )


_EQUAL_BY_CONTENT = (
    int, float, complex, str, bytes, tuple, frozenset, range, functools.partial, types.MethodType, np.generic, np.ndarray,
)  # fmt: skip
_TRUSTED = ("builtins", "enum", "abc")
"""Modules of Python whose classes, and metaclasses, have operators that are known."""
_FIXED_IN_C = (int, float, complex, range, slice)
"""Classes in C whose attributes never change."""
_FIXED_OF_NUMPY = ("shape", "size", "ndim", "dtype", "itemsize", "nbytes", "real", "imag", "T")
"""Attributes of arrays and of numpy's numbers that follow from the numbers, their shape and type."""
NO_OPERATION = frozenset((
    "__new__", "__init__", "__str__", "__repr__", "__format__", "__reduce_ex__", "__reduce__", "__dir__",
    "__copy__", "__deepcopy__", "__set_name__", "__getnewargs__", "__getstate__", "__setstate__", "__replace__",
    "__init_subclass__", "__class_getitem__", "__new_member__", "__module__", "__qualname__", "__doc__", "__dict__",
    "__weakref__", "__slots__", "__annotations__", "__annotate__", "__annotate_func__", "__annotations_cache__",
    "__firstlineno__", "__static_attributes__", "__match_args__", "__orig_bases__", "__parameters__",
    "__type_params__", "__abstractmethods__",
))  # fmt: skip
_DESCRIPTORS = (
    types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.MethodDescriptorType,
    types.WrapperDescriptorType, types.MethodWrapperType, types.ClassMethodDescriptorType, types.MemberDescriptorType,
    types.GetSetDescriptorType, staticmethod, type(inspect.FullArgSpec.args),
)  # fmt: skip
"""Descriptors that give the same each time; the last one is that of the fields of named tuples."""
