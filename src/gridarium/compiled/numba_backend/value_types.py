"""Registers value classes with numba: a type per class, its fields and constructor (members: see `value_members`).

Importing this module imports numba. `register(cls)` is called for each value class in compiled code.
"""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import numba
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_constant
from numba.core.typing.templates import AttributeTemplate, signature
from numba.extending import (
    infer_getattr,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
    register_model,
    type_callable,
    typeof_impl,
)

from gridarium.compiled.data_types.primitives import is_trusted
from gridarium.compiled.data_types.value_class import field_behind, is_value_class, refusal, shown_name
from gridarium.compiled.numba_backend import static_types  # noqa: F401  (registers types of fields)
from gridarium.compiled.numba_backend.arithmetic import is_real
from gridarium.compiled.numba_backend.overloads import (
    JIT_OPTIONS,
    is_refused,
    meaning,
    overload_of,
    prepare,
    prepared,
    refused,
    set_source_pass,
)
from gridarium.compiled.numba_backend.struct_model import WholeStructModel
from gridarium.compiled.numba_backend.value_members import register_members
from gridarium.compiled.source_pass.source import is_ours

__all__ = [
    "JIT_OPTIONS",
    "ValueType",
    "is_refused",
    "overload_of",
    "prepared",
    "refused",
    "register",
    "registered",
    "set_source_pass",
]

_CAST_TYPES = {"int": types.int64, "float": types.float64, "bool": types.boolean}
_registered: dict[type, type] = {}


class ValueType(types.Type):
    """The numba type of a value class with given member types.

    numba caches compiled functions by types. If the meaning of a class's methods changes, for example with a global
    that one of them reads, the class gets new types, so that old compilations are not reused.
    """

    def __init__(self, cls: Any, members: tuple[Any, ...]) -> None:
        self.cls, self.members, self.meaning = cls, members, meaning(cls)
        check_size(self)
        super().__init__(name=f"{cls.__module__}.{shown_name(cls)}({', '.join(map(str, members))})")

    @property
    def key(self) -> Any:
        """The key by which types are compared: names do not distinguish all static values."""
        return (self.cls, self.members, self.meaning)

    def __reduce__(self) -> Any:
        return _make_type, (self.cls, self.members)

    def member(self, name: str) -> Any:
        """The numba type of one field."""
        return self.members[self.cls.__value_fields__.index(name)]


def check_size(kind: Any) -> None:
    """Refuse the type of a tuple or value with so many numbers that compiling would not end: `a = (a, a)`, 30 times."""
    if _numbers_in(kind) > MOST_NUMBERS:
        raise refused(
            f"a tuple or value has at most {MOST_NUMBERS} numbers, with all tuples and values in it"
        )


def _numbers_in(kind: Any) -> int:
    if not isinstance(kind, types.BaseTuple | ValueType):
        return 1
    if "numbers_in_all" not in vars(kind):
        kind.numbers_in_all = sum(map(_numbers_in, kind.members if isinstance(kind, ValueType) else kind))
    return int(kind.numbers_in_all)


MOST_NUMBERS = 10_000


def _make_type(cls: type, members: tuple[Any, ...]) -> Any:
    return register(cls)(cls, members)


def registered() -> list[type]:
    """The registered value classes."""
    return list(_registered)


def register(cls: type) -> type:
    """The numba type class of a value class, created on first use."""
    if cls in _registered:
        return _registered[cls]
    if not is_value_class(cls):
        raise TypeError(f"{cls!r} is not a value class")
    kind = type(cls.__name__ + "Type", (ValueType,), {"__module__": cls.__module__})
    _registered[cls] = kind
    _register_data(cls, kind)
    _register_fields(cls, kind)
    _register_constructor(cls, kind)
    _register_constants(kind)
    register_members(cls, kind)
    return kind


def _register_data(cls: type, kind: type) -> None:
    fields = cls.__value_fields__  # type: ignore[attr-defined]

    @typeof_impl.register(cls)
    def typeof(record: Any, context: Any) -> Any:
        return kind(cls, tuple(numba.typeof(getattr(record, name)) for name in fields))

    @register_model(kind)
    class Model(WholeStructModel):
        def __init__(self, manager: Any, frontend_type: Any) -> None:
            super().__init__(manager, frontend_type, list(zip(fields, frontend_type.members, strict=True)))


