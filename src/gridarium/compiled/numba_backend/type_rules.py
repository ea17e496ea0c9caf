"""Type checks of user code for compilation, by inferred numba types. Everything not in these tables is rejected.

The source pass sees names, this pass sees types: it runs on each user function after numba's type inference, and checks
every operation, call, attribute, item and assignment. Where Python's numbers and the machine's may differ, it replaces
numba's operation by one of `arithmetic`, which raises if they do; the step is then run interpreted.

**Mixed numbers.** A variable that is an integer on one path and a float on another (`best = 0`, then `best = 0.5`)
is a float in compiled code, and in Python sometimes an integer. Both are equal up to 2**53, so conversions to float are
checked for that, and so is arithmetic with floats that may be integers in Python. This property is propagated through
assignments, calls and results (`mixed_numbers`); a float is *pure* if it is certainly one in Python. The sign of zero, the only other
difference, is normalized where numbers are stored (see `primitives.plain_float`).

Importing this module imports numba.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from typing import Any

from numba import types
from numba.core import ir
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.errors import TypingError

from gridarium.compiled.data_types.random import Rng
from gridarium.compiled.data_types.value_class import is_value_class, shown_name
from gridarium.compiled.data_types.vectors import Vector
from gridarium.compiled.numba_backend import arithmetic
from gridarium.compiled.numba_backend.arithmetic import inner
from gridarium.compiled.numba_backend.array_views import ViewType
from gridarium.compiled.numba_backend.mixed_numbers import (
    MARK,
    MIXED,
    PURE,
    REAL,
    TRUTH,
    WHOLE,
    MixedNumbers,
    is_none,
    is_of_users,
    is_value,
    key_of,
    operator_of,
)
from gridarium.compiled.numba_backend.static_types import StaticType
from gridarium.compiled.numba_backend.type_predicates import (
    ITERATORS,
    is_number,
    is_of_library,
    is_of_whole_numbers,
    is_place,
    kind_of,
    never_compared,
    own_equality,
    record_of_users,
    shown_type,
)
from gridarium.compiled.source_pass.source import is_ours
from gridarium.compiled.source_pass.unsupported import builtin_refused

NEEDS_PURE = "__needs_pure__"
"""The attribute of functions that distinguish floats from equal integers: the affected parameters."""
SIGNED = "__signed__"
"""The attribute of functions that distinguish 0.0 from -0.0, with their replacement where a zero's sign may differ."""
OF_MIXED = "__of_mixed__"
"""The attribute of a stub with its replacement where its floats may be integers in Python."""
KIND = "_kind"
"""The attribute by which the source pass asks for an object's kind."""

WHOLE_RESULT = {
    operator.add: arithmetic.add, operator.sub: arithmetic.subtract, operator.mul: arithmetic.multiply,
    operator.floordiv: arithmetic.floor_divide, operator.mod: arithmetic.remainder,
    operator.lshift: arithmetic.shift_left, operator.rshift: arithmetic.shift_right,
}  # fmt: skip
"""Operators of two integers, and their replacements."""
MIXED_RESULT = {
    operator.add: arithmetic.add_mixed, operator.sub: arithmetic.subtract_mixed,
    operator.mul: arithmetic.multiply_mixed,
}  # fmt: skip
"""Operators of two floats that may both be integers, and their replacements."""
REAL_OPERATORS = (operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod)
BITS = (operator.and_, operator.or_, operator.xor)
COMPARED = {
    operator.lt: arithmetic.less, operator.le: arithmetic.less_or_equal, operator.gt: arithmetic.greater,
    operator.ge: arithmetic.greater_or_equal, operator.eq: arithmetic.equal, operator.ne: arithmetic.not_equal,
}  # fmt: skip
"""Comparisons, and their replacements between an integer and a float."""
SHOWN = {
    operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/", operator.floordiv: "//",
    operator.mod: "%", operator.pow: "**", operator.lshift: "<<", operator.rshift: ">>", operator.and_: "&",
    operator.or_: "|", operator.xor: "^", operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">=",
    operator.eq: "==", operator.ne: "!=", operator.neg: "-", operator.pos: "+", operator.invert: "~",
    operator.not_: "not", operator.contains: "in", operator.is_: "is", operator.is_not: "is not",
    operator.matmul: "@",
}  # fmt: skip
ITERATED = (types.RangeType, types.BaseTuple, types.Generator, types.EnumerateType, types.ZipType)
OF_NONE = {operator.eq: operator.is_, operator.ne: operator.is_not}
"""What comparing with None means; numba 0.62 takes None for unequal to whatever may be None."""
HANDED_ON = (
    *ITERATED, types.RangeIteratorType, types.UniTupleIter, types.Pair, types.Phantom, types.SliceType,
    types.Function, types.Dispatcher, types.BoundFunction, types.ExceptionClass, types.ExceptionInstance,
    types.NumberClass, types.ClassType, types.Opaque, types.UnicodeType, types.Omitted, types.Array,
    ViewType,
)  # fmt: skip
"""Further types of variables besides numbers, values and tuples; their operations are checked where they are used."""


