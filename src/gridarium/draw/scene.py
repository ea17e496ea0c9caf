"""What can be drawn, made sure of: a state, an observation, or a grid with nobody in it; and who is in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium.world.agent import Agent
from gridarium.world.grid import Grid
from gridarium.world.state import Observation, State, seer
from gridarium.world.vocabulary import AGENT_FIELDS, DATA_FIELDS


def scene_of(given: Any) -> State | Observation:
    """A state or an observation as it is; a grid as a state with nobody in it.

    Raises:
        TypeError: something else, for instance a world.
    """
    if isinstance(given, State | Observation):
        return given
    if isinstance(given, Grid):
        return _deserted(given)
    kind = type(given).__name__
    hint = "; its reset(seed) gives a state" if hasattr(given, "reset") and hasattr(given, "step") else ""
    raise TypeError(f"what is drawn is a state, an observation or a grid, not {kind}{hint}")


def agent_count(scene: State | Observation) -> int:
    """How many agents are distinguished: all of the state, or of the state that is observed."""
    return seer(scene)[1] if isinstance(scene, Observation) else len(scene.agents)


def listed_agents(scene: State | Observation) -> list[tuple[int, Agent]]:
    """The agents of a scene with their numbers; an observation has the one that observes."""
    if isinstance(scene, Observation):
        return [(seer(scene)[0], scene.agent)]
    return list(enumerate(scene.agents))


def shown_agents(scene: State | Observation) -> list[tuple[int, Agent]]:
    """Those that a picture shows: they take part and are inside."""
    return [(i, a) for i, a in listed_agents(scene) if a.active and scene.grid.contains(a.position)]


def _deserted(grid: Grid) -> State:
    vocabulary = grid.vocabulary
    data = np.zeros(DATA_FIELDS + len(vocabulary.world_fields), np.int64)
    nobody = np.zeros((1, AGENT_FIELDS + len(vocabulary.agent_fields)), np.int64)  # not active
    return State(grid.cells, grid.layers, data, nobody, grid.scratch, 0, vocabulary)
