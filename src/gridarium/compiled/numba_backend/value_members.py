"""Registers the properties, methods and operators of value classes with numba. Importing this module imports numba."""

from __future__ import annotations

import enum
import inspect
import operator
from collections.abc import Callable
from typing import Any

from numba import types
from numba.core.typing.templates import AbstractTemplate, infer, infer_global, signature
from numba.extending import intrinsic, lower_builtin, overload, overload_attribute, overload_method

from gridarium.compiled.data_types.symbol import Symbol
from gridarium.compiled.data_types.value_class import generated, generated_equality, shown_name
from gridarium.compiled.numba_backend import arithmetic
from gridarium.compiled.numba_backend.default_values import identity
from gridarium.compiled.numba_backend.overloads import JIT_OPTIONS, overload_of, prepare, refused
from gridarium.compiled.numba_backend.type_predicates import own_equality
from gridarium.compiled.source_pass.resolver import as_symbol
from gridarium.compiled.source_pass.source import Unsupported, is_ours, signature_of

OPERATORS: dict[str, Any] = {
    f"__{name}__": getattr(operator, name if name not in ("and", "or", "not") else name + "_")
    for name in (
        *("getitem", "setitem", "contains", "eq", "ne", "lt", "le", "gt", "ge"),
        *("add", "sub", "mul", "neg", "and", "or", "xor", "invert"),
    )
} | {"__len__": len}


def register_members(cls: type, kind: type) -> None:
    """Register the properties, methods and operators of a value class, whose numba type class is `kind`."""
    for name, member in list(vars(cls).items()):
        role = _role(name, member)
        if role == "property":
            _overload(overload_attribute(kind, name, jit_options=JIT_OPTIONS), cls, name, role)
        elif role == "operator" and cls is Symbol:
            if name == "__eq__":
                _register_difference(cls, kind)
                _register_comparison(kind)
        elif role == "operator":
            _overload(overload(OPERATORS[name], jit_options=JIT_OPTIONS), cls, name, role, kind)
            if name == "__eq__":
                if generated_equality(cls) is not None:
                    _register_difference(cls, kind)
                _register_inequality(kind)
        elif role == "method":
            _overload(overload_method(kind, name, jit_options=JIT_OPTIONS), cls, name, role)
            if name == "__iter__":
                _register_iteration(kind)


def _role(name: str, member: Any) -> str | None:
    """The role of a class member in compiled code."""
    if isinstance(member, property):
        return None if member.fget is None else "property"
    if isinstance(member, staticmethod):
        return None
    if name in OPERATORS:
        return "operator"
    return (
        "method" if inspect.isfunction(member) and (name == "__iter__" or not name.startswith("__")) else None
    )


def _function(cls: type, name: str, role: str) -> Any:
    """The current function of a class member, or None if the member has changed its role."""
    member = vars(cls).get(name)
    if _role(name, member) != role:
        return None
    if role == "property":
        return member.fget  # type: ignore[union-attr]
    return (generated_equality(cls) or member) if name == "__eq__" else member


def _register_difference(cls: type, kind: type) -> None:
    """Make values unequal to everything that is not of their class."""

    @overload_of(operator.eq)
    def choose(self: Any, other: Any) -> Any:
        if not isinstance(self, kind) or isinstance(other, (kind, types.Optional)):
            return None
        for side in (cls, getattr(other, "cls", None)):
            if (reason := getattr(side, "__incomparable__", None)) is not None:
                raise refused(reason)
        if isinstance(types.unliteral(other), types.Number) or getattr(other, "cls", None) is Symbol:
            raise refused(f"{shown_name(cls)} is never equal to a text or a number")
        return lambda self, other: False


def _equal_or_none(one: str, other: str) -> Callable[..., Any]:
    """The comparison with what may be None, by the names of its parameters."""
    text = f"def equal({one}, {other}):\n    return False if {other} is None else {one} == known({other})\n"
    return generated("== of what may be None", text, known=known)


