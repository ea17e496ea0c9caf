"""Numeric functions with Python's semantics: errors instead of invalid machine results, and bit-identical values.

`FUNCTIONS` lists those of Python and of `math` that compiled code may call. If one raises, the step is run again
interpreted, which raises Python's own error. Importing this module imports numba.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numba
from numba import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin

from gridarium.compiled.data_types.value_class import generated
from gridarium.compiled.numba_backend import arithmetic, c_library, value_types
from gridarium.compiled.numba_backend.mixed_numbers import PURE
from gridarium.compiled.numba_backend.type_rules import NEEDS_PURE, OF_MIXED, SIGNED
from gridarium.compiled.source_pass.reductions import COMPENSATED, COMPENSATED_WHOLE

EXACTLY = float(arithmetic.EXACTLY)
LIMIT = 2.0**63
"""The exclusive upper bound of integers in compiled code."""


def _stub(name: str, *, pure: str = "always") -> Any:
    """A stub that replaces one of Python's functions in rewritten rules; see `type_rules` for pure floats."""

    def stub(*_: Any) -> Any:
        raise NotImplementedError

    stub.__name__ = stub.__qualname__ = name
    setattr(stub, PURE, pure)
    return stub


def is_number(*given: Any) -> bool:
    """Whether numba types are numeric."""
    return all(arithmetic.is_whole(t) or isinstance(t, types.Float) for t in given)


def are_mixed(one: Any, other: Any) -> bool:
    """Whether one of two numba types is of integers and the other of floats, which are compared exactly."""
    return is_number(one, other) and arithmetic.is_whole(one) is not arithmetic.is_whole(other)


def _refuse_others(name: str, *given: Any) -> None:
    if not is_number(*given):
        raise value_types.refused(f"{name} takes numbers in compiled code")


# powers

power = _stub("power", pure="any")
"""Replaces `base ** exponent`."""
_multiply = arithmetic.multiply


@value_types.overload_of(power)
def _power(base: Any, exponent: Any) -> Any:
    _refuse_others("**", base, exponent)
    return _whole_power if arithmetic.is_whole(base) and arithmetic.is_whole(exponent) else _real_power


def _whole_power(base: Any, exponent: Any) -> Any:
    raised, square, left = 1, int(base), int(exponent)
    if left < 0:
        raise ValueError("a whole number to a negative power")
    while left > 0:
        if left & 1:
            raised = _multiply(raised, square)
        left >>= 1
        if left > 0:
            square = _multiply(square, square)
    return raised


def _real_power(base: Any, exponent: Any) -> Any:
    x, y = float(base), float(exponent)
    if (x == 0.0 and y < 0.0) or (x < 0.0 and math.isfinite(y) and not _is_integral(y)):
        raise ValueError("no such power, or no real one")
    raised = _raise_to(x, y)
    if math.isinf(raised) and not (math.isinf(x) or math.isinf(y)):
        raise OverflowError
    return raised


@arithmetic.operation(types.float64, types.float64, types.float64)
def mixed_power(context: Any, builder: Any, args: list[Any]) -> Any:
    """`base ** exponent` of floats that may be integers in Python, where large powers have all digits."""
    sig = types.float64(types.float64, types.float64)
    return context.compile_internal(builder, _exact_power, sig, args)


setattr(power, OF_MIXED, mixed_power)


def _exact_power(x: Any, y: Any) -> Any:
    raised = _float_power(x, y)
    if _is_integral(x) and _is_integral(y) and y >= 0.0 and abs(x) <= EXACTLY <= abs(raised):
        raise OverflowError
    return raised


def _no_fraction(number: Any) -> Any:
    """Whether a float is an integer; False for infinities and NaN, where `math.floor` has no machine integer to give."""
    return _rest_of(number, 1.0) == 0.0


def _of_c(name: str, count: int) -> Any:
    """A function of the C library."""
    return types.ExternalFunction(c_library.PREFIX + name, types.float64(*[types.float64] * count))


