"""Two rooms with a locked door between them, and the key on the agent's side."""

from __future__ import annotations

from typing import Any

from gridarium.rules.calling import RandomNumbers, rng_or_default
from gridarium.rules.design import draw_line_vertical, draw_wall_boundary
from gridarium.rules.reset_functions.placing import check_shape, place_agents, put
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.reset_functions.target import check_colors, show_target
from gridarium.world.colors import Color
from gridarium.world.geometry import Area, Position, area
from gridarium.world.objects import Ball, Door, Exit, GridObject, Key, Wall
from gridarium.world.state import State


@reset_function_registry.register
def keydoor(state: State, *, rng: RandomNumbers = None) -> None:
    """A wall with a locked yellow door; agents and the yellow key are left of it, the exit in the lower right corner.

    The agent never starts on the key's cell.

    Source: gym-gridverse (Baisero and Katt 2021), after MiniGrid's DoorKey.

    Args:
        state: at least 4 x 5.
        rng: random numbers.
    """
    check_shape(state, 4, 5)
    chance = rng_or_default(state, rng)
    door = draw_two_rooms(state, chance.integers(2, state.grid.width - 2), chance)
    lock(state, door, (Color.YELLOW,), chance)
    state.grid[state.grid.height - 2, state.grid.width - 2] = Exit()
    place_agents(state, 0, left_room(state, door.x), chance)


@reset_function_registry.register
def unlock(state: State, *, colors: tuple[Color, ...], rng: RandomNumbers = None) -> None:
    """Two rooms of equal size, a locked door of a random color between them; key and agents are in the left one.

    Source: MiniGrid (Chevalier-Boisvert et al. 2023), Unlock.

    Args:
        state: at least 4 x 5.
        colors: the colors to draw from (their order matters for reproducibility).
        rng: random numbers.
    """
    check_shape(state, 4, 5)
    check_colors(colors, 1)
    chance = rng_or_default(state, rng)
    door = draw_two_rooms(state, state.grid.width // 2, chance)
    lock(state, door, colors, chance)
    place_agents(state, 0, left_room(state, door.x), chance)


@reset_function_registry.register
def unlock_pickup(
    state: State,
    *,
    colors: tuple[Color, ...],
    object_type: type[GridObject] = Ball,
    rng: RandomNumbers = None,
) -> None:
    """As `unlock`, with an object to fetch in the right room; a copy of it is shown in the upper left corner.

    The object is a ball where MiniGrid has a box that one can carry; see `target`.

    Source: MiniGrid (Chevalier-Boisvert et al. 2023), UnlockPickup.

    Args:
        state: at least 4 x 5.
        colors: the colors to draw from (their order matters for reproducibility).
        object_type: the kind of the object, one that has a color and can be held.
        rng: random numbers.
    """
    check_shape(state, 4, 5)
    check_colors(colors, 1)
    chance = rng_or_default(state, rng)
    door = draw_two_rooms(state, state.grid.width // 2, chance)
    lock(state, door, colors, chance)
    put_target(state, object_type(colors[chance.integers(len(colors))]), chance)
    place_agents(state, 0, left_room(state, door.x), chance)


@reset_function_registry.register
def blocked_unlock_pickup(
    state: State,
    *,
    colors: tuple[Color, ...],
    object_type: type[GridObject] = Ball,
    rng: RandomNumbers = None,
) -> None:
    """As `unlock_pickup`, with a ball of another color in front of the door.

    Source: MiniGrid (Chevalier-Boisvert et al. 2023), BlockedUnlockPickup.

    Args:
        state: at least 4 x 7, so that agents can get around the ball.
        colors: two or more to draw from (their order matters for reproducibility).
        object_type: the kind of the object to fetch, one that has a color and can be held.
        rng: random numbers.
    """
    check_shape(state, 4, 7)
    check_colors(colors, 2)
    chance = rng_or_default(state, rng)
    door = draw_two_rooms(state, state.grid.width // 2, chance)
    picked = chance.choice(len(colors), size=2, replace=False)
    state.grid[door.y, door.x - 1] = Ball(colors[picked[1]])
    lock(state, door, colors, chance)
    put_target(state, object_type(colors[picked[0]]), chance)
    place_agents(state, 0, left_room(state, door.x), chance)


def draw_two_rooms(state: State, wall: int, rng: Any) -> Position:
    """Draw walls around the grid and along a column; return a position in that column for the door."""
    draw_wall_boundary(state.grid)
    draw_line_vertical(state.grid, range(1, state.grid.height - 1), wall, Wall)
    return Position(rng.integers(1, state.grid.height - 1), wall)


def lock(state: State, door: Position, colors: tuple[Color, ...], rng: Any) -> None:
    """Put a locked door of a random color, and its key to the left."""
    color = colors[rng.integers(len(colors))]
    state.grid[door] = Door(Door.Status.LOCKED, color)
    put(state, Key(color), left_room(state, door.x), rng)


def put_target(state: State, thing: Any, rng: Any) -> None:
    """Put an object in the right one of two equal rooms, and its copy in the corner."""
    middle = state.grid.width // 2
    right_room = area(1, state.grid.height - 2, middle + 1, state.grid.width - 2)
    put(state, thing, right_room, rng)
    show_target(state, thing)


def left_room(state: State, wall: int) -> Area:
    """The cells left of a wall."""
    return area(1, state.grid.height - 2, 1, wall - 1)
