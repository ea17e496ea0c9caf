"""Makes functions callable from compiled code: reads, rewrites and links them, and passes them to numba.

Importing this module imports numba.
"""

from __future__ import annotations

import ast
import enum
import functools
import importlib
import inspect
import types
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types as types_of_numba
from numba.core.dispatcher import Dispatcher

from gridarium.compiled.cache.fingerprint import Unhashable, fingerprint, members_of
from gridarium.compiled.cache.library_code import is_library
from gridarium.compiled.data_types.symbol import Symbol
from gridarium.compiled.data_types.value_class import (
    Static,
    generated,
    generated_equality,
    hash_of_fields,
    is_value,
    is_value_class,
    shown_name,
)
from gridarium.compiled.numba_backend import (
    arithmetic,
    numeric_semantics,
    value_types,
    vectors,  # noqa: F401  (registers arrays before type inference)
)
from gridarium.compiled.numba_backend.compiled_functions import CompiledFunctions, functions
from gridarium.compiled.numba_backend.default_values import identity
from gridarium.compiled.numba_backend.mixed_numbers import MARK, PURE
from gridarium.compiled.numba_backend.overloads import Nones
from gridarium.compiled.numba_backend.type_predicates import never_compared, own_equality
from gridarium.compiled.numba_backend.value_members import OPERATORS, compiled_default, known
from gridarium.compiled.source_pass.refusals import Refusals
from gridarium.compiled.source_pass.resolver import Resolver, is_primitive, unwrap_partial
from gridarium.compiled.source_pass.source import Unit, Unsupported, define, read_unit, signature_of
from gridarium.compiled.source_pass.static_scope import StaticScope
from gridarium.compiled.source_pass.transform import Transformer
from gridarium.compiled.source_pass.unsupported import why_not

_linking: Linker
"""The current linker: it links the methods of user-defined value classes, for its own program."""


