"""A heat map: values as colors of cells, on the floor beneath objects."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gridarium.draw.boards import LINE_WIDTH
from gridarium.draw.overlays.arguments import check_shape, read_numbers, short
from gridarium.draw.overlays.marks import OverlayShape
from gridarium.draw.shapes import RGB, Label, Line, Rectangle, blended
from gridarium.draw.themes import Theme
from gridarium.world.geometry import Shape as GridShape

SCALE: tuple[RGB, ...] = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37))
"""Low to high: viridis (van der Walt and Smith 2015), whose lightness rises evenly for every kind of color vision."""
DIVERGING: tuple[RGB, ...] = (
    (33, 102, 172),
    (146, 197, 222),
    (247, 247, 247),
    (244, 165, 130),
    (178, 24, 43),
)
"""Negative to positive: blue, white, red (RdBu of ColorBrewer, Harrower and Brewer 2003), safe for the color-blind."""
ORANGE: RGB = (230, 110, 0)
BAR_CELLS, BAR_STEPS = 2, 48
"""The width of the room for a color bar, and the number of its steps."""


@dataclass(frozen=True, eq=False)
class Heat:
    """Values or probabilities as colors of cells, beneath objects and agents. Walls cover them.

    Attributes:
        values: float[height, width].
        low, high: the values at the ends of the scale, beyond which colors stay as they are there; the smallest (with
            `fade` 0, with `signed` minus high) and the largest one (with `signed` without its sign) unless given.
        alpha: how opaque the colors are, 0 to 1; most of it unless given.
        fade: whether low values are transparent, so that a belief shows only where it is.
        scale: colors from low to high; viridis, with `fade` orange alone, with `signed` blue, white, red, unless given.
        signed: whether the middle of the scale is 0.
        bar: whether the scale is shown on the right of the picture, which gets two cells wider.

    Raises:
        ValueError: values are not such an array, low is not below high or comes with `signed`, or a scale has no colors.
    """

    values: Any
    low: float | None = None
    high: float | None = None
    alpha: float | None = None
    fade: bool = False
    scale: tuple[RGB, ...] | None = None
    signed: bool = False
    bar: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", read_numbers(self.values, "Heat: values", "[height, width]"))
        if self.signed and self.low is not None:
            raise ValueError("Heat: with signed, low is minus high; give high alone")
        if self.signed and self.high is not None and not self.high > 0:
            raise ValueError(f"Heat: with signed, high is above 0, got {self.high}")
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise ValueError(f"Heat: low is below high, got {self.low} and {self.high}")
        if self.scale is not None and not self.scale:
            raise ValueError("Heat: a scale has at least one color")

    @property
    def beside(self) -> int:
        """The number of cells that it needs to the right of a picture."""
        return BAR_CELLS if self.bar else 0

    @property
    def limits(self) -> tuple[float, float]:
        """The values at the ends of the scale; 0 and 0 if none is known."""
        known = self.values[np.isfinite(self.values)]
        if self.signed:
            most = float(np.abs(known).max(initial=0.0)) if self.high is None else self.high
            return -most, most
        least = 0.0 if self.fade or not known.size else float(known.min())
        most = float(known.max()) if known.size else 0.0
        return least if self.low is None else self.low, most if self.high is None else self.high

    def marks(self, shape: GridShape, theme: Theme) -> Iterator[OverlayShape]:
        """A colored square for each cell, and the bar."""
        check_shape(self.values, shape, "Heat: values")
        low, high = self.limits
        for y, x in np.argwhere(np.isfinite(self.values)).tolist():
            level = (float(self.values[y, x]) - low) / (high - low) if high > low else 0.5
            color, alpha = self._paint(level)
            if alpha > 0:
                square = Rectangle(x + LINE_WIDTH, y + LINE_WIDTH, x + 1, y + 1)
                yield OverlayShape(square, color, alpha, beneath=True)
        if self.bar:
            yield from self._bar(shape, theme)

    def _paint(self, level: float) -> tuple[RGB, float]:
        """The color and the opacity at a place of the scale, 0 to 1."""
        level = min(max(level, 0.0), 1.0)
        alpha = 0.85 if self.alpha is None else self.alpha
        scale = self.scale or (DIVERGING if self.signed else (ORANGE,) if self.fade else SCALE)
        place = level * (len(scale) - 1)
        i = int(place)
        color = blended(scale[i], scale[min(i + 1, len(scale) - 1)], place - i)
        return color, alpha * math.sqrt(abs(2 * level - 1) if self.signed else level) if self.fade else alpha

    def _bar(self, shape: GridShape, theme: Theme) -> Iterator[OverlayShape]:
        height, width = shape
        top, lower = (0.5, height - 0.5) if height > 2 else (0.15, height - 0.15)
        left, right = width + 0.25, width + 0.6
        for step in range(BAR_STEPS):  # each down to the end, so that no seam shows
            color, alpha = self._paint(1 - (step + 0.5) / BAR_STEPS)
            y = top + (lower - top) * step / BAR_STEPS
            yield OverlayShape(Rectangle(left, y, right, lower), blended(theme.floor, color, alpha))
        corners = ((left, top), (right, top), (right, lower), (left, lower), (left, top))
        yield OverlayShape(Line(corners, LINE_WIDTH), None)
        low, high = self.limits
        for part in (0.0, 0.5, 1.0) if height > 2 else (0.0, 1.0):
            text, y = short(high + (low - high) * part), top + (lower - top) * part
            inside = min(max(y, 0.2), height - 0.2)
            yield OverlayShape(Line(((right, y), (right + 0.08, y)), LINE_WIDTH), None)
            yield OverlayShape(Label(text, right + 0.7, inside, 0.24, room=1.1), None)
