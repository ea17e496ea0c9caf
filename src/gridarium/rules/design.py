"""Draws walls, rooms and areas into a grid, for reset rules (gym-gridverse's helpers, Baisero and Katt 2021).

A `factory` is a kind such as `Wall`, or another callable without arguments; rows and columns are iterables of integers.
Everything is drawn in place and nothing is returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from gridarium.world.cell import make
from gridarium.world.geometry import Area, Position
from gridarium.world.grid import Grid
from gridarium.world.objects import Wall

__for_rules__ = True

GridObjectFactory: TypeAlias = Callable[[], Any]


def draw_wall_boundary(grid: Grid) -> None:
    """Draw walls around the grid."""
    draw_room(grid, grid.area, Wall)


def draw_room(grid: Grid, area: Area, factory: GridObjectFactory) -> None:
    """Draw the border of an area."""
    draw_area(grid, area, factory, fill=False)


def draw_room_grid(grid: Grid, ys: Sequence[int], xs: Sequence[int], factory: GridObjectFactory) -> None:
    """Draw a lattice of lines along the rows `ys` and the columns `xs`, both in increasing order."""
    for y in ys:
        draw_line_horizontal(grid, y, range(xs[0], xs[-1] + 1), factory)
    for x in xs:
        draw_line_vertical(grid, range(ys[0], ys[-1] + 1), x, factory)


def draw_area(grid: Grid, area: Area, factory: GridObjectFactory, *, fill: bool) -> None:
    """Draw all cells of an area, or only its border."""
    for p in area.positions("all" if fill else "border"):
        grid[p] = make(factory)


def draw_line_horizontal(grid: Grid, y: int, xs: Iterable[int], factory: GridObjectFactory) -> None:
    """Draw cells of one row."""
    for x in xs:
        grid[Position(y, x)] = make(factory)


def draw_line_vertical(grid: Grid, ys: Iterable[int], x: int, factory: GridObjectFactory) -> None:
    """Draw cells of one column."""
    for y in ys:
        grid[Position(y, x)] = make(factory)


def draw_cartesian_product(
    grid: Grid, ys: Iterable[int], xs: Sequence[int], factory: GridObjectFactory
) -> None:
    """Draw the cells in one of the rows `ys` and one of the columns `xs`."""
    for y in ys:
        draw_line_horizontal(grid, y, xs, factory)
