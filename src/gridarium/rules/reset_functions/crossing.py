"""Worlds with rivers that can be crossed at one cell each."""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.vectors import new_integers
from gridarium.rules.calling import RandomNumbers, rng_or_default
from gridarium.rules.design import draw_line_horizontal, draw_line_vertical, draw_wall_boundary
from gridarium.rules.reset_functions.placing import check_shape, place_agents, start_agent
from gridarium.rules.reset_functions.protocol import reset_function_registry
from gridarium.world.geometry import Orientation, Position
from gridarium.world.objects import Exit, Floor, GridObject, Lava
from gridarium.world.state import State


@reset_function_registry.register
def crossing(
    state: State, *, num_rivers: int, object_type: type[GridObject], rng: RandomNumbers = None
) -> None:
    """Rivers across the whole space, on even rows and columns, with openings along one path from agent to exit.

    The agent starts in the upper left corner facing right; the exit is in the lower right one.

    Source: gym-gridverse (Baisero and Katt 2021), after MiniGrid's LavaCrossing and SimpleCrossing.

    Args:
        state: odd height and width, at least 5 x 5.
        num_rivers: at least 1; capped at the number that fits.
        object_type: the kind of the rivers' cells, such as Wall or Lava.
        rng: random numbers.
    """
    height, width = state.grid.height, state.grid.width
    check_shape(state, 5, 5)
    rows, columns = (height - 3) // 2, (width - 3) // 2
    if height % 2 == 0 or width % 2 == 0:
        raise ValueError(f"crossing needs an odd height and width, not {height} x {width}")
    if num_rivers < 1:
        raise ValueError(f"there must be at least 1 river, not {num_rivers}")
    chance = rng_or_default(state, rng)
    draw_wall_boundary(state.grid)
    in_rows, in_columns = new_integers(state.scratch, height), new_integers(state.scratch, width)
    for river in chance.choice(rows + columns, size=min(num_rivers, rows + columns), replace=False):
        if river < rows:
            in_rows[2 + 2 * river] = 1
            draw_line_horizontal(state.grid, 2 + 2 * river, range(1, width - 1), object_type)
        else:
            in_columns[2 + 2 * (river - rows)] = 1
            draw_line_vertical(state.grid, range(1, height - 1), 2 + 2 * (river - rows), object_type)
    open_path(state, in_rows, in_columns, chance)
    state.grid[height - 2, width - 2] = Exit()
    start_agent(state, Position(1, 1), Orientation.RIGHT)
    place_agents(state, 1, state.grid.area, chance)


@reset_function_registry.register
def lava_gap(state: State, *, object_type: type[GridObject] = Lava, rng: RandomNumbers = None) -> None:
    """A column of lava with one gap between the agent, upper left, and the exit, lower right.

    Source: MiniGrid (Chevalier-Boisvert et al. 2023), LavaGap.

    Args:
        state: at least 4 x 5.
        object_type: the kind of the column's cells.
        rng: random numbers.
    """
    check_shape(state, 4, 5)
    height, width = state.grid.height, state.grid.width
    chance = rng_or_default(state, rng)
    draw_wall_boundary(state.grid)
    column = chance.integers(2, width - 2)
    draw_line_vertical(state.grid, range(1, height - 1), column, object_type)
    state.grid[chance.integers(1, height - 1), column] = Floor()
    state.grid[height - 2, width - 2] = Exit()
    start_agent(state, Position(1, 1), Orientation.RIGHT)
    place_agents(state, 1, state.grid.area, chance)


def open_path(state: State, in_rows: Any, in_columns: Any, rng: Any) -> None:
    """Open one cell of each river along a random path right and down through the regions between them.

    Args:
        state: with rivers drawn.
        in_rows: int64[height], 1 where a row is a river.
        in_columns: int64[width], 1 where a column is a river.
        rng: random numbers.
    """
    top, left = 0, 0
    downward, rightward = count_ones(in_rows), count_ones(in_columns)
    while downward + rightward > 0:
        bottom, right = next_river(in_rows, top), next_river(in_columns, left)
        if rng.integers(downward + rightward) < downward:
            state.grid[bottom, rng.integers(left + 1, right)] = Floor()
            top = bottom
            downward -= 1
        else:
            state.grid[rng.integers(top + 1, bottom), right] = Floor()
            left = right
            rightward -= 1


def count_ones(flags: Any) -> int:
    """The number of flags that are 1."""
    count = 0
    for i in range(len(flags)):
        count += flags[i]
    return count


def next_river(flags: Any, start: int) -> int:
    """The next flagged line after `start`, or the last line."""
    line = start + 1
    while line < len(flags) - 1 and flags[line] == 0:
        line += 1
    return line
