"""How classes of actions find the core's actions that do the same, and the state that their rules look at."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from gridarium.live.actions.action import DURATION
from gridarium.live.world_interface import WorldInterface
from gridarium.rules.live_actions import MOST_CARRIED
from gridarium.world import State

DEFAULTS: dict[str, float] = {
    "door_range": math.inf,
    "grab_range": math.inf,
    "max_objects": MOST_CARRIED,
    "drop_range": 1,
    "remove_range": 1,
}
"""The ranges of actions where neither the world nor the agent says otherwise."""


def state_for(grid_world: WorldInterface, agent_id: str) -> State:
    """The core's state from an agent's point of view, with scratch memory that is free."""
    return grid_world.core_state.seen_by(grid_world.registered_agents[agent_id].index)


def parameter(grid_world: WorldInterface, name: str, given: float | None) -> float:
    """A range of an action: what the agent says, at most what the world allows."""
    allowed = grid_world.action_parameters.get(name, None)
    if given is None:
        return DEFAULTS[name] if allowed is None else allowed
    return given if allowed is None else min(given, allowed)


def is_as_the_core_does(
    grid_world: WorldInterface, kwargs: Mapping[str, Any], names: tuple[str, ...]
) -> bool:
    """Whether the arguments are an object and ranges, and the ranges are those of the core's rules."""
    if any(name not in (*names, *DURATION, "object_id") for name in kwargs):
        return False
    return all(
        parameter(grid_world, name, kwargs.get(name)) == parameter(grid_world, name, None) for name in names
    )


def thing_index(grid_world: WorldInterface, action: str, object_id: Any) -> int:
    """The index of the core's action on an object; -1 if the core cannot do it."""
    found = grid_world.find(object_id)
    first = grid_world.core_indices.get(action, -1)
    if found is None or found.is_agent or found.number < 0 or first < 0:
        return -1
    return first + found.number
