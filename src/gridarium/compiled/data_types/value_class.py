"""Value classes: small immutable records with the same behaviour in plain Python and in compiled code.

`@value` turns an annotated class into a frozen, slotted, comparable, hashable record. Fields annotated
`int`, `float` or `bool` are cast when a record is created (floats with a fraction are rejected for `int`), so numpy
scalars never leak into rules. Properties, methods and operators are written once;
`gridarium.compiled.numba_backend.value_types` registers them with numba on first compilation (this module does not
import numba).
"""

from __future__ import annotations

import inspect
import linecache
import operator
import zlib
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar, dataclass_transform

import numpy as np

T = TypeVar("T")
S = TypeVar("S", bound="Static")

CASTS: dict[Any, str] = {
    int: "int",
    float: "float",
    bool: "bool",
    "int": "int",
    "float": "float",
    "bool": "bool",
}


MAKERS = {"int": "_int", "float": "_float", "bool": "_bool"}
"""The name of each field type's cast, which no field has; casts to int never drop a fraction silently."""


class Static:
    """A field with compile-time information: equal for all records of one world, and part of the compiled type.

    A class of static values is hashable, compares by content, and has a method `__fingerprint__` that returns its
    content as a list (see `gridarium.compiled.cache.fingerprint`); copying returns the object itself. Compiled types are
    the same if their `__static_key__` are.
    """

    __slots__ = ()

    @property
    def __static_key__(self) -> Any:
        return self

    def __copy__(self: S) -> S:
        return self

    def __deepcopy__(self: S, memo: object) -> S:
        return self


def is_value(thing: object) -> bool:
    """Whether `thing` is an instance of a value class."""
    return isinstance(type(thing), type) and "__value_fields__" in type(thing).__dict__


def is_value_class(thing: object) -> bool:
    """Whether `thing` is a value class."""
    return isinstance(thing, type) and "__value_fields__" in thing.__dict__


def field_behind(cls: type, field: str) -> str:
    """The field that an attribute of a value class leads to: itself, unless somebody has bound it anew."""
    return str(getattr(vars(cls)[field], "__name__", "another thing"))


