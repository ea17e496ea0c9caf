"""Memory tasks: beacons show the color of the correct exit."""

from __future__ import annotations

from gridarium.rules.calling import RandomNumbers, rng_or_default
from gridarium.rules.design import draw_area, draw_line_horizontal, draw_line_vertical
from gridarium.rules.reset_functions.placing import check_shape, place_agents, put, start_agent
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.rules.reset_functions.rooms import draw_rooms
from gridarium.world.colors import Color
from gridarium.world.geometry import Orientation, Position
from gridarium.world.objects import Beacon, Exit, Floor, Wall
from gridarium.world.state import State


@reset_function_registry.register
def memory(state: State, *, colors: tuple[Color, ...], rng: RandomNumbers = None) -> None:
    """A corridor with two exits at its upper end and two beacons in the color of the correct exit at the lower.

    The agent starts in the middle, facing the exits.

    Source: gym-gridverse (Baisero and Katt 2021), after MiniGrid's Memory.

    Args:
        state: at least 5 x 5, of odd width.
        colors: two or more to draw from (their order matters for reproducibility); not NONE.
        rng: random numbers.
    """
    check_shape(state, 5, 5)
    height, width = state.grid.height, state.grid.width
    if width % 2 == 0:
        raise ValueError(f"memory needs an odd width, not {width}")
    check_memory_colors(colors, 2)
    chance = rng_or_default(state, rng)
    draw_area(state.grid, state.grid.area, Wall, fill=True)
    draw_line_horizontal(state.grid, 1, range(2, width - 2), Floor)
    draw_line_horizontal(state.grid, height - 2, range(2, width - 2), Floor)
    draw_line_vertical(state.grid, range(2, height - 2), width // 2, Floor)
    picked = chance.choice(len(colors), size=2, replace=False)
    good_side = 1 if chance.integers(2) == 0 else width - 2
    state.grid[1, good_side] = Exit(colors[picked[0]])
    state.grid[1, width - 1 - good_side] = Exit(colors[picked[1]])
    state.grid[height - 2, 1] = Beacon(colors[picked[0]])
    state.grid[height - 2, width - 2] = Beacon(colors[picked[0]])
    start_agent(state, Position(height // 2, width // 2), Orientation.FORWARD)
    place_agents(state, 1, state.grid.area, chance)


@reset_function_registry.register
def memory_rooms(
    state: State,
    *,
    layout: tuple[int, int],
    colors: tuple[Color, ...],
    num_beacons: int,
    num_exits: int,
    rng: RandomNumbers = None,
) -> None:
    """As `rooms`, with exits of different colors, and beacons in the color of the correct one.

    Source: gym-gridverse (Baisero and Katt 2021).

    Args:
        state: large enough for each room to have a cell.
        layout: the number of rows and of columns of rooms.
        colors: `num_exits` or more to draw from (their order matters for reproducibility); not NONE.
        num_beacons: at least 1.
        num_exits: at least 2.
        rng: random numbers.
    """
    if num_beacons < 1 or num_exits < 2:
        raise ValueError(f"there must be at least 1 beacon and 2 exits, not {num_beacons} and {num_exits}")
    check_memory_colors(colors, num_exits)
    chance = rng_or_default(state, rng)
    draw_rooms(state, layout, chance)
    picked = chance.choice(len(colors), size=num_exits, replace=False)
    for i in range(num_exits):
        put(state, Exit(colors[picked[i]]), state.grid.area, chance)
    for _ in range(num_beacons):
        put(state, Beacon(colors[picked[0]]), state.grid.area, chance)
    place_agents(state, 0, state.grid.area, chance)


def check_memory_colors(colors: tuple[Color, ...], least: int) -> None:
    """Check that there are enough colors and that NONE is not among them.

    Raises:
        ValueError: there are too few, or NONE is among them.
    """
    if any(color == Color.NONE for color in colors):
        raise ValueError(f"NONE cannot be among the colors to be remembered; leave it out of {colors}")
    if len(colors) < least:
        raise ValueError(f"at least {least} colors are needed, got {colors}")
