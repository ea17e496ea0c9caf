"""Checks and normalises what can be drawn: a state, an observation, or a grid without agents."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.world.agent import Agent, X, Y
from gridarium.world.grid import Grid
from gridarium.world.objects import Wall
from gridarium.world.state import Observation, State, seer


def scene_of(given: Any) -> State | Observation:
    """A state or an observation as it is; a grid as a state with nobody in it.

    Raises:
        TypeError: something else, for instance a world.
    """
    if isinstance(given, State):
        return given.showing_things()
    if isinstance(given, Observation):
        return given
    if isinstance(given, Grid):
        return _deserted(given)
    kind = type(given).__name__
    hint = "; its reset(seed) gives a state" if hasattr(given, "reset") and hasattr(given, "step") else ""
    raise TypeError(f"what is drawn is a state, an observation or a grid, not {kind}{hint}")


def agent_count(scene: State | Observation) -> int:
    """The number of agents of the state, or of the state that is observed."""
    return seer(scene)[1] if isinstance(scene, Observation) else len(scene.agents)


def listed_agents(scene: State | Observation) -> list[tuple[int, Agent]]:
    """The agents of a scene with their numbers; an observation has the one that observes."""
    if isinstance(scene, Observation):
        return [(seer(scene)[0], scene.agent)]
    return list(enumerate(scene.agents))


def shown_agents(scene: State | Observation) -> list[tuple[int, Agent]]:
    """The agents that a picture shows: those that are active and inside the grid."""
    return [(i, a) for i, a in listed_agents(scene) if a.active and scene.grid.contains(a.position)]


def _deserted(grid: Grid) -> State:
    vocabulary = grid.vocabulary
    data = np.zeros(vocabulary.data_length, np.int64)
    nobody = np.zeros((1, vocabulary.agent_row_length), np.int64)  # not active
    return State(grid.cells, grid.layers, data, nobody, grid.scratch, 0, vocabulary)


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
