"""Rooms in rows and columns, joined by openings."""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.vectors import new_integers
from gridarium.rules.calling import RandomNumbers, rng_or_default
from gridarium.rules.design import draw_room_grid
from gridarium.rules.reset_functions.placing import place_agents, put
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.world.objects import Exit, Floor, Wall
from gridarium.world.state import State


@reset_function_registry.register
def rooms(state: State, *, layout: tuple[int, int], rng: RandomNumbers = None) -> None:
    """Rooms in rows and columns with an opening in every wall between two; exit and agent anywhere.

    Source: gym-gridverse (Baisero and Katt 2021); with four rooms, Sutton, Precup and Singh 1999.

    Args:
        state: large enough for each room to have a cell.
        layout: the number of rows and of columns of rooms.
        rng: random numbers.
    """
    chance = rng_or_default(state, rng)
    draw_rooms(state, layout, chance)
    put(state, Exit(), state.grid.area, chance)
    place_agents(state, 0, state.grid.area, chance)


def draw_rooms(state: State, layout: tuple[int, int], rng: Any) -> None:
    """Walls around rooms in rows and columns, with a random opening in every wall between two.

    Raises:
        ValueError: a row or column of rooms would have no cell.
    """
    ys = wall_lines(state, state.grid.height, layout[0])
    xs = wall_lines(state, state.grid.width, layout[1])
    draw_room_grid(state.grid, ys, xs, Wall)
    for i in range(1, layout[0]):
        for j in range(layout[1]):
            state.grid[ys[i], rng.integers(xs[j] + 1, xs[j + 1])] = Floor()
    for i in range(layout[0]):
        for j in range(1, layout[1]):
            state.grid[rng.integers(ys[i] + 1, ys[i + 1]), xs[j]] = Floor()


def wall_lines(state: State, length: int, count: int) -> Any:
    """The positions of the count + 1 walls around `count` rooms in a row: int64[count + 1]."""
    if count < 1 or 2 * count >= length:
        raise ValueError(
            f"{count} rooms do not fit into {length} cells; each needs two, plus one wall at the end"
        )
    lines = new_integers(state.scratch, count + 1)
    for i in range(count + 1):
        lines[i] = i * (length - 1) // count
    return lines
