"""Which floats of a typed function may be integers in Python: mixed numbers, see `type_rules`. Which zeros may have another sign.

Everything depends on what it is made of: an operation, a call or an item is taken for a float in Python only where that is known.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from numba import types
from numba.core import ir

from gridarium.compiled.data_types.value_class import is_value_class
from gridarium.compiled.data_types.vectors import Vector
from gridarium.compiled.numba_backend.arithmetic import inner, is_whole
from gridarium.compiled.source_pass.source import is_ours

MARK = "__of_a_rule__"
"""The attribute that marks rewritten user functions: the variables that the source pass has added to them."""
PURE = "__pure__"
"""The attribute of the library's functions that says when a float result is pure: always, if all or any of their numbers are, or never."""
MIXED = "gridarium mixed"
"""The key of a function's metadata for whether its float result may be an integer in Python."""
WHOLE, REAL, TRUTH = types.int64, types.float64, types.boolean
INSPECTED = ("getiter", "iternext", "pair_first", "pair_second", "exhaust_iter", "getitem", "static_getitem")
"""Expressions whose result is a part of their operands."""


class MixedNumbers:
    """The kinds of numbers in a function.

    Args:
        state: numba's, after type inference.

    Attributes:
        impure: the names of variables whose floats may be integers in Python.
        unsigned: the names of those whose zeros may have another sign.
        gives_mixed: whether what the function returns or yields may be an integer in Python in place of a float.
    """

    def __init__(self, state: Any) -> None:
        self._typemap, self._calltypes = state.typemap, state.calltypes
        self.impure: set[str] = set()
        self.unsigned: set[str] = set()
        blocks = state.func_ir.blocks.values()
        flows = [inst for block in blocks for inst in block.body if isinstance(inst, ir.Assign)]
        _spread(self.impure, flows, lambda inst: not self._gives_pure(inst))
        _spread(self.unsigned, flows, self._may_lose_sign)
        returns = [i.value for block in blocks for i in block.body if isinstance(i, ir.Return)]
        yields = [i.value.value for i in flows if isinstance(i.value, ir.Yield)]
        self.gives_mixed = not all(map(self.is_pure, (*returns, *yields)))

    def _type_of(self, variable: Any) -> Any:
        return types.unliteral(self._typemap[variable.name])

    def _may_lose_sign(self, inst: Any) -> bool:
        """Whether a float may be a zero with another sign than in Python, as it may be an integer there."""
        value = inst.value
        if not _gives_floats(self._type_of(inst.target)):
            return False
        if inst.target.name in self.impure or isinstance(value, ir.Arg):
            return True
        if isinstance(value, ir.Var):
            return value.name in self.unsigned
        if not isinstance(value, ir.Expr):
            return False
        return any(v.name in self.unsigned or self._keeps_no_signs(v) for v in value.list_vars())

    def _keeps_no_signs(self, variable: Any) -> bool:
        """Whether zeros that come from an object or a function may have had another sign: what users have put into it."""
        found = inner(self._type_of(variable))
        if isinstance(found, types.BoundFunction):
            found = inner(found.this)
        cls = getattr(found, "cls", None)
        return cls is Vector or (cls is not None and not is_ours(cls)) or is_of_users(found)

    def is_pure(self, variable: Any) -> bool:
        """Whether the floats in a variable are certainly floats in Python."""
        return variable.name not in self.impure

    def _gives_pure(self, inst: Any) -> bool:
        value, target = inst.value, self._type_of(inst.target)
        if not _gives_floats(target):
            return True
        if isinstance(value, ir.Arg | ir.Yield):
            return False
        if isinstance(value, ir.Var):
            source = self._type_of(value)
            return self.is_pure(value) and (_gives_floats(source) or is_none(source))
        if not isinstance(value, ir.Expr):
            return True  # constants
        if value.op in INSPECTED:
            return self._has_pure_parts(value.value)
        if value.op == "cast":
            return self.is_pure(value.value) and _gives_floats(self._type_of(value.value))
        if value.op == "build_tuple":
            return all(self.is_pure(item) for item in value.items)
        if value.op in ("binop", "inplace_binop"):
            return self._operation_is_pure(value)
        if value.op == "unary":
            return self._has_pure_parts(value.value)
        if value.op == "getattr":
            return self._member_is_pure(self._type_of(value.value), value.attr)
        return value.op == "call" and self.call_is_pure(value)

    def _has_pure_parts(self, variable: Any) -> bool:
        """Whether what is taken from a variable is pure; a user's object may give anything."""
        cls = getattr(inner(self._type_of(variable)), "cls", None)
        return self.is_pure(variable) and (cls is None or is_ours(cls))

    def _operation_is_pure(self, expr: Any) -> bool:
        sides = (expr.lhs, expr.rhs)
        if not all(map(self._has_pure_parts, sides)) and any(
            is_value(inner(self._type_of(v))) for v in sides
        ):
            return False
        return operator_of(expr) is operator.truediv or self.has_pure(expr)

    def has_pure(self, expr: Any) -> bool:
        """Whether one of the two sides of an operation is certainly a float, which makes the result one."""
        return any(self._type_of(v) == REAL and self.is_pure(v) for v in (expr.lhs, expr.rhs))

    def _member_is_pure(self, owner: Any, name: str) -> bool:
        cls = getattr(inner(owner), "cls", None)
        if cls is None or is_ours(cls):
            return cls is not None
        return (
            name in cls.__value_fields__ and cls.__value_casts__[cls.__value_fields__.index(name)] == "float"
        )

    def call_is_pure(self, call: Any) -> bool:
        """Whether the floats that a call gives are certainly floats in Python."""
        called = self._typemap[call.func.name]
        given = [*call.args, *(v for _, v in call.kws)]
        if isinstance(called, types.Dispatcher):
            function = called.dispatcher.py_func
            needed = getattr(function, PURE, "never")
            if hasattr(function, MARK):
                return not _returns_mixed(called.dispatcher, self._calltypes[call])
        elif isinstance(called, types.BoundFunction):
            cls = getattr(inner(called.this), "cls", None)
            is_mixed = not is_ours(cls) or called.typing_key[1] in getattr(cls, "__mixed__", ())
            return not is_mixed and all(map(self._has_pure_parts, given))
        else:
            key = key_of(called)
            if key in (float, abs, enumerate, zip, tuple):  # float keeps the sign of a zero
                return all(map(self._has_pure_parts, given))
            needed = getattr(key, PURE, "never")
        if needed == "any":
            return any(_gives_floats(self._type_of(v)) and self.is_pure(v) for v in given)
        return needed == "always" or (needed == "all" and all(map(self._is_of_floats, given)))

    def _is_of_floats(self, variable: Any) -> bool:
        """Whether a number is certainly a float in Python, or a record or tuple holds no other in place of one."""
        return self.is_pure(variable) and self._has_only_floats(self._type_of(variable))

    def _has_only_floats(self, found: Any) -> bool:
        if isinstance(found, types.BaseTuple):
            return all(self._has_only_floats(types.unliteral(item)) for item in found)
        names = found.cls.__value_fields__ if is_value(found) else ()
        return not is_whole(found) and all(self._member_is_pure(found, name) for name in names)


