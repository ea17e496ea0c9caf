"""Teach numba the value classes: one numba type per class, its fields, properties, methods and operators.

Importing this module imports numba. `register(cls)` is called for each value class that compiled code meets.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import inspect
import operator
import sys
from collections.abc import Callable
from typing import Any

import numba
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_borrowed, lower_constant
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer, signature
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
    overload,
    overload_attribute,
    overload_method,
    register_model,
    type_callable,
    typeof_impl,
    unbox,
)

from gridarium.compiled.lean import RuleCompiler
from gridarium.compiled.resolver import word_number
from gridarium.compiled.source import Unsupported
from gridarium.compiled.values import Static, is_value_class, refusal, shown_name

OPERATORS: dict[str, Any] = {
    f"__{name}__": getattr(operator, name if name not in ("and", "or", "not") else name + "_")
    for name in (
        *("getitem", "setitem", "contains", "eq", "ne", "lt", "le", "gt", "ge"),
        *("add", "sub", "mul", "neg", "and", "or", "xor", "invert"),
    )
} | {"__len__": len}

JIT_OPTIONS: dict[str, Any] = {
    "_nrt": False,
    "error_model": "python",
    "forceinline": True,
    "nogil": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": RuleCompiler,
}
"""No counting of references (rules allocate nothing), Python's division, inlining, no wrappers, fewer passes."""

_CAST_TYPES = {"int": types.int64, "float": types.float64, "bool": types.boolean}
_registered: dict[type, type] = {}
Prepare = Callable[[Callable[..., Any], tuple[bool, ...]], Callable[..., Any]]
"""`prepare(function, nones)`: a function as numba takes it, given which of its arguments are None."""
_prepare: Prepare


def use_source_pass(prepare: Prepare) -> None:
    """Set the pass that turns a method's ordinary Python into what numba takes (see `specialise`)."""
    global _prepare  # noqa: PLW0603
    _prepare = prepare


