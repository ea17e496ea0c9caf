"""Signs: things that nobody can reach, that show the target of an episode (see `gridarium.rules.reset_functions.target`).

A thing of some color in a corner of the grid, behind walls, is drawn on a plate on the wall, or it would look as if it had
been misplaced. In what an agent sees, the grid ends where nothing is seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gridarium.world.geometry import Position
from gridarium.world.grid import Grid
from gridarium.world.objects import BLOCKS_MOVEMENT, HOLDABLE, GridObject, Hidden

HIDDEN = Hidden.number
OPEN, WALLED, BEYOND = 0, 1, 2


def sign_wall(cells: Any, y: int, x: int) -> int:
    """The number of the wall that a sign at a place is on; 0 where there is none.

    Args:
        cells: uint32[height, width], the numbers of a grid's cells.
        y: the row of the place.
        x: its column.
    """
    if (int(cells[y, x]) >> 16) & 255 == 0:
        return 0
    above, below = _side(cells, y - 1, x), _side(cells, y + 1, x)
    left, right = _side(cells, y, x - 1), _side(cells, y, x + 1)
    if above + below != WALLED + BEYOND or left + right != WALLED + BEYOND:
        return 0
    return int(cells[y - 1 if above == WALLED else y + 1, x])


def has_signs(cells: Any) -> bool:
    """Whether there is a sign."""
    for y in range(cells.shape[0]):
        for x in range(cells.shape[1]):
            if sign_wall(cells, y, x) != 0:
                return True
    return False


def signs(grid: Grid) -> Iterator[tuple[Position, GridObject]]:
    """The places of signs, and the wall that each of them is on."""
    for p in grid.positions():
        wall = sign_wall(grid.cells, p.y, p.x)
        if wall:
            yield p, grid.vocabulary.decode(wall)


def _side(cells: Any, y: int, x: int) -> int:
    """Classifies one side of a position: free, a wall or a door, or beyond what is seen."""
    if y < 0 or x < 0 or y >= cells.shape[0] or x >= cells.shape[1]:
        return BEYOND
    word = int(cells[y, x])
    if word & 255 == HIDDEN:
        return BEYOND
    return WALLED if word & (BLOCKS_MOVEMENT | HOLDABLE) == BLOCKS_MOVEMENT else OPEN
