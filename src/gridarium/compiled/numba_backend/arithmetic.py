"""Arithmetic on machine numbers that raises where the result would differ from Python's (see `type_rules`).

Each function replaces an operator in typed code: `add(a, b)` for `a + b` of two integers. If one raises, the step is
run again interpreted, where integers have any size. Importing this module imports numba.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, ConcreteTemplate, infer_global, signature
from numba.extending import lower_builtin

EXACTLY = 2**53
"""The limit up to which floats represent all integers exactly."""
COUNTABLE = 2**61
"""The limit up to which loop counters cannot overflow."""
LONGEST_SHIFT = 62
_SMALLEST = -(2**63)
_INT, _FLOAT, _TRUTH = types.int64, types.float64, types.boolean
_WORD = ir.IntType(64)
Build = Callable[[Any, Any, list[Any]], Any]


def is_whole(found: Any) -> bool:
    """Whether a numba type is an integer type, including bool."""
    return isinstance(found, types.Integer | types.Boolean)


def inner(found: Any) -> Any:
    """A numba type without the possibility of None."""
    return found.type if isinstance(found, types.Optional) else found


def is_real(found: Any) -> bool:
    """Whether a numba type is a float, or one that may be None."""
    return isinstance(inner(found), types.Float)


def operation(result: Any, *given: Any) -> Callable[[Build], Any]:
    """Create a function for compiled code from one that builds its instructions."""

    def register(build: Build) -> Any:
        def stub(*_: Any) -> Any:
            raise NotImplementedError

        stub.__name__ = stub.__qualname__ = build.__name__
        _type(stub, signature(result, *given))

        @lower_builtin(stub, *given)
        def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return build(context, builder, list(args))

        return stub

    return register


def _type(stub: Any, *signatures: Any) -> None:
    template = type("Template", (ConcreteTemplate,), {"key": stub, "cases": [*signatures]})
    infer_global(stub, types.Function(template))


def _raise_if(context: Any, builder: Any, condition: Any, error: type[Exception] = OverflowError) -> None:
    with cgutils.if_unlikely(builder, condition):
        context.call_conv.return_user_exc(builder, error, ())


def _number(value: int) -> Any:
    return ir.Constant(_WORD, value)


def _is_beyond(builder: Any, number: Any, limit: int) -> Any:
    """Whether an integer is not in [-limit, limit]."""
    return builder.icmp_unsigned(">", builder.add(number, _number(limit)), _number(2 * limit))


# whole numbers


def _overflowing(name: str) -> Any:
    def build(context: Any, builder: Any, args: list[Any]) -> Any:
        pair = getattr(builder, name)(*args)
        _raise_if(context, builder, builder.extract_value(pair, 1))
        return builder.extract_value(pair, 0)

    build.__name__ = name
    return operation(_INT, _INT, _INT)(build)


add = _overflowing("sadd_with_overflow")
subtract = _overflowing("ssub_with_overflow")
multiply = _overflowing("smul_with_overflow")


@operation(_INT, _INT)
def negate(context: Any, builder: Any, args: list[Any]) -> Any:
    """`-a`."""
    _raise_if(context, builder, builder.icmp_signed("==", args[0], _number(_SMALLEST)))
    return builder.neg(args[0])


@operation(_INT, _INT)
def absolute(context: Any, builder: Any, args: list[Any]) -> Any:
    """`abs(a)`."""
    (number,) = args
    _raise_if(context, builder, builder.icmp_signed("==", number, _number(_SMALLEST)))
    return builder.select(builder.icmp_signed("<", number, _number(0)), builder.neg(number), number)


def _divided(context: Any, builder: Any, args: list[Any]) -> tuple[Any, Any]:
    """The quotient, rounded down, and the remainder."""
    a, b = args
    _raise_if(context, builder, builder.icmp_signed("==", b, _number(0)), ZeroDivisionError)
    smallest = builder.icmp_signed("==", a, _number(_SMALLEST))
    _raise_if(context, builder, builder.and_(smallest, builder.icmp_signed("==", b, _number(-1))))
    quotient, rest = builder.sdiv(a, b), builder.srem(a, b)
    apart = builder.icmp_signed("<", builder.xor(rest, b), _number(0))
    down = builder.and_(builder.icmp_signed("!=", rest, _number(0)), apart)
    lower = builder.sub(quotient, builder.zext(down, _WORD))
    return lower, builder.select(down, builder.add(rest, b), rest)


@operation(_INT, _INT, _INT)
def floor_divide(context: Any, builder: Any, args: list[Any]) -> Any:
    """`a // b`."""
    return _divided(context, builder, args)[0]


@operation(_INT, _INT, _INT)
def remainder(context: Any, builder: Any, args: list[Any]) -> Any:
    """`a % b`."""
    return _divided(context, builder, args)[1]


@operation(_INT, _INT, _INT)
def shift_left(context: Any, builder: Any, args: list[Any]) -> Any:
    """`a << b`."""
    a, b = args
    _raise_if(context, builder, builder.icmp_unsigned(">", b, _number(LONGEST_SHIFT)))  # negative ones, too
    shifted = builder.shl(a, b)
    _raise_if(context, builder, builder.icmp_signed("!=", builder.ashr(shifted, b), a))
    return shifted


@operation(_INT, _INT, _INT)
def shift_right(context: Any, builder: Any, args: list[Any]) -> Any:
    """`a >> b`."""
    a, b = args
    _raise_if(context, builder, builder.icmp_signed("<", b, _number(0)), ValueError)
    longest = _number(LONGEST_SHIFT + 1)
    return builder.ashr(a, builder.select(builder.icmp_signed(">", b, longest), longest, b))


@operation(_FLOAT, _INT, _INT)
def divide(context: Any, builder: Any, args: list[Any]) -> Any:
    """`a / b` of integers that floats represent exactly."""
    _raise_if(context, builder, builder.icmp_signed("==", args[1], _number(0)), ZeroDivisionError)
    return builder.fdiv(*(_as_float(context, builder, number) for number in args))


@operation(_INT, _INT)
def countable(context: Any, builder: Any, args: list[Any]) -> Any:
    """Check that a loop bound is small enough to count to without overflow."""
    _raise_if(context, builder, _is_beyond(builder, args[0], COUNTABLE))
    return args[0]


@operation(_INT, _INT)
def step(context: Any, builder: Any, args: list[Any]) -> Any:
    """Check that the step of a range is not 0."""
    _raise_if(context, builder, builder.icmp_signed("==", args[0], _number(0)), ValueError)
    return args[0]


@operation(_INT, _INT)
def length(context: Any, builder: Any, args: list[Any]) -> Any:
    """Check that the result of `__len__` is not negative."""
    _raise_if(context, builder, builder.icmp_signed("<", args[0], _number(0)), ValueError)
    return args[0]


FAR = 2**30
"""The limit of coordinates and numbers beyond which the library's computations might overflow."""