def prepared(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function in ordinary Python, as numba takes it: for twins that choose among some."""
    return _prepare(function, (False,) * len(inspect.signature(function).parameters))


class ValueType(types.Type):
    """The numba type of a value class with given member types."""

    def __init__(self, cls: Any, members: tuple[Any, ...]) -> None:
        self.cls, self.members = cls, members
        super().__init__(name=f"{cls.__module__}.{shown_name(cls)}({', '.join(map(str, members))})")

    @property
    def key(self) -> Any:
        """What makes types equal: names do not tell all statics apart."""
        return (self.cls, self.members)

    def __reduce__(self) -> Any:
        return _make_type, (self.cls, self.members)

    def member(self, name: str) -> Any:
        """The numba type of one field."""
        return self.members[self.cls.__value_fields__.index(name)]


class StaticType(types.Opaque):
    """The numba type of one `Static` value; the value itself is empty at run time."""

    def __init__(self, content: Any) -> None:
        self.content = content
        digest = hashlib.blake2b(repr(content.__fingerprint__()).encode(), digest_size=6).hexdigest()
        super().__init__(name=f"static({digest})")

    @property
    def key(self) -> Any:
        """What makes two of these types one."""
        return self.content

    def __reduce__(self) -> Any:
        return StaticType, (self.content,)


@register_model(StaticType)
class _StaticModel(models.OpaqueModel):
    pass


@typeof_impl.register(Static)
def _typeof_static(content: Static, context: Any) -> StaticType:
    return StaticType(content)


@infer_getattr
class _StaticFields(AttributeTemplate):
    """Whole numbers and truth values of a static are constants of the compiled code."""

    key = StaticType

    def generic_resolve(self, static: Any, name: str) -> Any:
        found = getattr(static.content, name, None)
        if isinstance(found, bool):
            return types.boolean
        return types.int64 if isinstance(found, int) else None


@lower_getattr_generic(StaticType)
def _get_static(context: Any, builder: Any, static: Any, raw: Any, name: str) -> Any:
    found = getattr(static.content, name)
    return context.get_constant(types.boolean if isinstance(found, bool) else types.int64, found)


@lower_constant(StaticType)
def _static_constant(context: Any, builder: Any, static: Any, content: Any) -> Any:
    return context.get_dummy_value()


@unbox(StaticType)
def _unbox_static(static: Any, content: Any, context: Any) -> Any:
    return NativeValue(context.context.get_dummy_value())


def refused(reason: str) -> TypingError:
    """An error that tells a user why something cannot be compiled (see `messages`)."""
    return TypingError(f"gridarium: {reason}")


def twin_of(stub: Any) -> Callable[[Any], Any]:
    """Register how a stub function is compiled, by the types of its arguments (numba's `overload`, our options)."""

    def register_twin(choose: Any) -> Any:
        @functools.wraps(choose)
        def bare(*types_given: Any) -> Any:
            if any(isinstance(t, types.Literal) for t in types_given):
                return None
            chosen = choose(*types_given)
            if chosen is not None:
                chosen.__annotations__ = {}
            return chosen

        parameters = ", ".join(inspect.signature(choose).parameters)
        namespace = {"bare": bare}
        exec(f"def choose({parameters}): return bare({parameters})", namespace)
        overload(stub, jit_options=JIT_OPTIONS)(namespace["choose"])
        return choose

    return register_twin


@twin_of(float)
def _float_of_truth(x: Any) -> Any:
    """Numba's own `float` takes no truth values."""
    return (lambda x: 1.0 if x else 0.0) if isinstance(x, types.Boolean) else None


def _make_type(cls: type, members: tuple[Any, ...]) -> Any:
    return register(cls)(cls, members)


def registered() -> list[type]:
    """The value classes that compiled code has met."""
    return list(_registered)


def register(cls: type) -> type:
    """The numba type class of a value class, made on first use."""
    if cls in _registered:
        return _registered[cls]
    if not is_value_class(cls):
        raise TypeError(f"{cls!r} is not a value class")
    kind = type(cls.__name__ + "Type", (ValueType,), {"__module__": cls.__module__})
    _registered[cls] = kind
    setattr(sys.modules[cls.__module__], kind.__name__, kind)
    _register_data(cls, kind)
    _register_fields(cls, kind)
    _register_constructor(cls, kind)
    _register_members(cls, kind)
    return kind


def _register_data(cls: type, kind: type) -> None:
    fields = cls.__value_fields__  # type: ignore[attr-defined]

    @typeof_impl.register(cls)
    def typeof(record: Any, context: Any) -> Any:
        return kind(cls, tuple(numba.typeof(getattr(record, name)) for name in fields))

    @register_model(kind)
    class Model(models.StructModel):
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
                return record.member(name)
            if (
                dynamic is not None
                and (found := dynamic(record.member("vocabulary").content, name)) is not None
            ):
                return _CAST_TYPES[found.type]
            if undeclared is not None and not name.startswith("_") and not hasattr(cls, name):
                raise refused(undeclared(record.member("vocabulary").content, name))
            return None

    @lower_getattr_generic(kind)
    def get(context: Any, builder: Any, record: Any, raw: Any, name: str) -> Any:
        if name in fields:
            members = cgutils.create_struct_proxy(record)(context, builder, value=raw)
            return impl_ret_borrowed(context, builder, record.member(name), getattr(members, name))
        assert dynamic is not None  # typing has found the field
        found = dynamic(record.member("vocabulary").content, name)
        return _call(
            context, builder, _prepare(found.getter, (False,)), _CAST_TYPES[found.type], [(record, raw)]
        )

    @lower_setattr_generic(kind)
    def put(context: Any, builder: Any, sig: Any, args: Any, name: str) -> Any:
        record, given = sig.args
        member = getattr(cls, name, None)
        if isinstance(member, property) and member.fset is not None:
            setter = member.fset
        elif (
            dynamic is not None and (found := dynamic(record.member("vocabulary").content, name)) is not None
        ):
            setter = found.setter
        else:
            raise refused(refusal(cls, name))
        return _call(
            context,
            builder,
            _prepare(setter, (False, False)),
            types.none,
            list(zip((record, given), args, strict=True)),
        )


def _call(context: Any, builder: Any, function: Any, result: Any, typed: list[tuple[Any, Any]]) -> Any:
    sig = signature(result, *(t for t, _ in typed))
    return context.compile_internal(builder, function, sig, [a for _, a in typed])


def _register_constructor(cls: type, kind: type) -> None:
    fields = cls.__value_fields__  # type: ignore[attr-defined]
    declared = [_CAST_TYPES.get(cast) for cast in cls.__value_casts__]  # type: ignore[attr-defined]

    @type_callable(cls)
    def construct(context: Any) -> Any:
        def typer(*given: Any) -> Any:
            if len(given) != len(fields):
                return None
            if any(
                d is types.int64 and isinstance(g, types.Float) for d, g in zip(declared, given, strict=True)
            ):
                raise refused(
                    f"{shown_name(cls)} takes whole numbers; // divides without a fraction, int() cuts it off"
                )
            return kind(cls, tuple(d or types.unliteral(g) for d, g in zip(declared, given, strict=True)))

        typer.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in fields]
        )
        namespace: dict[str, Any] = {"typer": typer}
        exec(f"def named({', '.join(fields)}): return typer({', '.join(fields)})", namespace)
        return namespace["named"]

    @lower_builtin(cls, types.VarArg(types.Any))
    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        record = cgutils.create_struct_proxy(sig.return_type)(context, builder)
        for name, given, had, wanted in zip(fields, args, sig.args, sig.return_type.members, strict=True):
            setattr(record, name, context.cast(builder, given, had, wanted))
        return record._getvalue()


