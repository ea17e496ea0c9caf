"""Finding objects in a grid: plain loops over all cells, which compiled code runs eight cells at a time."""

from __future__ import annotations

from gridarium.world.cell import decode
from gridarium.world.geometry import Position
from gridarium.world.grid import Grid, flat_cells
from gridarium.world.objects import GridObject


def count_objects(grid: Grid, object_type: type[GridObject]) -> int:
    """How many cells hold an object of a type."""
    words = flat_cells(grid).array
    count = 0
    for i in range(words.shape[0]):
        if isinstance(decode(words[i], grid.vocabulary), object_type):
            count += 1
    return count


def only_position(grid: Grid, object_type: type[GridObject]) -> Position:
    """Where the one object of a type is.

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
        raise ValueError(f"there are {count} objects of type {object_type} in the grid, not one")
    return Position(place // grid.width, place % grid.width)