def near(*_: Any) -> Any:
    """Check that a number, also one that may be None, or all coordinates of a library value are small enough for computations."""
    raise NotImplementedError


class _Near(AbstractTemplate):
    key = near

    def generic(self, args: Any, kws: Any) -> Any:
        return signature(args[0], args[0])


infer_global(near, types.Function(_Near))


@lower_builtin(near, types.Any)
def _near(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    (given,) = sig.args
    if given == _INT:
        _raise_if(context, builder, _is_beyond(builder, args[0], FAR))
        return args[0]
    members = cgutils.create_struct_proxy(given)(context, builder, value=args[0])
    if isinstance(given, types.Optional):
        beyond = _is_beyond(builder, members.data, FAR)
        _raise_if(context, builder, builder.and_(cgutils.as_bool_bit(builder, members.valid), beyond))
        return args[0]
    for name in given.cls.__value_fields__:
        _raise_if(context, builder, _is_beyond(builder, getattr(members, name), FAR))
    return args[0]


def _equality_with_none(operation: Any) -> Any:
    """A comparison of numbers of one kind, each of which may be None: equal if both are, or neither and they are equal."""

    def stub(*_: Any) -> Any:
        raise NotImplementedError

    class Template(AbstractTemplate):
        key = stub

        def generic(self, args: Any, kws: Any) -> Any:
            return signature(_TRUTH, *args)

    @lower_builtin(stub, types.Any, types.Any)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        there, numbers = [], []
        for found, value in zip(sig.args, args, strict=True):
            is_optional = isinstance(found, types.Optional)
            members = (
                cgutils.create_struct_proxy(found)(context, builder, value=value) if is_optional else None
            )
            there.append(cgutils.as_bool_bit(builder, members.valid) if members else cgutils.true_bit)
            numbers.append(members.data if members else value)
        compare = builder.fcmp_ordered if inner(sig.args[0]) == _FLOAT else builder.icmp_signed
        equal = builder.and_(builder.and_(*there), compare("==", *numbers))
        equal = builder.or_(equal, builder.not_(builder.or_(*there)))
        return equal if operation is operator.eq else builder.not_(equal)

    infer_global(stub, types.Function(Template))
    return stub


EQUALITIES_WITH_NONE = {operation: _equality_with_none(operation) for operation in (operator.eq, operator.ne)}


# whole numbers and floats


def _as_float(context: Any, builder: Any, number: Any) -> Any:
    _raise_if(context, builder, _is_beyond(builder, number, EXACTLY))
    return builder.sitofp(number, ir.DoubleType())


@operation(_FLOAT, _INT)
def exact(context: Any, builder: Any, args: list[Any]) -> Any:
    """Convert an integer to the float that is equal to it and to no other integer."""
    return _as_float(context, builder, args[0])


def _comparison(sign: str) -> Any:
    """A comparison of an integer and a float, in either order; it is exact, as in Python, or raises."""

    def build(context: Any, builder: Any, args: list[Any]) -> Any:
        sides = [a if a.type == ir.DoubleType() else builder.sitofp(a, ir.DoubleType()) for a in args]
        whole = next(a for a in args if a.type != ir.DoubleType())
        equal = builder.fcmp_ordered("==", *sides)
        _raise_if(context, builder, builder.and_(equal, _is_beyond(builder, whole, EXACTLY)))
        return (builder.fcmp_unordered if sign == "!=" else builder.fcmp_ordered)(sign, *sides)

    def stub(*_: Any) -> Any:
        raise NotImplementedError

    for given in ((_INT, _FLOAT), (_FLOAT, _INT)):

        @lower_builtin(stub, *given)
        def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return build(context, builder, list(args))

    _type(stub, signature(_TRUTH, _INT, _FLOAT), signature(_TRUTH, _FLOAT, _INT))
    return stub


less, less_or_equal = _comparison("<"), _comparison("<=")
greater, greater_or_equal = _comparison(">"), _comparison(">=")
equal, not_equal = _comparison("=="), _comparison("!=")


def _mixed(name: str) -> Any:
    """An operation on floats that may represent integers: it raises if the result may have been rounded.

    Values beyond 2**53 do not represent integers, since these were checked when converted to floats.
    """

    def build(context: Any, builder: Any, args: list[Any]) -> Any:
        result = getattr(builder, name)(*args)
        rounded = _is_large(builder, result, "=")
        real = builder.or_(*(_is_large(builder, number) for number in args))
        _raise_if(context, builder, builder.and_(rounded, builder.not_(real)))
        return result

    build.__name__ = name
    return operation(_FLOAT, _FLOAT, _FLOAT)(build)


def _is_large(builder: Any, number: Any, equal: str = "") -> Any:
    """Whether the magnitude of a float is above (or at least) 2**53."""
    limits = [ir.Constant(ir.DoubleType(), float(limit)) for limit in (EXACTLY, -EXACTLY)]
    sides = [
        builder.fcmp_ordered(sign + equal, number, limit) for sign, limit in zip("><", limits, strict=True)
    ]
    return builder.or_(*sides)


add_mixed, subtract_mixed, multiply_mixed = _mixed("fadd"), _mixed("fsub"), _mixed("fmul")
