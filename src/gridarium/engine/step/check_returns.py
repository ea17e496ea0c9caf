"""Checks the results of rules where a composed world calls them; of rules that edit the state, only those of users."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from gridarium.compiled.data_types.primitives import compiled_as, plain_float
from gridarium.rules.outcomes.random_number import RandomNumber
from gridarium.world.geometry import Shape
from gridarium.world.state import Observation


def returns_none(given: Any, rule: str) -> None:
    """Check that a rule that edits the state has returned nothing: a state that it returned would be lost.

    Raises:
        TypeError: it has returned something.
    """
    if given is not None:
        raise TypeError(
            f"rule {rule} returned {shown_type(given)}, which would be lost; it edits the state that it is given, and returns None"
        )


@compiled_as("gridarium.engine.step.check_returns_compiled:as_number")
def as_number(given: Any, rule: str) -> float:
    """Convert the result of a reward rule to a float.

    Raises:
        TypeError: it is not a number.
    """
    return _number(given, "reward", rule)


@compiled_as("gridarium.engine.step.check_returns_compiled:as_outcome")
def as_outcome(given: Any, rule: str) -> float:
    """Convert the result of an outcome rule to a float.

    Raises:
        TypeError: it is not a number.
        ValueError: it is NaN, which is neither better nor worse than another outcome.
    """
    number = _number(given, "outcome", rule)
    if math.isnan(number):
        raise ValueError(f"outcome rule {rule} returned nan; outcomes are compared, which nan cannot be")
    return number


def _number(given: Any, kind: str, rule: str) -> float:
    """A float; of a random number whose outcomes are enumerated `NotEnumerable`."""
    if isinstance(given, bool | int | float | np.bool_ | np.integer | np.floating | RandomNumber):
        return plain_float(float(given))
    raise TypeError(f"{kind} rule {rule} returned {_shown(given)}; it must return a number")


@compiled_as("gridarium.engine.step.check_returns_compiled:as_truth")
def as_truth(given: Any, rule: str) -> bool:
    """Convert the result of a terminating or legal rule to a bool.

    Raises:
        TypeError: it is not a bool.
    """
    if isinstance(given, bool | int | np.bool_ | np.integer):
        return bool(given)
    kind = sys._getframe(1).f_code.co_name  # a program's function is named after the kind of its rules
    raise TypeError(f"{kind} rule {rule} returned {_shown(given)}; it must return True or False")


@compiled_as("gridarium.engine.step.check_returns_compiled:as_observation")
def as_observation(given: Any, rule: str, shape: Shape) -> Observation:
    """Check the result of a user-defined observation rule.

    Raises:
        TypeError: it is not an observation.
        ValueError: its grid does not have the shape of the world's observations.
    """
    if not isinstance(given, Observation):
        raise TypeError(
            f"observation rule {rule} returned {shown_type(given)}; it must return {AN_OBSERVATION}"
        )
    if given.grid.shape != shape:
        wrong, right = (f"{each.height}x{each.width}" for each in (given.grid.shape, shape))
        raise ValueError(
            f"observation rule {rule} returned a grid of {wrong}, and {right} of a world of floor; all observations of a "
            "world must have the same shape: fill up with Hidden"
        )
    return given


AN_OBSERVATION = "an Observation, made as Observation(grid, agent)"


def shown_type(given: Any) -> str:
    """Describe an unexpected result by its type."""
    return _shown(given) if given is None else f"a {type(given).__name__}"


def _shown(given: Any) -> str:
    return "None (is a `return` missing?)" if given is None else repr(given)
