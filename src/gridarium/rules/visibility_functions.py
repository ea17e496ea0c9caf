"""Visibility rules: `(grid, position, *, <parameters>, rng)` returns a mask of the visible cells, bool[h, w].

The grid is the surroundings of an agent, rotated so that it faces up; the position is the agent's in that grid. Only
objects occlude; walls on edges do not.

Source: gym-gridverse (Baisero and Katt 2021).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from gridarium.compiled.data_types.vectors import new_integers
from gridarium.rules.calling import RandomNumbers, UnusedRng
from gridarium.rules.field_of_view.raytracing import cells_towards
from gridarium.rules.registry import FunctionRegistry
from gridarium.world.geometry import Position
from gridarium.world.grid import Grid

VisibilityFunction: TypeAlias = Callable[..., Any]
visibility_function_registry = FunctionRegistry("visibility", ("grid", "position"))
factory = visibility_function_registry.factory


@visibility_function_registry.register
def fully_transparent(grid: Grid, position: Position, *, rng: UnusedRng = None) -> Any:
    """All cells."""
    return grid.mask(True)


@visibility_function_registry.register
def partially_occluded(grid: Grid, position: Position, *, rng: UnusedRng = None) -> Any:
    """Cells that sight reaches by spreading from cell to cell; objects that block it are themselves visible.

    In each of the four quarters around the position, sight spreads away from it: sideways, ahead, and between the
    two. So it bends around corners, as in MiniGrid (Chevalier-Boisvert et al. 2023). gym-gridverse supports only
    positions in the last row, with two quarters; there the result is the same.

    Raises:
        ValueError: the position is not in the grid.
    """
    _check_inside(grid, position)
    mask = grid.mask(False)
    for side in (-1, 1):
        for ahead in (-1, 1):
            _spread(grid, position, mask, ahead, side)
    return mask


def _spread(grid: Grid, position: Position, mask: Any, ahead: int, side: int) -> None:
    rows = position.y + 1 if ahead < 0 else grid.height - position.y
    columns = position.x + 1 if side < 0 else grid.width - position.x
    for i in range(rows):
        for j in range(columns):
            y, x = position.y + i * ahead, position.x + j * side
            mask[y, x] = (
                (i == 0 and j == 0)
                or (j > 0 and _passes(grid, mask, y, x - side))
                or (i > 0 and _passes(grid, mask, y - ahead, x))
                or (i > 0 and j > 0 and _passes(grid, mask, y - ahead, x - side))
            )


def _passes(grid: Grid, mask: Any, y: int, x: int) -> bool:
    return mask[y, x] and not grid[y, x].blocks_vision


@visibility_function_registry.register
def raytracing(
    grid: Grid,
    position: Position,
    *,
    absolute_counts: bool = True,
    threshold: float = 1,
    rng: UnusedRng = None,
) -> Any:
    """Cells reached by enough rays. A ray goes through each corner of each cell, and ends at objects that block vision.

    Args:
        grid: the surroundings of the viewer.
        position: the viewer's position.
        absolute_counts: whether `threshold` is a number of rays, or a fraction of those that would arrive without
            obstacles.
        threshold: the minimal number (or fraction) of rays for a cell to be visible.
        rng: not used.

    Raises:
        ValueError: the position is not in the grid.
    """
    lit, total = count_rays(grid, position)
    mask = grid.mask(False)
    for p in grid.positions():
        i = p.y * grid.width + p.x
        if absolute_counts:
            mask[p.y, p.x] = lit[i] >= threshold
        elif total[i] > 0:
            mask[p.y, p.x] = lit[i] / total[i] >= threshold
    return mask


@visibility_function_registry.register
def stochastic_raytracing(grid: Grid, position: Position, *, rng: RandomNumbers = None) -> Any:
    """As `raytracing`; a cell is visible with a probability equal to the fraction of rays that reach it.

    Raises:
        ValueError: the position is not in the grid, or `rng` is None.
    """
    if rng is None:
        raise ValueError("stochastic_raytracing needs rng: a grid has no random numbers of its own")
    lit, total = count_rays(grid, position)
    mask = grid.mask(False)
    for p in grid.positions():
        i = p.y * grid.width + p.x
        share = lit[i] / total[i] if total[i] > 0 else 0.0
        mask[p.y, p.x] = rng.random() <= share
    return mask


def count_rays(grid: Grid, position: Position) -> tuple[Any, Any]:
    """The number of rays that reach each cell, and that would without obstacles (both int64[h * w], row by row).

    Raises:
        ValueError: the position is not in the grid.
    """
    _check_inside(grid, position)
    lit = new_integers(grid.scratch, grid.height * grid.width)
    total = new_integers(grid.scratch, grid.height * grid.width)
    for y in range(grid.height + 1):
        for x in range(grid.width + 1):
            light = 1
            for p in cells_towards(position, grid.area, 2 * (y - position.y) - 1, 2 * (x - position.x) - 1):
                i = p.y * grid.width + p.x
                lit[i] += light
                total[i] += 1
                if grid[p].blocks_vision:
                    light = 0
    return lit, total


def _check_inside(grid: Grid, position: Position) -> None:
    if not grid.contains(position):
        raise ValueError(f"{position} is not in the grid of {grid.height} x {grid.width} that is looked at")