def generated_equality(cls: type) -> Any:
    """What compares all fields of a value class in compiled code; None if it has, or has got since, an `__eq__` of its own."""
    return getattr(vars(cls).get("__eq__"), "__compiled_as__", None)


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Make an annotated class a value class.

    Example:
        >>> @value
        ... class Cell:
        ...     y: int
        ...     x: int
        ...
        ...     @property
        ...     def mirrored(self):
        ...         return Cell(self.x, self.y)
        >>> Cell(1, 2).mirrored
        Cell(y=2, x=1)

    A class may name `__asides__`: attributes that interpreted code sets on a record, which are not part of the value
    (neither compared, hashed, pickled nor compiled).

    Raises:
        TypeError: the class declares no fields, inherits from another class, gives a field a default, or has a
            constructor of its own.
    """
    annotations = inspect.get_annotations(cls)
    fields = tuple(name for name, hint in annotations.items() if not _is_class_variable(hint))
    _check(cls, fields)
    namespace = {k: v for k, v in cls.__dict__.items() if k not in ("__dict__", "__weakref__")}
    namespace["__slots__"] = (*fields, *namespace.get("__asides__", ()))
    namespace["__value_fields__"] = fields
    casts = namespace["__value_casts__"] = tuple(CASTS.get(annotations[name]) for name in fields)
    namespace["__init__"] = _initialiser(cls, fields, casts)
    namespace.setdefault("__setattr__", _refuse_assignment)
    namespace.setdefault("__delattr__", _refuse_deletion)
    namespace.setdefault("__array_ufunc__", None)  # comparison with a numpy array returns a single bool
    namespace.setdefault("__repr__", _representation)
    if "__eq__" not in namespace:
        namespace["__eq__"] = equality = _equality(cls, fields, casts)
        equality.__compiled_as__ = _compiled_equality(cls, fields)  # type: ignore[attr-defined]
        namespace["__hash__"] = hash_of_fields
    namespace.setdefault("__reduce__", _reduce)
    namespace.setdefault("__copy__", _itself)
    made: Any = type(cls)
    return made(cls.__name__, cls.__bases__, namespace)


def generated(name: str, text: str, /, **names: object) -> Callable[..., Any]:
    """Define a function from generated source, which stays available to debuggers and `inspect`."""
    filename = f"<gridarium {name} {zlib.crc32(text.encode()):08x}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    scope: dict[str, Any] = {"__name__": __name__, **names}
    exec(compile(text, filename, "exec"), scope)
    return scope[text.partition("(")[0].removeprefix("def ")]


def _check(cls: type, fields: tuple[str, ...]) -> None:
    if not fields:
        raise TypeError(
            f"value class {cls.__qualname__} declares no fields; annotate at least one, as in `x: int`"
        )
    if cls.__bases__ != (object,):
        raise TypeError(f"value class {cls.__qualname__} may not inherit from another class")
    if "__init__" in cls.__dict__:
        raise TypeError(
            f"value class {cls.__qualname__} has an __init__ of its own; write a function that creates one instead"
        )
    for name in fields:
        if name in cls.__dict__:
            raise TypeError(
                f"value class {cls.__qualname__}: field {name!r} has a default; pass it to the constructor"
            )


def _is_class_variable(hint: object) -> bool:
    text = hint if isinstance(hint, str) else getattr(hint, "__qualname__", str(hint))
    return getattr(hint, "__origin__", None) is ClassVar or "ClassVar" in text


def _initialiser(cls: type, fields: tuple[str, ...], casts: tuple[str | None, ...]) -> Callable[..., None]:
    lines = [f"def __init__(self, {', '.join(fields)}):", "    try:"]
    for name, cast in zip(fields, casts, strict=True):
        given = f"{MAKERS[cast]}({name})" if cast else name
        lines.append(f"        _put(self, {name!r}, {given})")
    lines += [
        "    except TypeError:",
        f"        raise TypeError(_wrong(({''.join(f'{name}, ' for name in fields)})))",
    ]
    wanted = ", ".join(f"{name}: {cast}" if cast else name for name, cast in zip(fields, casts, strict=True))

    def wrong(given: tuple[Any, ...]) -> str:
        return f"{shown_name(cls)} takes ({wanted}), not {given!r}"

    makers = {
        "_put": object.__setattr__,
        "_int": operator.index,
        "_float": float,
        "_bool": bool,
        "_wrong": wrong,
    }
    return generated(f"{cls.__qualname__}.__init__", "\n".join(lines) + "\n", **makers)


def _compiled_equality(cls: type, fields: tuple[str, ...]) -> Callable[..., bool]:
    test = " and ".join(f"self.{name} == other.{name}" for name in fields)
    return generated(f"{cls.__qualname__}.__eq__", f"def equal(self, other):\n    return {test}\n")


def _items(self: Any) -> tuple[Any, ...]:
    return tuple(getattr(self, name) for name in type(self).__value_fields__)


def _equality(
    cls: type, fields: tuple[str, ...], casts: tuple[str | None, ...]
) -> Callable[[Any, object], bool]:
    """Equality in plain Python; fields without a cast may be arrays."""
    tests = [
        f"self.{name} == other.{name}" if cast else f"_same(self.{name}, other.{name})"
        for name, cast in zip(fields, casts, strict=True)
    ]
    text = f"""def __eq__(self, other):
    if type(other) is not type(self):
        return NotImplemented
    return {" and ".join(tests)}
"""
    return generated(f"{cls.__qualname__}.__eq__", text, _same=_same)


def _same(a: Any, b: Any) -> bool:
    return np.array_equal(a, b) if isinstance(a, np.ndarray) else bool(a == b)


def hash_of_fields(self: Any) -> int:
    """The `__hash__` of value classes that compare all fields."""
    content = [(v.shape, *v.ravel().tolist()) if isinstance(v, np.ndarray) else v for v in _items(self)]
    # Without the class's name: hashes of strings differ between processes, and with it the order of a set.
    return hash(tuple(content))


def _representation(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in type(self).__value_fields__)
    return f"{type(self).__name__}({shown})"


def _reduce(self: Any) -> tuple[Any, ...]:
    return type(self), _items(self)


def _itself(self: T) -> T:
    return self


def _refuse_assignment(self: Any, name: str, new: object) -> None:
    cls = type(self)
    member = getattr(cls, name, None)
    if isinstance(member, property) and member.fset is not None:
        member.fset(self, new)
        return
    raise AttributeError(refusal(cls, name))


def refusal(cls: type, name: str) -> str:
    """The message for a failed assignment, with the attributes that can be assigned."""
    settable = [n for n, m in vars(cls).items() if isinstance(m, property) and m.fset is not None]
    hint = (
        f"can be assigned: {', '.join(settable)}"
        if settable
        else "values are immutable: create a new one instead"
    )
    return f"{shown_name(cls)}.{name} cannot be assigned; {hint}"


def shown_name(cls: type) -> str:
    """The name of a value class in messages: its own, or that of the class it represents in compiled code."""
    return getattr(cls, "__shown_as__", cls.__name__)


def _refuse_deletion(self: Any, name: str) -> None:
    raise AttributeError(f"{type(self).__name__}.{name} cannot be deleted")
