"""The actions of live worlds: eight moves, opening and closing doors, grabbing, dropping and removing things.

Each action has a function `check_...` that says what would come of it (a result code, 0 for success, without changing
anything), which legal and transition rules share; the classes of `gridarium.live.actions` ask the same functions. A world
that uses these rules declares the agent field `traversable` (whether others can be in the agent's cell) and the thing field
`grab_order`.

Source: the actions of MATRX 2.3.3.
"""

from __future__ import annotations

import math
from typing import Any

from gridarium.rules.calling import UnusedRng
from gridarium.rules.legal_functions import legal_function_registry
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.results import ActionResultCode
from gridarium.rules.transition_functions import transition_function_registry
from gridarium.world.actions import Action
from gridarium.world.geometry import Position
from gridarium.world.live_objects import AreaTile, DropOffTile, Smoke
from gridarium.world.objects import Door, Floor
from gridarium.world.state import State
from gridarium.world.things import Thing, is_blocked_by_thing

__for_rules__ = True

MOVE_NORTH = Action.declare("MoveNorth", "One cell up.")
MOVE_NORTH_EAST = Action.declare("MoveNorthEast", "One cell up and to the right.")
MOVE_EAST = Action.declare("MoveEast", "One cell to the right.")
MOVE_SOUTH_EAST = Action.declare("MoveSouthEast", "One cell down and to the right.")
MOVE_SOUTH = Action.declare("MoveSouth", "One cell down.")
MOVE_SOUTH_WEST = Action.declare("MoveSouthWest", "One cell down and to the left.")
MOVE_WEST = Action.declare("MoveWest", "One cell to the left.")
MOVE_NORTH_WEST = Action.declare("MoveNorthWest", "One cell up and to the left.")
OPEN_DOOR = Action.declare("OpenDoorAction", "Open a door, a thing.")
CLOSE_DOOR = Action.declare("CloseDoorAction", "Close a door, a thing.")
GRAB = Action.declare("GrabObject", "Grab a movable thing.")
DROP = Action.declare("DropObject", "Drop a carried thing in the nearest free cell.")
REMOVE = Action.declare("RemoveObject", "Remove a thing from the world.")

MOVES = (
    MOVE_NORTH, MOVE_NORTH_EAST, MOVE_EAST, MOVE_SOUTH_EAST, MOVE_SOUTH, MOVE_SOUTH_WEST, MOVE_WEST, MOVE_NORTH_WEST
)  # fmt: skip
ON_THINGS = (OPEN_DOOR, CLOSE_DOOR, GRAB, DROP, REMOVE)
"""The actions whose argument is a thing."""
SUCCESS = int(ActionResultCode.SUCCESS)
MOST_CARRIED = 1 << 30
"""The number of things that an agent may carry, where nothing else is said."""


def direction_of(action: Action) -> Position:
    """The step of a move, as rows and columns; (0, 0) for other actions."""
    if action == MOVE_NORTH:
        return Position(-1, 0)
    if action == MOVE_NORTH_EAST:
        return Position(-1, 1)
    if action == MOVE_EAST:
        return Position(0, 1)
    if action == MOVE_SOUTH_EAST:
        return Position(1, 1)
    if action == MOVE_SOUTH:
        return Position(1, 0)
    if action == MOVE_SOUTH_WEST:
        return Position(1, -1)
    if action == MOVE_WEST:
        return Position(0, -1)
    if action == MOVE_NORTH_WEST:
        return Position(-1, -1)
    return Position(0, 0)


def check_move(state: State, there: Position) -> int:
    """What comes of the agent in focus moving to a cell: OUTSIDE, BLOCKED by an object, OCCUPIED by an agent, or SUCCESS."""
    if not state.grid.contains(there):
        return ActionResultCode.OUTSIDE
    if state.grid[there].blocks_movement or is_blocked_by_thing(
        state.data, state.agent_rows, there, state.vocabulary
    ):
        return ActionResultCode.BLOCKED
    if meets_agent(state, there):
        return ActionResultCode.OCCUPIED
    return ActionResultCode.SUCCESS


def meets_agent(state: State, p: Position) -> bool:
    """Whether another agent that is not traversable is in a cell."""
    if not state.occupied(p):
        return False
    for other in state.agents:
        blocks = other.number != state.agent.number and other.active and not other.traversable
        if blocks and other.position == p:
            return True
    return False


def in_range(state: State, thing: Thing, distance: float) -> bool:
    """Whether a thing that nobody carries is within a Euclidean distance of the agent in focus; nothing is below 0."""
    dy, dx = thing.position.y - state.agent.position.y, thing.position.x - state.agent.position.x
    reach = float(distance)
    near = reach >= 0 and dy * dy + dx * dx <= reach * reach
    return near and thing.exists and not thing.is_carried


