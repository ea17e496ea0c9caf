"""A state without the solid wall around what matters."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gridarium.world.agent import X, Y
from gridarium.world.objects import Wall
from gridarium.world.state import State


def cropped(state: State) -> State:
    """A copy of a state in which outer rows and columns that are nothing but wall are left out, but for one.

    It is made to be looked at: what a world's rules say holds for the whole state only.
    """
    other = np.array(
        [
            [not isinstance(state.grid[y, x], Wall) for x in range(state.grid.width)]
            for y in range(state.grid.height)
        ]
    )
    for agent in state.agents:
        if agent.active and state.grid.contains(agent.position):
            other[agent.position.y, agent.position.x] = True
    rows, columns = _extent(other.sum(axis=1)), _extent(other.sum(axis=0))
    agent_rows = state.agent_rows.copy()
    agent_rows[:, Y] -= rows.start
    agent_rows[:, X] -= columns.start
    return State(
        state.cells[rows, columns].copy(),
        state.layers[:, rows, columns].copy(),
        state.data.copy(),
        agent_rows,
        state.scratch.copy(),
        state.focus,
        state.vocabulary,
    )


def _extent(matters: npt.NDArray[np.int64]) -> slice:
    """From one before the first that matters to one after the last, as far as there are any."""
    found = np.flatnonzero(matters)
    return slice(max(0, int(found[0]) - 1), int(found[-1]) + 2) if len(found) else slice(0, len(matters))
