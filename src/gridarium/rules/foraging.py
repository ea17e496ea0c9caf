"""Rules for level-based foraging: agents load food together if their levels add up to that of the food.

Agents hold a basket of their level. A world declares the agents' field `earned`, and `food_left` and `food_spawned`, sums of
levels.

Source: level-based foraging (Albrecht and Ramamoorthy 2013), as in lb-foraging 2 (Papoudakis et al. 2021).
"""

from __future__ import annotations

from gridarium.rules.calling import RandomNumbers, UnusedRng, rng_or_default
from gridarium.rules.reset_functions.placing import check_shape, draw_free
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.results import ActionResultCode
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.actions import Action, get_next_position
from gridarium.world.foraging import Basket, Food
from gridarium.world.geometry import Position
from gridarium.world.objects import Floor
from gridarium.world.state import State

LOAD = Action.declare("LOAD", "Load adjacent food, together with all others that do.")


@reset_function_registry.register
def foraging(
    state: State,
    *,
    num_food: int,
    max_agent_level: int = 2,
    cooperation: bool = False,
    rng: RandomNumbers = None,
) -> None:
    """Agents of random levels anywhere, and food apart from each other and from the edge.

    Levels of agents are drawn from 1 to `max_agent_level`, those of food from 1 to the sum of the three highest levels of
    agents. There is less food than `num_food` where no cell is left for it.

    Args:
        state: at least 3 x 3.
        num_food: how much food there is.
        max_agent_level: the highest level that an agent can have.
        cooperation: all food has the highest level, so that up to three agents are needed for it.
        rng: random numbers.
    """
    check_shape(state, 3, 3)
    chance = rng_or_default(state, rng)
    for i in range(len(state.agents)):
        agent = state.agents[i]
        agent.position = draw_free(state, state.grid.area, i, chance)
        agent.grid_object = Basket(chance.integers(max_agent_level))
    most = _three_highest_levels(state)
    for _ in range(num_food):
        places = sum(_has_room_for_food(state, p) for p in state.grid.positions())
        if places == 0:
            break
        left = chance.integers(places)
        level = most if cooperation else 1 + chance.integers(most)
        for p in state.grid.positions():
            if _has_room_for_food(state, p):
                if left == 0:
                    state.grid[p] = Food(level - 1)
                    break
                left -= 1
        state.food_left += level
    state.food_spawned = state.food_left


@transition_function_registry.register(scope="world")
def forage(state: State, action: Action, *, penalty: float = 0.0, rng: UnusedRng = None) -> None:
    """All agents move at once, then LOAD loads adjacent food.

    Two that would be in the same cell both stay. Agents that load the same food at the same time get a share of its
    level that is proportional to theirs, divided by the level of all food of the episode; if their levels do not suffice,
    each loses `penalty`.
    """
    _move_at_once(state)
    for i in range(len(state.agents)):
        state.agents[i].earned = 0.0
    for i in range(len(state.agents)):
        if _loads(state, i):
            _load(state, i, penalty)


@terminating_function_registry.register
def no_food_left(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> bool:
    """All food has been loaded."""
    return bool(next_state.food_left == 0)


def _three_highest_levels(state: State) -> int:
    """The sum of the three highest levels of agents, or of all if there are fewer."""
    total = 0
    for i in range(len(state.agents)):
        higher = 0
        for j in range(len(state.agents)):
            if _level(state, j) > _level(state, i) or (_level(state, j) == _level(state, i) and j < i):
                higher += 1
        if higher < 3:
            total += _level(state, i)
    return total


def _level(state: State, i: int) -> int:
    return int(state.agents[i].grid_object.state_index) + 1


def _has_room_for_food(state: State, p: Position) -> bool:
    """Whether food may lie in a cell: neither at the edge, nor near other food, nor where an agent is."""
    if not (0 < p.y < state.grid.height - 1 and 0 < p.x < state.grid.width - 1):
        return False
    if any(state.agents[i].position == p for i in range(len(state.agents))):
        return False
    if any(_is_food(state, Position(p.y + dy, p.x + dx)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)):
        return False
    return not any(
        _is_food(state, Position(p.y + d, p.x)) or _is_food(state, Position(p.y, p.x + d)) for d in (-2, 2)
    )


def _is_food(state: State, p: Position) -> bool:
    return bool(state.grid.contains(p) and isinstance(state.grid[p], Food))


def _move_at_once(state: State) -> None:
    """Results are written first, then those that succeed move: so all look at the same positions."""
    count = len(state.agents)
    for i in range(count):
        there = _aim(state, i)
        if not state.grid.contains(there):
            state.agents[i].result = ActionResultCode.OUTSIDE
        elif state.grid[there].blocks_movement:
            state.agents[i].result = ActionResultCode.BLOCKED
    for i in range(count):
        for j in range(i):
            if _destination(state, i) == _destination(state, j):
                _conflict(state, i)
                _conflict(state, j)
    for i in range(count):
        if state.agents[i].result == ActionResultCode.SUCCESS:
            state.agents[i].position = _aim(state, i)


def _aim(state: State, i: int) -> Position:
    """The cell that the agent's action leads to."""
    agent = state.agents[i]
    there: Position = get_next_position(agent.position, agent.orientation, agent.action)
    return there


def _destination(state: State, i: int) -> Position:
    """The cell in which the agent would be without the others."""
    result = state.agents[i].result
    if result in (ActionResultCode.OUTSIDE, ActionResultCode.BLOCKED):
        return state.agents[i].position
    return _aim(state, i)


def _conflict(state: State, i: int) -> None:
    if state.agents[i].result == ActionResultCode.SUCCESS:
        state.agents[i].result = ActionResultCode.CONFLICT


def _loads(state: State, i: int) -> bool:
    return state.agents[i].action == LOAD


def _load(state: State, i: int, penalty: float) -> None:
    """Let all agents that load the food next to agent `i` do so, if it is the first of them."""
    p = _adjacent_food(state, state.agents[i].position)
    if not _is_food(state, p):
        state.agents[i].result = ActionResultCode.NOTHING_THERE
        return
    if any(_loads_at(state, j, p) for j in range(i)):
        return
    levels = sum(_level(state, j) for j in range(i, len(state.agents)) if _loads_at(state, j, p))
    level = state.grid[p].state_index + 1
    for j in range(i, len(state.agents)):
        if _loads_at(state, j, p):
            if levels < level:
                state.agents[j].earned -= penalty
                state.agents[j].result = ActionResultCode.FAILED
            else:
                state.agents[j].earned = _level(state, j) * level / (levels * state.food_spawned)
    if levels >= level:
        state.grid[p] = Floor()
        state.food_left -= level


def _loads_at(state: State, i: int, p: Position) -> bool:
    return _loads(state, i) and Position.manhattan_distance(state.agents[i].position, p) == 1


def _adjacent_food(state: State, here: Position) -> Position:
    """A neighbouring cell with food, or the cell itself if there is none."""
    for dy, dx in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        p = Position(here.y + dy, here.x + dx)
        if _is_food(state, p):
            return p
    return here