class Linker:
    """Compiles functions, and everything that they refer to, for one vocabulary of kinds, colors and actions.

    Args:
        resolver: resolves constants, kinds and actions in compiled code.
        inner: whether linked functions are only called from compiled code (faster to compile, not callable from
            Python).
        shared: the functions of other programs, which are used again where they are equal; None to share none.
    """

    def __init__(
        self, resolver: Resolver, *, inner: bool = False, shared: CompiledFunctions | None = None
    ) -> None:
        self.resolver, self.inner, self.shared = resolver, inner, shared
        self.refusals: Refusals | None = None
        self._linked: dict[Any, Any] = {}
        self._open: list[Any] = []
        self._kept: list[Any] = []
        self._prepared: dict[Any, Any] = {}
        self._meanings: dict[type, Any] = {}
        resolver.prepare()
        self.begin()

    def link(self, thing: Any, passed: frozenset[str] | None = None) -> Any:
        """Return the object that compiled code uses instead of `thing`, or None if it cannot be used.

        Args:
            thing: a function, a partial, a value class, a `Static`.
            passed: the parameters that the caller gives at run time; other kinds and functions that are defaults, and None,
                become part of the compiled function. None if it is not called here, but handed on.

        Raises:
            Unsupported: a function that cannot be compiled, with its reason, file and line.
        """
        if is_value_class(thing):
            if not is_library(thing):
                _refuse_special_methods(thing)
                _refuse_borrowed_methods(thing)
            value_types.register(thing)
            constructor = getattr(thing, "__compiled_constructor__", None)
            return thing if constructor is None else self.link(constructor)
        if isinstance(thing, Static):
            is_derived = Static not in type(thing).__bases__  # and may do otherwise
            return None if is_derived else thing
        function, bindings = unwrap_partial(thing)
        if isinstance(function, types.MethodType):
            first = next(iter(signature_of(function.__func__).parameters))
            method: Any = function
            function, bindings = method.__func__, {first: method.__self__, **bindings}
        if not isinstance(function, types.FunctionType):
            return thing if isinstance(thing, Dispatcher) else None
        if is_primitive(function):
            return self._implementation(function.__compiled__)  # type: ignore[attr-defined]
        bindings = {**_fixed_defaults(function, passed), **bindings}
        key = (function, tuple(sorted((k, identity(v)) for k, v in bindings.items())))
        if key in self._open:
            raise Unsupported("it calls itself", function.__code__.co_filename, function.__code__.co_firstlineno,
                              function.__name__)  # fmt: skip
        if key not in self._linked:
            self._kept.append(bindings)
            self._open.append(key)
            try:
                rewritten = self.rewrite(function, bindings)
                self._linked[key] = self._dispatcher(rewritten, _is_small(function, rewritten))
            finally:
                self._open.pop()
        return self._linked[key]

    def link_whole(self, thing: Any) -> Any:
        """Link like `link`, but report all problems, not only the first one.

        Raises:
            Unsupported: with a line for each problem.
        """
        known, gathered = dict(self._linked), Refusals()
        self.refusals, linked = gathered, None
        try:
            linked = self.link(thing)
        except Unsupported as error:
            gathered.note(error)
        finally:
            self.refusals = None
        if gathered:
            self._linked = known  # functions with problems cannot be called
            raise gathered.refused()
        return linked

    def _dispatcher(self, function: Callable[..., Any], inline: bool) -> Any:
        make = functools.partial(self._new_dispatcher, function, inline)
        return make() if self.shared is None else self.shared.get((self._content(function), inline), make)

    def _new_dispatcher(self, function: Callable[..., Any], inline: bool) -> Any:
        function.__outlined__ = not inline  # type: ignore[attr-defined]
        dispatcher = numba.njit(**(value_types.JIT_OPTIONS if self.inner else CALLABLE_OPTIONS))(function)
        template_for = dispatcher.get_call_template
        dispatcher.get_call_template = lambda args, kws: template_for(*_without_literals(args, kws))
        setattr(dispatcher, SIZE, getattr(function, SIZE) if inline else 0)
        return dispatcher

    def _content(self, function: Callable[..., Any]) -> tuple[Any, ...]:
        """Equal for rewritten functions that compile to the same code in all programs of this process.

        The source pass has replaced everything else that depends on a program, such as its kinds, by constants. The ids
        are valid as long as a function with this content exists, which refers to these objects.
        """
        code, scope = function.__code__, function.__globals__
        names = sorted(name for name in scope.keys() - {"__builtins__"} if scope[name] is not function)
        used = tuple((name, id(scope[name]), self._current_meaning(scope[name])) for name in names)
        is_user_code = hasattr(function, MARK)
        return code, code.co_filename, is_user_code, identity(function.__defaults__), used

    def _current_meaning(self, thing: Any) -> Any:
        """A token for what numba reads of a global when it compiles a function, as it does not change the object."""
        if is_value_class(thing):
            return _meaning(thing)
        is_users = isinstance(thing, Dispatcher) and not is_library(thing.py_func)
        return (
            object() if is_users else None
        )  # equal to no other: users may let numba compile their functions again

    def _implementation(self, name_with_module: str) -> Any:
        module, name = name_with_module.split(":")
        implementation = getattr(importlib.import_module(module), name)
        return self.link(implementation) if getattr(implementation, "__link__", False) else implementation

    def link_unit(self, unit: Unit, bindings: dict[str, Any]) -> Any:
        """Compile a function given as a tree (a loop that the source pass has split off)."""
        return self._dispatcher(self._define(unit, bindings), inline=True)

    def rewrite(
        self,
        function: Callable[..., Any],
        bindings: dict[str, Any] | None = None,
        nones: Nones = (),
    ) -> Callable[..., Any]:
        """Rewrite a function for numba with some parameters bound; `nones` is, whether each is None."""
        known = signature_of(function).parameters
        given = dict(bindings or {})
        unknown = given.keys() - known.keys()
        if unknown:
            raise Unsupported(f"it has no parameter {', '.join(sorted(unknown))}", function=function.__name__)
        place = (function.__code__.co_filename, function.__code__.co_firstlineno, function.__name__)
        try:
            rewritten = self._define(read_unit(function), given, dict(zip(known, nones, strict=False)))
        except RecursionError:
            raise Unsupported("its expressions or branches are nested too deeply", *place) from None
        for p in known.values():
            if p.name not in given and (reason := _why_no_default(p.default)) is not None:
                raise Unsupported(f"the default of {p.name}, {reason}", *place)
        if hasattr(function, "__checked__"):
            setattr(rewritten, MARK, frozenset())
        rewritten.__defaults__ = self._defaults([p for n, p in known.items() if n not in given])
        return rewritten

    def prepared(self, function: Callable[..., Any], nones: Nones) -> Callable[..., Any]:
        """Prepare a method of a value class for numba, given which of its arguments are None."""
        key = (function, nones)
        if key not in self._prepared:
            self._prepared[key] = self.rewrite(function, nones=nones)
        return self._prepared[key]

    def meaning(self, cls: type) -> Any:
        """A token for everything that a value class's methods depend on, including the resolver, as of `begin`."""
        if cls not in self._meanings:
            try:
                self._meanings[cls] = fingerprint(cls, type(self.resolver).__qualname__, self.resolver)
            except Unhashable:
                self._meanings[cls] = object()  # equal to no other: everything is compiled again
        return self._meanings[cls]

    def begin(self) -> None:
        """Make this the current linker: it compiles the methods of user-defined value classes from now on."""
        global _linking  # noqa: PLW0603
        _linking = self
        self._meanings.clear()
        self._prepared.clear()

    def _defaults(self, parameters: list[inspect.Parameter]) -> tuple[Any, ...] | None:
        """Defaults in compiled form. A parameter without default that follows others with one gets None."""
        defaults = [None if p.default is p.empty else self._plain_constant(p.default) for p in parameters]
        first = next((i for i, p in enumerate(parameters) if p.default is not p.empty), len(parameters))
        return tuple(defaults[first:]) or None

    def _plain_constant(self, thing: Any) -> Any:
        if isinstance(thing, tuple):
            return tuple(self._plain_constant(item) for item in thing)
        if self.resolver.is_symbolic(thing):
            return self.resolver.symbol(thing)
        return compiled_default(thing)

    def _define(
        self, unit: Unit, bindings: dict[str, Any], nones: dict[str, bool | None] | None = None
    ) -> Callable[..., Any]:
        scope = StaticScope(unit, self.resolver, bindings, self, nones or {})
        function = define(unit, Transformer(scope).run(), scope.names)
        inlined = (n * getattr(scope.names[called], SIZE, 0) for called, n in scope.calls.items())
        setattr(function, SIZE, len(function.__code__.co_code) + sum(inlined))
        if not unit.is_library_code:
            setattr(function, MARK, frozenset(scope.added | unit.own_names))
        return function

    def helper(self, name: str) -> Any:
        """A function by which the source pass replaces an operation."""
        return HELPERS[name]

    def function_of_numbers(self, function: Any, given: int = 0) -> Any | None:
        """The replacement of one of Python's functions, or None if there is none with the same meaning.

        Args:
            function: a function of `math`, or a built-in one.
            given: the number of arguments of the call, for `min` and `max`.
        """
        if given and function in numeric_semantics.CHOICES:
            return numeric_semantics.CHOICES[function][min(given, 2) - 1]
        return numeric_semantics.FUNCTIONS.get(function)


