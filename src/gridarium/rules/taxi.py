"""Rules of the taxi problem: fetch a passenger at one landmark and bring them to another.

The destination is the world field `destination`, an index of the landmarks in reading order: red, green, yellow, blue.

Source: Dietterich 2000, "Hierarchical reinforcement learning with the MAXQ value function decomposition"; Taxi-v3 of
Gymnasium.
"""

from __future__ import annotations

from gridarium.rules.calling import RandomNumbers, UnusedRng, rng_or_default
from gridarium.rules.carrying import PICK_UP, PUT_DOWN
from gridarium.rules.legal_functions import legal_function_registry
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.reward_functions import reward_function_registry
from gridarium.rules.terminating_functions import terminating_function_registry
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.actions import Action
from gridarium.world.colors import Color
from gridarium.world.geometry import Orientation, Position
from gridarium.world.state import State
from gridarium.world.taxi import Landmark, Passenger

LANDMARKS = (Position(0, 0), Position(0, 4), Position(4, 0), Position(4, 3))
COLORS = (Color.RED, Color.GREEN, Color.YELLOW, Color.BLUE)
WALLS = ((0, 1), (1, 1), (3, 0), (4, 0), (3, 2), (4, 2))
"""Cells with a wall to their right."""


@reset_function_registry.register
def taxi(state: State, *, rng: RandomNumbers = None) -> None:
    """The town with its four landmarks; a passenger at one of them who wants to another, a taxi anywhere.

    Raises:
        ValueError: a world of another size than 5 x 5.
    """
    if state.grid.height != 5 or state.grid.width != 5:
        raise ValueError("the taxi's town has 5 x 5 cells")
    chance = rng_or_default(state, rng)
    for i in range(4):
        state.grid[LANDMARKS[i]] = Landmark(COLORS[i])
    for y, x in WALLS:
        state.grid.set_wall(Position(y, x), Position(y, x + 1))
    here = chance.integers(4)
    state.destination = (here + 1 + chance.integers(3)) % 4
    state.add(Passenger(COLORS[here]), LANDMARKS[here])
    state.agent.position = Position(chance.integers(5), chance.integers(5))
    state.agent.orientation = Orientation.FORWARD


@legal_function_registry.register
def can_serve(state: State, action: Action) -> bool:
    """PICK_UP is legal where the passenger waits, PUT_DOWN at a landmark with the passenger in the taxi; others always are."""
    passenger = state.things[0]
    if action == PICK_UP:
        return not passenger.is_carried and passenger.position == state.agent.position
    if action == PUT_DOWN:
        return passenger.is_carried and isinstance(state.grid[state.agent.position], Landmark)
    return True


@transition_function_registry.register
def show_where_passenger_waits(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """The passenger has the color of the landmark that they wait at, none in the taxi; to be listed after `put_down_thing`."""
    passenger = state.things[0]
    if passenger.is_carried:
        passenger.object = Passenger(Color.NONE)
    else:
        passenger.object = Passenger(state.grid[passenger.position].color)


@terminating_function_registry.register
def passenger_delivered(state: State, action: Action, next_state: State, *, rng: UnusedRng = None) -> bool:
    """The passenger has been put down at the destination."""
    passenger = next_state.things[0]
    return (
        action == PUT_DOWN
        and state.things[0].is_carried
        and not passenger.is_carried
        and passenger.position == LANDMARKS[next_state.destination]
    )


@reward_function_registry.register
def taxi_fare(
    state: State,
    action: Action,
    next_state: State,
    *,
    reward_delivered: float = 20.0,
    reward_step: float = -1.0,
    reward_wrong: float = -10.0,
    rng: UnusedRng = None,
) -> float:
    """`reward_delivered` at the destination, `reward_wrong` for a vain PICK_UP or PUT_DOWN, else `reward_step`."""
    if passenger_delivered(state, action, next_state):
        return reward_delivered
    moved = state.things[0].is_carried != next_state.things[0].is_carried
    if action in (PICK_UP, PUT_DOWN) and not moved:
        return reward_wrong
    return reward_step
