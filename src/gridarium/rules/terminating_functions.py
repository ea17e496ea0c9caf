"""Terminating rules: `(state, action, next_state, *, <parameters>, rng)` returns whether a step ends the episode.

Rules with another source say so.

Source: gym-gridverse (Baisero and Katt 2021).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from gridarium.rules.calling import RandomNumbers, UnusedRng, call_rule, rng_or_default
from gridarium.rules.observation_functions import ObservationFunction
from gridarium.rules.registry import FunctionRegistry
from gridarium.rules.search import count_objects
from gridarium.world.actions import Action, get_next_position
from gridarium.world.cell import decode
from gridarium.world.colors import Color
from gridarium.world.grid import flat_cells
from gridarium.world.objects import Door, Exit, GridObject, MovingObstacle, Wall
from gridarium.world.state import State

TerminatingFunction: TypeAlias = Callable[..., bool]
TerminatingReductionFunction: TypeAlias = Callable[[Iterable[bool]], bool]
terminating_function_registry = FunctionRegistry("terminating", ("state", "action", "next_state"))
factory = terminating_function_registry.factory


@terminating_function_registry.register
def reduce(
    state: State,
    action: Action,
    next_state: State,
    *,
    terminating_functions: tuple[TerminatingFunction, ...],
    reduction: TerminatingReductionFunction,
    rng: RandomNumbers = None,
) -> bool:
    """Combine several rules with `reduction` (any, all)."""
    chance = rng_or_default(next_state, rng)
    return bool(
        reduction(call_rule(ends, (state, action, next_state), chance) for ends in terminating_functions)
    )


@terminating_function_registry.register
def reduce_any(
    state: State,
    action: Action,
    next_state: State,
    *,
    terminating_functions: tuple[TerminatingFunction, ...],
    rng: RandomNumbers = None,
) -> bool:
    """Whether any of several rules ends the episode."""
    chance = rng_or_default(next_state, rng)
    return any(call_rule(ends, (state, action, next_state), chance) for ends in terminating_functions)


@terminating_function_registry.register
def reduce_all(
    state: State,
    action: Action,
    next_state: State,
    *,
    terminating_functions: tuple[TerminatingFunction, ...],
    rng: RandomNumbers = None,
) -> bool:
    """Whether all of several rules end the episode."""
    chance = rng_or_default(next_state, rng)
    return all(call_rule(ends, (state, action, next_state), chance) for ends in terminating_functions)


@terminating_function_registry.register
def overlap(
    state: State,
    action: Action,
    next_state: State,
    *,
    object_type: type[GridObject],
    rng: UnusedRng = None,
) -> bool:
    """The agent is on an object of a type."""
    return isinstance(next_state.grid[next_state.agent.position], object_type)


@terminating_function_registry.register
def reach_exit(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> bool:
    """The agent is on an exit."""
    return overlap(state, action, next_state, object_type=Exit)


@terminating_function_registry.register
def bump_moving_obstacle(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> bool:
    """The agent and a moving obstacle have met: they share a cell, or the agent has entered the obstacle's cell.

    In gym-gridverse, where obstacles move after the agent, an agent that enters the cell of an obstacle with a free
    neighbour never collides with it.
    """
    here = next_state.agent.position
    if isinstance(next_state.grid[here], MovingObstacle):
        return True
    return here != state.agent.position and isinstance(state.grid[here], MovingObstacle)


@terminating_function_registry.register
def bump_into_wall(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> bool:
    """The agent's move was against a wall: one that fills a cell, or one on the edge between two cells."""
    here = state.agent.position
    there = get_next_position(here, state.agent.orientation, action)
    if there == here or not state.grid.contains(there):
        return False
    return isinstance(state.grid[there], Wall) or state.grid.has_wall(here, there)


@terminating_function_registry.register
def concealed(
    state: State,
    action: Action,
    next_state: State,
    *,
    object_type: type[GridObject],
    observation_function: ObservationFunction,
    rng: RandomNumbers = None,
) -> bool:
    """The agent sees no object of a type.

    Source: gym-gridverse (Baisero and Katt 2021), as documented for the example of that name.
    """
    seen = call_rule(observation_function, (next_state,), rng_or_default(next_state, rng))
    return count_objects(seen.grid, object_type) == 0


@terminating_function_registry.register
def time_limit(state: State, action: Action, next_state: State, *, ticks: int, rng: UnusedRng = None) -> bool:
    """The episode has taken `ticks` steps.

    Source: Gridarium.
    """
    return next_state.tick >= ticks


@terminating_function_registry.register
def holds(
    state: State,
    action: Action,
    next_state: State,
    *,
    object_type: type[GridObject],
    color: Color | None = None,
    rng: UnusedRng = None,
) -> bool:
    """The agent holds an object of a type, and of a color if one is given.

    Source: Gridarium.
    """
    return is_such(next_state.agent.grid_object, object_type=object_type, color=color)


@terminating_function_registry.register
def no_objects_left(
    state: State,
    action: Action,
    next_state: State,
    *,
    object_type: type[GridObject],
    rng: UnusedRng = None,
) -> bool:
    """No object of a type is left in the grid.

    Source: Gridarium.
    """
    return count_objects(next_state.grid, object_type) == 0


@terminating_function_registry.register
def opened(
    state: State,
    action: Action,
    next_state: State,
    *,
    object_type: type[GridObject] = Door,
    rng: UnusedRng = None,
) -> bool:
    """An object of a type has changed to open, the first of its statuses.

    Source: Gridarium.
    """
    words, next_words = flat_cells(state.grid).array, flat_cells(next_state.grid).array
    for i in range(words.shape[0]):
        before, after = decode(words[i], state.vocabulary), decode(next_words[i], state.vocabulary)
        was_shut = isinstance(before, object_type) and before.state_index != 0
        if was_shut and isinstance(after, object_type) and after.state_index == 0:
            return True
    return False


def is_such(thing: Any, *, object_type: type[GridObject], color: Color | None) -> bool:
    """Whether an object is of a type, and of a color if one is given."""
    if color is None:
        return isinstance(thing, object_type)
    return isinstance(thing, object_type) and bool(thing.color == color)
