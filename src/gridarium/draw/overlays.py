"""Overlays: what one wants to see on top of a picture, in grid coordinates, y before x.

Values as a heat map, a policy as arrows, a path, particles, texts: each becomes a few shapes, which pictures and SVG
documents draw alike. NaN (or None) means that nothing is drawn there. A class with a method `marks` like theirs is an
overlay as well.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gridarium.draw import font
from gridarium.draw.marks import Mark, arrow, head
from gridarium.draw.reading import (
    Floats,
    check_orientations,
    check_shape,
    read_numbers,
    read_points,
    read_texts,
)
from gridarium.draw.shapes import RGB, Disc, Label, Line, Point, Rectangle
from gridarium.draw.themes import Theme
from gridarium.world.geometry import Orientation, Position
from gridarium.world.geometry import Shape as GridShape

SCALE: tuple[RGB, ...] = ((68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37))
"""Low to high: viridis (van der Walt and Smith 2015), whose lightness rises evenly for every kind of color vision."""
ORANGE: RGB = (230, 110, 0)


@dataclass(frozen=True, eq=False)
class Heat:
    """Values or probabilities as colors of cells.

    Attributes:
        values: float[height, width].
        low, high: the values at the ends of the scale; the smallest (with `fade` 0) and the largest one unless given.
        alpha: how opaque the colors are, 0 to 1; half, with `fade` more, unless given.
        fade: whether low values are transparent, so that a belief shows only where it is.
        scale: colors from low to high; viridis, with `fade` orange alone, unless given.

    Raises:
        ValueError: values are no such array, low is not below high, or a scale has no colors.
    """

    values: Any
    low: float | None = None
    high: float | None = None
    alpha: float | None = None
    fade: bool = False
    scale: tuple[RGB, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", read_numbers(self.values, "Heat: values", "[height, width]"))
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise ValueError(f"Heat: low is below high, got {self.low} and {self.high}")
        if self.scale is not None and not self.scale:
            raise ValueError("Heat: a scale has at least one color")

    def marks(self, shape: GridShape, theme: Theme) -> Iterator[Mark]:
        """A colored square for each cell."""
        check_shape(self.values, shape, "Heat: values")
        known = np.isfinite(self.values)
        if not known.any():
            return
        least = 0.0 if self.fade else float(self.values[known].min())
        low = least if self.low is None else self.low
        high = float(self.values[known].max()) if self.high is None else self.high
        scale = self.scale or ((ORANGE,) if self.fade else SCALE)
        opaque = self.alpha if self.alpha is not None else 0.8 if self.fade else 0.5
        for y, x in np.argwhere(known).tolist():
            level = (float(self.values[y, x]) - low) / (high - low) if high > low else 0.5
            level = min(max(level, 0.0), 1.0)
            alpha = opaque * math.sqrt(level) if self.fade else opaque
            if alpha > 0:
                yield Mark(Rectangle(x, y, x + 1, y + 1), _between(scale, level), alpha)


@dataclass(frozen=True, eq=False)
class Arrows:
    """A policy: which way to go in each cell.

    Attributes:
        policy: for each cell an `Orientation`, its number (0 up, 1 down, 2 left, 3 right) or None: [height, width];
            or the probabilities of the four, float[height, width, 4], drawn as longer and shorter arrows.
        color: of the arrows; the theme's for text unless given.
        alpha: how opaque they are, 0 to 1.
    """

    policy: Any
    color: RGB | None = None
    alpha: float = 0.85

    def __post_init__(self) -> None:
        policy = read_numbers(self.policy, "Arrows: policy", "[height, width]", "[height, width, 4]")
        object.__setattr__(self, "policy", policy)
        if policy.ndim == 2:
            check_orientations(policy, "Arrows: policy")
        elif policy.shape[2] != 4:
            raise ValueError(f"Arrows: policy has 4 probabilities for each cell, not {policy.shape[2]}")
        elif (policy < 0).any():
            raise ValueError(f"Arrows: probabilities are not negative, got {np.nanmin(policy)}")

    def marks(self, shape: GridShape, theme: Theme) -> Iterator[Mark]:
        """An arrow in each cell, or one for each direction that is possible."""
        check_shape(self.policy, shape, "Arrows: policy")
        color = theme.text if self.color is None else self.color
        for y, x in np.ndindex(*self.policy.shape[:2]):
            if self.policy.ndim == 2:
                if np.isfinite(self.policy[y, x]):
                    yield arrow(y, x, int(self.policy[y, x]), None, color, self.alpha)
            else:
                largest = np.nanmax(self.policy[y, x], initial=0.0)
                for way, weight in enumerate(self.policy[y, x].tolist()):
                    if math.isfinite(weight) and weight > 0:
                        yield arrow(y, x, way, weight / largest, color, self.alpha)


@dataclass(frozen=True, eq=False)
class Path:
    """A way through cells: a line with a dot where it begins and a point where it ends.

    Attributes:
        points: `Position`s or pairs (y, x), float[n, 2]; whole numbers are the middles of cells. None or NaN breaks it.
        color: of the line; the theme's accent unless given.
        width: of the line, in cells.
        alpha: how opaque it is, 0 to 1.
    """

    points: Any
    color: RGB | None = None
    width: float = 0.12
    alpha: float = 0.85

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", read_points(self.points, "Path: points"))

    def marks(self, shape: GridShape, theme: Theme) -> Iterator[Mark]:
        """A line for each piece."""
        color = theme.accent if self.color is None else self.color
        for piece in _pieces(self.points):
            yield Mark(Line(piece, self.width), color, self.alpha)
            yield Mark(Disc(*piece[0], 1.2 * self.width), color, self.alpha)
            steps = [q for q in piece if q != piece[-1]]
            if steps:
                yield Mark(head(steps[-1], piece[-1], 2.2 * self.width), color, self.alpha)


@dataclass(frozen=True, eq=False)
class Particles:
    """Guesses where something is: a dot each, spread out within their cell.

    Attributes:
        points: `Position`s or pairs (y, x), float[n, 2]; whole numbers are the middles of cells.
        weights: float[n], shown as the size of the dots; all the same unless given.
        headings: an `Orientation` (or its number) for each, shown as a tick; none unless given.
        color: of the dots.
        alpha: how opaque they are, 0 to 1.
        most: dots in a cell; where there are more particles, each dot stands for several.
    """

    points: Any
    weights: Any = None
    headings: Any = None
    color: RGB = ORANGE
    alpha: float = 0.8
    most: int = 40

    def __post_init__(self) -> None:
        points = read_points(self.points, "Particles: points")
        count = len(points)
        weights = np.ones(count)
        headings = np.full(count, np.nan)
        if self.weights is not None:
            weights = read_numbers(self.weights, "Particles: weights", "[n]")
        if self.headings is not None:
            headings = read_numbers(self.headings, "Particles: headings", "[n]")
            check_orientations(headings, "Particles: headings")
        for name, given in (("weights", weights), ("headings", headings)):
            if len(given) != count:
                raise ValueError(f"Particles: there are {count} points, but {len(given)} {name}")
        if (weights < 0).any():
            raise ValueError(f"Particles: weights are not negative, got {weights.min()}")
        if self.most < 1:
            raise ValueError(f"Particles: most is at least 1, not {self.most}")
        for name, made in (("points", points), ("weights", weights), ("headings", headings)):
            object.__setattr__(self, name, made)

    def marks(self, shape: GridShape, theme: Theme) -> Iterator[Mark]:
        """A dot for each particle, or for each few of them."""
        shown = np.isfinite(self.points).all(axis=1) & (np.nan_to_num(self.weights) > 0)
        places: dict[Point, list[int]] = defaultdict(list)
        for i in np.flatnonzero(shown).tolist():
            y, x = self.points[i].tolist()
            places[x, y].append(i)
        if not places:
            return
        stride = math.ceil(max(map(len, places.values())) / self.most)
        heaviest = float(self.weights[shown].max())
        for (x, y), members in places.items():
            dots = members[::stride]
            for k, i in enumerate(dots):
                away, angle = 0.4 * math.sqrt(k / len(dots)), 2.39996323 * k  # a sunflower (Vogel 1979)
                px, py = x + 0.5 + away * math.cos(angle), y + 0.5 + away * math.sin(angle)
                radius = 0.055 * math.sqrt(float(self.weights[i]) / heaviest)
                yield Mark(Disc(px, py, radius), self.color, self.alpha)
                if math.isfinite(self.headings[i]):
                    ahead = Position.from_orientation(Orientation(int(self.headings[i])))
                    tip = (px + 0.12 * ahead.x, py + 0.12 * ahead.y)
                    yield Mark(Line(((px, py), tip), 0.03), self.color, self.alpha)


@dataclass(frozen=True, eq=False)
class Texts:
    """A text or a number in each cell, small enough to fit.

    Attributes:
        texts: strings, numbers (shown in few digits) or None, [height, width].
        height: of a capital, in cells, where there is room.
        color: of the text; the theme's unless given.
    """

    texts: Any
    height: float = 0.24
    color: RGB | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "texts", read_texts(self.texts, "Texts: texts"))

    def marks(self, shape: GridShape, theme: Theme) -> Iterator[Mark]:
        """A label in each cell."""
        check_shape(self.texts, shape, "Texts: texts")
        for y, x in np.ndindex(*self.texts.shape):
            text = self.texts[y, x]
            if text:
                height = min(self.height, 0.86 * font.HEIGHT / font.columns(text))
                label = Label(text, x + 0.5, y + 0.5, height)
                yield Mark(label, theme.text if self.color is None else self.color)


def _between(scale: tuple[RGB, ...], level: float) -> RGB:
    place = level * (len(scale) - 1)
    i = int(place)
    after = scale[min(i + 1, len(scale) - 1)]
    red, green, blue = (round(a + (b - a) * (place - i)) for a, b in zip(scale[i], after, strict=True))
    return red, green, blue


def _pieces(points: Floats) -> Iterable[tuple[Point, ...]]:
    piece: list[Point] = []
    for y, x in [*points.tolist(), (math.nan, math.nan)]:
        if math.isfinite(y) and math.isfinite(x):
            piece.append((x + 0.5, y + 0.5))
        elif piece:
            yield tuple(piece)
            piece = []
