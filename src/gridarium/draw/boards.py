"""The ground under what stands in cells: floor, or the board of a game (`board:` of a description).

A board has a few drawings of cells; which of them a cell has depends on where it is.
"""

from __future__ import annotations

from collections.abc import Callable

from gridarium.draw.shapes import RGB, Disc, Drawing, Line, Polygon, Rectangle, Ring
from gridarium.world.grid import Grid
from gridarium.world.vocabulary import BOARDS

WOOD: RGB = (222, 184, 120)
INK: RGB = (64, 48, 28)
FELT: RGB = (38, 126, 82)
SEAM: RGB = (22, 84, 54)
FRAME: RGB = (36, 84, 188)
HOLE: RGB = (18, 42, 104)
LIGHT_SQUARE: RGB = (236, 216, 180)
DARK_SQUARE: RGB = (178, 134, 96)
PAPER: RGB = (250, 249, 244)
PENCIL: RGB = (70, 78, 96)
TABLE: RGB = (188, 182, 170)
BLACK_EDGE: RGB = (24, 26, 34)
WHITE_EDGE: RGB = (250, 250, 248)
SEAM_WIDTH = 0.05
LINE_WIDTH = 1 / 32
"""The width of the line at the upper and left edge of a cell."""

FLOOR: Drawing = (
    Rectangle(0, 0, 1, 1, "line"),
    Rectangle(LINE_WIDTH, LINE_WIDTH, 1, 1, "floor"),
)
START = Ring(0.5, 0.5, 0.26, 0.1, "mortar")
"""Where a player of Blokus may begin."""
FIRST, INNER, LAST = range(3)
"""Where a cell is in its row or column."""
STAR = 9
DUO_OFFSET = 4
"""The distance of the start points of Blokus Duo from the edges."""
CELLS, LINES, INTERSECTIONS, HEXAGONS, CHECKERED, BLOKUS, BLOKUS_DUO = range(7)
"""The first of `BOARDS`, of whose cells not all look the same."""

CLOTH: Drawing = (Rectangle(0, 0, 1, 1, SEAM), Rectangle(0.012, 0.012, 0.988, 0.988, FELT, 0.03))
"""A table on which games without a grid are played."""


def ground_of(board: int, y: int, x: int, height: int, width: int) -> int:
    """The number of the drawing that a cell has, among those of its board.

    Args:
        board: the number of the board in `BOARDS`.
        y: the cell's row.
        x: its column.
        height: the number of rows.
        width: the number of columns.
    """
    if board == CHECKERED:
        return (y + x) & 1
    if board == BLOKUS:
        return int(_part(y, height) != INNER and _part(x, width) != INNER)
    if board == BLOKUS_DUO:
        first = y == DUO_OFFSET and x == DUO_OFFSET
        return int(first or (y == height - 1 - DUO_OFFSET and x == width - 1 - DUO_OFFSET))
    if board not in (LINES, INTERSECTIONS, HEXAGONS):
        return 0
    if board == INTERSECTIONS and _is_star(y, height) and _is_star(x, width):
        # There are stars at the corners and in the middle, on large boards at the edges as well.
        at_edge = (2 * y + 1 == height) != (2 * x + 1 == width)
        if height >= 19 or not at_edge:
            return STAR
    across, column = width, x
    if board == LINES and width % height == 0:
        across, column = height, x % height
    return 3 * _part(y, height) + _part(column, across)


def grounds_of(grid: Grid) -> list[int]:
    """The numbers of the drawings of a grid's cells, row by row."""
    board = BOARDS.index(grid.vocabulary.board)
    return [ground_of(board, p.y, p.x, grid.height, grid.width) for p in grid.positions()]


def _part(i: int, length: int) -> int:
    if i == 0:
        return FIRST
    return LAST if i == length - 1 else INNER


def _is_star(i: int, length: int) -> bool:
    margin = 3 if length >= 13 else 2
    return (
        length >= 9 and length % 2 == 1 and (i == margin or i == length - 1 - margin or 2 * i + 1 == length)
    )


def _ends(part: int) -> tuple[float, float]:
    """Where a line through the middle of a cell begins and ends."""
    return 0.5 if part == FIRST else 0.0, 0.5 if part == LAST else 1.0


