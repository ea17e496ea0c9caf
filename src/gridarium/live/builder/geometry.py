"""Cells of rectangles, walls and lines; locations are (x, y), counted from the left and the top."""

from __future__ import annotations

import math

LocationXY = tuple[int, int]


def get_distance(coord1: LocationXY, coord2: LocationXY) -> float:
    """The Euclidean distance of two locations."""
    return math.dist(coord1, coord2)


def get_room_locations(room_top_left: LocationXY, room_width: int, room_height: int) -> list[LocationXY]:
    """The cells within the walls of a room, column by column."""
    x, y = room_top_left
    return rectangle((x + 1, y + 1), room_width - 2, room_height - 2)


def rectangle(top_left: LocationXY, width: int, height: int) -> list[LocationXY]:
    """The cells of a rectangle, column by column."""
    x, y = top_left
    return [(x + i, y + j) for i in range(width) for j in range(height)]


def ring(top_left: LocationXY, width: int, height: int) -> list[LocationXY]:
    """The cells along the edge of a rectangle: the upper row, the lower row, then the left and the right column."""
    x, y = top_left
    right, bottom = x + width - 1, y + height - 1
    rows = [(x + i, row) for row in (y, bottom) for i in range(width)]
    return rows + [(column, y + j) for column in (x, right) for j in range(1, height - 1)]


def line(start: LocationXY, end: LocationXY) -> list[LocationXY]:
    """The cells of a line from start to end, both included.

    Source: Bresenham, Algorithm for computer control of a digital plotter, 1965.
    """
    (x, y), (last_x, last_y) = start, end
    dx, dy = abs(last_x - x), -abs(last_y - y)
    step_x, step_y = (1 if x < last_x else -1), (1 if y < last_y else -1)
    error, cells = dx + dy, [(x, y)]
    while (x, y) != (last_x, last_y):
        doubled = 2 * error
        if doubled >= dy:
            error, x = error + dy, x + step_x
        if doubled <= dx:
            error, y = error + dx, y + step_y
        cells.append((x, y))
    return cells
