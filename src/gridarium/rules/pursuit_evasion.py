"""Rules for pursuit and evasion: pursuers catch evaders that move at random, by surrounding them or together in one cell.

Evaders are things. A world declares the agents' field `earned`. Any number of pursuers and evaders may be in a cell.

Source: pursuit (Gupta et al. 2017), as `pursuit_v4` of PettingZoo's SISL environments (Terry et al. 2021).
"""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.vectors import new_integers
from gridarium.rules.calling import RandomNumbers, UnusedRng, rng_or_default
from gridarium.rules.reset_functions.placing import check_shape
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.results import ActionResultCode
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.actions import Action, get_next_position
from gridarium.world.geometry import Orientation, Position
from gridarium.world.objects import Evader, Wall
from gridarium.world.state import State


@reset_function_registry.register
def pursuit_evasion(state: State, *, num_evaders: int, rng: RandomNumbers = None) -> None:
    """A block of walls in the middle; pursuers and evaders anywhere else.

    The block leaves 30 % of the columns free on its left and right, 20 % of the rows above and below. No two pursuers begin
    in the same or in adjacent cells, and no two evaders.

    Args:
        state: at least 4 x 4.
        num_evaders: the number of evaders.
        rng: random numbers.

    Raises:
        ValueError: no cell is left for a pursuer or an evader.
    """
    check_shape(state, 4, 4)
    height, width = state.grid.height, state.grid.width
    for p in state.grid.positions():
        if 0.3 < p.x / width < 1.0 - 0.3 and 0.2 < p.y / height < 1.0 - 0.2:
            state.grid[p] = Wall()
    chance = rng_or_default(state, rng)
    near_pursuers, near_evaders = (
        new_integers(state.scratch, height * width),
        new_integers(state.scratch, height * width),
    )
    for i in range(len(state.agents)):
        state.agents[i].position = _draw_apart(state, near_pursuers, chance)
    for _ in range(num_evaders):
        state.add(Evader(), _draw_apart(state, near_evaders, chance))


@transition_function_registry.register(scope="world")
def pursue(state: State, action: Action, *, tag_reward: float = 0.01, rng: UnusedRng = None) -> None:
    """Pursuers move one after another; adjacent evaders earn each of them `tag_reward`, on average over all moves of the tick.

    At an edge of the grid the evaders in the pursuer's own cell count instead of those in the missing one.
    """
    evaders = new_integers(state.scratch, state.grid.height * state.grid.width)
    for evader in state.things:
        evaders[_index(state, evader.position)] += 1
    count = len(state.agents)
    for i in range(count):
        agent = state.agents[i]
        tags = i * _count_adjacent(state, agent.position, evaders)
        there = get_next_position(agent.position, agent.orientation, agent.action)
        if not state.grid.contains(there):
            agent.result = ActionResultCode.OUTSIDE
        elif state.grid[there].blocks_movement:
            agent.result = ActionResultCode.BLOCKED
        else:
            agent.position = there
        tags += (count - i) * _count_adjacent(state, agent.position, evaders)
        agent.earned = tag_reward * tags / count


@transition_function_registry.register(scope="world")
def catch_evaders(
    state: State,
    action: Action,
    *,
    surround: bool = True,
    n_catch: int = 2,
    catch_reward: float = 5.0,
    urgency_reward: float = -0.1,
    rng: UnusedRng = None,
) -> None:
    """Evaders disappear that are caught; a pursuer that has caught some earns `catch_reward`, and all `urgency_reward`.

    With `surround`, an evader is caught if there are pursuers in all adjacent cells that are not walls, else if at least
    `n_catch` are in its own cell.
    """
    size = state.grid.height * state.grid.width
    pursuers, catching = new_integers(state.scratch, size), new_integers(state.scratch, size)
    for agent in state.agents:
        pursuers[_index(state, agent.position)] += 1
    for evader in state.things:
        here = evader.position
        if surround:
            caught = all(_is_closed(state, here, heading, pursuers) for heading in range(4))
        else:
            caught = pursuers[_index(state, here)] >= n_catch
        if caught:
            state.remove(evader)
            if surround:
                for heading in range(4):
                    there = here + Position.from_orientation(Orientation(heading))
                    if state.grid.contains(there):
                        catching[_index(state, there)] = 1
            else:
                catching[_index(state, here)] = 1
    for agent in state.agents:
        agent.earned += urgency_reward + catch_reward * catching[_index(state, agent.position)]


@transition_function_registry.register(scope="world")
def move_evaders(state: State, action: Action, *, rng: RandomNumbers = None) -> None:
    """Evaders move to a random adjacent cell, or stay; they stay also where a wall or the edge is in the way."""
    chance = rng_or_default(state, rng)
    for evader in state.things:
        heading = chance.integers(5)
        if heading < 4:
            there = evader.position + Position.from_orientation(Orientation(heading))
            if state.grid.contains(there) and not state.grid[there].blocks_movement:
                evader.position = there


@terminating_function_registry.register
def no_evaders_left(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> bool:
    """All evaders have been caught."""
    return len(next_state.things) == 0


def _index(state: State, p: Position) -> int:
    return p.y * state.grid.width + p.x


def _draw_apart(state: State, near: Any, chance: Any) -> Position:
    """A random cell that is neither a wall nor marked in `near`; it and its neighbours are then marked."""
    count = sum(_is_open(state, p, near) for p in state.grid.positions())
    if count == 0:
        raise ValueError("no cell is left that is not adjacent to the others; make the grid larger")
    left = chance.integers(count)
    for p in state.grid.positions():
        if _is_open(state, p, near):
            if left == 0:
                near[_index(state, p)] = 1
                for heading in range(4):
                    beside = p + Position.from_orientation(Orientation(heading))
                    if state.grid.contains(beside):
                        near[_index(state, beside)] = 1
                return p
            left -= 1
    raise AssertionError("unreachable")


def _is_open(state: State, p: Position, near: Any) -> bool:
    return not state.grid[p].blocks_movement and near[_index(state, p)] == 0


def _count_adjacent(state: State, p: Position, evaders: Any) -> int:
    """The number of evaders in the four adjacent cells, with the cell itself for those outside of the grid."""
    count = 0
    for heading in range(4):
        beside = p + Position.from_orientation(Orientation(heading))
        count += evaders[_index(state, beside if state.grid.contains(beside) else p)]
    return count


def _is_closed(state: State, p: Position, heading: int, pursuers: Any) -> bool:
    """Whether an evader cannot leave to a side."""
    beside = p + Position.from_orientation(Orientation(heading))
    if not state.grid.contains(beside) or state.grid[beside].blocks_movement:
        return True
    return bool(pursuers[_index(state, beside)] != 0)
