"""What overlays are made of: shapes with a color and an opacity, in grid coordinates."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from gridarium.draw.shapes import RGB, Point, Polygon, Shape
from gridarium.draw.themes import LIGHT, Theme
from gridarium.world.geometry import Orientation, Position
from gridarium.world.geometry import Shape as GridShape


@dataclass(frozen=True)
class Mark:
    """One shape of an overlay, its coordinates x and y in cells from the upper left corner of the grid.

    Attributes:
        shape: its own color is not looked at.
        rgb: its color.
        alpha: how opaque it is, 0 to 1.
    """

    shape: Shape
    rgb: RGB
    alpha: float = 1.0


@runtime_checkable
class Overlay(Protocol):
    """Something to be drawn on top of a picture."""

    def marks(self, shape: GridShape, theme: Theme) -> Iterator[Mark]:
        """The shapes for a grid of this many rows and columns, the first one at the bottom.

        Raises:
            ValueError: it is made for another grid.
        """
        ...


def marks(overlays: Sequence[Overlay] | Overlay, shape: GridShape, theme: Theme = LIGHT) -> Iterator[Mark]:
    """The shapes of some overlays, in their order.

    Raises:
        TypeError: something is no overlay.
        ValueError: an overlay is made for another grid.
    """
    for overlay in [overlays] if isinstance(overlays, Overlay) else overlays:
        if not isinstance(overlay, Overlay):
            raise TypeError(f"an overlay is Heat, Arrows, Path, Particles or Texts, not {overlay!r}")
        yield from overlay.marks(shape, theme)


def arrow(y: int, x: int, way: int, weight: float | None, color: RGB, alpha: float) -> Mark:
    """An arrow across the middle of a cell, or one from there as long and as opaque as its weight (0 to 1) says."""
    ahead = Position.from_orientation(Orientation(way))
    tail, tip = (-0.3, 0.3) if weight is None else (0.06, 0.16 + 0.28 * weight)
    faint = alpha if weight is None else alpha * (0.35 + 0.65 * weight)
    neck = tip - (0.2 if weight is None else 0.13)
    wide = 0.14 if weight is None else 0.1
    outline = (
        (tail, 0.035),
        (neck, 0.035),
        (neck, wide),
        (tip, 0.0),
        (neck, -wide),
        (neck, -0.035),
        (tail, -0.035),
    )
    points = tuple(
        (x + 0.5 + along * ahead.x - aside * ahead.y, y + 0.5 + along * ahead.y + aside * ahead.x)
        for along, aside in outline
    )
    return Mark(Polygon(points), color, faint)


def head(before: Point, tip: Point, size: float) -> Polygon:
    """The head of an arrow that comes from another point, a little beyond its tip."""
    dx, dy = tip[0] - before[0], tip[1] - before[1]
    length = math.hypot(dx, dy)
    dx, dy = dx / length * size, dy / length * size
    left, right = (
        (tip[0] - dx - 0.6 * dy, tip[1] - dy + 0.6 * dx),
        (tip[0] - dx + 0.6 * dy, tip[1] - dy - 0.6 * dx),
    )
    return Polygon(((tip[0] + 0.2 * dx, tip[1] + 0.2 * dy), left, right))