def _register_members(cls: type, kind: type) -> None:
    for name, member in list(vars(cls).items()):
        if isinstance(member, property) and member.fget is not None:
            _overload(overload_attribute(kind, name, jit_options=JIT_OPTIONS), member.fget)
        elif isinstance(member, staticmethod):
            continue
        elif name in OPERATORS:
            function = vars(cls).get("__value_eq__", member) if name == "__eq__" else member
            _overload(overload(OPERATORS[name], jit_options=JIT_OPTIONS), function, kind)
            if function is not member:
                _register_difference(kind)
            if name == "__eq__":
                _register_inequality(kind)
        elif name == "__iter__":
            _overload(overload_method(kind, "__iter__", jit_options=JIT_OPTIONS), member)
            _register_iteration(kind)
        elif inspect.isfunction(member) and not name.startswith("__"):
            _overload(overload_method(kind, name, jit_options=JIT_OPTIONS), member)


def _register_difference(kind: type) -> None:
    """A value is different from whatever is not of its class."""

    @twin_of(operator.eq)
    def choose(self: Any, other: Any) -> Any:
        other_class = isinstance(self, kind) and not isinstance(other, (kind, types.Optional))
        return (lambda self, other: False) if other_class else None


def _register_inequality(kind: type) -> None:
    @twin_of(operator.ne)
    def choose(self: Any, other: Any) -> Any:
        return (lambda self, other: not self == other) if isinstance(self, kind) else None  # noqa: SIM201


def _register_iteration(kind: type) -> None:
    """`for x in record` goes through the generator that the class's `__iter__` is."""

    @infer
    class Iterate(AbstractTemplate):
        key = "getiter"

        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == 1 and isinstance(args[0], kind):
                method = self.context.resolve_getattr(args[0], "__iter__")
                return signature(self.context.resolve_function_type(method, (), {}).return_type, args[0])
            return None

    @lower_builtin("getiter", kind)
    def iterate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        method = context.typing_context.resolve_getattr(sig.args[0], "__iter__")
        method_sig = context.typing_context.resolve_function_type(method, (), {})
        return context.get_function(method, method_sig)(builder, args)


def compiled_default(thing: Any) -> Any:
    """A parameter's default as compiled code has it: words and members of enums as numbers."""
    if isinstance(thing, str):
        return word_number(thing)
    return thing.value if isinstance(thing, enum.Enum) else thing


def _is_none(given: Any) -> bool:
    omitted = isinstance(given, types.Omitted) and given.value is None
    return given is None or omitted or isinstance(given, types.NoneType)


def _overload(register_choice: Any, function: Callable[..., Any], first_type: type | None = None) -> None:
    """Register `function` as its own implementation (numba wants equal parameter names and defaults)."""
    parameters = inspect.signature(function).parameters.values()
    defaults = {p.name: compiled_default(p.default) for p in parameters if p.default is not p.empty}
    listed = ", ".join(f"{p.name}=defaults[{p.name!r}]" if p.name in defaults else p.name for p in parameters)

    def prepare(*types_given: Any) -> Any:
        """Nothing for constants: numba then asks again for their types, and one compilation serves all."""
        if any(isinstance(t, types.Literal) for t in types_given):
            return None
        try:
            return _prepare(function, tuple(_is_none(t) for t in types_given))
        except Unsupported as error:
            place = f"{error.reason} ({error.filename}, line {error.line})"
            own = function.__module__.partition(".")[0] == __name__.partition(".")[0]
            raise refused(f"{function.__qualname__} {'works interpreted only' if own else place}") from error

    names = ", ".join(p.name for p in parameters)
    namespace = {"prepare": prepare, "first_type": first_type, "defaults": defaults}
    guard = (
        f"if not isinstance({next(iter(parameters)).name}, first_type): return None\n    "
        if first_type
        else ""
    )
    exec(f"def choose({listed}):\n    {guard}return prepare({names})", namespace)
    register_choice(namespace["choose"])