@register_pass(mutates_CFG=False, analysis_only=False)
class CheckTypes(FunctionPass):
    """The numba pass; it runs after type inference, and after phi nodes have become assignments."""

    _name = "verify_rules"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Check one function and insert safe operations."""
        if not hasattr(state.func_id.func, MARK):
            return False
        _Function(state).check()
        return True


class _Function:
    """A typed function: its blocks, and the types of its variables."""

    def __init__(self, state: Any) -> None:
        self.blocks = state.func_ir.blocks
        self.typemap, self.calltypes, self.typing = state.typemap, state.calltypes, state.typingctx
        self.returned = types.unliteral(state.return_type)
        self.is_generator, self.added = state.func_id.is_generator, getattr(state.func_id.func, MARK)
        self.yielded = types.unliteral(getattr(self.returned, "yield_type", types.none))
        self.numbers, self.made = MixedNumbers(state), 0
        state.metadata[MIXED] = self.numbers.gives_mixed

    def type_of(self, variable: Any) -> Any:
        """The type of a variable, with literals and omitted arguments resolved to their types."""
        return types.unliteral(self.typemap[variable.name])

    # what is done

    def check(self) -> None:
        """Reject operations not known to mean the same as in Python, and replace others by safe ones.

        Raises:
            TypingError: an operation is rejected; the message gives reason and location.
        """
        for block in self.blocks.values():
            body: list[Any] = []
            for inst in block.body:
                try:
                    self._check(inst, body)
                except _Refused as error:
                    raise TypingError(f"gridarium: {error}", loc=inst.loc) from None
                body.append(inst)
            block.body = body

    def _check(self, inst: Any, body: list[Any]) -> None:
        if isinstance(inst, ir.Assign):
            self._check_type(self.type_of(inst.target))
            self._check_assignment(inst, body)
        elif isinstance(inst, ir.SetItem | ir.StaticSetItem | ir.SetAttr):
            self._check_owner(inst)
        elif isinstance(inst, ir.Return):
            if isinstance(self.returned, ITERATORS) and not self.is_generator:
                raise _Refused("a function cannot return what another generator gives; loop over it here")
        elif not isinstance(inst, ALLOWED):
            raise _Refused(f"{type(inst).__name__} cannot be compiled")

    def _check_type(self, found: Any) -> None:
        found = inner(found)
        if isinstance(found, types.BaseTuple):
            for item in found:
                self._check_type(types.unliteral(item))
                if isinstance(item, ITERATORS):
                    raise _Refused("a generator cannot be kept in a tuple; loop over it where it is made")
        elif not (is_number(found) or is_value(found) or is_none(found) or isinstance(found, HANDED_ON)):
            raise _Refused(f"{shown_type(found)} cannot be used in compiled code")

    def _check_owner(self, inst: Any) -> None:
        owner = self.type_of(inst.target)
        if not is_value(inner(owner)):
            raise _Refused(f"{shown_type(owner)} cannot be changed by a rule")
        if is_ours(inner(owner).cls):
            self._refuse_records_of_users(
                shown_type(owner), [v for v in inst.list_vars() if v is not inst.target]
            )
        if isinstance(inst, ir.SetAttr) and is_none(self.type_of(inst.value)):
            raise _Refused(f"{inst.attr} cannot be None in compiled code")
        cut_off = isinstance(inst, ir.SetAttr) and inner(self.type_of(inst.value)) == REAL
        if cut_off and types.unliteral(self.calltypes[inst].args[1]) == WHOLE:
            raise _Refused(f"{inst.attr} takes whole numbers; write int(...)")

    def _check_assignment(self, inst: Any, body: list[Any]) -> None:
        value, target = inst.value, self.type_of(inst.target)
        kept = not inst.target.name.startswith("$") and inst.target.unversioned_name not in self.added
        if kept and isinstance(target, ITERATORS):
            done = "handed on" if isinstance(value, ir.Arg) else "kept in a variable"
            raise _Refused(f"a generator cannot be {done}; loop over it where it is made")
        if isinstance(value, ir.Var):
            if self._conversion(self.type_of(value), target):
                inst.value = self._unary(arithmetic.exact, value)
        elif isinstance(value, ir.Expr):
            inst.value = self._checked(value, target, body)
        elif isinstance(value, ir.Yield):
            self._refuse_conversion(self.type_of(value.value), self.yielded)
        elif not isinstance(value, ir.Const | ir.Global | ir.FreeVar | ir.Arg):
            raise _Refused(f"{type(value).__name__} cannot be compiled")

    def _conversion(self, source: Any, target: Any, *, within: bool = False) -> bool:
        """Whether an integer becomes a float; `within` something else than a variable, it must not be a truth value either.

        Raises:
            _Refused: the conversion may not have the same meaning as in Python.
        """
        if source == target or is_none(target):
            return False
        if isinstance(target, types.Optional):
            if is_none(source) or source == target.type:
                return False
        elif isinstance(source, types.Optional) and source.type == target:
            return False  # raises where it is None
        elif target == WHOLE and source == TRUTH:
            return False
        elif target == REAL and (source == WHOLE or (source == TRUTH and not within)):
            return bool(source == WHOLE)
        elif isinstance(source, types.BaseTuple) and isinstance(target, types.BaseTuple):
            if len(source) == len(target) and not any(
                self._conversion(types.unliteral(a), types.unliteral(b), within=True)
                for a, b in zip(source, target, strict=True)
            ):
                return False
        elif not is_number(source) and not is_number(target):
            return False  # values and iterators, whose types numba distinguishes by name
        raise _Refused(
            f"{shown_type(source)} in one place and {shown_type(target)} in another; a variable keeps one type"
        )

    def _refuse_conversion(self, source: Any, target: Any) -> None:
        if self._conversion(source, target, within=True):
            raise _Refused("a whole number becomes a float here; write float(...)")

    def _checked(self, expr: Any, target: Any, body: list[Any]) -> Any:
        """Return an expression or its replacement."""
        check = _CHECKS.get(expr.op)
        if check is None:
            raise _Refused(f"{expr.op.replace('_', ' ')} cannot be compiled")
        checked = check(self, expr, target, body) or expr
        if checked.op in ("binop", "unary", "call") and is_place(target):
            return self._near(checked, target, body)
        return checked

    # expressions

    def _binary(self, expr: Any, target: Any, body: list[Any]) -> Any:
        function = operator_of(expr)
        left, right = self.type_of(expr.lhs), self.type_of(expr.rhs)
        kinds = (kind_of(left), kind_of(right))
        self._check_arrays(function, expr, "n" in kinds)
        if function in WHOLE_RESULT and set(kinds) <= {"i", "b"}:
            return self._binop(WHOLE_RESULT[function], expr, (WHOLE, WHOLE))
        if function is operator.truediv and set(kinds) <= {"i", "b"}:
            return self._binop(arithmetic.divide, expr, (WHOLE, WHOLE))
        if function in REAL_OPERATORS and "f" in kinds and set(kinds) <= {"i", "b", "f"}:
            if self.numbers.has_pure(expr):
                return None
            return self._of_reals(MIXED_RESULT.get(function, function), expr.loc, (expr.lhs, expr.rhs), body)
        if function in BITS and set(kinds) <= {"i", "b"}:
            return None
        if function in COMPARED and set(kinds) <= {"i", "b", "f"}:
            if set(kinds) == {"i", "f"}:
                wide = tuple(REAL if k == "f" else WHOLE for k in kinds)
                return self._binop(COMPARED[function], expr, wide)
            return None
        if function in (operator.is_, operator.is_not):
            if "n" in kinds:
                return None
            raise _Refused("`is` asks for one and the same object; write ==")
        if function in OF_NONE and (found := self._equality(function, expr, kinds)) is not None:
            return found
        if function is operator.contains and self._is_search_in_range(kinds, left, right, target):
            return None
        if "v" in kinds and set(kinds) <= {"v", "i", "b", "f", "t", "o", "n"}:
            if is_of_library(left) and function not in COMPARED and function is not operator.contains:
                self._refuse_records_of_users(
                    f"{SHOWN.get(function, function)} of {shown_type(left)}", [expr.rhs]
                )
            return None  # operators of values are written in Python
        if function in COMPARED and kinds == ("t", "t") and left == right and is_of_whole_numbers(left):
            return None
        if function is operator.add and kinds == ("t", "t"):
            return None
        if "o" in kinds and set(kinds) <= {"o", "i", "b", "f"}:
            return self._binary(self._without_none(expr, body), target, body)
        sign = SHOWN.get(function, getattr(function, "__name__", str(function)))
        raise _Refused(f"{sign} between {shown_type(left)} and {shown_type(right)} cannot be compiled")

    @staticmethod
    def _is_search_in_range(kinds: tuple[str, str], left: Any, right: Any, target: Any) -> bool:
        """Whether `in` asks for a whole number in a range; other searches are checked."""
        if target != TRUTH:
            raise _Refused("`in` gives a truth value; __contains__ has to return one")
        if kinds[0] == "t" and not all(map(is_of_library, (left, right))):
            raise _Refused("`in` a tuple that has a name; write its items: x in (a, b)")
        return kinds[0] == "r" and kinds[1] in "ib"

    def _equality(self, function: Any, expr: Any, kinds: tuple[str, str]) -> Any:
        """Comparison with None, or with what may be None on the left; None for any other."""
        left, right = self.type_of(expr.lhs), self.type_of(expr.rhs)
        _refuse_own_equality(left, right)
        if "n" in kinds and "v" not in kinds:
            expr.fn = OF_NONE[function] if "o" in kinds else function
            return expr
        if kinds == ("o", "v"):  # numba would raise where the left side is None
            swapped = ir.Expr("binop", expr.loc, lhs=expr.rhs, rhs=expr.lhs)
            return self._binop(function, swapped, (right, left))
        if "o" in kinds and inner(left) == inner(right) and inner(left) in (WHOLE, REAL):
            return self._binop(arithmetic.EQUALITIES_WITH_NONE[function], expr, (left, right))
        return None

    def _check_arrays(self, function: Any, expr: Any, with_none: bool) -> None:
        """Reject operations with arrays that numpy does otherwise."""
        classes = [getattr(inner(self.type_of(v)), "cls", None) for v in (expr.lhs, expr.rhs)]
        if with_none and function in OF_NONE and any(hasattr(cls, "__setitem__") for cls in classes):
            raise _Refused("== of an array and None compares its items in numpy; write `is None`")
        if Vector in classes:
            self._need_pure([expr.lhs, expr.rhs])

    def _of_reals(self, function: Any, loc: Any, given: Any, body: list[Any]) -> Any:
        """An operation on two floats; integers among them are converted exactly."""
        sides = [
            self._before(arithmetic.exact, v, REAL, body) if kind_of(self.type_of(v)) == "i" else v
            for v in given
        ]
        return self._binop(function, ir.Expr("binop", loc, lhs=sides[0], rhs=sides[1]), (REAL, REAL))

    def _without_none(self, expr: Any, body: list[Any]) -> Any:
        """An operation on numbers that may be None; it raises if one is None."""
        sides = []
        for v in (expr.lhs, expr.rhs):
            sides.append(self._known(v, expr.loc, body) if kind_of(self.type_of(v)) == "o" else v)
        bare = ir.Expr.binop(operator_of(expr), *sides, expr.loc)
        self.calltypes[bare] = self._signature(bare.fn, *(self.type_of(v) for v in sides))
        return bare

    def _known(self, variable: Any, loc: Any, body: list[Any]) -> Any:
        """A new variable with the value of an optional one, set before the current statement; raises if it is None."""
        new = self._kept(ir.Expr.cast(variable, loc), inner(self.type_of(variable)), body)
        if variable.name in self.numbers.impure:
            self.numbers.impure.add(new.name)
        return new

    def _one_sided(self, expr: Any, target: Any, body: list[Any]) -> Any:
        given, function = self.type_of(expr.value), expr.fn
        kind = kind_of(given)
        if kind == "v" or (function is operator.not_ and kind in "bif"):
            if kind == "v" and function is operator.not_ and not hasattr(given.cls, "__bool__"):
                raise _Refused(f"`not` {shown_type(given)}: an object is always true; write `is None`")
            return None
        if kind == "f" and function in (operator.neg, operator.pos):
            return None
        if kind == "i" and function in (operator.pos, operator.invert):
            return None
        if kind in "ib" and function is operator.neg and target == WHOLE:
            return self._unary(arithmetic.negate, expr.value)
        if kind == "b" and function is operator.invert:
            raise _Refused("~ of a truth value is a number in Python; write not")
        raise _Refused(f"{SHOWN.get(function, function)} of {shown_type(given)} cannot be compiled")

    def _call(self, expr: Any, target: Any, body: list[Any]) -> Any:
        called = self.typemap[expr.func.name]
        sig = self.calltypes[expr]
        given = [*expr.args, *(v for _, v in expr.kws)]
        if isinstance(target, ViewType | types.Array):
            raise _Refused("a raw array cannot be used in compiled code")
        for v in given:
            if isinstance(self.type_of(v), ITERATORS) and key_of(called) not in (enumerate, zip):
                raise _Refused("a generator cannot be handed on; loop over it where it is made")
        if isinstance(called, types.Dispatcher):
            signed = getattr(called.dispatcher.py_func, SIGNED, None)
            if signed is not None and any(v.name in self.numbers.unsigned for v in given):
                return self._binop(
                    signed, ir.Expr("binop", expr.loc, lhs=given[0], rhs=given[1]), (REAL, REAL)
                )
            if len(given) == len(sig.args):
                for v, wanted in zip(expr.args, sig.args, strict=False):
                    self._refuse_conversion(self.type_of(v), types.unliteral(wanted))
            if not is_of_users(called) and not hasattr(called.dispatcher.py_func, PURE):
                self._refuse_records_of_users(called.dispatcher.py_func.__name__, given)
                self._keep_near(expr, called.dispatcher.py_func.__name__, body)
            return None
        if isinstance(called, types.BoundFunction):
            if not is_value(inner(called.this)):
                raise _Refused(f"a method of {shown_type(called.this)} cannot be used in compiled code")
            cls, name = inner(called.this).cls, called.typing_key[1]
            _refuse_positions(cls, name, expr)
            if is_ours(cls) and cls is not Rng:
                self._refuse_records_of_users(f"{shown_name(cls)}.{name}", given)
            if getattr(target, "cls", None) is Vector:
                self._need_pure(given)
            return None
        if isinstance(called, types.ExceptionClass):
            return None
        key = key_of(called)
        if target == REAL and hasattr(key, OF_MIXED) and not self.numbers.call_is_pure(expr):
            return self._of_reals(getattr(key, OF_MIXED), expr.loc, given, body)
        if hasattr(key, NEEDS_PURE):
            self._need_pure([given[k] for k in getattr(key, NEEDS_PURE)])
        if key in CALLS:
            kinds = [kind_of(self.type_of(v)) for v in given]
            if not all(kind in CALLS[key] for kind in kinds):
                kinds_given = ", ".join(shown_type(self.type_of(v)) for v in given)
                raise _Refused(f"{key.__name__} of {kinds_given} cannot be compiled")
            return self._builtin(key, expr, kinds, body)
        if is_value_class(key) or is_ours(key):
            return None
        raise _Refused(builtin_refused(getattr(key, "__name__", str(key))))

    def _refuse_records_of_users(self, what: str, given: list[Any]) -> None:
        """Reject objects of users' classes where the library, whose code is not checked, would trust in their attributes."""
        for v in given:
            if (found := record_of_users(self.type_of(v))) is not None:
                raise _Refused(f"{what} takes no {found}; write a Position, an Area or the like")

    def _need_pure(self, given: list[Any]) -> None:
        if not all(self.numbers.is_pure(v) for v in given):
            raise _Refused(
                "a float that may be a whole number in Python, which is not the same here; write float(...)"
            )

    def _builtin(self, key: Any, expr: Any, kinds: list[str], body: list[Any]) -> Any:
        if key is abs and kinds == ["i"]:
            return self._unary(arithmetic.absolute, expr.args[0])
        if key is len and kinds == ["v"]:
            if not arithmetic.is_whole(types.unliteral(self.calltypes[expr].return_type)):
                raise _Refused("__len__ has to return a whole number")
            return self._unary(arithmetic.length, self._kept(expr, WHOLE, body))
        if key is range:
            expr.args = [
                v
                if abs(getattr(self.typemap[v.name], "literal_value", arithmetic.COUNTABLE + 1))
                <= arithmetic.COUNTABLE
                else self._before(arithmetic.countable, v, WHOLE, body)
                for v in expr.args
            ]
            if len(expr.args) == 3 and not getattr(self.typemap[expr.args[2].name], "literal_value", 0):
                expr.args[2] = self._before(arithmetic.step, expr.args[2], WHOLE, body)
        return None

    def _keep_near(self, expr: Any, name: str, body: list[Any]) -> None:
        """Check that the numbers which the library is given are small enough for its arithmetic, which is not checked."""

        def near(v: Any) -> Any:
            found = self.type_of(v)
            if inner(found) != WHOLE:
                return v
            known = getattr(self.typemap[v.name], "literal_value", None)
            if known is not None and abs(known) <= arithmetic.FAR:
                return v
            if known is not None:
                raise _Refused(
                    f"{name} takes whole numbers up to 2**30 in compiled code; write {float(known)}"
                )
            return self._kept(self._unary(arithmetic.near, v, found), found, body)

        expr.args = [*map(near, expr.args)]
        expr.kws = [(key, near(v)) for key, v in expr.kws]

    def _before(self, function: Any, variable: Any, result: Any, body: list[Any]) -> Any:
        """A new variable with the result of a function of an integer, set before the current statement."""
        return self._kept(self._unary(function, variable), result, body)

    def _kept(self, expr: Any, result: Any, body: list[Any]) -> Any:
        """A new variable with the value of an expression, set before the current statement."""
        self.made += 1
        new = ir.Var(ir.Scope(None, expr.loc), f"$verified.{self.made}", expr.loc)
        self.typemap[new.name] = result
        body.append(ir.Assign(expr, new, expr.loc))
        return new

    def _near(self, expr: Any, result: Any, body: list[Any]) -> Any:
        """Check that a position or the like is small enough for the library's arithmetic with it."""
        return self._unary(arithmetic.near, self._kept(expr, result, body), result)

    def _attribute(self, expr: Any, target: Any, body: list[Any]) -> Any:
        owner = inner(self.type_of(expr.value))
        if not (is_value(owner) or isinstance(owner, types.Opaque)):
            raise _Refused(f"{shown_type(owner)} has no attribute {expr.attr!r} in compiled code")
        if isinstance(owner, StaticType) and is_ours(type(owner.content)):
            raise _Refused("the vocabulary is of the library's own workings, which rules do not use")
        if is_value(owner) and expr.attr in getattr(owner.cls, "__hidden__", ()):
            raise _Refused(f"{shown_type(owner)} has no attribute {expr.attr!r}")
        if is_value(owner) and is_ours(owner.cls):
            self._check_own_attribute(owner, expr.attr, target)
        elif expr.attr == KIND:
            raise _Refused(f"{shown_type(owner)} is no object of the world, whose kind can be asked for")

    def _check_own_attribute(self, owner: Any, name: str, target: Any) -> None:
        """Reject the workings of the library's records; of the raw memory they hold, rules pass on the scratch memory."""
        if name.startswith("_") and name != KIND:
            raise _Refused(f"{shown_type(owner)} has no attribute {name!r}")
        if isinstance(target, ViewType | types.Array) and name != "scratch":
            raise _Refused(
                f"{shown_type(owner)}.{name} is a raw array, which rules do not use; write state.grid[p], state.agents, "
                "state.things or a declared field, and new_integers(state.scratch, n) for memory"
            )

    def _item(self, expr: Any, target: Any, body: list[Any]) -> Any:
        owner = inner(self.type_of(expr.value))
        if not (is_value(owner) or isinstance(owner, types.BaseTuple)):
            raise _Refused(f"an item of {shown_type(owner)} cannot be read in compiled code")
        if is_of_library(owner) and expr.op == "getitem":
            self._refuse_records_of_users(f"[...] of {shown_type(owner)}", [expr.index])
        if isinstance(owner, types.BaseTuple) and owner != self.type_of(expr.value):
            expr.value = self._known(expr.value, expr.loc, body)
            if expr.op == "getitem":
                self.calltypes[expr] = self._signature(operator.getitem, owner, self.type_of(expr.index))

    def _iterated(self, expr: Any, target: Any, body: list[Any]) -> Any:
        owner = inner(self.type_of(expr.value))
        if not (is_value(owner) or isinstance(owner, ITERATED)):
            raise _Refused(f"{shown_type(owner)} cannot be looped over")

    def _converted(self, expr: Any, target: Any, body: list[Any]) -> Any:
        if self._conversion(self.type_of(expr.value), target):
            return self._unary(arithmetic.exact, expr.value)
        return None

    def _tuple(self, expr: Any, target: Any, body: list[Any]) -> Any:
        for item, wanted in zip(expr.items, target, strict=True):
            self._refuse_conversion(self.type_of(item), types.unliteral(wanted))

    def _nothing(self, expr: Any, target: Any, body: list[Any]) -> Any:
        return None

    # replacements of expressions

    def _unary(self, function: Any, variable: Any, given: Any = WHOLE) -> Any:
        expr = ir.Expr("unary", variable.loc, fn=function, value=variable)
        self.calltypes[expr] = self._signature(function, given)
        return expr

    def _signature(self, function: Any, *given: Any) -> Any:
        """The numba signature for a call of an operation."""
        return self.typing.resolve_function_type(self.typing.resolve_value_type(function), given, {})

    def _binop(self, function: Any, old: Any, given: tuple[Any, Any]) -> Any:
        known = {"lhs": old.lhs, "rhs": old.rhs, "static_lhs": ir.UNDEFINED, "static_rhs": ir.UNDEFINED}
        expr = ir.Expr("binop", old.loc, fn=function, **known)
        self.calltypes[expr] = self._signature(function, *given)
        return expr


