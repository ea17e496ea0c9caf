"""Reward rules: `(state, action, next_state, *, <parameters>, rng)` returns the reward of a step, a float.

Rules with another source say so.

Source: gym-gridverse (Baisero and Katt 2021).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from gridarium.rules import terminating_functions as ends
from gridarium.rules.calling import RandomNumbers, UnusedRng, call_rule, rng_or_default
from gridarium.rules.registry import FunctionRegistry
from gridarium.rules.search import only_position, path_length
from gridarium.world.actions import Action
from gridarium.world.colors import Color
from gridarium.world.geometry import DistanceFunction, Position
from gridarium.world.objects import Beacon, Door, Exit, GridObject
from gridarium.world.state import State

RewardFunction: TypeAlias = Callable[..., float]
RewardReductionFunction: TypeAlias = Callable[[Iterable[float]], float]
reward_function_registry = FunctionRegistry("reward", ("state", "action", "next_state"))
factory = reward_function_registry.factory


@reward_function_registry.register
def reduce(
    state: State,
    action: Action,
    next_state: State,
    *,
    reward_functions: tuple[RewardFunction, ...],
    reduction: RewardReductionFunction,
    rng: RandomNumbers = None,
) -> float:
    """Combine several rules with `reduction` (sum, min, max)."""
    chance = rng_or_default(next_state, rng)
    return float(
        reduction(float(call_rule(worth, (state, action, next_state), chance)) for worth in reward_functions)
    )


@reward_function_registry.register
def reduce_sum(
    state: State,
    action: Action,
    next_state: State,
    *,
    reward_functions: tuple[RewardFunction, ...],
    rng: RandomNumbers = None,
) -> float:
    """The sum of several rules."""
    chance = rng_or_default(next_state, rng)
    return float(
        sum(float(call_rule(worth, (state, action, next_state), chance)) for worth in reward_functions)
    )


@reward_function_registry.register
def living_reward(
    state: State, action: Action, next_state: State, *, reward: float = -1.0, rng: UnusedRng = None
) -> float:
    """A constant reward for every step."""
    return float(reward)


@reward_function_registry.register
def overlap(
    state: State,
    action: Action,
    next_state: State,
    *,
    object_type: type[GridObject],
    reward_on: float = 1.0,
    reward_off: float = 0.0,
    rng: UnusedRng = None,
) -> float:
    """`reward_on` on an object of a type, `reward_off` elsewhere."""
    return float(
        reward_on if ends.overlap(state, action, next_state, object_type=object_type) else reward_off
    )


@reward_function_registry.register
def reach_exit(
    state: State,
    action: Action,
    next_state: State,
    *,
    reward_on: float = 1.0,
    reward_off: float = 0.0,
    rng: UnusedRng = None,
) -> float:
    """`reward_on` on an exit, `reward_off` elsewhere."""
    return float(reward_on if ends.reach_exit(state, action, next_state) else reward_off)


@reward_function_registry.register
def reach_exit_discounted(
    state: State,
    action: Action,
    next_state: State,
    *,
    reward_on: float = 1.0,
    decay: float = 0.9,
    horizon: float,
    rng: UnusedRng = None,
) -> float:
    """On an exit, `reward_on`, discounted for late arrival as by `discounted`; 0 elsewhere.

    Source: MiniGrid (Chevalier-Boisvert et al. 2023), whose `horizon` is the time limit.
    """
    if not ends.reach_exit(state, action, next_state):
        return 0.0
    return reward_on * _punctuality(next_state, decay, horizon)


@reward_function_registry.register
def discounted(
    state: State,
    action: Action,
    next_state: State,
    *,
    reward_function: RewardFunction,
    decay: float = 0.9,
    horizon: float,
    rng: RandomNumbers = None,
) -> float:
    """Another rule's reward, multiplied by 1 - `decay` * tick / `horizon`.

    Source: MiniGrid (Chevalier-Boisvert et al. 2023), whose `horizon` is the time limit.
    """
    reward = call_rule(reward_function, (state, action, next_state), rng_or_default(next_state, rng))
    return float(reward) * _punctuality(next_state, decay, horizon)


def _punctuality(next_state: State, decay: float, horizon: float) -> float:
    return 1.0 - decay * next_state.tick / horizon


@reward_function_registry.register
def bump_moving_obstacle(
    state: State, action: Action, next_state: State, *, reward: float = -1.0, rng: UnusedRng = None
) -> float:
    """`reward` for a collision with a moving obstacle (see the terminating rule of this name), 0 otherwise."""
    return float(reward if ends.bump_moving_obstacle(state, action, next_state) else 0.0)


@reward_function_registry.register
def bump_into_wall(
    state: State, action: Action, next_state: State, *, reward: float = -1.0, rng: UnusedRng = None
) -> float:
    """`reward` for a move against a wall, 0 otherwise."""
    return float(reward if ends.bump_into_wall(state, action, next_state) else 0.0)


@reward_function_registry.register
def proportional_to_distance(
    state: State,
    action: Action,
    next_state: State,
    *,
    distance_function: DistanceFunction = Position.manhattan_distance,
    object_type: type[GridObject],
    reward_per_unit_distance: float = -1.0,
    rng: UnusedRng = None,
) -> float:
    """The distance to the one object of a type, times `reward_per_unit_distance`.

    Raises:
        ValueError: there is no such object in the grid, or several.
    """
    target = only_position(next_state.grid, object_type)
    return reward_per_unit_distance * float(distance_function(next_state.agent.position, target))


@reward_function_registry.register
def getting_closer(
    state: State,
    action: Action,
    next_state: State,
    *,
    distance_function: DistanceFunction = Position.manhattan_distance,
    object_type: type[GridObject],
    reward_closer: float = 1.0,
    reward_further: float = -1.0,
    rng: UnusedRng = None,
) -> float:
    """`reward_closer` or `reward_further` when the distance to the one object of a type has changed, otherwise 0.

    Raises:
        ValueError: one of the two states has no such object in the grid, or several.
    """
    before = float(distance_function(state.agent.position, only_position(state.grid, object_type)))
    after = float(distance_function(next_state.agent.position, only_position(next_state.grid, object_type)))
    return _by_change(before, after, reward_closer, reward_further)


@reward_function_registry.register
def getting_closer_shortest_path(
    state: State,
    action: Action,
    next_state: State,
    *,
    object_type: type[GridObject],
    reward_closer: float = 1.0,
    reward_further: float = -1.0,
    rng: UnusedRng = None,
) -> float:
    """As `getting_closer`, with the length of a shortest path as the distance (see `path_length`).

    Raises:
        ValueError: one of the two states has no such object in the grid, or several.
    """
    before = path_length(state, only_position(state.grid, object_type), state.agent.position)
    after = path_length(next_state, only_position(next_state.grid, object_type), next_state.agent.position)
    return _by_change(before, after, reward_closer, reward_further)


def _by_change(before: float, after: float, reward_closer: float, reward_further: float) -> float:
    if after == before:
        return 0.0
    return float(reward_closer if after < before else reward_further)


@reward_function_registry.register
def actuate_door(
    state: State,
    action: Action,
    next_state: State,
    *,
    reward_open: float = 1.0,
    reward_close: float = -1.0,
    rng: UnusedRng = None,
) -> float:
    """`reward_open` or `reward_close` when ACTUATE opened or closed the door in front, otherwise 0."""
    front = state.agent.front()
    if action != Action.ACTUATE or not state.grid.contains(front):
        return 0.0
    door, next_door = state.grid[front], next_state.grid[front]
    if not (isinstance(door, Door) and isinstance(next_door, Door)) or door.is_open == next_door.is_open:
        return 0.0
    return float(reward_open if next_door.is_open else reward_close)


@reward_function_registry.register
def pickndrop(
    state: State,
    action: Action,
    next_state: State,
    *,
    object_type: type[GridObject],
    reward_pick: float = 1.0,
    reward_drop: float = -1.0,
    rng: UnusedRng = None,
) -> float:
    """`reward_pick` or `reward_drop` when the agent has picked up or dropped an object of a type, otherwise 0."""
    held = isinstance(state.agent.grid_object, object_type)
    holds = isinstance(next_state.agent.grid_object, object_type)
    if held == holds:
        return 0.0
    return float(reward_pick if holds else reward_drop)


@reward_function_registry.register
def pick_up(
    state: State,
    action: Action,
    next_state: State,
    *,
    object_type: type[GridObject],
    color: Color | None = None,
    reward_on: float = 1.0,
    reward_off: float = 0.0,
    rng: UnusedRng = None,
) -> float:
    """`reward_on` when the agent has picked up an object of a type, and of a color if one is given.

    Source: the fetching and unlocking tasks of MiniGrid (Chevalier-Boisvert et al. 2023).
    """
    held = ends.is_such(state.agent.grid_object, object_type=object_type, color=color)
    holds = ends.is_such(next_state.agent.grid_object, object_type=object_type, color=color)
    return float(reward_on if holds and not held else reward_off)


@reward_function_registry.register
def reach_exit_memory(
    state: State,
    action: Action,
    next_state: State,
    *,
    reward_good: float = 1.0,
    reward_bad: float = -1.0,
    rng: UnusedRng = None,
) -> float:
    """On an exit, `reward_good` if it has the color of the first beacon (row by row), `reward_bad` if not; 0 elsewhere.

    Raises:
        ValueError: on an exit, if there is no beacon.
    """
    grid = next_state.grid
    there = grid[next_state.agent.position]
    if not isinstance(there, Exit):
        return 0.0
    for p in grid.positions():
        if isinstance(grid[p], Beacon):
            return float(reward_good if grid[p].color == there.color else reward_bad)
    raise ValueError("reach_exit_memory needs a Beacon in the grid")


@reward_function_registry.register
def earned(
    state: State, action: Action, next_state: State, *, by_all: bool = False, rng: UnusedRng = None
) -> float:
    """What the tick has earned the agent, or all agents together: the declared number `earned` of agents.

    Transition rules write it, where what an agent gets cannot be seen from two states.

    Source: Gridarium.
    """
    if by_all:
        return float(sum(float(next_state.agents[i].earned) for i in range(len(next_state.agents))))
    return float(next_state.agent.earned)


@reward_function_registry.register
def mean_earned(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> float:
    """What the tick has earned the agents on average: the mean of the declared number `earned` of agents.

    Source: rewards shared as in pursuit (Gupta et al. 2017).
    """
    count = len(next_state.agents)
    return sum(float(next_state.agents[i].earned) for i in range(count)) / count