def _register_fields(cls: type, kind: type) -> None:
    fields = cls.__value_fields__  # type: ignore[attr-defined]
    dynamic, undeclared = getattr(cls, "__compiled_fields__", None), getattr(cls, "__undeclared__", None)

    @infer_getattr
    class Fields(AttributeTemplate):
        key = kind

        def generic_resolve(self, record: Any, name: str) -> Any:
            if name in fields:
                if field_behind(cls, name) != name:
                    raise refused(f"{cls.__name__}.{name} leads to {field_behind(cls, name)}")
                return record.member(name)
            if (
                dynamic is not None
                and (found := dynamic(record.member("vocabulary").content, name)) is not None
            ):
                return _field_type(record, found)
            if undeclared is not None and not name.startswith("_") and not hasattr(cls, name):
                raise refused(undeclared(record.member("vocabulary").content, name))
            return None

    @lower_getattr_generic(kind)
    def get(context: Any, builder: Any, record: Any, raw: Any, name: str) -> Any:
        if name in fields:
            return builder.extract_value(raw, fields.index(name))
        assert dynamic is not None  # type inference has found the field
        found = dynamic(record.member("vocabulary").content, name)
        result = _field_type(record, found)
        return _call(context, builder, prepare(found.getter, (False,)), result, [(record, raw)])

    @lower_setattr_generic(kind)
    def put(context: Any, builder: Any, sig: Any, args: Any, name: str) -> Any:
        record, given = sig.args
        member = getattr(cls, name, None)
        if isinstance(member, property) and member.fset is not None:
            setter = member.fset
            # numba hands it what the getter's type holds, and compiles it without the checks of rules
            if not (is_ours(cls) or (inspect.isfunction(setter) and is_trusted(setter))):
                raise refused(
                    f"{shown_name(cls)}.{name} is a property, which is not assigned; write a method"
                )
        elif (
            dynamic is not None and (found := dynamic(record.member("vocabulary").content, name)) is not None
        ):
            if found.setter is None:
                raise refused(found.whole_assignment(name))
            setter = found.setter
        else:
            raise refused(refusal(cls, name))
        return _call(
            context,
            builder,
            prepare(setter, (False, False)),
            types.none,
            list(zip((record, given), args, strict=True)),
        )


def _field_type(record: Any, found: Any) -> Any:
    """The numba type of a declared field, see `gridarium.world.vocabulary.FieldAccess`."""
    if found.layout is None:
        return _CAST_TYPES[found.type]
    module, name = found.compiled_type.split(":")
    return getattr(importlib.import_module(module), name)(record.member(found.row), found.layout)


def _call(context: Any, builder: Any, function: Any, result: Any, typed: list[tuple[Any, Any]]) -> Any:
    sig = signature(result, *(t for t, _ in typed))
    return context.compile_internal(builder, function, sig, [a for _, a in typed])


def _register_constants(kind: type) -> None:
    """Support values as defaults of parameters."""

    @lower_constant(kind)
    def constant(context: Any, builder: Any, record: Any, content: Any) -> Any:
        members = cgutils.create_struct_proxy(record)(context, builder)
        for name, member in zip(record.cls.__value_fields__, record.members, strict=True):
            setattr(members, name, context.get_constant_generic(builder, member, getattr(content, name)))
        return members._getvalue()


def _register_constructor(cls: type, kind: type) -> None:
    fields = cls.__value_fields__  # type: ignore[attr-defined]
    declared = [_CAST_TYPES.get(cast) for cast in cls.__value_casts__]  # type: ignore[attr-defined]

    @type_callable(cls)
    def construct(context: Any) -> Any:
        def typer(*given: Any) -> Any:
            if len(given) != len(fields):
                return None
            for name, wanted, found in zip(fields, declared, given, strict=True):
                if wanted is not None and isinstance(found, types.NoneType):
                    raise refused(f"{name} of {shown_name(cls)} is None, and takes a number or a truth value")
            if any(d is types.int64 and is_real(g) for d, g in zip(declared, given, strict=True)):
                raise refused(
                    f"{shown_name(cls)} takes whole numbers; // divides without a fraction, int() cuts it off"
                )
            return kind(cls, tuple(d or types.unliteral(g) for d, g in zip(declared, given, strict=True)))

        typer.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in fields]
        )
        namespace: dict[str, Any] = {"our_typer": typer}
        exec(f"def named({', '.join(fields)}): return our_typer({', '.join(fields)})", namespace)
        return namespace["named"]

    @lower_builtin(cls, types.VarArg(types.Any))
    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        members = zip(args, sig.args, sig.return_type.members, strict=True)
        return cgutils.pack_struct(builder, [context.cast(builder, *member) for member in members])
