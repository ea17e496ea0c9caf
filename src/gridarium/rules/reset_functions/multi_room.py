"""A chain of rooms joined by closed doors."""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.vectors import new_integers
from gridarium.rules.calling import RandomNumbers, rng_or_default
from gridarium.rules.design import draw_area
from gridarium.rules.reset_functions.placing import check_shape, place_agents, put
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.reset_functions.target import check_colors
from gridarium.world.colors import Color
from gridarium.world.geometry import Area, Position, area, from_quarter_turns
from gridarium.world.objects import Door, Exit, Floor, Wall
from gridarium.world.state import State

SMALLEST = 4
"""The least height and width of a room, walls included."""
TRIES_PER_ROOM, TRIES = 8, 2000


@reset_function_registry.register
def multi_room(
    state: State,
    *,
    num_rooms: int,
    colors: tuple[Color, ...],
    max_room_size: int = 10,
    rng: RandomNumbers = None,
) -> None:
    """A winding chain of rooms: agents in the first, the exit in the last, closed doors of random colors between.

    Rooms are put side by side at random, eight attempts for each; a chain that cannot be continued is discarded for a
    new one. Neighbouring doors differ in color if there are several.

    Source: MiniGrid (Chevalier-Boisvert et al. 2023), MultiRoom.

    Args:
        state: at least 4 x 4.
        num_rooms: at least 1.
        colors: the colors to draw from (their order matters for reproducibility).
        max_room_size: the greatest height and width of a room, walls included; at least 4.
        rng: random numbers.

    Raises:
        ValueError: a parameter is too small, or no chain was found in 2000 attempts: the grid is too small.
    """
    check_shape(state, SMALLEST, SMALLEST)
    check_colors(colors, 1)
    if num_rooms < 1 or max_room_size < SMALLEST:
        raise ValueError(
            f"there must be at least 1 room of size {SMALLEST}, not {num_rooms} of up to {max_room_size}"
        )
    chance = rng_or_default(state, rng)
    chain = new_integers(state.scratch, 6 * num_rooms)
    find_chain(state, chain, num_rooms, max_room_size, chance)
    draw_area(state.grid, state.grid.area, Wall, fill=True)
    last_color = len(colors)
    for k in range(num_rooms):
        draw_area(state.grid, inside(chain, k), Floor, fill=True)
        if k > 0:
            others = len(colors) - 1 if last_color < len(colors) and len(colors) > 1 else len(colors)
            color = chance.integers(others)
            if others < len(colors) and color >= last_color:
                color += 1
            state.grid[door_of(chain, k)] = Door(Door.Status.CLOSED, colors[color])
            last_color = color
    put(state, Exit(), inside(chain, num_rooms - 1), chance)
    place_agents(state, 0, inside(chain, 0), chance)


def find_chain(state: State, chain: Any, num_rooms: int, max_room_size: int, rng: Any) -> None:
    """Fill `chain`, int64[6 * num_rooms], with each room's top, left, bottom, right, and the position of its door."""
    for _ in range(TRIES):
        if grow_chain(state, chain, num_rooms, max_room_size, rng):
            return
    raise ValueError(
        f"could not place {num_rooms} rooms of {SMALLEST} to {max_room_size} cells "
        f"into {state.grid.height} x {state.grid.width}"
    )


def grow_chain(state: State, chain: Any, num_rooms: int, max_room_size: int, rng: Any) -> bool:
    """Place rooms one after another, the first anywhere; return whether all of them fit."""
    height, width = draw_size(max_room_size, rng), draw_size(max_room_size, rng)
    if height > state.grid.height or width > state.grid.width:
        return False
    top = rng.integers(state.grid.height - height + 1)
    left = rng.integers(state.grid.width - width + 1)
    set_room(chain, 0, area(top, top + height - 1, left, left + width - 1), Position(top, left))
    for k in range(1, num_rooms):
        found = False
        for _ in range(TRIES_PER_ROOM):
            found = found or add_room(state, chain, k, max_room_size, rng)
        if not found:
            return False
    return True


def add_room(state: State, chain: Any, k: int, max_room_size: int, rng: Any) -> bool:
    """Try to place room `k` behind a door in a random wall of the previous one; return whether it fits."""
    before = room(chain, k - 1)
    turns = rng.integers(4)
    door = draw_door(before, turns, rng)
    height, width = draw_size(max_room_size, rng), draw_size(max_room_size, rng)
    top = door.y - rng.integers(1, height - 1)
    left = door.x - rng.integers(1, width - 1)
    if turns == 0:
        top = door.y - height + 1
    elif turns == 1:
        left = door.x
    elif turns == 2:
        top = door.y
    else:
        left = door.x - width + 1
    new = area(top, top + height - 1, left, left + width - 1)
    if new.ymin < 0 or new.xmin < 0 or new.ymax >= state.grid.height or new.xmax >= state.grid.width:
        return False
    if any(overlap(new, room(chain, i)) for i in range(k - 1)):
        return False
    set_room(chain, k, new, door)
    return True


def draw_door(walls: Area, turns: int, rng: Any) -> Position:
    """Draw a position, not a corner, in the upper, right, lower or left wall of a room, for 0 to 3 quarter turns."""
    step = Position.from_orientation(from_quarter_turns(turns))
    y = rng.integers(walls.ymin + 1, walls.ymax)
    x = rng.integers(walls.xmin + 1, walls.xmax)
    if step.y != 0:
        y = walls.ymin if step.y < 0 else walls.ymax
    else:
        x = walls.xmin if step.x < 0 else walls.xmax
    return Position(y, x)


def draw_size(max_room_size: int, rng: Any) -> int:
    """Draw a room's height or width, walls included."""
    size: int = rng.integers(SMALLEST, max_room_size + 1)
    return size


def overlap(first: Area, second: Area) -> bool:
    """Whether two areas share a cell."""
    apart = first.ymax < second.ymin or second.ymax < first.ymin
    return not (apart or first.xmax < second.xmin or second.xmax < first.xmin)


def set_room(chain: Any, k: int, walls: Area, door: Position) -> None:
    """Store room `k` of a chain and the door that leads into it."""
    chain[6 * k], chain[6 * k + 1] = walls.ymin, walls.xmin
    chain[6 * k + 2], chain[6 * k + 3] = walls.ymax, walls.xmax
    chain[6 * k + 4], chain[6 * k + 5] = door.y, door.x


def room(chain: Any, k: int) -> Area:
    """Room `k` of a chain with its walls."""
    return area(chain[6 * k], chain[6 * k + 2], chain[6 * k + 1], chain[6 * k + 3])


def inside(chain: Any, k: int) -> Area:
    """Room `k` of a chain without its walls."""
    return area(chain[6 * k] + 1, chain[6 * k + 2] - 1, chain[6 * k + 1] + 1, chain[6 * k + 3] - 1)


def door_of(chain: Any, k: int) -> Position:
    """The door that leads into room `k`."""
    return Position(chain[6 * k + 4], chain[6 * k + 5])
