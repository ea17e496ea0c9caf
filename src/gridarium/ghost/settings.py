"""What an environment may be given, checked."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.beliefs.weighted import check_particles
from gridarium.ghost.ways import ACTION_NAMES

SLIP_TYPES = ("longitudinal", "perpendicular")
STAY = 4
MOST_PARTICLES = 10_000_000
"""They take about 300 MB; a larger number is a slip of the pen."""
ACTIONS = ", ".join(f"{i} {name}" for i, name in enumerate(ACTION_NAMES))


def probability(name: str, value: Any) -> float:
    """A number from 0 to 1.

    Raises:
        ValueError: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 <= value <= 1:
        raise ValueError(f"{name} is a number from 0 to 1, got {value!r}")
    return float(value)


def slip_type(name: str, value: Any) -> str:
    """One of the two ways to slip.

    Raises:
        ValueError: another word.
    """
    if value not in SLIP_TYPES:
        raise ValueError(f"{name} is {' or '.join(map(repr, SLIP_TYPES))}, got {value!r}")
    return str(value)


def truth(name: str, value: Any) -> bool:
    """True or False.

    Raises:
        ValueError: neither.
    """
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} is True or False, got {value!r}")
    return bool(value)


def time_limit(name: str, value: Any) -> int | None:
    """A number of steps, or None.

    Raises:
        ValueError: neither.
    """
    return None if value is None else whole(name, value, 1, "None, or a number of steps")


def seed(value: Any) -> int | None:
    """What begins random numbers: a whole number from 0 on, or None.

    Raises:
        ValueError: neither.
    """
    return None if value is None else whole("seed", value, 0, "None, or a whole number")


def generator(value: Any) -> np.random.Generator:
    """The random numbers of a seed, or those that are given.

    Raises:
        ValueError: neither.
    """
    return value if isinstance(value, np.random.Generator) else np.random.default_rng(seed(value))


def whole(name: str, value: Any, least: int, meaning: str = "a whole number") -> int:
    """A whole number from `least` on.

    Raises:
        ValueError: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name} is {meaning} from {least} on, got {value!r}")
    return int(value)


def action(value: Any, *, stay: bool = False) -> int:
    """The index of an action.

    Args:
        value: a whole number.
        stay: whether -1 or 4, to stay, are among the actions.

    Raises:
        ValueError: it is none.
        TypeError: it is no whole number.
    """
    index = value if type(value) is int else _whole(value)
    if 0 <= index < STAY:
        return index
    if stay and index in (-1, STAY):
        return STAY
    raise ValueError(f"action {value!r} is none of: {ACTIONS}{', -1 stay' if stay else ''}")


def _whole(value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"an action is a whole number, {ACTIONS}; got {value!r}") from None


def place(value: Any, rows: int, cols: int, name: str) -> tuple[int, int]:
    """Row and column of a cell.

    Raises:
        ValueError: it is no cell of the grid.
    """
    try:
        first, second = value
        row, col = operator.index(first), operator.index(second)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is [row, column], got {value!r}") from None
    if not (0 <= row < rows and 0 <= col < cols):
        raise ValueError(f"{name} {list(value)} is outside the grid of {rows} x {cols} cells")
    return row, col


def cloud(rows: Any, cols: Any, count: Any, resampler: str, **shares: Any) -> None:
    """The options of a particle filter.

    Raises:
        ValueError: no cells or particles, too many of these, no such resampler, or a share outside [0, 1].
    """
    whole("rows", rows, 1)
    whole("cols", cols, 1)
    if whole("num_particles", count, 1) > MOST_PARTICLES:
        raise ValueError(f"num_particles is at most {MOST_PARTICLES:,}, got {count}")
    for name, share in shares.items():
        probability(name, share)
    check_particles(int(count), resampler, **shares)


def rates(value: Any) -> tuple[float, float]:
    """The rates of recovery, (0, 0) for None.

    Raises:
        ValueError: not two numbers, 0 <= slow <= fast <= 1.
    """
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


def number(name: str, value: Any, least: float = 0.0) -> float:
    """A finite number from `least` on.

    Raises:
        ValueError: it is none.
    """
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float | np.number)
        or not least <= value < np.inf
    ):
        raise ValueError(f"{name} is a number from {least:g} on, got {value!r}")
    return float(value)


def particles(value: Any, count: int, rows: int, cols: int) -> npt.NDArray[np.int64]:
    """int64[count, 2]: rows and columns of particles.

    Raises:
        ValueError: another number of them, or one is outside the grid.
    """
    given = np.asarray(value)
    whole = given.shape == (count, 2) and given.dtype.kind in "iu"
    if not whole or not ((given >= 0) & (given < (rows, cols))).all():
        raise ValueError(f"particles are {count} pairs [row, column] on a grid of {rows} x {cols}")
    return given.astype(np.int64)


def slipped(index: int, chance: float, kind: str, rng: np.random.Generator) -> tuple[list[int], bool]:
    """The moves that become of one on slippery ground, and whether it slips."""
    if chance <= 0:
        return [index], False
    u = rng.random()
    if u >= chance:
        return [index], False
    if kind == "longitudinal":
        return ([] if u < chance / 2 else [index, index]), True
    return [(index + (1 if rng.random() < 0.5 else 3)) % 4], True
