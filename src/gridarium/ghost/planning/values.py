"""Values of cells for an agent that heads for goals, by value iteration.

`gridarium.agents.value_iteration` solves a `TabularModel` of a whole world: all positions of agent and ghosts, 640 states and
100 ms to find them for the default layout, anew after each edit. Values of cells alone, without ghosts, take 4 ms.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from gridarium.ghost.world import checks
from gridarium.ghost.world.likelihoods import Floats
from gridarium.ghost.world.paths import GridPaths, motion

GAMMA = 0.9


def goal_values(
    paths: GridPaths,
    goals: Iterable[Sequence[int]],
    slips: tuple[float, str] = (0.0, "longitudinal"),
    *,
    theta: float = 1e-4,
    step: float = -1.0,
    reached: float = 100.0,
    gamma: float = GAMMA,
) -> Floats:
    """float64[rows, cols]: the value of each cell.

    Args:
        paths: the moves between cells.
        goals: (row, column) of each.
        slips: (slip probability, slip type).
        theta: the largest change in the last sweep.
        step: the reward of a move.
        reached: the value of goals.
        gamma: the discount.

    Raises:
        ValueError: a goal outside the grid, theta of 0 or less, or gamma outside [0, 1).

    Source: Bellman (1957).
    """
    if checks.not_negative("theta", theta) == 0:
        raise ValueError("theta is above 0, got 0")
    if checks.not_negative("gamma", gamma) >= 1:
        raise ValueError(f"gamma is below 1, got {gamma}")
    ends = [paths.cell(checks.position("the goal", goal, paths.rows, paths.cols)) for goal in goals]
    moves, values = motion(*slips, paths), np.zeros(len(paths.next))
    while True:
        values[ends] = reached
        new = np.max([step + gamma * moves.expected(a, values) for a in range(4)], axis=0)
        new[ends] = reached
        change = float(np.abs(new - values).max())
        values = new
        if change < theta:
            shaped: Floats = values.reshape(paths.rows, paths.cols)
            return shaped


def best_actions(
    paths: GridPaths, values: Floats, slips: tuple[float, str] = (0.0, "longitudinal")
) -> list[int]:
    """For each cell the action with the highest expected value, the lowest of equals."""
    moves, flat = motion(*slips, paths), values.ravel()
    expected = np.array([moves.expected(a, flat) for a in range(4)])
    best: list[int] = (expected >= expected.max(axis=0) - 1e-9).argmax(axis=0).tolist()
    return best
