"""Snake for two to four players: snakes that move at once, eat apples and grow, and are out when they run into something.

A world declares its field `snakes_left` and the agents' fields `health`, `length`, `growth` (parts that still lie on the last one),
`tail_y` and `tail_x`, and `out`.

Source: Battlesnake's standard rules and map (github.com/BattlesnakeOfficial/rules).
"""

from __future__ import annotations

from gridarium.rules.calling import RandomNumbers, UnusedRng, rng_or_default
from gridarium.rules.reset_functions.placing import check_shape, draw_free
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.results import ActionResultCode
from gridarium.rules.reward_functions import reward_function_registry
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.actions import Action, move_orientation
from gridarium.world.arcade_games import Apple, SnakeBody
from gridarium.world.geometry import Position, heading
from gridarium.world.objects import Floor
from gridarium.world.state import State

MOST_PLAYERS, FULL_HEALTH, FIRST_LENGTH = 4, 100, 3
DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


@reset_function_registry.register
def snakes(state: State, *, rng: RandomNumbers = None) -> None:
    """Snakes one cell from the edge, all in corners or all in the middles of sides, an apple near each, and one in the middle.

    Raises:
        ValueError: the board is too small, or there are too few or too many agents.
    """
    check_shape(state, 7, 7)
    count = len(state.agents)
    if not 2 <= count <= MOST_PLAYERS:
        raise ValueError(f"snake is for 2 to {MOST_PLAYERS} players, not {count}")
    chance = rng_or_default(state, rng)
    corners = chance.integers(2) == 0
    seats = chance.permutation(MOST_PLAYERS)
    for agent in state.agents:
        agent.position = _start(state, seats[agent.number], corners)
        agent.health, agent.length, agent.growth = FULL_HEALTH, FIRST_LENGTH, FIRST_LENGTH - 1
        agent.tail_y, agent.tail_x = agent.position.y, agent.position.x
        state.grid[agent.position] = SnakeBody(4 * agent.number)
    state.snakes_left = count
    for agent in state.agents:
        _put_apple_near(state, agent.position, chance.random())
    middle = _middle(state)
    if isinstance(state.grid[middle], Floor):
        state.grid[middle] = Apple()