def _refuse_borrowed_methods(cls: type) -> None:
    """Reject a user's value class that takes over a method of the library's, which trusts its own records."""
    for name, member in vars(cls).items():
        function = member.fget if isinstance(member, property) else member
        compiled = name in OPERATORS.keys() - {"__eq__"} | {"__iter__"} or not name.startswith("__")
        if compiled and isinstance(function, types.FunctionType) and is_library(function):
            owner = function.__qualname__.partition(".")[0]
            raise Unsupported(f"{name} is a method of the library's {owner}; write one of your own")


def _fixed_defaults(function: Callable[..., Any], passed: frozenset[str] | None) -> dict[str, Any]:
    given, is_called = passed or frozenset(), passed is not None and not is_library(function)
    parameters = signature_of(function).parameters.values()
    defaults = {p.name: p.default for p in parameters if p.default is not p.empty and p.name not in given}
    return {
        name: default
        for name, default in defaults.items()
        if not _is_plain(default) or (default is None and is_called)
    }


def _is_plain(default: Any) -> bool:
    """Whether numba passes a default, texts and members of enums as symbols; classes derived from Python's are not plain."""
    if type(default) is tuple:
        return all(map(_is_plain, default))
    return isinstance(default, enum.Enum) or type(default) in (bool, int, float, str, types.NoneType)


