"""Tron: players drive on and on, leave trails behind, and are out when they run into one or into the edge.

All players move at once, so seats do not matter. A world declares its field `players_left` and the agents' fields `length`, the cells
of a player's trail, and `killer`, 0 as long as it drives, then 1 + the number of the player into whose trail it has run (its own
at the edge).

Source: ColosseumRL (Shmakov et al. 2019), where players move one after another within a step.
"""

from __future__ import annotations

from gridarium.rules.calling import RandomNumbers, UnusedRng, rng_or_default
from gridarium.rules.outcome_functions import outcome_function_registry
from gridarium.rules.reset_functions.placing import check_shape
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.results import ActionResultCode
from gridarium.rules.reward_functions import reward_function_registry
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.actions import Action
from gridarium.world.arcade_games import Trail
from gridarium.world.geometry import Orientation, Position
from gridarium.world.objects import Floor
from gridarium.world.state import State

MOST_PLAYERS = 8


@reset_function_registry.register
def tron_ring(
    state: State, *, ring_offset: int = 1, spawn_offset: int = 2, spread: int = 0, rng: RandomNumbers = None
) -> None:
    """Players at equal distances on a ring along the edge, heading inward.

    The ring begins in its upper left corner and goes round clockwise. Each player has an arc of it, and begins
    `spawn_offset` cells after the middle of its arc, so that two or four do not head for each other.

    Args:
        state: with 2 to 8 agents.
        ring_offset: the number of cells between the ring and the edge.
        spawn_offset: the number of cells after the middle of the arc.
        spread: up to so many cells further, drawn for each player.
        rng: random numbers.

    Raises:
        ValueError: the grid is too small, or there are too few or too many agents.
    """
    least = 2 * ring_offset + 3
    check_shape(state, least, least)
    count = len(state.agents)
    if not 2 <= count <= MOST_PLAYERS:
        raise ValueError(f"Tron is for 2 to {MOST_PLAYERS} players, not {count}")
    down, across = state.grid.height - 2 * ring_offset - 1, state.grid.width - 2 * ring_offset - 1
    around = 2 * (down + across)
    for agent in state.agents:
        first, end = agent.number * around // count, (agent.number + 1) * around // count
        place = (first + end) // 2 + spawn_offset
        if spread > 0:
            place += rng_or_default(state, rng).integers(spread + 1)
        _start(state, agent.number, max(first, min(place, end - 1)), ring_offset)


def _start(state: State, number: int, place: int, ring_offset: int) -> None:
    """Put a player on a place of the ring, counted clockwise."""
    agent, k = state.agents[number], place
    down, across = state.grid.height - 2 * ring_offset - 1, state.grid.width - 2 * ring_offset - 1
    if k < across:
        p, heading = Position(0, k), Orientation.BACKWARD
    elif k < across + down:
        p, heading = Position(k - across, across), Orientation.LEFT
    elif k < 2 * across + down:
        p, heading = Position(down, 2 * across + down - k), Orientation.FORWARD
    else:
        p, heading = Position(2 * (across + down) - k, 0), Orientation.RIGHT
    agent.position = Position(p.y + ring_offset, p.x + ring_offset)
    agent.orientation = heading
    agent.length = 1
    state.grid[agent.position] = Trail(number)
    state.players_left += 1


@transition_function_registry.register(scope="world")
def tron_drive(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """All players turn, or do not, and move a cell ahead at once; any other action is driving straight on.

    A player is out that would be outside, in a cell with a trail (another player's head included), or in the same cell as
    another one. Trails stay.
    """
    for agent in state.agents:
        if agent.active:
            _turn(state, agent.number)
    for agent in state.agents:
        if agent.active:
            agent.killer = _killer(state, agent.number)
    for agent in state.agents:
        if agent.active and agent.killer == 0:
            _move(state, agent.number)
    _leave(state)


@transition_function_registry.register(scope="world")
def tron_drive_in_order(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """As in ColosseumRL in 2020: players turn and move one after another, by their numbers.

    Who would enter the cell of another player's head is out, and so is that player, also if it would have moved on; of a
    player that was out before, only `killer` changes. So seats matter.
    """
    for agent in state.agents:
        if agent.killer == 0:
            _turn(state, agent.number)
            there = agent.front()
            if not state.grid.contains(there):
                agent.killer = agent.number + 1
            elif isinstance(state.grid[there], Trail):
                owner = int(state.grid[there].state_index)
                agent.killer = owner + 1
                if state.agents[owner].position == there:
                    state.agents[owner].killer = agent.number + 1
            else:
                _move(state, agent.number)
    _leave(state)


def _turn(state: State, number: int) -> None:
    agent = state.agents[number]
    if agent.action == Action.TURN_LEFT:
        agent.orientation = agent.orientation * Orientation.LEFT
    elif agent.action == Action.TURN_RIGHT:
        agent.orientation = agent.orientation * Orientation.RIGHT


def _move(state: State, number: int) -> None:
    agent = state.agents[number]
    agent.position = agent.front()
    agent.length += 1
    state.grid[agent.position] = Trail(number)


def _leave(state: State) -> None:
    """Who has a `killer` is out."""
    for agent in state.agents:
        if agent.active and agent.killer != 0:
            agent.active = False
            state.players_left -= 1
            agent.result = ActionResultCode.BLOCKED


def _killer(state: State, number: int) -> int:
    """1 + the number of the player because of whom this one is out; 0 if it is not."""
    there = state.agents[number].front()
    if not state.grid.contains(there):
        return number + 1
    cell = state.grid[there]
    if isinstance(cell, Trail):
        return int(cell.state_index) + 1
    for other in state.agents:
        if other.active and other.number != number and other.front() == there:
            return int(other.number) + 1
    return 0


@transition_function_registry.register(scope="world")
def tron_remove_trails(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """The trails of players that are out are removed; to be listed after `tron_drive`."""
    for p in state.grid.positions():
        cell = state.grid[p]
        if isinstance(cell, Trail) and not state.agents[int(cell.state_index)].active:
            state.grid[p] = Floor()


@reward_function_registry.register
def tron_reward(
    state: State,
    action: Action,
    next_state: State,
    *,
    reward_alive: float = 1.0,
    reward_out: float = -1.0,
    reward_win: float = 10.0,
    rng: UnusedRng = None,
) -> float:
    """`reward_alive` in each tick, `reward_win` instead for the only one left, and once `reward_out` for who is out."""
    if not next_state.agent.active:
        return float(reward_out)
    return float(reward_win if next_state.players_left == 1 else reward_alive)


@terminating_function_registry.register
def tron_over(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> bool:
    """One player is left, or none."""
    return bool(next_state.players_left <= 1)


@outcome_function_registry.register
def tron_rank(state: State) -> float:
    """Of the other players, the share with a shorter trail minus the share with a longer one: who is out later does better."""
    lead = 0
    for other in state.agents:
        if other.length < state.agent.length:
            lead += 1
        elif other.length > state.agent.length:
            lead -= 1
    return lead / (len(state.agents) - 1)