def _intersection(v: int, h: int) -> Drawing:
    (x0, x1), (y0, y1) = _ends(h), _ends(v)
    half = 0.02
    return (
        Rectangle(0, 0, 1, 1, WOOD),
        Rectangle(x0 - half * (x0 > 0), 0.5 - half, x1 + half * (x1 < 1), 0.5 + half, INK),
        Rectangle(0.5 - half, y0 - half * (y0 > 0), 0.5 + half, y1 + half * (y1 < 1), INK),
    )


def _hexagons(v: int, h: int) -> Drawing:
    """A part of a board of Hex whose rhombus is pushed into a square, so that its hexagons are pushed likewise.

    A cell's hexagon has sides to the cells beside it, above and below, above to the right and below to the left. Two of its corners
    are in the square, a third off its middle; the others are in the squares around it. The board's edges are black above and below,
    and white on the left and on the right.
    """
    sides = []
    for corner, end in ((1 / 6, 0.0), (5 / 6, 1.0)):
        for x, y in (
            (0.5, end),
            (end, 0.5),
            (end, end),
        ):  # and a little further: ends are at right angles to lines
            beyond = (x + SEAM_WIDTH * (x - corner), y + SEAM_WIDTH * (y - corner))
            sides.append(Line(((corner, corner), beyond), SEAM_WIDTH, INK))
    w = SEAM_WIDTH / 2**0.5  # of the sides that pass through the other two corners of the square
    passing = (
        Polygon(((1.0 - w, 0.0), (1.0, 0.0), (1.0, w)), INK),
        Polygon(((0.0, 1.0 - w), (0.0, 1.0), (w, 1.0)), INK),
    )
    edges = [  # the white ones with an outline, since pages are white, too
        *([Rectangle(0, 0, 0.12, 1, INK), Rectangle(0.03, 0, 0.12, 1, WHITE_EDGE)] if h == FIRST else []),
        *([Rectangle(0.88, 0, 1, 1, INK), Rectangle(0.88, 0, 0.97, 1, WHITE_EDGE)] if h == LAST else []),
        *([Rectangle(0, 0, 1, 0.12, BLACK_EDGE)] if v == FIRST else []),
        *([Rectangle(0, 0.88, 1, 1, BLACK_EDGE)] if v == LAST else []),
    ]
    return (Rectangle(0, 0, 1, 1, WOOD), *sides, *passing, *edges)


def _ruled(v: int, h: int) -> Drawing:
    """A part of the four lines of noughts and crosses; a gap beside the outer cells."""
    margin = 0.12
    x0, x1 = margin * (h == FIRST), 1 - margin * (h == LAST)
    y0, y1 = margin * (v == FIRST), 1 - margin * (v == LAST)
    half = 0.03
    lines = [
        *([Rectangle(0, y0, half, y1, PENCIL)] if h != FIRST else []),
        *([Rectangle(1 - half, y0, 1, y1, PENCIL)] if h != LAST else []),
        *([Rectangle(x0, 0, x1, half, PENCIL)] if v != FIRST else []),
        *([Rectangle(x0, 1 - half, x1, 1, PENCIL)] if v != LAST else []),
    ]
    return (Rectangle(0, 0, 1, 1, TABLE), Rectangle(x0, y0, x1, y1, PAPER), *lines)


def _each(draw: Callable[[int, int], Drawing]) -> tuple[Drawing, ...]:
    return tuple(draw(v, h) for v in range(3) for h in range(3))


GROUNDS: dict[str, tuple[Drawing, ...]] = {
    "cells": (FLOOR,),
    "lines": _each(_ruled),
    "intersections": (*_each(_intersection), (*_intersection(INNER, INNER), Disc(0.5, 0.5, 0.1, INK))),
    "hexagons": _each(_hexagons),
    "checkered": ((Rectangle(0, 0, 1, 1, LIGHT_SQUARE),), (Rectangle(0, 0, 1, 1, DARK_SQUARE),)),
    "blokus": (FLOOR, (*FLOOR, START)),
    "blokus_duo": (FLOOR, (*FLOOR, START)),
    "holes": ((Rectangle(0, 0, 1, 1, FRAME), Disc(0.5, 0.5, 0.41, HOLE)),),
    "felt": ((Rectangle(0, 0, 1, 1, SEAM), Rectangle(LINE_WIDTH, LINE_WIDTH, 1, 1, FELT)),),
    **dict.fromkeys(("kuhn_poker", "leduc_poker", "hands", "payoffs"), (CLOTH,)),
}
"""The drawings of each board's cells."""