@intrinsic
def known(context: Any, thing: Any) -> Any:
    """What may be None, where it is not."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return context.cast(builder, args[0], sig.args[0], sig.return_type)

    return thing.type(thing), build


def _exact_equality(one: Any, other: Any) -> Any:
    """The comparison of values of a user class with integers in place of floats; None for all others.

    Raises:
        TypingError: `==` of two fields may differ from Python's.
    """
    if is_ours(one.cls) or not hasattr(other, "members"):
        return None
    fields, tests = list(zip(one.cls.__value_fields__, one.members, other.members, strict=True)), []
    for name, *given in fields:
        kinds = [types.unliteral(t) for t in given]
        plain = [types.unliteral(getattr(t, "type", t)) for t in kinds]
        mixed = (
            len({arithmetic.is_whole(t) for t in plain if isinstance(t, types.Number | types.Boolean)}) > 1
        )
        tuples = [t for t in plain if isinstance(t, types.BaseTuple)]
        whole = all(arithmetic.is_whole(types.unliteral(item)) for t in tuples for item in t)
        own = any(map(own_equality, kinds)) and (kinds[0] != kinds[1] or plain != kinds)
        if not whole or own or (mixed and plain != kinds):
            raise refused(
                f"{shown_name(one.cls)}.{name}: compared are numbers, and tuples of whole numbers; not {kinds[0]} and {kinds[1]}"
            )
        tests.append(f"equal(self.{name}, other.{name})" if mixed else f"self.{name} == other.{name}")
    if not any(test.startswith("equal") for test in tests):
        return None
    text = f"def same(self, other):\n    return {' and '.join(tests)}\n"
    return generated(f"{one.cls.__qualname__}.__eq__", text, equal=arithmetic.equal)


def _register_comparison(kind: type) -> None:
    """Compare symbols by their numbers: one instruction, not a call."""
    for operation, sign in ((operator.eq, "=="), (operator.ne, "!=")):

        @infer_global(operation)
        class Compare(AbstractTemplate):
            def generic(self, args: Any, kws: Any) -> Any:
                alike = len(args) == 2 and all(isinstance(a, kind) for a in args)
                return signature(types.boolean, *args) if alike else None

        @lower_builtin(operation, kind, kind)
        def compare(context: Any, builder: Any, sig: Any, args: Any, sign: str = sign) -> Any:
            return builder.icmp_signed(sign, *(builder.extract_value(a, 0) for a in args))


def _register_inequality(kind: type) -> None:
    @overload_of(operator.ne)
    def choose(self: Any, other: Any) -> Any:
        return (lambda self, other: not self == other) if isinstance(self, kind) else None  # noqa: SIM201


def _register_iteration(kind: type) -> None:
    """Implement `for x in record` by the generator `__iter__` of the class."""

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
    """A parameter's default in compiled form: strings and enum members as symbols."""
    return as_symbol(thing) if isinstance(thing, str | enum.Enum) else thing


def _is_none(given: Any) -> bool | None:
    """Whether an argument of a type is None; None if that is known at run time only."""
    if isinstance(given, types.Optional):
        return None
    omitted = isinstance(given, types.Omitted) and given.value is None
    return given is None or omitted or isinstance(given, types.NoneType)


def _called(function: Callable[..., Any]) -> list[tuple[str, Any]]:
    return [(p.name, identity(p.default)) for p in signature_of(function).parameters.values()]


def _overload(register_choice: Any, cls: type, name: str, role: str, first_type: type | None = None) -> None:
    """Register a member of a class as its own implementation (numba wants equal parameter names and defaults)."""
    first = _function(cls, name, role)
    parameters = list(signature_of(first).parameters.values())
    defaults: dict[str, Any] = {}
    needed: dict[int, str] = {}  # keyword-only parameters without default behind others with one
    for k, p in enumerate(parameters):
        if p.default is not p.empty:
            defaults[p.name] = compiled_default(p.default)
        elif defaults:
            needed[k], defaults[p.name] = p.name, None
    listed = ", ".join(
        f"{p.name}=our_defaults[{p.name!r}]" if p.name in defaults else p.name for p in parameters
    )

    is_generated = name == "__eq__" and generated_equality(cls) is not None

    def chosen(*types_given: Any) -> Any:
        """Return None for constants: numba then retries with their types, so that one compilation serves all."""
        if any(isinstance(t, types.Literal) for t in types_given):
            return None
        if missing := [parameter for k, parameter in needed.items() if types_given[k] is None]:
            raise refused(f"{shown_name(cls)}.{name} is called without {', '.join(missing)}")
        function = _function(cls, name, role)
        is_other = is_generated and generated_equality(cls) is None
        if function is None or is_other or (function is not first and _called(function) != _called(first)):
            raise refused(
                f"{shown_name(cls)}.{name} is called in another way than when it was first compiled; start a new process"
            )
        try:
            return prepare(function, tuple(_is_none(t) for t in types_given))
        except Unsupported as error:
            reason = f"{error.reason} ({error.filename}, line {error.line})"
            said = "works interpreted only" if is_ours(function) else reason
            raise refused(f"{function.__qualname__} {said}") from error

    names = ", ".join(p.name for p in parameters)
    namespace: dict[str, Any] = {"our_choice": chosen, "our_type": first_type, "our_defaults": defaults}
    guard = ""
    if first_type:
        one, *others = [p.name for p in parameters]
        guard = f"if not isinstance({one}, our_type): return None\n    "
        if name == "__eq__":
            namespace |= {"our_optional": types.Optional, "our_equality": _equal_or_none(one, others[0])}
            guard += f"if isinstance({others[0]}, our_optional): return our_equality\n    "
        if is_generated:
            namespace["our_exact"] = _exact_equality
            guard += f"if not isinstance({others[0]}, our_type): return None\n    "
            guard += f"if (found := our_exact({one}, {others[0]})) is not None: return found\n    "
    exec(f"def choose({listed}):\n    {guard}return our_choice({names})", namespace)
    register_choice(namespace["choose"])