def _why_no_default(default: Any) -> str | None:
    """Why a method of compiled code cannot have a default, or None if it can."""
    if isinstance(default, dict):
        return "a dict, is not passed on; write a constant TABLE[key], or a function with if and elif"
    if isinstance(default, np.generic):
        return why_not(default)
    if type(default) is tuple:
        return next(filter(None, map(_why_no_default, default)), None)
    if is_value(default):
        parts = (getattr(default, name) for name in type(default).__value_fields__)
        return next(filter(None, map(_why_no_default, parts)), None)
    derived = isinstance(default, int | float | str | tuple) or any(
        map(is_value_class, type(default).__mro__)
    )
    if derived and not _is_plain(default):
        return f"{default!r}, is a {type(default).__name__}, which may compute otherwise; give it where it is called"
    return None


def _refuse_special_methods(cls: type) -> None:
    """Reject a user's value class with special methods, or a metaclass, that Python asks and compiled code does not."""
    known = SPECIAL | ({"__getattr__", "__setattr__"} if "__compiled_fields__" in vars(cls) else set())
    own = {
        name: m for name, m in members_of(cls) if not isinstance(m, types.FunctionType) or not is_library(m)
    }
    names = [name for name in own if name.startswith("__") and name.endswith("__") and name not in known]
    reasons = names if type(cls) is type else [*names, f"the metaclass {type(cls).__name__}"]
    if not reasons:
        return
    members = [own[name] for name in (*names, *own)]
    functions = [getattr(m, "__func__", getattr(m, "fget", m)) for m in members]
    code = next((f.__code__ for f in functions if hasattr(f, "__code__")), None)
    raise Unsupported(
        f"it has {', '.join(reasons)}, which compiled code does not call; "
        "write a method with an ordinary name, or a function, and call that",
        code.co_filename if code else f"module {cls.__module__}",
        code.co_firstlineno if code else 0,
        cls.__name__,
    )


SPECIAL = (OPERATORS.keys() - {"__ne__"}) | {
    "__iter__", "__hash__", "__repr__", "__str__", "__format__", "__reduce__", "__reduce_ex__", "__getstate__",
    "__setstate__", "__copy__", "__deepcopy__", "__value_fields__", "__value_casts__",
    "__array_ufunc__", "__asides__", "__compiled_fields__", "__shown_as__",
}  # fmt: skip
"""Special members of users' value classes that compiled code calls like Python, or that have no meaning for rules.

Those by which the library tells compiled code about its own, such as `__single__`, are not among them.
"""
CALLABLE_OPTIONS = value_types.JIT_OPTIONS | {"no_cpython_wrapper": False}


def _without_literals(args: Any, kws: Any) -> Any:
    """Compile a function once, not for each constant argument."""
    return tuple(map(numba.types.unliteral, args)), {k: numba.types.unliteral(v) for k, v in kws.items()}


def _is_small(function: Callable[..., Any], rewritten: Callable[..., Any]) -> bool:
    """Whether inlining is forced; larger functions are left to LLVM's judgement."""
    is_small = len(function.__code__.co_code) < LARGE and getattr(rewritten, SIZE) < LARGE_WITH_CALLEES
    return not hasattr(function, "__outlined__") and is_small


LARGE, LARGE_WITH_CALLEES = 4000, 100_000
"""The number of bytes of Python code from which on inlining is not forced: of a function, and with all that it calls."""
SIZE = "__inlined_size__"
"""The attribute with the number of bytes of Python code that become part of whatever calls a function."""


def unpack(record: Any, targets: Any) -> Any:
    """Replaces `record` in `a, b = record`: converts a tuple or an iterable value to a tuple as long as `targets`."""
    raise NotImplementedError


setattr(unpack, PURE, "all")


