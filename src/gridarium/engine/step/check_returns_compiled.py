"""The compiled implementations of `gridarium.engine.step.check_returns`: the same checks, at compile time."""

from __future__ import annotations

import math
from typing import Any

from numba import types

from gridarium.compiled.numba_backend import intrinsics, value_types
from gridarium.world.state import Observation

MISSING = "is a `return` missing?"
OR_NONE = (
    f"{MISSING} or may it be None? begin with a number or False instead, also where `is not None` is asked"
)


def as_number(given: Any, rule: Any) -> float:
    raise NotImplementedError


def as_outcome(given: Any, rule: Any) -> float:
    raise NotImplementedError


def as_truth(given: Any, rule: Any) -> bool:
    raise NotImplementedError


def as_observation(given: Any, rule: Any, shape: Any) -> Any:
    raise NotImplementedError


@value_types.overload_of(as_number)
def _as_number(given: Any, rule: Any) -> Any:
    return _number(given, "a reward rule")


@value_types.overload_of(as_outcome)
def _as_outcome(given: Any, rule: Any) -> Any:
    _number(given, "an outcome rule")
    return _outcome


def _outcome(given: Any, rule: Any) -> float:
    number = intrinsics.plain_float(float(given))
    if math.isnan(number):
        raise ValueError("the outcome is nan")
    return number


def _number(given: Any, named: str) -> Any:
    if isinstance(given, types.Boolean | types.Integer | types.Float):
        return lambda given, rule: intrinsics.plain_float(float(given))
    raise value_types.refused(f"{named} must return a number on every path through it ({OR_NONE})")


@value_types.overload_of(as_truth)
def _as_truth(given: Any, rule: Any) -> Any:
    if isinstance(given, types.Boolean | types.Integer):
        return lambda given, rule: given != 0
    why = "not a float" if isinstance(given, types.Float) else OR_NONE
    raise value_types.refused(
        f"a terminating or legal rule must return True or False on every path through it ({why})"
    )


@value_types.overload_of(as_observation)
def _as_observation(given: Any, rule: Any, shape: Any) -> Any:
    if isinstance(given, value_types.ValueType) and given.cls is Observation:
        return _of_shape
    raise value_types.refused(
        f"an observation rule must return an Observation on every path through it ({MISSING})"
    )


def _of_shape(given: Any, rule: Any, shape: Any) -> Any:
    cells = given.grid.cells
    if cells.shape[0] != shape.height or cells.shape[1] != shape.width:
        raise ValueError("the observation has another shape")
    return given