def check_door(state: State, number: int, opens: bool, door_range: float) -> int:
    """What comes of opening or closing a thing.

    Returns:
        NOTHING_THERE: no door is in range; NOT_A_DOOR: there is no such thing; OUT_OF_REACH: it is no door in range;
        ALREADY_DONE: it is open, or closed; OCCUPIED: something else is in the door; SUCCESS.
    """
    near = False
    for thing in state.things:
        if isinstance(thing.object, Door) and in_range(state, thing, door_range):
            near = True
    if not near:
        return ActionResultCode.NOTHING_THERE
    if number < 0 or not state.things[number].exists:
        return ActionResultCode.NOT_A_DOOR
    door = state.things[number]
    if not isinstance(door.object, Door) or not in_range(state, door, door_range):
        return ActionResultCode.OUT_OF_REACH
    if opens == (door.status == Door.Status.OPEN):
        return ActionResultCode.ALREADY_DONE
    if not opens and is_occupied(state, door):
        return ActionResultCode.OCCUPIED
    return ActionResultCode.SUCCESS


def is_occupied(state: State, door: Thing) -> bool:
    """Whether an agent or another thing is in the cell of a door."""
    for agent in state.agents:
        if agent.active and agent.position == door.position:
            return True
    for thing in state.things_at(door.position):
        if thing.number != door.number:
            return True
    return False


def set_door(state: State, number: int, opens: bool) -> None:
    """Open or close a door."""
    door = state.things[number]
    if opens:
        door.object = Door(Door.Status.OPEN, door.color)
    else:
        door.object = Door(Door.Status.CLOSED, door.color)


def check_grab(state: State, number: int, grab_range: float, max_objects: int) -> int:
    """What comes of grabbing a thing.

    Returns:
        NO_ROOM: the agent carries as much as it may; OUT_OF_REACH: there is no such thing in range; CARRIED: somebody carries
        it; NOT_HOLDABLE: it is not movable; SUCCESS.
    """
    carried = len(state.carried_by(state.agent))
    if carried >= max_objects or carried >= state.vocabulary.most_carried:
        return ActionResultCode.NO_ROOM
    if number < 0 or not state.things[number].exists:
        return ActionResultCode.OUT_OF_REACH
    thing = state.things[number]
    if thing.is_carried:
        return ActionResultCode.CARRIED
    if not in_range(state, thing, grab_range):
        return ActionResultCode.OUT_OF_REACH
    if not thing.holdable:
        return ActionResultCode.NOT_HOLDABLE
    return ActionResultCode.SUCCESS


def grab(state: State, number: int) -> None:
    """Let the agent in focus carry a thing."""
    latest = 0
    for thing in state.carried_by(state.agent):
        latest = max(latest, thing.grab_order)
    state.things[number].grab_order = latest + 1
    state.things[number].carrier = state.agent


def last_grabbed(state: State) -> int:
    """The number of the thing that the agent in focus grabbed last; -1 if it carries none."""
    latest, found = 0, -1
    for thing in state.carried_by(state.agent):
        if thing.grab_order > latest:
            latest, found = thing.grab_order, thing.number
    return found


def drop_place(state: State, number: int, drop_range: float) -> Position:
    """The cell in which a thing that the agent in focus drops comes to lie; (-1, -1) if there is none within the range.

    Of the free cells, the one nearest to the agent in steps to the east, west, south and north, tried in this order.
    """
    here = state.agent.position
    if can_lie(state, number, here):
        return here
    limit = float(drop_range)
    reach = int(min(limit, 2.0 * (state.grid.height + state.grid.width)))
    for steps in range(1, 2 * reach + 1):
        for k in range(4 * steps):
            p = ring_position(here, steps, k)
            dy, dx = p.y - here.y, p.x - here.x
            near = dy * dy + dx * dx <= limit * limit and state.grid.contains(p)
            if near and can_lie(state, number, p):
                return p
    return Position(-1, -1)


def ring_position(center: Position, steps: int, k: int) -> Position:
    """The k-th of the cells that are so many steps away: first east and west, south, north, then those between."""
    side, along = k % 4, k // 4
    if side == 0:
        return Position(center.y + along, center.x + steps - along)
    if side == 1:
        return Position(center.y - along, center.x - steps + along)
    if side == 2:
        return Position(center.y + steps - along, center.x - along)
    return Position(center.y - steps + along, center.x + along)


def is_underfoot(thing: Thing) -> bool:
    """Whether a thing can be walked over and stays where it is."""
    return not (thing.blocks_movement or thing.holdable or isinstance(thing.object, Door))


def can_lie(state: State, number: int, p: Position) -> bool:
    """Whether a dropped thing can lie in a cell: on floor, and if it or what is there blocks the way, with nothing else.

    What can be walked over and stays where it is, such as the target of a collection, is in nobody's way.
    """
    cell = state.grid[p]
    if cell.blocks_movement:
        return False
    blocks = state.things[number].blocks_movement
    for thing in state.things_at(p):
        if thing.blocks_movement or (blocks and not is_underfoot(thing)):
            return False
    if blocks and not isinstance(cell, Floor | AreaTile | DropOffTile | Smoke):
        return False
    for agent in state.agents:
        if agent.active and agent.position == p:
            if agent.number == state.agent.number:
                if blocks and not agent.traversable:
                    return False
            elif blocks or not agent.traversable:
                return False
    return True