def _middle(state: State) -> Position:
    return Position((state.grid.height - 1) // 2, (state.grid.width - 1) // 2)


def _start(state: State, seat: int, corners: bool) -> Position:
    """One of four corners, or of the middles of four sides, one cell from the edge."""
    bottom, right, middle = state.grid.height - 2, state.grid.width - 2, _middle(state)
    if corners:
        return Position(1 if seat < 2 else bottom, 1 if seat % 2 == 0 else right)
    if seat < 2:
        return Position(1 if seat == 0 else bottom, middle.x)
    return Position(middle.y, 1 if seat == 2 else right)


def _put_apple_near(state: State, head: Position, luck: float) -> None:
    """Lay an apple diagonally beside a snake, farther from the middle than it, but in no corner."""
    places = sum(_is_for_apple(state, head, Position(head.y + dy, head.x + dx)) for dy, dx in DIAGONALS)
    left = int(luck * places)
    for dy, dx in DIAGONALS:
        p = Position(head.y + dy, head.x + dx)
        if _is_for_apple(state, head, p):
            if left == 0:
                state.grid[p] = Apple()
            left -= 1


def _is_for_apple(state: State, head: Position, p: Position) -> bool:
    middle = _middle(state)
    if not isinstance(state.grid[p], Floor) or p == middle:
        return False
    if p.y in (0, state.grid.height - 1) and p.x in (0, state.grid.width - 1):
        return False
    down = p.y < head.y < middle.y or p.y > head.y > middle.y
    across = p.x < head.x < middle.x or p.x > head.x > middle.x
    return down or across


@transition_function_registry.register(scope="world")
def snakes_move(
    state: State,
    action: Action,
    *,
    minimum_food: int = 1,
    food_chance: float = 0.15,
    rng: RandomNumbers = None,
) -> None:
    """All snakes move by compass at once, eat, and may be out; then an apple may appear.

    A snake loses 1 of its 100 points of health in each tick, and has all again after an apple; then it grows by a part. Out is
    who has no health left, leaves the board, meets a part of a snake, or the head of one that is not shorter. The cells of
    those that are out become free.

    Args:
        state: the state.
        action: not used; each agent's own counts.
        minimum_food: as many apples there are at least.
        food_chance: the probability of a further one, if there are enough.
        rng: random numbers.
    """
    for agent in state.agents:
        if agent.active:
            _crawl(state, agent.number)
    for agent in state.agents:
        if agent.active and agent.out:
            _remove(state, agent.number)
    for agent in state.agents:
        if agent.active:
            agent.out = _has_collided(state, agent.number)
    for agent in state.agents:
        if agent.active and agent.out:
            if isinstance(state.grid[agent.position], Apple):
                state.grid[agent.position] = Floor()
            _remove(state, agent.number)
    for agent in state.agents:
        if agent.active:
            state.grid[agent.position] = SnakeBody(4 * agent.number + agent.orientation.value)
    chance = rng_or_default(state, rng)
    luck = chance.random()
    apples, free = 0, 0
    for p in state.grid.positions():
        apples += isinstance(state.grid[p], Apple)
        free += isinstance(state.grid[p], Floor)
    wanted = max(minimum_food - apples, 1 if apples >= minimum_food and luck < food_chance else 0)
    for _ in range(min(wanted, free)):
        state.grid[draw_free(state, state.grid.area, 0, chance)] = Apple()


def _crawl(state: State, number: int) -> None:
    """Move a snake by a cell; it is out if it starves or leaves the board."""
    agent = state.agents[number]
    if agent.action.is_compass():
        agent.orientation = move_orientation(agent.action)
    state.grid[agent.position] = SnakeBody(4 * number + agent.orientation.value)
    if agent.growth > 0:
        agent.growth -= 1
    else:
        tail = Position(agent.tail_y, agent.tail_x)
        following = tail + Position.from_orientation(heading(state.grid[tail].state_index % 4))
        agent.tail_y, agent.tail_x = following.y, following.x
        state.grid[tail] = Floor()
    agent.health -= 1
    there = agent.front()
    if not state.grid.contains(there):
        agent.out = True
        agent.result = ActionResultCode.OUTSIDE
        return
    agent.position = there
    if isinstance(state.grid[there], Apple):
        agent.health = FULL_HEALTH
        agent.length += 1
        agent.growth += 1
    agent.out = agent.health <= 0


def _has_collided(state: State, number: int) -> bool:
    """Whether a snake's head is in a part of a snake, or in the cell of a head of one that is not shorter."""
    agent = state.agents[number]
    if isinstance(state.grid[agent.position], SnakeBody):
        return True
    for other in state.agents:
        meets = other.active and other.number != number and other.position == agent.position
        if meets and other.length >= agent.length:
            return True
    return False


def _remove(state: State, number: int) -> None:
    """Take a snake off the board, all but its head, which is not yet drawn."""
    agent = state.agents[number]
    p = Position(agent.tail_y, agent.tail_x)
    for _ in range(agent.length - agent.growth - 1):
        direction = heading(state.grid[p].state_index % 4)
        state.grid[p] = Floor()
        p += Position.from_orientation(direction)
    agent.active = False
    state.snakes_left -= 1


@reward_function_registry.register
def snake_reward(
    state: State,
    action: Action,
    next_state: State,
    *,
    reward_win: float = 1.0,
    reward_out: float = -1.0,
    reward_draw: float = 0.0,
    reward_food: float = 0.0,
    rng: UnusedRng = None,
) -> float:
    """`reward_out` for who is out, or `reward_draw` if all that were left are; `reward_win` for the only one left.

    `reward_food` is added for each apple.
    """
    if not next_state.agent.active:
        return float(reward_draw if next_state.snakes_left == 0 else reward_out)
    eaten = reward_food if next_state.agent.length > state.agent.length else 0.0
    return float(eaten + (reward_win if next_state.snakes_left == 1 else 0.0))


@terminating_function_registry.register
def one_snake_left(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> bool:
    """One snake is left, or none."""
    return bool(next_state.snakes_left <= 1)
