"""Egocentric crops of a grid, rotated so that the viewer faces up: all cells of an area, or those in sight.

Compiled, both work on tiles of 8 x 8 cells at once (see `gridarium.rules.compiled.crops`): they are the innermost loop
of every observation.
"""

from __future__ import annotations

import numpy as np

from gridarium.compiled.data_types.primitives import compiled_as
from gridarium.world.cell import LOWER_WALL, RIGHT_WALL, encode, make
from gridarium.world.geometry import Area, Orientation, Position
from gridarium.world.grid import Cells, Grid, blank_layers, turned_walls
from gridarium.world.objects import BLOCKS_VISION, Hidden

TILE = 8


@compiled_as("gridarium.rules.compiled.crops:crop_cells")
def crop_cells(grid: Grid, position: Position, orientation: Orientation, area: Area) -> Cells:
    """uint32[area.height, area.width]: the cells of an area that is given relative to a viewer who faces up.

    Args:
        grid: the grid.
        position: the position of the viewer.
        orientation: the direction that the viewer faces.
        area: the area to crop; cells outside the grid are `Hidden()`.
    """
    part = area.turned(orientation).shifted(position)
    cells = np.full((part.height, part.width), grid.vocabulary.encode(Hidden()), np.uint32)
    y, x = max(part.ymin, 0), max(part.xmin, 0)
    there = grid.cells[y : max(part.ymax + 1, y), x : max(part.xmax + 1, x)]
    rows = slice(y - part.ymin, y - part.ymin + there.shape[0])
    cells[rows, x - part.xmin : x - part.xmin + there.shape[1]] = there
    return Cells(np.ascontiguousarray(np.rot90(cells, orientation.quarter_turns)))


@compiled_as("gridarium.rules.compiled.crops:crop_cells_in_sight")
def crop_cells_in_sight(grid: Grid, position: Position, orientation: Orientation, area: Area) -> Cells:
    """As `crop_cells`, with `Hidden()` for cells that `partially_occluded` hides; for an area that `fits_tile`."""
    cells = crop_cells(grid, position, orientation, area).array
    mask = _sight_ahead((cells & BLOCKS_VISION != 0).tolist(), -area.xmin)
    cells[~np.array(mask)] = grid.vocabulary.encode(Hidden())
    return Cells(cells)


def _sight_ahead(opaque: list[list[bool]], x: int) -> list[list[bool]]:
    """The cells that `partially_occluded` shows to a viewer in column `x` of the last row, looking up.

    Interpreted only.

    It uses flags instead of objects, which is several times as fast: this is most of an interpreted step.
    """
    seen = [[False] * len(opaque[0]) for _ in opaque]
    for side, columns in ((-1, range(x, -1, -1)), (1, range(x, len(opaque[0])))):
        nearer = [False] * len(opaque[0])  # where sight passes in the previous row
        for row, blocked in zip(reversed(seen), reversed(opaque), strict=True):
            passes, beside = [False] * len(blocked), row is seen[-1]
            for column in columns:
                lit = nearer[column] or beside or (column != x and nearer[column - side])
                row[column] = lit
                passes[column] = beside = lit and not blocked[column]
            nearer = passes
    return seen


def fits_tile(area: Area) -> bool:
    """Whether an area is at most 8 x 8 and the agent is in its last row."""
    ahead = area.ymax == 0 and area.height <= TILE
    return ahead and area.xmin <= 0 <= area.xmax and area.width <= TILE


def crop(grid: Grid, position: Position, orientation: Orientation, area: Area) -> Grid:
    """A new grid with the cells, contents, walls and cell fields of an area, rotated so that the viewer faces up."""
    return with_layers(crop_cells(grid, position, orientation, area), grid, position, orientation, area)


def with_layers(cells: Cells, grid: Grid, position: Position, orientation: Orientation, area: Area) -> Grid:
    """Cropped cells as a grid, with their contents, walls and cell fields."""
    layers = blank_layers(grid.scratch, grid.layers.shape[0], area.height, area.width).array
    if grid.vocabulary.layers > 0:
        turns = orientation.quarter_turns
        for y in range(area.height):
            for x in range(area.width):
                p = Position(area.ymin + y, area.xmin + x).posed(position, orientation)
                if grid.contains(p):
                    for k in range(grid.layers.shape[0]):
                        layers[k, y, x] = turned_walls(grid, k, p.y, p.x, turns)
    return Grid(cells.array, layers, grid.scratch, grid.vocabulary)


def hide_layers(view: Grid) -> None:
    """Clear contents, walls and cell fields of hidden cells. A wall is visible from either side."""
    if view.vocabulary.layers == 0:
        return
    hidden = encode(make(Hidden), view.vocabulary)
    for y in range(view.cells.shape[0]):
        for x in range(view.cells.shape[1]):
            if view.cells[y, x] != hidden:
                continue
            walls = 0
            if x + 1 < view.cells.shape[1] and view.cells[y, x + 1] != hidden:
                walls |= RIGHT_WALL
            if y + 1 < view.cells.shape[0] and view.cells[y + 1, x] != hidden:
                walls |= LOWER_WALL
            for k in range(view.layers.shape[0]):
                kept = walls if k == view.vocabulary.edge_layer else 0
                view.layers[k, y, x] = int(view.layers[k, y, x]) & kept