@value_types.overload_of(unpack)
def _unpack(record: Any, targets: Any) -> Any:
    count = len(targets)
    if not isinstance(record, value_types.ValueType):
        if isinstance(record, types_of_numba.BaseTuple) and len(record) != count:
            raise value_types.refused(f"there are {len(record)} values to unpack, not {count}")
        return lambda record, targets: record
    cls = record.cls
    if not hasattr(cls, "__iter__"):
        raise value_types.refused(f"{shown_name(cls)} cannot be unpacked")
    lines, parts = ["def unpacked(record, targets):"], [f"record.{name}" for name in cls.__value_fields__]
    if hasattr(cls, "__numbered__"):
        lines += [f"    if len(record) != {count}:", '        raise ValueError("values to unpack")']
        parts = [f"record[{k}]" for k in range(count)]
    elif _yielded(cls.__iter__) != [part.replace("record", "self") for part in parts]:
        raise value_types.refused(
            f"what {shown_name(cls)} yields is not its fields in their order; loop over it"
        )
    elif len(parts) != count:
        raise value_types.refused(f"{shown_name(cls)} has {len(parts)} values to unpack, not {count}")
    text = "\n".join([*lines, f"    return ({', '.join(parts)},)"]) + "\n"
    return generated(f"unpack {cls.__name__}", text)


def _yielded(function: Callable[..., Any]) -> list[str]:
    """The expressions yielded by a function that only yields; empty for any other function."""
    found = []
    for node in read_unit(function).node.body:
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield) and node.value.value):
            return []
        found.append(ast.unparse(node.value.value))
    return found


def same_truth(one: Any, other: Any) -> bool:
    """Replaces `one is True` and `one is False`."""
    raise NotImplementedError


@value_types.overload_of(same_truth)
def _same_truth(one: Any, other: Any) -> Any:
    if not all(isinstance(side, types_of_numba.Boolean) for side in (one, other)):
        raise value_types.refused("`is True` and `is False` ask for a truth value; write ==")
    return lambda one, other: one == other


def same(one: Any, other: Any) -> bool:
    """Replaces `one is other` for singletons."""
    raise NotImplementedError


@value_types.overload_of(same)
def _same(one: Any, other: Any) -> Any:
    for side in (one, other):
        of_class = isinstance(side, value_types.ValueType)
        if not of_class or not hasattr(side.cls, "__single__") or side.cls is Symbol:  # maybe a text
            raise value_types.refused("`is` asks for one and the same object; write ==")
    return lambda one, other: one == other


def same_named(one: Any, other: Any) -> bool:
    """Replaces `one is other` where one of them is known to have a name: an action, an orientation, a color, an enum's member."""
    raise NotImplementedError


@value_types.overload_of(same_named)
def _same_named(one: Any, other: Any) -> Any:
    sides = [arithmetic.inner(side) for side in (one, other)]
    if not all(isinstance(s, value_types.ValueType) and hasattr(s.cls, "__single__") for s in sides):
        raise value_types.refused("`is` asks for one and the same object; write ==")
    if sides[0] is not one and sides[1] is not other:
        raise value_types.refused("`is` of two that may be None; write ==")
    if sides[0] is not one:
        return lambda one, other: False if one is None else known(one) == other
    if sides[1] is not other:
        return lambda one, other: False if other is None else one == known(other)
    return lambda one, other: one == other


def member_of(number: int, numbers: tuple[int, ...]) -> int:
    """Replaces `Season(number)` by the number of the member, which must be among those of all members."""
    raise NotImplementedError


@value_types.overload_of(member_of)
def _member_of(number: Any, numbers: Any) -> Any:
    if not isinstance(number, types_of_numba.Integer):
        raise value_types.refused("a member of an enum is looked up by a whole number")
    known = " or ".join(f"number == numbers[{k}]" for k in range(len(numbers)))
    text = f"def member(number, numbers):\n    if {known}:\n        return number\n    raise ValueError\n"
    return generated(f"member of {len(numbers)}", text)


def among(thing: Any, items: Any) -> bool:
    """Replaces `thing in items` with a literal sequence of items."""
    raise NotImplementedError


