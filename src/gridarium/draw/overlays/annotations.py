"""Overlays on pictures, in grid coordinates, y before x.

A policy as arrows, a path, particles, texts (and `gridarium.draw.overlays.heat`): each becomes a few shapes, which pictures and
SVG documents draw alike. NaN (or None) means that nothing is drawn there. A class with a method `marks` like theirs is an
overlay as well.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gridarium.draw.overlays.arguments import (
    Floats,
    check_inside,
    check_orientations,
    check_shape,
    read_numbers,
    read_points,
    read_texts,
)
from gridarium.draw.overlays.heat import ORANGE
from gridarium.draw.overlays.marks import HALO, OverlayShape, arrow, head
from gridarium.draw.shapes import RGB, Disc, Label, Line, Point
from gridarium.draw.themes import Theme
from gridarium.world.geometry import Orientation, Position
from gridarium.world.geometry import Shape as GridShape

RARE = 0.02
ROOM = 0.92
"""The largest share of a cell's width that a text takes."""
CROWD = 0.55
"""Particles of one cell are so large that they would cover most of it side by side, whatever their number."""


@dataclass(frozen=True, eq=False)
class Arrows:
    """A policy: which way to go in each cell.

    Attributes:
        policy: for each cell an `Orientation`, its number (0 up, 1 down, 2 left, 3 right) or None: [height, width];
            or the probabilities of the four, float[height, width, 4], drawn as longer and shorter arrows
            (the likeliest in a cell at full length; those that are fifty times rarer are left out).
        color: of the arrows; dark or light, whichever stands out, unless given.
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

    def marks(self, shape: GridShape, theme: Theme) -> Iterator[OverlayShape]:
        """An arrow in each cell, or one for each direction that is possible."""
        check_shape(self.policy, shape, "Arrows: policy")
        for y, x in np.ndindex(*self.policy.shape[:2]):
            if self.policy.ndim == 2:
                if np.isfinite(self.policy[y, x]):
                    yield arrow(y, x, int(self.policy[y, x]), None, self.color, self.alpha)
            else:
                largest = float(np.nanmax(self.policy[y, x], initial=0.0))
                for way, weight in enumerate(self.policy[y, x].tolist()):
                    if math.isfinite(weight) and weight > RARE * largest:
                        yield arrow(y, x, way, weight / largest, self.color, self.alpha)


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

    def marks(self, shape: GridShape, theme: Theme) -> Iterator[OverlayShape]:
        """A line for each piece.

        Raises:
            ValueError: a point lies outside the grid.
        """
        check_inside(self.points, shape, "Path")
        color = theme.accent if self.color is None else self.color
        for piece in _pieces(self.points):
            yield OverlayShape(Line(piece, self.width), color, self.alpha)
            yield OverlayShape(Disc(*piece[0], 1.2 * self.width), color, self.alpha)
            steps = [q for q in piece if q != piece[-1]]
            if steps:
                yield OverlayShape(head(steps[-1], piece[-1], 2.2 * self.width), color, self.alpha)


@dataclass(frozen=True, eq=False)
class Particles:
    """Guesses where something is: a dot each; those at one place are spread out, the heaviest in the middle.

    Attributes:
        points: `Position`s or pairs (y, x), float[n, 2]; whole numbers are the middles of cells.
        weights: float[n], shown as the areas of the dots; all the same unless given.
        headings: an `Orientation` (or its number) for each, shown as a tick; none unless given.
        color: of the dots.
        alpha: how opaque they are, 0 to 1.
        most: dots at a place; where there are more particles, each dot stands for several and for all their weight.
    """

    points: Any
    weights: Any = None
    headings: Any = None
    color: RGB = ORANGE
    alpha: float = 0.85
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

    def marks(self, shape: GridShape, theme: Theme) -> Iterator[OverlayShape]:
        """A dot for each particle, or for each few of them.

        Raises:
            ValueError: a particle lies outside the grid.
        """
        check_inside(self.points, shape, "Particles")
        shown = np.isfinite(self.points).all(axis=1) & (np.nan_to_num(self.weights) > 0)
        places: dict[Point, list[int]] = defaultdict(list)
        for i in np.flatnonzero(shown).tolist():
            y, x = self.points[i].tolist()
            places[x, y].append(i)
        if not places:
            return
        crowd = max(map(len, places.values()))
        stride = math.ceil(crowd / self.most)
        groups = {place: self._groups(members, stride) for place, members in places.items()}
        heaviest = max(weight for dots in groups.values() for _, weight in dots)
        largest = min(0.14, CROWD / math.sqrt(min(crowd, self.most)))
        for (x, y), dots in groups.items():
            for k, (i, weight) in enumerate(dots):
                away, angle = 0.37 * math.sqrt(k / len(dots)), 2.39996323 * k  # a sunflower (Vogel 1979)
                px, py = x + 0.5 + away * math.cos(angle), y + 0.5 + away * math.sin(angle)
                radius = largest * math.sqrt(weight / heaviest)
                yield OverlayShape(Disc(px, py, radius), self.color, self.alpha, HALO / 2)
                if math.isfinite(self.headings[i]):
                    ahead = Position.from_orientation(Orientation(int(self.headings[i])))
                    tip = (px + (radius + 0.07) * ahead.x, py + (radius + 0.07) * ahead.y)
                    yield OverlayShape(Line(((px, py), tip), 0.04), self.color, self.alpha, HALO / 2)

    def _groups(self, members: list[int], stride: int) -> list[tuple[int, float]]:
        """The particles at a place, a few for each dot: the first of them, and what they weigh; the heaviest first."""
        ordered = sorted(members, key=lambda i: (-self.weights[i], i))
        few = [ordered[k : k + stride] for k in range(0, len(ordered), stride)]
        return [(some[0], float(self.weights[some].sum())) for some in few]


@dataclass(frozen=True, eq=False)
class Texts:
    """A text or a number in each cell, which it does not leave.

    What is too long is drawn smaller, then with fewer digits or, if it is not a number, cut with an ellipsis; where even
    three characters would not fit (in pixels below 20 of a cell) and there are more, nothing is drawn. Pixels show a
    question mark for a character that is not ASCII.

    Attributes:
        texts: strings, numbers (shown in few digits) or None, [height, width].
        height: of a capital, in cells, where there is room.
        color: of the text; dark or light, whichever stands out, unless given.
        middle: how far below the top of its cell the text's middle is, in cells.
        center: how far right of the left side of its cell, likewise.
    """

    texts: Any
    height: float = 0.21
    color: RGB | None = None
    middle: float = 0.5
    center: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.center < 1:
            raise ValueError(f"Texts: center is between 0 and 1, not {self.center}")
        object.__setattr__(self, "texts", read_texts(self.texts, "Texts: texts"))

    def marks(self, shape: GridShape, theme: Theme) -> Iterator[OverlayShape]:
        """A label in each cell."""
        check_shape(self.texts, shape, "Texts: texts")
        room = 2 * min(self.center, 1 - self.center) * ROOM
        for y, x in np.ndindex(*self.texts.shape):
            text = self.texts[y, x]
            if text:
                label = Label(text, x + self.center, y + self.middle, self.height, room=room)
                yield OverlayShape(label, self.color, halo=HALO)


def _pieces(points: Floats) -> Iterable[tuple[Point, ...]]:
    piece: list[Point] = []
    for y, x in [*points.tolist(), (math.nan, math.nan)]:
        if math.isfinite(y) and math.isfinite(x):
            piece.append((x + 0.5, y + 0.5))
        elif piece:
            yield tuple(piece)
            piece = []