_raise_to, _rest_of, _angle_of = _of_c("pow", 2), _of_c("fmod", 2), _of_c("atan2", 2)
_is_integral = numba.njit(**value_types.JIT_OPTIONS)(_no_fraction)
_float_power = numba.njit(**value_types.JIT_OPTIONS)(_real_power)


# int, round, floor and the like

whole, rounded = _stub("whole"), _stub("rounded")
"""Replace `int(number)` and `round(number)`."""
floor, ceil, trunc = _stub("floor"), _stub("ceil"), _stub("trunc")


def _as_whole(number: Any) -> Any:
    return int(number)


def _to_whole(stub: Any, function: Any) -> None:
    @value_types.overload_of(stub)
    def choose(number: Any) -> Any:
        if isinstance(number, value_types.ValueType) and function is int:
            return _as_whole  # of a branching number, see `numba_backend.branching`
        _refuse_others(function.__name__, number)
        if not isinstance(number, types.Float):
            return None

        def checked(number: Any) -> Any:
            if not (-LIMIT <= number < LIMIT):  # also for NaN
                raise OverflowError
            return function(number)

        return checked

    @infer_global(stub)
    class Unchanged(AbstractTemplate):
        """Of whole numbers: no call, since this is frequent."""

        def generic(self, args: Any, kws: Any) -> Any:
            kinds = [types.unliteral(given) for given in args]
            if len(kinds) != 1 or not arithmetic.is_whole(kinds[0]):
                return None
            return signature(types.int64 if isinstance(kinds[0], types.Boolean) else kinds[0], *kinds)

    @lower_builtin(stub, types.Integer)
    @lower_builtin(stub, types.Boolean)
    def unchanged(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return context.cast(builder, args[0], sig.args[0], sig.return_type)


for _stand_in, _function in (
    (whole, int),
    (rounded, round),
    (floor, math.floor),
    (ceil, math.ceil),
    (trunc, math.trunc),
):
    _to_whole(_stand_in, _function)


# the smallest and the largest

smaller, larger = _stub("min", pure="all"), _stub("max", pure="all")


def _choosing(stub: Any, sign: str) -> None:
    @value_types.overload_of(stub)
    def choose(a: Any, b: Any) -> Any:
        _refuse_others(stub.__name__, a, b)
        mixed = arithmetic.is_whole(a) is not arithmetic.is_whole(b)
        sides = [
            f"exact(int({n}))" if mixed and arithmetic.is_whole(t) else n for n, t in (("a", a), ("b", b))
        ]
        text = f"def chosen(a, b):\n    x, y = {sides[0]}, {sides[1]}\n    return y if y {sign} x else x\n"
        return generated(f"{stub.__name__} {text}", text, exact=arithmetic.exact)


_choosing(smaller, "<")
_choosing(larger, ">")

smallest, largest = _stub("min", pure="all"), _stub("max", pure="all")


def _choosing_among(stub: Any, choose: Any) -> None:
    """The smallest or largest item of a tuple."""

    @value_types.overload_of(stub)
    def among(items: Any) -> Any:
        if not isinstance(items, types.BaseTuple) or not len(items):
            raise value_types.refused(
                f"{stub.__name__} takes numbers, a tuple of them or a generator expression"
            )
        text = functools.reduce(lambda a, b: f"choose({a}, {b})", (f"items[{k}]" for k in range(len(items))))
        return generated(
            f"{stub.__name__} of {len(items)}", f"def among(items):\n    return {text}\n", choose=choose
        )


_choosing_among(smallest, smaller)
_choosing_among(largest, larger)

# sums

sum_of, lost_digits, with_lost = _stub("sum", pure="any"), _stub("sum"), _stub("sum", pure="any")
"""Replace the sum of a tuple; the compensation of a float sum so far; and the compensated sum (see `reductions`)."""
if COMPENSATED:
    setattr(sum_of, NEEDS_PURE, (0, 1))
    setattr(lost_digits, NEEDS_PURE, (1,))


@value_types.overload_of(lost_digits)
def _lost_digits(total: Any, number: Any, lost: Any, begun: Any) -> Any:
    if arithmetic.is_whole(number) and (arithmetic.is_whole(total) or not COMPENSATED_WHOLE):
        return lambda total, number, lost, begun: lost

    def lost_in_adding(total: Any, number: Any, lost: Any, begun: Any) -> Any:
        before, added = float(total), float(number)
        after = before + added
        if not begun:
            return 0.0  # the first float is added to a whole number
        if abs(before) >= abs(added):
            return lost + ((before - after) + added)
        return lost + ((added - after) + before)

    return lost_in_adding


@value_types.overload_of(with_lost)
def _with_lost(total: Any, lost: Any) -> Any:
    if arithmetic.is_whole(total):
        return lambda total, lost: total
    return lambda total, lost: total + lost if lost != 0.0 and math.isfinite(lost) else total


is_equal, is_float = _stub("eq"), _stub("is_float")


def may_be_nan(kind: Any) -> bool:
    """Whether things of a type may be NaN, or have parts that are, so that Python finds them by their identity only."""
    kind = arithmetic.inner(kind)
    if isinstance(kind, types.BaseTuple):
        return any(map(may_be_nan, kind))
    if isinstance(kind, value_types.ValueType):
        return hasattr(kind.cls, "__setitem__") or any(map(may_be_nan, kind.members))
    return isinstance(kind, types.Float)


def refuse_unlike_optionals(one: Any, other: Any) -> None:
    """Refuse to look for what may be None among what may be NaN, among numbers of another kind, or among others that may be None."""
    optional, plain = (one, other) if isinstance(one, types.Optional) else (other, one)
    if not isinstance(optional, types.Optional) or isinstance(plain, types.NoneType):
        return
    kinds = (optional.type, plain)
    if not (all(map(arithmetic.is_whole, kinds)) or (kinds[0] == kinds[1] and not may_be_nan(plain))):
        raise value_types.refused("`in` with what may be None; ask `is not None`, and compare with ==")


@value_types.overload_of(is_equal)
def _is_equal(number: Any, other: Any) -> Any:
    refuse_unlike_optionals(number, other)
    if not are_mixed(number, other):
        return lambda number, other: number == other
    sides = (f"int({n})" if arithmetic.is_whole(t) else n for n, t in (("number", number), ("other", other)))
    text = f"def same(number, other):\n    return equal({', '.join(sides)})\n"
    return generated(f"== of {number} and {other}", text, equal=arithmetic.equal)


@value_types.overload_of(is_float)
def _is_float(number: Any) -> Any:
    return (lambda number: True) if arithmetic.is_real(number) else (lambda number: False)


@value_types.overload_of(sum_of)
def _sum_of(start: Any, items: Any) -> Any:
    _refuse_others("sum", start, *items)
    known = {
        "add": arithmetic.add,
        "add_mixed": arithmetic.add_mixed,
        "exact": arithmetic.exact,
        "lost_digits": lost_digits,
        "with_lost": with_lost,
    }
    kinds = [isinstance(t, types.Float) for t in (start, *items)]
    lines, begun = ["def total(start, items):", "    t0, lost = start, 0.0"], kinds[0]
    for k, real in enumerate(kinds[1:]):
        if COMPENSATED and begun and not real:
            raise value_types.refused("sum of floats and whole numbers; write float(...)")
        if COMPENSATED and real:
            lines.append(f"    lost = lost_digits(t{k}, items[{k}], lost, {begun})")
        sides = (f"t{k}", begun), (f"items[{k}]", real)
        if not (begun or real):
            added = f"add(int(t{k}), int(items[{k}]))"
        elif COMPENSATED:
            added = f"t{k} + items[{k}]"
        else:  # a float may be a whole number in Python
            added = f"add_mixed({', '.join(n if is_real else f'exact(int({n}))' for n, is_real in sides)})"
        lines.append(f"    t{k + 1} = {added}")
        begun = begun or real
    result = f"with_lost(t{len(items)}, lost)" if COMPENSATED else f"t{len(items)}"
    lines.append(f"    return {result}")
    return generated(f"sum of {kinds}", "\n".join(lines) + "\n", **known)


# divmod, gcd

quotient_and_rest, greatest_divisor = _stub("divmod", pure="any"), _stub("gcd")
setattr(quotient_and_rest, NEEDS_PURE, (0, 1))


@value_types.overload_of(quotient_and_rest)
def _quotient_and_rest(a: Any, b: Any) -> Any:
    _refuse_others("divmod", a, b)
    if arithmetic.is_whole(a) and arithmetic.is_whole(b):
        divide, rest = arithmetic.floor_divide, arithmetic.remainder
        text = "def both(a, b):\n    return divide(int(a), int(b)), rest(int(a), int(b))\n"
        return generated("divmod of whole numbers", text, divide=divide, rest=rest)
    return lambda a, b: (a // b, a % b)


@value_types.overload_of(greatest_divisor)
def _greatest_divisor(a: Any, b: Any) -> Any:
    if not (arithmetic.is_whole(a) and arithmetic.is_whole(b)):
        raise value_types.refused("gcd takes two whole numbers")
    text = (
        "def divisor(a, b):\n    x, y = absolute(int(a)), absolute(int(b))\n"
        "    while y != 0:\n        x, y = y, x % y\n    return x\n"
    )
    return generated("gcd of whole numbers", text, absolute=arithmetic.absolute)


# functions of `math`


def _checked(function: Any) -> Any:
    """A function of one number that raises where Python's does: where it is undefined or overflows."""

    def checked(number: Any) -> Any:
        given = float(number)
        found = function(given)
        if (math.isnan(found) and not math.isnan(given)) or (math.isinf(found) and not math.isinf(given)):
            raise ValueError
        return found

    return checked


def _simple(function: Any) -> Any:
    return lambda number: function(float(number))


def _fmod(x: Any, y: Any) -> Any:
    a, b = float(x), float(y)
    found = _rest_of(a, b)
    if math.isnan(found) and not (math.isnan(a) or math.isnan(b)):
        raise ValueError
    return found


def _atan2(y: Any, x: Any) -> Any:
    return _angle_of(float(y), float(x))


def _copysign(x: Any, y: Any) -> Any:
    if math.isnan(y):
        raise ValueError("what is not a number has no sign")
    return math.copysign(float(x), float(y))


def _signed(function: Any, matters: Any) -> None:
    """Make a function raise for zeros whose sign matters and is unknown."""
    jit = numba.njit(**value_types.JIT_OPTIONS)
    known, asked = jit(function), jit(matters)

    def checked(x: Any, y: Any) -> Any:
        if asked(x, y):
            raise ValueError("the sign of a zero is not known")
        return known(x, y)

    @arithmetic.operation(types.float64, types.float64, types.float64)
    def unknown(context: Any, builder: Any, args: list[Any]) -> Any:
        return context.compile_internal(builder, checked, types.float64(types.float64, types.float64), args)

    setattr(function, SIGNED, unknown)


_signed(_atan2, lambda y, x: y == 0.0 and not x > 0.0)
_signed(_copysign, lambda x, y: y == 0.0)


def _functions() -> dict[Any, Any]:
    there = c_library.shared()
    of_math: dict[Any, Any] = {
        getattr(math, name): _checked(_of_c(name, 1)) for name in c_library.ONE_NUMBER if name in there
    }
    of_math[math.sqrt] = _checked(math.sqrt)
    for function in (math.fabs, math.isnan, math.isinf, math.isfinite, math.degrees, math.radians):
        of_math[function] = _simple(function)
    of_math |= {math.fmod: _fmod, math.atan2: _atan2, math.copysign: _copysign, math.pow: _real_power}
    for function in of_math.values():
        setattr(function, PURE, "always")
    jitted = {name: numba.njit(**value_types.JIT_OPTIONS)(function) for name, function in of_math.items()}
    whole_ones = {math.floor: floor, math.ceil: ceil, math.trunc: trunc, math.gcd: greatest_divisor}
    return jitted | whole_ones | {int: whole, round: rounded, divmod: quotient_and_rest}


FUNCTIONS = _functions()
"""Python's functions that compiled code may call, with their replacements."""
CHOICES = {min: (smallest, smaller), max: (largest, larger)}
"""The replacements of `min` and `max` for a tuple, and for two numbers."""
