"""Arithmetic as Python does it: an error where a machine would go on with some number, and the same last bit.

Importing this module imports numba. What is raised here has the step run again interpreted, where Python says it better.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numba
from numba import types

from gridarium.compiled import lowering, symbols

_raise_to = (
    types.ExternalFunction(symbols.POWER, types.float64(types.float64, types.float64))
    if symbols.share()
    else numba.njit(**lowering.JIT_OPTIONS)(lambda x, y: x**y)
)
LIMIT = 2.0**63
"""Whole numbers of compiled code are smaller than this."""
LONGEST_SHIFT = 62
GUARDED = {
    math.acos, math.acosh, math.asin, math.atanh, math.cos, math.cosh, math.exp, math.expm1, math.log, math.log10,
    math.log1p, math.log2, math.sin, math.sinh, math.sqrt, math.tan,
}  # fmt: skip
"""Functions of one number that have no value, or too large a one, for some numbers."""
ROUNDING = {math.floor, math.ceil, math.trunc}


def power(base: Any, exponent: Any) -> Any:
    """Stands for `base ** exponent` in rewritten rules."""
    raise NotImplementedError


@lowering.twin_of(power)
def _power(base: Any, exponent: Any) -> Any:
    if not all(isinstance(t, types.Number | types.Boolean) for t in (base, exponent)):
        return lambda base, exponent: base**exponent
    return _real_power if types.float64 in (base, exponent) else _whole_power


def _whole_power(base: Any, exponent: Any) -> Any:
    if exponent < 0:
        raise ValueError("a whole number to a negative power")
    return base**exponent


def _real_power(base: Any, exponent: Any) -> Any:
    x, y = float(base), float(exponent)
    if (x == 0.0 and y < 0.0) or (x < 0.0 and y != math.floor(y)):
        raise ValueError("no such power, or no real one")
    raised = _raise_to(x, y)
    if math.isinf(raised) and not (math.isinf(x) or math.isinf(y)):
        raise OverflowError
    return raised


def shift_left(number: Any, places: Any) -> Any:
    """Stands for `number << places`."""
    raise NotImplementedError


@lowering.twin_of(shift_left)
def _shift_left(number: Any, places: Any) -> Any:
    def shifted(number: Any, places: Any) -> Any:
        if places < 0 or places > LONGEST_SHIFT or (number << places) >> places != number:
            raise OverflowError
        return number << places

    return shifted if _are_whole(number, places) else lambda number, places: number << places


def shift_right(number: Any, places: Any) -> Any:
    """Stands for `number >> places`."""
    raise NotImplementedError


@lowering.twin_of(shift_right)
def _shift_right(number: Any, places: Any) -> Any:
    def shifted(number: Any, places: Any) -> Any:
        if places < 0:
            raise ValueError("a negative shift")
        return number >> min(places, LONGEST_SHIFT + 1)

    return shifted if _are_whole(number, places) else lambda number, places: number >> places


def _are_whole(*given: Any) -> bool:
    return all(isinstance(t, types.Integer) for t in given)


def invert(number: Any) -> Any:
    """Stands for `~number`."""
    raise NotImplementedError


@lowering.twin_of(invert)
def _invert(number: Any) -> Any:
    if isinstance(number, types.Boolean):
        raise lowering.refused("~ of a truth value is a number in Python; write not")
    return lambda number: ~number


def whole(number: Any) -> Any:
    """Stands for `int(number)`."""
    raise NotImplementedError


@lowering.twin_of(whole)
def _whole(number: Any) -> Any:
    return _within_limits(int) if isinstance(number, types.Float) else _as_whole


def _as_whole(number: Any) -> Any:
    return int(number)


def rounded(number: Any) -> Any:
    """Stands for `round(number)`."""
    raise NotImplementedError


@lowering.twin_of(rounded)
def _rounded(number: Any) -> Any:
    return _within_limits(round) if isinstance(number, types.Float) else _as_whole


HELPERS = {f.__name__: f for f in (power, shift_left, shift_right, invert, whole, rounded)}


@functools.cache
def guarded(function: Any) -> Any | None:
    """A function of `math` that raises where Python's does, to put in the place of `function`; None if there is no need."""
    if function in GUARDED:
        return numba.njit(**lowering.JIT_OPTIONS)(_with_errors(function))
    return numba.njit(**lowering.JIT_OPTIONS)(_within_limits(function)) if function in ROUNDING else None


def _with_errors(function: Any) -> Any:
    def checked(number: Any) -> Any:
        found = function(number)
        if (math.isnan(found) and not math.isnan(number)) or (math.isinf(found) and not math.isinf(number)):
            raise ValueError
        return found

    return checked


def _within_limits(function: Any) -> Any:
    def checked(number: Any) -> Any:
        if not (-LIMIT <= number < LIMIT):  # also for what is no number
            raise OverflowError
        return function(number)

    return checked