def _spread(found: set[str], flows: list[Any], holds: Callable[[Any], bool]) -> None:
    """Add the targets of assignments that satisfy a predicate, until a fixed point."""
    while more := {i.target.name for i in flows if i.target.name not in found and holds(i)}:
        found |= more


def operator_of(expr: Any) -> Any:
    """The function that an operation stands for."""
    return expr.immutable_fn if expr.op == "inplace_binop" else expr.fn


def key_of(called: Any) -> Any:
    """The function that a type represents."""
    return getattr(called, "typing_key", None) or getattr(called, "key", called)


def _returns_mixed(dispatcher: Any, sig: Any) -> bool:
    """Whether the float result of a user's function may be an integer in Python; assumed for unknown ones."""
    compiled = dispatcher.overloads.get(tuple(sig.args))
    return compiled is None or bool(compiled.metadata.get(MIXED, True))


def is_value(found: Any) -> bool:
    """Whether a type is that of a value class."""
    return hasattr(found, "cls") and is_value_class(found.cls)


def is_none(found: Any) -> bool:
    """Whether a type is that of None."""
    return isinstance(found, types.NoneType)


def _gives_floats(found: Any) -> bool:
    """Whether a type holds floats, or an iterator's items do."""
    found = inner(found)
    if isinstance(found, types.Pair):
        return _gives_floats(types.unliteral(found.first_type))
    if isinstance(found, types.IteratorType):
        return _gives_floats(types.unliteral(found.yield_type))
    if isinstance(found, types.BaseTuple):
        return any(_gives_floats(types.unliteral(item)) for item in found)
    return bool(found == REAL)


def is_of_users(found: Any) -> bool:
    """Whether a type is a function of a user."""
    return isinstance(found, types.Dispatcher) and hasattr(found.dispatcher.py_func, MARK)
