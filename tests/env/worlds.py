"""Worlds for the tests of environments; few programs, so that little is compiled."""

from __future__ import annotations

import functools
from functools import partial
from typing import Any

from gridarium.engine import World
from gridarium.rules.observation_functions import fully_transparent
from gridarium.rules.reset_functions import empty, reset_function_registry
from gridarium.rules.reward_functions import living_reward, reach_exit
from gridarium.rules.terminating_functions import reach_exit as at_exit
from gridarium.rules.transition_functions import (
    move_agent,
    pickndrop,
    transition_function_registry,
    turn_agent,
)
from gridarium.world import Action, Area, Color, Door, Exit, Floor, Key, Position, Wall
from gridarium.worlds import Spec

VIEW = Area((-2, 0), (-1, 1))
SMALL = "KeyDoor-5x5"
"""The catalogue world that the tests compile."""


@transition_function_registry.register
def crumble(state: Any, action: Action) -> None:
    """Fails in the third tick for an agent that turns left."""
    if state.tick == 2 and action == Action.TURN_LEFT:
        raise ZeroDivisionError("the world has crumbled")


@reset_function_registry.register
def furnish(state: Any, *, rng: Any = None) -> None:
    """A room with a key, a door, an exit and walls on edges, the agents in its corners."""
    empty(state, rng=rng)
    state.grid[1, 2] = Key(Color.RED)
    state.grid[2, 2] = Door(Door.Status.CLOSED, Color.YELLOW)
    state.grid[3, 3] = Exit()
    state.grid.set_wall(Position(1, 1), Position(2, 1))
    state.grid.set_wall(Position(2, 1), Position(2, 2))
    for i, agent in enumerate(state.agents):
        agent.position = Position(1 + 2 * i, 1)


@functools.cache
def furnished(agents: int = 1, **changes: Any) -> Spec:
    """The furnished room as a world."""
    given: dict[str, Any] = {
        "name": "Furnished",
        "shape": (5, 5),
        "objects": [Floor, Wall, Exit, Door, Key],
        "colors": [Color.RED, Color.YELLOW],
        "edges": True,
        "actions": [Action.MOVE_FORWARD, Action.TURN_LEFT, Action.TURN_RIGHT, Action.PICK_N_DROP],
        "agents": agents,
        "reset": furnish,
        "transitions": [move_agent, turn_agent, pickndrop],
        "rewards": [reach_exit, partial(living_reward, reward=-0.5)],
        "terminations": [at_exit],
        "time_limit": 30,
        "observation": partial(fully_transparent, area=VIEW),
    }
    return Spec.build(**given | changes)


@functools.cache
def crumbling(*, compiled: bool) -> World:
    """A world with a rule that fails now and then."""
    spec = furnished(name="Crumbling", transitions=(move_agent, turn_agent, crumble))
    return World(spec, compiled=compiled)


@functools.cache
def small(*, compiled: bool = True) -> World:
    """The small world, composed once."""
    return World(SMALL, compiled=compiled)