class _Refused(Exception):
    """The reason why something in a function cannot be compiled."""


ALLOWED = (ir.Jump, ir.Branch, ir.Del, ir.StaticRaise, ir.Raise, ir.PopBlock)
CALLS: dict[Any, str] = {
    bool: "bif", float: "bif", abs: "if", range: "i", len: "vt", enumerate: "vtrgi", zip: "vtrg", tuple: "t",
    slice: "in",
}  # fmt: skip
"""Python's functions with the same meaning when compiled, with the kinds of their arguments."""

_CHECKS: dict[str, Callable[..., Any]] = {
    "binop": _Function._binary,
    "inplace_binop": _Function._binary,
    "unary": _Function._one_sided,
    "call": _Function._call,
    "getattr": _Function._attribute,
    "getitem": _Function._item,
    "static_getitem": _Function._item,
    "getiter": _Function._iterated,
    "cast": _Function._converted,
    "build_tuple": _Function._tuple,
    "iternext": _Function._nothing,
    "pair_first": _Function._nothing,
    "pair_second": _Function._nothing,
    "exhaust_iter": _Function._nothing,
    "null": _Function._nothing,
}


def _refuse_own_equality(left: Any, right: Any) -> None:
    """Reject `==` where Python might ask the right side's `__eq__`, or one about None."""
    for side in (left, right):
        if (reason := never_compared(side)) is not None:
            raise _Refused(reason)
    one, other = own_equality(left), own_equality(right)
    is_asked = one is not None and is_value(left) and not is_none(right) and right == inner(right)
    if (one or other) and not (is_asked and other in (None, one)):
        name = shown_name(one or other)  # type: ignore[arg-type]
        raise _Refused(
            f"== of {shown_type(left)} and {shown_type(right)}, for which Python may ask the __eq__ of {name}; "
            "write a method with an ordinary name and call that"
        )


def _refuse_positions(cls: type, name: str, call: ir.Expr) -> None:
    """Reject a call of a method that gives keyword-only parameters by position, or positional-only ones by keyword."""
    code, count = getattr(vars(cls).get(name), "__code__", None), len(call.args)
    if code is None:
        return
    if count >= code.co_argcount and not code.co_flags & inspect.CO_VARARGS:
        raise _Refused(
            f"{shown_name(cls)}.{name} takes {code.co_argcount - 1} arguments by position, not {count}"
        )
    for keyword, _ in call.kws:
        if keyword in code.co_varnames[: code.co_posonlyargcount]:
            raise _Refused(f"{shown_name(cls)}.{name} takes {keyword} by position")