@value_types.overload_of(among)
def _among(thing: Any, items: Any) -> Any:
    for part in (thing, *items):
        if (reason := never_compared(part)) is not None:
            raise value_types.refused(reason)
        if (cls := own_equality(part)) is not None:
            raise value_types.refused(
                f"`in` with {shown_name(cls)}, which has an __eq__ of its own; write a == b or a == c"
            )
    lines = ["def found(thing, items):"]
    of_class = isinstance(thing, value_types.ValueType)
    unknown = of_class and (not is_library(thing.cls) or hasattr(thing.cls, "__setitem__"))
    if unknown or isinstance(thing, types_of_numba.Float | types_of_numba.BaseTuple):
        # Python checks identity first
        lines += [f"    if not ({_equality(thing, thing, 'thing', 'thing')}):", "        raise ValueError"]
    for k, item in enumerate(items):
        lines += [f"    if {_equality(thing, item, 'thing', f'items[{k}]')}:", "        return True"]
    text = "\n".join([*lines, "    return False"]) + "\n"
    return generated(f"among {thing} {items}", text, is_equal=numeric_semantics.is_equal)


def in_set(thing: Any, items: Any) -> bool:
    """Replaces `thing in items` with a literal set, whose items Python hashes, and the thing."""
    raise NotImplementedError


@value_types.overload_of(in_set)
def _in_set(thing: Any, items: Any) -> Any:
    for part in (thing, *items):
        if (cls := _unhashable(part)) is not None:
            raise value_types.refused(f"{shown_name(cls)} cannot be in a set; write a tuple")
    return _among(thing, items)


def _unhashable(found: Any) -> type | None:
    """The class in a type whose objects Python cannot hash, such as arrays, or hashes in a way of their own."""
    found, parts = arithmetic.inner(found), ()
    if isinstance(found, types_of_numba.BaseTuple):
        parts = found
    elif isinstance(found, value_types.ValueType):
        own = generated_equality(found.cls) is not None and found.cls.__hash__ is not hash_of_fields
        if own or found.cls.__hash__ is None or hasattr(found.cls, "__setitem__"):
            return found.cls
        parts = () if is_library(found.cls) else found.members
    return next(filter(None, map(_unhashable, parts)), None)


def _equality(one: Any, other: Any, this: str, that: str) -> str:
    """The test of whether two things of these types and names are equal, part by part; integers and floats exactly."""
    if isinstance(one, types_of_numba.BaseTuple) and isinstance(other, types_of_numba.BaseTuple):
        pairs = zip(one, other, strict=False)
        tests = [_equality(*pair, f"{this}[{k}]", f"{that}[{k}]") for k, pair in enumerate(pairs)]
        return " and ".join(["True", *tests]) if len(one) == len(other) else "False"
    numeric_semantics.refuse_unlike_optionals(one, other)
    if isinstance(one, types_of_numba.NoneType) or isinstance(other, types_of_numba.NoneType):
        return f"{this} is {that}"  # numba 0.62 says that None is not equal to None where it may be something else
    if isinstance(one, types_of_numba.Optional) and not isinstance(other, types_of_numba.Optional):
        return f"({this} is not None and {this} == {that})"
    return f"is_equal({this}, {that})" if numeric_semantics.are_mixed(one, other) else f"{this} == {that}"


def drawn_from(rng: Any, items: Any) -> Any:
    """Replaces a list that `rng.choice` is given by a tuple of its items."""
    raise NotImplementedError


@value_types.overload_of(drawn_from)
def _drawn_from(rng: Any, items: Any) -> Any:
    if not isinstance(rng, value_types.ValueType) or not is_library(rng.cls):
        raise value_types.refused("a list cannot be handed on in compiled code; write a tuple")
    return lambda rng, items: items


HELPERS = {
    "among": among, "in_set": in_set, "power": numeric_semantics.power, "whole": numeric_semantics.whole, "sum_of": numeric_semantics.sum_of, "unpack": unpack, "same": same,
    "same_named": same_named, "same_truth": same_truth, "drawn_from": drawn_from, "member_of": member_of,
}  # fmt: skip
value_types.register(Symbol)  # also where only a default of a parameter is one
plain = Linker(Resolver(), inner=True, shared=functions)
"""The linker of the library's own value classes, shared by all programs."""


def use_resolver(resolver: Resolver) -> None:
    """Set the resolver for the methods of the library's value classes (called once by `world`)."""
    plain.resolver = resolver


def _prepare(function: Callable[..., Any], nones: Nones) -> Callable[..., Any]:
    return (plain if is_library(function) else _linking).prepared(function, nones)


def _meaning(cls: type) -> Any:
    return 0 if is_library(cls) else _linking.meaning(cls)


value_types.set_source_pass(_prepare, _meaning)