def check_drop(state: State, number: int, drop_range: float) -> int:
    """What comes of dropping a thing: NOTHING_THERE, it is not carried; NO_ROOM, no cell in range is free; SUCCESS."""
    if number < 0 or not state.things[number].carried_by(state.agent):
        return ActionResultCode.NOTHING_THERE
    if drop_place(state, number, drop_range).y < 0:
        return ActionResultCode.NO_ROOM
    return ActionResultCode.SUCCESS


def drop(state: State, number: int, drop_range: float) -> None:
    """Lay a carried thing down."""
    place = drop_place(state, number, drop_range)
    state.things[number].grab_order = 0
    state.things[number].position = place


def check_remove(state: State, number: int, remove_range: float) -> int:
    """What comes of removing a thing: OUT_OF_REACH, there is no such thing in range; SUCCESS."""
    if (
        number < 0
        or not state.things[number].exists
        or not in_range(state, state.things[number], remove_range)
    ):
        return ActionResultCode.OUT_OF_REACH
    return ActionResultCode.SUCCESS


@reset_function_registry.register
def nothing_at_first(state: State, *, rng: UnusedRng = None) -> None:
    """An empty floor, with all agents in the corner: for worlds whose states are made elsewhere."""


@transition_function_registry.register
def move_in_eight_directions(state: State, action: Action, *, rng: UnusedRng = None) -> None:
    """MoveNorth, MoveNorthEast and so on take the agent one cell further, unless an object or an agent is in the way.

    Diagonal moves pass between two blocked cells. Agents that are traversable may share a cell.
    """
    step = direction_of(action)
    if step.y == 0 and step.x == 0:
        return
    there = state.agent.position + step
    state.agent.result = check_move(state, there)
    if state.agent.result == SUCCESS:
        state.agent.position = there


@transition_function_registry.register
def use_doors(state: State, action: Any, *, door_range: float = math.inf, rng: UnusedRng = None) -> None:
    """OpenDoorAction and CloseDoorAction open and close a door within `door_range` (Euclidean)."""
    if not (action.is_a(OPEN_DOOR) or action.is_a(CLOSE_DOOR)):
        return
    opens = action.is_a(OPEN_DOOR)
    state.agent.result = check_door(state, action.thing, opens, door_range)
    if state.agent.result == SUCCESS:
        set_door(state, action.thing, opens)


@transition_function_registry.register
def grab_things(
    state: State,
    action: Any,
    *,
    grab_range: float = math.inf,
    max_objects: int = MOST_CARRIED,
    rng: UnusedRng = None,
) -> None:
    """GrabObject lets the agent carry a movable thing within `grab_range`, at most `max_objects` of them."""
    if not action.is_a(GRAB):
        return
    state.agent.result = check_grab(state, action.thing, grab_range, max_objects)
    if state.agent.result == SUCCESS:
        grab(state, action.thing)


@transition_function_registry.register
def drop_things(state: State, action: Any, *, drop_range: float = 1.0, rng: UnusedRng = None) -> None:
    """DropObject lays a carried thing down in the nearest free cell within `drop_range` of the agent."""
    if not action.is_a(DROP):
        return
    state.agent.result = check_drop(state, action.thing, drop_range)
    if state.agent.result == SUCCESS:
        drop(state, action.thing, drop_range)


@transition_function_registry.register
def remove_things(state: State, action: Any, *, remove_range: float = 1.0, rng: UnusedRng = None) -> None:
    """RemoveObject removes a thing within `remove_range` from the world."""
    if not action.is_a(REMOVE):
        return
    state.agent.result = check_remove(state, action.thing, remove_range)
    if state.agent.result == SUCCESS:
        state.remove(state.things[action.thing])


@legal_function_registry.register
def can_move_in_eight_directions(state: State, action: Action) -> bool:
    """A move of a live world is legal if it would succeed now, as is any other action: for worlds without actions on things."""
    step = direction_of(action)
    return (step.y == 0 and step.x == 0) or check_move(state, state.agent.position + step) == SUCCESS


@legal_function_registry.register
def can_do_live_action(
    state: State,
    action: Any,
    *,
    door_range: float = math.inf,
    grab_range: float = math.inf,
    max_objects: int = MOST_CARRIED,
    drop_range: float = 1.0,
    remove_range: float = 1.0,
) -> bool:
    """An action of a live world is legal if it would succeed now; the ranges as in the rules of the actions."""
    if not can_move_in_eight_directions(state, action):
        return False
    # what is out of reach is told apart first: it is asked for every thing, and the checks look at all things
    if action.is_a(OPEN_DOOR) or action.is_a(CLOSE_DOOR):
        door, opens = state.things[action.thing], action.is_a(OPEN_DOOR)
        near = in_range(state, door, door_range) and isinstance(door.object, Door)
        return near and check_door(state, action.thing, opens, door_range) == SUCCESS
    if action.is_a(GRAB):
        near = in_range(state, state.things[action.thing], grab_range)
        return near and check_grab(state, action.thing, grab_range, max_objects) == SUCCESS
    if action.is_a(DROP):
        return check_drop(state, action.thing, drop_range) == SUCCESS
    if action.is_a(REMOVE):
        return check_remove(state, action.thing, remove_range) == SUCCESS
    return True
