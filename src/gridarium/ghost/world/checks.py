"""Checks of settings and arguments. Each returns the value to keep, or raises ValueError with what is allowed."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from gridarium.beliefs.weighted_particles import check_particles
from gridarium.ghost.world.paths import ACTION_NAMES

Check = Callable[[str, Any], Any]
"""`(name, value)` returns the value to keep; the name is for the error message."""
STAY = 4
MAX_PARTICLES = 10_000_000
"""About 300 MB; a larger number is taken for a mistake."""
ACTIONS = ", ".join(f"{i} {name}" for i, name in enumerate(ACTION_NAMES))


def check_of(kind: Any, allowed: str) -> Check:
    """A check of a type, as pydantic understands it, without conversions. NumPy scalars count as Python numbers.

    Args:
        kind: the type.
        allowed: a description of the allowed values for error messages.
    """
    adapter: TypeAdapter[Any] = TypeAdapter(kind, config=ConfigDict(strict=True))

    def check(name: str, value: Any) -> Any:
        try:
            return adapter.validate_python(value.item() if isinstance(value, np.generic) else value)
        except ValidationError:
            raise ValueError(f"{name} is {allowed}, got {value!r}") from None

    return check


probability = check_of(Annotated[float, Field(ge=0, le=1)], "a number from 0 to 1")
not_negative = check_of(Annotated[float, Field(ge=0, allow_inf_nan=False)], "a number from 0 on")
whole_from_0 = check_of(Annotated[int, Field(ge=0)], "a whole number from 0 on")
whole_from_1 = check_of(Annotated[int, Field(ge=1)], "a whole number from 1 on")
true_or_false = check_of(bool, "True or False")
slip_type = check_of(Literal["longitudinal", "perpendicular"], "'longitudinal' or 'perpendicular'")
time_limit = check_of(Annotated[int, Field(ge=1)] | None, "None, or a number of steps from 1 on")
_seed = check_of(Annotated[int, Field(ge=0)], "None, or a whole number from 0 on")


def seed(value: Any) -> int | None:
    """A seed: a whole number from 0 on, or None."""
    return None if value is None else int(_seed("seed", value))


def generator(value: Any) -> np.random.Generator:
    """A random generator: the given one, or a new one with a seed."""
    return value if isinstance(value, np.random.Generator) else np.random.default_rng(seed(value))


def action(value: Any, *, stay: bool = False) -> int:
    """The index of an action.

    Args:
        value: a whole number.
        stay: whether -1 and 4, which mean staying, are allowed.

    Raises:
        ValueError: the number of no action.
        TypeError: not a whole number.
    """
    try:
        index = operator.index(value)
    except TypeError:
        raise TypeError(f"an action is a whole number, {ACTIONS}; got {value!r}") from None
    if 0 <= index < STAY:
        return index
    if stay and index in (-1, STAY):
        return STAY
    raise ValueError(f"action {value!r} is none of: {ACTIONS}{', -1 stay' if stay else ''}")


def position(name: str, value: Any, rows: int, cols: int) -> tuple[int, int]:
    """Row and column of a cell of a grid."""
    try:
        first, second = value
        row, col = operator.index(first), operator.index(second)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is [row, column], got {value!r}") from None
    if not (0 <= row < rows and 0 <= col < cols):
        raise ValueError(f"{name} {list(value)} is outside the grid of {rows} x {cols} cells")
    return row, col


def filter_options(rows: Any, cols: Any, num_particles: Any, resampler: str, **shares: Any) -> None:
    """Check the arguments of a particle filter; `shares` are numbers from 0 to 1."""
    whole_from_1("rows", rows)
    whole_from_1("cols", cols)
    if whole_from_1("num_particles", num_particles) > MAX_PARTICLES:
        raise ValueError(f"num_particles is at most {MAX_PARTICLES:,}, got {num_particles}")
    for name, share in shares.items():
        probability(name, share)
    check_particles(int(num_particles), resampler, **shares)


def recovery_rates(value: Any) -> tuple[float, float]:
    """The rates (slow, fast) of a filter's recovery; (0, 0) for None."""
    if value is None:
        return 0.0, 0.0
    try:
        slow, fast = (probability("recovery", rate) for rate in value)
    except (TypeError, ValueError):
        slow, fast = 1.0, 0.0
    if slow > fast:
        raise ValueError(
            f"recovery is None, or two rates (slow, fast), 0 <= slow <= fast <= 1, got {value!r}"
        )
    return slow, fast


def particles(value: Any, count: int, rows: int, cols: int) -> npt.NDArray[np.int64]:
    """int64[count, 2]: rows and columns of particles."""
    pairs = np.asarray(value)
    fits = pairs.shape == (count, 2) and pairs.dtype.kind in "iu"
    if not fits or not ((pairs >= 0) & (pairs < (rows, cols))).all():
        raise ValueError(f"particles are {count} pairs [row, column] on a grid of {rows} x {cols}")
    return pairs.astype(np.int64)
