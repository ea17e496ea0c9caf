"""What an environment may be given, checked."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.beliefs.weighted import check_particles
from gridarium.ghost.ways import ACTION_NAMES

SLIP_TYPES = ("longitudinal", "perpendicular")
STAY = 4
KEYS = ("colour", "items", "is_goal", "is_start", "text")
ACTIONS = ", ".join(f"{i} {name}" for i, name in enumerate(ACTION_NAMES))


class Setting:
    """An attribute that is checked when it is set; `settings_changed` of its owner then becomes True.

    Args:
        check: `(name, value)` gives the value to keep, or raises.
    """

    def __init__(self, check: Callable[[str, Any], Any]) -> None:
        self.check = check

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else instance.__dict__[self.name]

    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__[self.name] = self.check(self.name, value)
        instance.settings_changed = True


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


def time_limit(value: Any) -> int | None:
    """A number of steps, or None.

    Raises:
        ValueError: neither.
    """
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise ValueError(f"time_limit is None or a whole number of steps from 1 on, got {value!r}")
    return value


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


def place(value: Sequence[int], rows: int, cols: int, name: str) -> tuple[int, int]:
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


def cell(value: Any, i: int, cols: int) -> dict[str, Any]:
    """The dictionary of a cell.

    Raises:
        ValueError: something is missing, or its color is none.
    """
    where = f"the cell {list(divmod(i, cols))}"
    missing = [key for key in KEYS if key not in value]
    if missing:
        raise ValueError(f"{where} lacks {', '.join(missing)}")
    if value["colour"] not in (0, 1, 2):
        raise ValueError(f"{where}: colour is 0 (none), 1 (red) or 2 (green), got {value['colour']!r}")
    if not isinstance(value["text"], str) or not all(isinstance(item, str) for item in value["items"]):
        raise ValueError(f"{where}: text is a word, items is a list of words")
    found: dict[str, Any] = value
    return found


def cloud(rows: int, cols: int, count: Any, resampler: str, **shares: float) -> None:
    """The options of a particle filter.

    Raises:
        ValueError: no cells or particles, no such resampler, or a share outside [0, 1].
    """
    if rows < 1 or cols < 1:
        raise ValueError(f"a grid has at least one cell, not {rows} x {cols}")
    if isinstance(count, bool) or int(count) != count or count < 1:
        raise ValueError(f"num_particles is a whole number from 1 on, got {count!r}")
    check_particles(int(count), resampler, **shares)


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
