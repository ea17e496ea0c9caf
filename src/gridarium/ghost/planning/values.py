"""Values of cells for somebody who wants to reach a goal, by value iteration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from gridarium.ghost import settings
from gridarium.ghost.sensing import Floats
from gridarium.ghost.slipping import motion
from gridarium.ghost.ways import Ways

GAMMA = 0.9


def goal_values(
    ways: Ways,
    goals: Iterable[Sequence[int]],
    slips: tuple[float, str] = (0.0, "longitudinal"),
    *,
    theta: float = 1e-4,
    step: float = -1.0,
    reached: float = 100.0,
    gamma: float = GAMMA,
) -> Floats:
    """float64[rows, cols]: what each cell is worth: `reached` for goals, else the best mean of what comes after.

    Args:
        ways: where one can go.
        goals: (row, column) of each.
        slips: how likely, and in which way, one slips.
        theta: the largest change in the last sweep.
        step: what a move is worth.
        reached: what a goal is worth.
        gamma: how much later is worth less.

    Raises:
        ValueError: a goal outside the grid, theta not above 0, or gamma outside [0, 1).

    Source: Bellman (1957).
    """
    if settings.number("theta", theta) == 0:
        raise ValueError("theta is above 0, got 0")
    if settings.number("gamma", gamma) >= 1:
        raise ValueError(f"gamma is below 1, got {gamma}")
    ends = [ways.cell(settings.place(goal, ways.rows, ways.cols, "the goal")) for goal in goals]
    moves, values = motion(*slips, ways), np.zeros(len(ways.next))
    while True:
        values[ends] = reached
        new = np.max([step + gamma * moves.expected(a, values) for a in range(4)], axis=0)
        new[ends] = reached
        change = float(np.abs(new - values).max())
        values = new
        if change < theta:
            shaped: Floats = values.reshape(ways.rows, ways.cols)
            return shaped


def best_actions(ways: Ways, values: Floats, slips: tuple[float, str] = (0.0, "longitudinal")) -> list[int]:
    """For each cell the action whose mean value is the highest, the lowest of equals."""
    moves, flat = motion(*slips, ways), values.ravel()
    expected = np.array([moves.expected(a, flat) for a in range(4)])
    best: list[int] = (expected >= expected.max(axis=0) - 1e-9).argmax(axis=0).tolist()
    return best
