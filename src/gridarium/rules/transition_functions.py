"""Transition rules: `(state, action, *, <parameters>, rng)` edits the state of a world in place, once a tick.

Rules of scope "agent" run once for each acting agent, `state.agent`; those of scope "world" once a tick. They store the
result of the attempt in `state.agent.result` (see `gridarium.rules.results`). Walls on edges, other agents and the
border of the world are respected. Rules with another source say so.

Source: gym-gridverse (Baisero and Katt 2021).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from gridarium.rules.calling import RandomNumbers, UnusedRng, call_rule, rng_or_default
from gridarium.rules.registry import FunctionRegistry
from gridarium.rules.results import ActionResultCode
from gridarium.world.actions import Action, get_next_position
from gridarium.world.geometry import Orientation, Position, from_quarter_turns
from gridarium.world.objects import Box, Door, Floor, Key, MovingObstacle, NoneGridObject, Telepod
from gridarium.world.state import State

TransitionFunction: TypeAlias = Callable[..., None]
transition_function_registry = FunctionRegistry("transition", ("state", "action"))
factory = transition_function_registry.factory


@transition_function_registry.register
def move_agent(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """Moves take the agent one cell further unless that cell is blocked.

    The heading does not change, not even in compass moves.
    """
    if not (action.is_move() or action.is_compass()):
        return
    here = state.agent.position
    there = get_next_position(here, state.agent.orientation, action)
    if state.can_step(here, there):
        state.agent.position = there
        state.agent.result = ActionResultCode.SUCCESS
    elif not state.grid.contains(there):
        state.agent.result = ActionResultCode.OUTSIDE
    elif state.occupied(there):
        state.agent.result = ActionResultCode.OCCUPIED
    else:
        state.agent.result = ActionResultCode.BLOCKED


@transition_function_registry.register
def turn_agent(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """TURN_LEFT and TURN_RIGHT rotate the agent by a quarter turn."""
    to_right = Orientation.R if action == Action.TURN_RIGHT else Orientation.F
    turn = Orientation.L if action == Action.TURN_LEFT else to_right
    state.agent.orientation = state.agent.orientation * turn


@transition_function_registry.register
def pickndrop(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """PICK_N_DROP exchanges the held object for the one in front: it picks up, drops, or swaps."""
    if action != Action.PICK_N_DROP or not _reaches_front(state):
        return
    front = state.agent.front()
    there, held = state.grid[front], state.agent.grid_object
    empty_handed = isinstance(held, NoneGridObject)
    if not (isinstance(there, Floor) or there.holdable):
        state.agent.result = ActionResultCode.NOT_HOLDABLE if empty_handed else ActionResultCode.NO_ROOM
    elif empty_handed and isinstance(there, Floor):
        state.agent.result = ActionResultCode.NOTHING_THERE
    elif not empty_handed and state.occupied(front):
        state.agent.result = ActionResultCode.OCCUPIED
    else:
        state.grid[front] = Floor() if empty_handed else held
        state.agent.grid_object = there if there.holdable else NoneGridObject()
        state.agent.result = ActionResultCode.SUCCESS


@transition_function_registry.register
def actuate_door(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """ACTUATE opens a door in front; a locked one only with a key of its color in hand, which is not consumed."""
    if action != Action.ACTUATE or not _finds_something(state):
        return
    front = state.agent.front()
    door = state.grid[front]
    if isinstance(door, Door) and not door.is_open:
        _open(state, front)


@transition_function_registry.register
def toggle_door(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """As `actuate_door`, and ACTUATE also closes an open door without an agent in it.

    Source: MiniGrid (Chevalier-Boisvert et al. 2023), Door.toggle.
    """
    if action != Action.ACTUATE or not _finds_something(state):
        return
    front = state.agent.front()
    door = state.grid[front]
    if isinstance(door, Door) and not door.is_open:
        _open(state, front)
    elif isinstance(door, Door) and state.occupied(front):
        state.agent.result = ActionResultCode.OCCUPIED
    elif isinstance(door, Door):
        state.grid[front] = Door(Door.Status.CLOSED, door.color)
        state.agent.result = ActionResultCode.SUCCESS


@transition_function_registry.register
def actuate_box(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """ACTUATE replaces a box in front by its content."""
    if action != Action.ACTUATE or not _finds_something(state):
        return
    front = state.agent.front()
    box = state.grid[front]
    if isinstance(box, Box):
        state.grid[front] = box.content
        state.agent.result = ActionResultCode.SUCCESS


@transition_function_registry.register
def teleport(state: State, action: Action, *, rng: RandomNumbers = None) -> None:
    """An agent on a telepod is sent to an unoccupied one of the same color, if there is one.

    This happens after any action, so a turn on a telepod teleports as well.
    """
    here = state.agent.position
    pod = state.grid[here]
    if not isinstance(pod, Telepod):
        return
    partners = sum(_is_partner(state, p) for p in state.grid.positions())
    if partners == 0:
        return
    left = rng_or_default(state, rng).integers(partners)
    for p in state.grid.positions():
        if _is_partner(state, p):
            if left == 0:
                state.agent.position = p
                return
            left -= 1


@transition_function_registry.register(scope="world")
def move_obstacles(state: State, action: Action, *, rng: RandomNumbers = None) -> None:
    """Each moving obstacle steps to a random neighbouring floor cell, even one with an agent.

    They move one after another, row by row; one without a free neighbour stays.
    """
    waiting = state.grid.mask(False)
    for p in state.grid.positions():
        waiting[p.y, p.x] = isinstance(state.grid[p], MovingObstacle)
    chance = rng_or_default(state, rng)
    for p in state.grid.positions():
        if not waiting[p.y, p.x]:
            continue
        ways = sum(_is_way(state, p, turns) for turns in range(4))
        if ways == 0:
            continue
        left = chance.integers(ways)
        for turns in range(4):
            if _is_way(state, p, turns):
                if left == 0:
                    state.grid.swap(p, _neighbour(p, turns))
                    break
                left -= 1


@transition_function_registry.register(scope="inner")
def chain(
    state: State,
    action: Action,
    *,
    transition_functions: tuple[TransitionFunction, ...],
    rng: RandomNumbers = None,
) -> None:
    """Apply several rules in sequence."""
    chance = rng_or_default(state, rng)
    for function in transition_functions:
        call_rule(function, (state, action), chance)


@transition_function_registry.register(scope="inner")
def with_probability(
    state: State,
    action: Action,
    *,
    transition_function: TransitionFunction,
    probability: float,
    rng: RandomNumbers = None,
) -> None:
    """Apply another rule with a given probability.

    Source: gym-gridverse (Baisero and Katt 2021), the example `random_transition`.
    """
    chance = rng_or_default(state, rng)
    if chance.random() < probability:
        call_rule(transition_function, (state, action), chance)


@transition_function_registry.register
def slip(
    state: State,
    action: Action,
    *,
    transition_function: TransitionFunction,
    probability: float,
    slip_type: Literal["longitudinal", "perpendicular"] = "longitudinal",
    rng: RandomNumbers = None,
) -> None:
    """Apply another rule, with moves that slip with a given probability.

    Slipping is "longitudinal": the agent stays or moves twice, with equal probability; or "perpendicular": it moves to
    either side instead, with equal probability. Other actions than moves do not slip.

    Source: the teaching world CustomGridEnv (GhostGrid); the perpendicular kind is that of Russell and Norvig's 4x3 world.

    `gridarium.rules.outcomes.slip_outcomes` lists the possible results of a move.

    Raises:
        ValueError: an unknown slip type, or a probability outside [0, 1].
    """
    check_slip(probability, slip_type)
    chance = rng_or_default(state, rng)
    taken, times = action, 1
    if probability > 0 and (action.is_move() or action.is_compass()):
        u = chance.random()
        if slip_type == "perpendicular":
            if u < probability:
                taken = sideways(action, chance.integers(2))
        elif u < probability:
            times = 0 if u < probability / 2 else 2
    for _ in range(times):
        call_rule(transition_function, (state, taken), chance)
    if times == 0:
        state.agent.result = ActionResultCode.SLIPPED


def check_slip(probability: float, slip_type: str) -> None:
    """Check the slip type and the probability.

    Raises:
        ValueError: an unknown slip type, or a probability outside [0, 1].
    """
    if slip_type not in ("longitudinal", "perpendicular"):
        raise ValueError(f"slip_type must be longitudinal or perpendicular, not {slip_type!r}")
    if not 0.0 <= probability <= 1.0:
        raise ValueError(f"the probability to slip is between 0 and 1, not {probability}")


def sideways(action: Action, side: int) -> Action:
    """Draw one of the two moves at right angles to a move."""
    if action.is_compass():
        return Action(8 + (action.value + 1) % 2 + 2 * side)
    return Action(2 + side if action.value < 2 else side)


def transition_with_copy(
    transition_function: TransitionFunction, state: State, action: Action, *, rng: RandomNumbers = None
) -> State:
    """Apply a rule to a copy of a state, which draws the same random numbers, and return the copy."""
    new = state.copy()
    call_rule(transition_function, (new, action), rng)
    return new


def _reaches_front(state: State) -> bool:
    front = state.agent.front()
    if not state.grid.contains(front):
        state.agent.result = ActionResultCode.OUTSIDE
        return False
    if state.grid.has_wall(state.agent.position, front):
        state.agent.result = ActionResultCode.OUT_OF_REACH
        return False
    return True


def _finds_something(state: State) -> bool:
    if not _reaches_front(state):
        return False
    if isinstance(state.grid[state.agent.front()], Floor):
        state.agent.result = ActionResultCode.NOTHING_THERE
        return False
    return True


def _open(state: State, p: Position) -> None:
    door, held = state.grid[p], state.agent.grid_object
    if door.is_locked and not (isinstance(held, Key) and held.color == door.color):
        state.agent.result = ActionResultCode.LOCKED
        return
    state.grid[p] = Door(Door.Status.OPEN, door.color)
    state.agent.result = ActionResultCode.SUCCESS


def _is_partner(state: State, p: Position) -> bool:
    here = state.agent.position
    pod, other = state.grid[here], state.grid[p]
    return (
        p != here and isinstance(other, Telepod) and bool(other.color == pod.color) and not state.occupied(p)
    )


def _neighbour(p: Position, turns: int) -> Position:
    """The neighbour up, right, down or left, for 0 to 3 quarter turns."""
    neighbour: Position = p + Position.from_orientation(from_quarter_turns(turns))
    return neighbour


def _is_way(state: State, p: Position, turns: int) -> bool:
    q = _neighbour(p, turns)
    return state.grid.contains(q) and isinstance(state.grid[q], Floor) and not state.grid.has_wall(p, q)
