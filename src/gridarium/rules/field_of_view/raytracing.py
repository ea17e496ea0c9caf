"""Rays of light from a cell to the edge of an area.

`compute_ray`, `compute_rays`, `compute_rays_fancy` are gym-gridverse's (Baisero and Katt 2021): a ray advances in small
steps and lists the cells that the steps fall into. `cells_towards` computes the same cells for a ray through a corner
without stepping, interpreted and compiled; the visibility rules use it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import TypeAlias

import numpy as np

from gridarium.world.geometry import Area, Position

Ray: TypeAlias = list[Position]
STEP = 0.01


def compute_ray(
    position: Position, area: Area, *, radians: float, step_size: float, unique: bool = True
) -> Ray:
    """The cells on a straight line from the centre of a cell until it leaves the area (interpreted only).

    Args:
        position: the cell where the ray starts.
        area: the area that bounds the ray.
        radians: its direction, clockwise from the right.
        step_size: the length of a step, in cells.
        unique: whether each cell is listed once instead of once per step that falls into it.

    Raises:
        ValueError: the start is not in the area, or the step size is not positive.
    """
    if not area.contains(position):
        raise ValueError(f"{position} is not in {area}")
    if not step_size > 0:
        raise ValueError(f"step_size must be positive, got {step_size}")
    steps = np.arange(math.ceil((area.height + area.width) / step_size) + 1)
    ys = np.rint(position.y + steps * (step_size * math.sin(radians))).astype(np.int64)
    xs = np.rint(position.x + steps * (step_size * math.cos(radians))).astype(np.int64)
    outside = (ys < area.ymin) | (ys > area.ymax) | (xs < area.xmin) | (xs > area.xmax)
    count = int(np.argmax(outside))
    ys, xs = ys[:count], xs[:count]
    if unique:
        entered = np.ones(count, np.bool_)
        entered[1:] = (np.diff(ys) != 0) | (np.diff(xs) != 0)
        ys, xs = ys[entered], xs[entered]
    return [Position(y, x) for y, x in zip(ys.tolist(), xs.tolist(), strict=True)]


def compute_rays(position: Position, area: Area) -> list[Ray]:
    """A ray for each of 360 degrees."""
    degree = math.pi / 180.0
    return [compute_ray(position, area, radians=i * degree, step_size=STEP) for i in range(360)]


def compute_rays_fancy(position: Position, area: Area) -> list[Ray]:
    """A ray through each corner of each cell of the area, (height + 1) * (width + 1) of them, sorted by angle.

    Corners that lie on one line give the same ray several times.
    """
    ys = np.arange(area.ymin, area.ymax + 2) - 0.5 - position.y
    xs = np.arange(area.xmin, area.xmax + 2) - 0.5 - position.x
    angles = sorted(math.atan2(y, x) for x in xs.tolist() for y in ys.tolist())
    return [compute_ray(position, area, radians=angle, step_size=STEP) for angle in angles]


cached_compute_rays = functools.lru_cache(128)(compute_rays)
cached_compute_rays_fancy = functools.lru_cache(128)(compute_rays_fancy)


def cells_towards(position: Position, area: Area, dy: int, dx: int) -> Iterator[Position]:
    """The cells of an area on a ray from the centre of a cell, as `compute_ray` marches it in steps of 0.01.

    The march enters the k-th next row at the first step i with i * 0.01 * sin(angle) > k - 0.5, and columns likewise.
    Where both happen at one step, the ray goes on diagonally. Neither bound is ever met exactly: for odd numbers,
    dy * dy + dx * dx is not a square.

    Args:
        position: the cell where the ray starts.
        area: the area that bounds the ray.
        dy: the vertical offset of a cell's corner from that centre, in half cells, downward: an odd number.
        dx: the horizontal offset, to the right, likewise.
    """
    length = math.sqrt(float(dy * dy + dx * dx)) / (2.0 * STEP)
    steps_per_row, steps_per_column = length / abs(dy), length / abs(dx)
    down, right = (1 if dy > 0 else -1), (1 if dx > 0 else -1)
    y, x = position.y, position.x
    rows, columns = 1, 1
    while area.contains(Position(y, x)):
        yield Position(y, x)
        last_in_row = math.floor(rows * steps_per_row)
        last_in_column = math.floor(columns * steps_per_column)
        if last_in_row <= last_in_column:
            y += down
            rows += 2
        if last_in_column <= last_in_row:
            x += right
            columns += 2
