"""What rewards, terminations and observations may return, checked where they are called in a composed world."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium.compiled.primitives import compiled_as, plain_float
from gridarium.world.state import Observation


@compiled_as("gridarium.engine.judging_twins:as_number")
def as_number(given: Any, rule: str) -> float:
    """What a reward rule has returned, as a float.

    Raises:
        TypeError: it is no number.
    """
    if isinstance(given, bool | int | float | np.bool_ | np.integer | np.floating):
        return plain_float(float(given))
    raise TypeError(f"reward rule {rule} returned {_shown(given)}; it must return a number")


@compiled_as("gridarium.engine.judging_twins:as_truth")
def as_truth(given: Any, rule: str) -> bool:
    """What a terminating rule has returned, as a bool.

    Raises:
        TypeError: it is no truth value.
    """
    if isinstance(given, bool | int | np.bool_ | np.integer):
        return bool(given)
    raise TypeError(f"terminating rule {rule} returned {_shown(given)}; it must return True or False")


@compiled_as("gridarium.engine.judging_twins:as_observation")
def as_observation(given: Any, rule: str) -> Observation:
    """What an observation rule of a user's own has returned.

    Raises:
        TypeError: it is no observation.
    """
    if isinstance(given, Observation):
        return given
    raise TypeError(f"observation rule {rule} returned {shown_type(given)}; it must return {AN_OBSERVATION}")


AN_OBSERVATION = "an Observation, made as Observation(grid, agent)"


def shown_type(given: Any) -> str:
    """What was returned where something else is wanted, by its type."""
    return _shown(given) if given is None else f"a {type(given).__name__}"


def _shown(given: Any) -> str:
    return "None (is a `return` missing?)" if given is None else repr(given)
