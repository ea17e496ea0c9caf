"""The drawing model: a few shapes in the unit square, each painted in a role or a color.

Every picture of an object is a tuple of shapes, the first one at the bottom; every back end (tiles of pixels, SVG)
draws the same tuples. x grows rightward and y downward, (0, 0) is the upper left corner of the cell and (1, 1)
the lower right one.

A kind declares its own drawing, one for all statuses or one for each:

    class Ice(GridObject):
        class Status(enum.IntEnum):
            SMOOTH = 0
            BROKEN = 1
        drawing = {
            "SMOOTH": (Rectangle(0, 0, 1, 1, (200, 230, 250)),),
            "BROKEN": (Rectangle(0, 0, 1, 1, (200, 230, 250)), Line(((0.2, 0.1), (0.5, 0.6), (0.8, 0.9)), 0.08, "dark")),
        }
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TypeAlias

from gridarium.draw import font

RGB = tuple[int, int, int]
Point = tuple[float, float]
Paint = str | RGB
"""'object' (the object's color), 'dark' or 'light' (a dark or light shade of it), a part of the scenery, whose color
is the theme's, or three numbers from 0 to 255."""

WHITE: RGB = (255, 255, 255)
BLACK: RGB = (24, 26, 34)
AGENT_COLORS: tuple[RGB, ...] = (
    (214, 40, 96), (20, 120, 220), (0, 150, 110), (240, 140, 0), (130, 70, 210), (0, 165, 190), (140, 150, 0),
    (150, 80, 50), (235, 95, 190), (70, 80, 100),
)  # fmt: skip
"""The colors of agents, by their numbers."""
ROLES = ("object", "dark", "light")
SCENERY = ("floor", "line", "brick", "mortar", "darkness", "gloom", "plate", "text", "accent")


@dataclass(frozen=True)
class Rectangle:
    """A rectangle from (x0, y0) to (x1, y1), its corners rounded by `radius`."""

    x0: float
    y0: float
    x1: float
    y1: float
    color: Paint = "object"
    radius: float = 0.0

    def __post_init__(self) -> None:
        _check(self)
        if not (self.x0 < self.x1 and self.y0 < self.y1):
            raise ValueError(f"{self} is empty: x0 must be below x1, and y0 below y1")


@dataclass(frozen=True)
class Disc:
    """A filled circle."""

    x: float
    y: float
    radius: float
    color: Paint = "object"

    def __post_init__(self) -> None:
        _check(self)


@dataclass(frozen=True)
class Ring:
    """A circle's outline; half of its `width` lies inside `radius`."""

    x: float
    y: float
    radius: float
    width: float
    color: Paint = "object"

    def __post_init__(self) -> None:
        _check(self)


@dataclass(frozen=True)
class Polygon:
    """A filled polygon; where its outline crosses itself, parts covered twice are holes."""

    points: tuple[Point, ...]
    color: Paint = "object"

    def __post_init__(self) -> None:
        _check(self)
        if len(self.points) < 3:
            raise ValueError(f"a polygon has at least three points, got {self.points!r}")


@dataclass(frozen=True)
class Line:
    """A stroke through some points, with round ends and corners; a single point is a dot."""

    points: tuple[Point, ...]
    width: float
    color: Paint = "object"

    def __post_init__(self) -> None:
        _check(self)


@dataclass(frozen=True)
class Label:
    """A few characters, centred at (x, y); capitals are as high as `height`, strokes as wide as `weight` of that.

    Where they would be wider than `room`, they are drawn smaller, then fewer: numbers with fewer digits, other texts
    with an ellipsis. A room of 0 is any.
    """

    text: str
    x: float
    y: float
    height: float
    color: Paint = "object"
    weight: float = 1 / 7
    room: float = 0.0

    def __post_init__(self) -> None:
        _check(self)


Shape: TypeAlias = Rectangle | Disc | Ring | Polygon | Line | Label
Drawing: TypeAlias = tuple[Shape, ...]
SHAPES = (Rectangle, Disc, Ring, Polygon, Line, Label)


def check_drawing(given: object, whose: str) -> Drawing:
    """Make sure that something is a tuple (or list) of shapes.

    Raises:
        TypeError: it is something else; the message begins with `whose`.
    """
    if not isinstance(given, tuple | list) or not all(isinstance(shape, SHAPES) for shape in given):
        names = ", ".join(kind.__name__ for kind in SHAPES)
        raise TypeError(f"{whose} is a tuple of shapes ({names}), not {given!r}")
    return tuple(given)


def bounds(shape: Shape) -> tuple[float, float, float, float]:
    """The left, upper, right and lower end of a shape; of a label with room for tails."""
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    match shape:
        case Rectangle():
            return shape.x0, shape.y0, shape.x1, shape.y1
        case Disc() | Ring():
            xs, ys = (shape.x,), (shape.y,)
            reach = shape.radius + (shape.width / 2 if isinstance(shape, Ring) else 0.0)
        case Polygon() | Line():
            xs, ys = tuple(x for x, _ in shape.points), tuple(y for _, y in shape.points)
            reach = shape.width / 2 if isinstance(shape, Line) else 0.0
        case Label():
            unit, reach = shape.height / font.HEIGHT, shape.height * shape.weight / 2
            half = unit * font.columns(shape.text) / 2
            if shape.room:
                half = min(half, shape.room / 2 - reach)
            xs = (shape.x - half, shape.x + half)
            ys = (shape.y - shape.height / 2, shape.y + shape.height / 2 + unit * font.TAIL)
    return min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach


def readable_on(rgb: RGB) -> RGB:
    """White or nearly black, whichever stands out more from a color (by the contrast of WCAG 2.2)."""
    parts = (n / 255 for n in rgb)
    red, green, blue = (n / 12.92 if n <= 0.04045 else ((n + 0.055) / 1.055) ** 2.4 for n in parts)
    return WHITE if 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.19 else BLACK


def blended(rgb: RGB, other: RGB, share: float) -> RGB:
    """A color with a share of another in it, 0 to 1."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(rgb, other, strict=True))
    return red, green, blue


def mixed(rgb: RGB, other: RGB, tenths: int) -> RGB:
    """A color with some tenths of another in it."""
    red, green, blue = ((a * (10 - tenths) + b * tenths + 5) // 10 for a, b in zip(rgb, other, strict=True))
    return red, green, blue


def _check(shape: Shape) -> None:
    kind = type(shape).__name__
    for field in fields(shape):
        value = getattr(shape, field.name)
        if field.name == "color":
            if value not in (*ROLES, *SCENERY) and not _is_rgb(value):
                roles = ", ".join((*ROLES, *SCENERY))
                raise ValueError(f"{kind}: color is {roles} or three numbers of 0..255, not {value!r}")
        elif field.name == "points":
            if not value or not all(len(p) == 2 and all(map(_is_number, p)) for p in value):
                raise ValueError(f"{kind}: points are pairs of numbers (x, y), not {value!r}")
        elif field.name == "text":
            if not isinstance(value, str) or not value:
                raise ValueError(f"{kind}: text is one or more characters, not {value!r}")
        elif not _is_number(value):
            raise ValueError(f"{kind}: {field.name} is a number, not {value!r}")
        elif field.name in ("radius", "width", "height", "weight", "room") and value < 0:
            raise ValueError(f"{kind}: {field.name} is not negative, got {value!r}")


def _is_rgb(value: object) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == 3
        and all(isinstance(n, int) and 0 <= n <= 255 for n in value)
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
