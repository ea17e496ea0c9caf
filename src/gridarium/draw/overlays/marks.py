"""Marks, the parts of overlays: shapes with a color and an opacity, in grid coordinates."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from gridarium.draw.shapes import RGB, Disc, Label, Line, Point, Polygon, Rectangle, Ring, Shape
from gridarium.draw.themes import LIGHT, Theme
from gridarium.world.geometry import Orientation, Position
from gridarium.world.geometry import Shape as GridShape

HALO, FAINT = 0.03, 0.6
"""The width of the halo of built-in marks in cells, and the opacity of halos relative to that of their marks."""


@dataclass(frozen=True)
class OverlayShape:
    """One shape of an overlay, its coordinates x and y in cells from the upper left corner of the grid.

    Attributes:
        shape: its own color is not looked at.
        rgb: its color; None is white or nearly black, whichever stands out from what lies there.
        alpha: how opaque it is, 0 to 1.
        halo: how wide a faint outline is that sets it off from what lies there, in cells.
        beneath: whether it lies on the floor, beneath objects and agents, instead of on top.
    """

    shape: Shape
    rgb: RGB | None
    alpha: float = 1.0
    halo: float = 0.0
    beneath: bool = False


@runtime_checkable
class Overlay(Protocol):
    """Something to be drawn on top of a picture."""

    def marks(self, shape: GridShape, theme: Theme) -> Iterator[OverlayShape]:
        """The shapes for a grid of this many rows and columns, the first one at the bottom.

        Raises:
            ValueError: it is made for another grid.
        """
        ...


def marks(
    overlays: Sequence[Overlay] | Overlay, shape: GridShape, theme: Theme = LIGHT
) -> Iterator[OverlayShape]:
    """The shapes of some overlays, in their order.

    Raises:
        TypeError: something is not an overlay.
        ValueError: an overlay is made for another grid.
    """
    for overlay in [overlays] if isinstance(overlays, Overlay) else overlays:
        if not isinstance(overlay, Overlay):
            raise TypeError(f"an overlay is Heat, Arrows, Path, Particles or Texts, not {overlay!r}")
        yield from overlay.marks(shape, theme)


def layered(
    overlays: Sequence[Overlay] | Overlay, shape: GridShape, theme: Theme = LIGHT
) -> tuple[list[OverlayShape], list[OverlayShape]]:
    """The shapes of some overlays that lie on the floor, and those on top. Raises what `marks` raises."""
    listed = list(marks(overlays, shape, theme))
    return [m for m in listed if m.beneath], [m for m in listed if not m.beneath]


def room_beside(overlays: Sequence[Overlay] | Overlay) -> int:
    """The number of cells that overlays need to the right of a picture: the maximum of their `beside`."""
    listed = [overlays] if isinstance(overlays, Overlay) else overlays
    return max((int(getattr(overlay, "beside", 0)) for overlay in listed), default=0)


def outline(shape: Shape, width: float) -> Shape:
    """A shape enlarged by a margin on all sides, as far as shapes can express it."""
    match shape:
        case Disc():
            return replace(shape, radius=shape.radius + width)
        case Ring() | Line():
            return replace(shape, width=shape.width + 2 * width)
        case Polygon():
            return Line((*shape.points, shape.points[0]), 2 * width)
        case Rectangle():
            corners = (shape.x0 - width, shape.y0 - width, shape.x1 + width, shape.y1 + width)
            return Rectangle(*corners, radius=shape.radius + width)
        case Label():
            return replace(shape, weight=shape.weight + 2 * width / shape.height)


def arrow(y: int, x: int, way: int, weight: float | None, color: RGB | None, alpha: float) -> OverlayShape:
    """An arrow across the middle of a cell, or one from there as long and as thick as its weight (0 to 1) says."""
    ahead = Position.from_orientation(Orientation(way))
    if weight is None:
        tail, tip, long, wide, thick = -0.3, 0.3, 0.2, 0.14, 0.035
    else:
        tail, tip = 0.03, 0.13 + 0.33 * weight
        long, wide, thick = 0.07 + 0.09 * weight, 0.05 + 0.07 * weight, 0.015 + 0.025 * weight
    neck = tip - long
    around = (
        (tail, thick),
        (neck, thick),
        (neck, wide),
        (tip, 0.0),
        (neck, -wide),
        (neck, -thick),
        (tail, -thick),
    )
    points = tuple(
        (x + 0.5 + along * ahead.x - aside * ahead.y, y + 0.5 + along * ahead.y + aside * ahead.x)
        for along, aside in around
    )
    return OverlayShape(Polygon(points), color, alpha, HALO)


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
