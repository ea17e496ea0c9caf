"""Searches for objects and shortest paths. Loops over all cells are plain; compiled, they run eight cells at a time."""

from __future__ import annotations

import math

from gridarium.compiled.data_types.vectors import new_integers
from gridarium.world.cell import decode
from gridarium.world.geometry import Position, from_quarter_turns
from gridarium.world.grid import Grid, flat_cells
from gridarium.world.objects import GridObject
from gridarium.world.state import State

__for_rules__ = True


def count_objects(grid: Grid, object_type: type[GridObject]) -> int:
    """The number of cells that hold an object of a type."""
    words = flat_cells(grid).array
    count = 0
    for i in range(words.shape[0]):
        if isinstance(decode(words[i], grid.vocabulary), object_type):
            count += 1
    return count


def only_position(grid: Grid, object_type: type[GridObject]) -> Position:
    """The position of the only object of a type.

    Raises:
        ValueError: there is none, or there are several.
    """
    words = flat_cells(grid).array
    count, place = 0, 0
    for i in range(words.shape[0]):
        if isinstance(decode(words[i], grid.vocabulary), object_type):
            count += 1
            place += i
    if count != 1:
        raise ValueError(f"there are {count} objects of type {object_type.__name__} in the grid, not one")
    return Position(place // grid.width, place % grid.width)


def path_length(state: State, start: Position, end: Position) -> float:
    """The length of a shortest path from one cell to another, in steps; infinity if there is none.

    The path leads through cells that do not block movement and not through walls on edges. The start may block, and
    agents are ignored.
    """
    grid = state.grid
    used = state.scratch[0]
    reached = grid.mask(False)
    queue = new_integers(state.scratch, grid.height * grid.width)
    reached[start.y, start.x] = True
    queue[0] = start.y * grid.width + start.x
    first, last, steps, length = 0, 1, 0, math.inf
    while first < last and length == math.inf:
        next_first = last
        for i in range(first, next_first):
            p = Position(queue[i] // grid.width, queue[i] % grid.width)
            if p == end:
                length = float(steps)
            for turns in range(4):
                q = p + Position.from_orientation(from_quarter_turns(turns))
                if _is_step(grid, p, q) and not reached[q.y, q.x]:
                    reached[q.y, q.x] = True
                    queue[last] = q.y * grid.width + q.x
                    last += 1
        first = next_first
        steps += 1
    state.scratch[0] = used
    return length


def _is_step(grid: Grid, p: Position, q: Position) -> bool:
    return grid.contains(q) and not grid[q].blocks_movement and not grid.has_wall(p, q)
