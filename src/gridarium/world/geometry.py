"""Positions, areas, orientations and poses. y grows downward, x rightward; pairs are always (y, x) and (height, width).

Names and conventions are gym-gridverse's (Baisero and Katt 2021).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar

from gridarium.compiled.data_types.primitives import compiled_as, for_rules
from gridarium.compiled.data_types.value_class import value

Shifted = TypeVar("Shifted", "Position", "Area")
Turned = TypeVar("Turned", "Position", "Area", "Orientation")
Posed = TypeVar("Posed", "Position", "Area", "Orientation", "Transform")
DistanceFunction: TypeAlias = "Callable[[Position, Position], float]"


@for_rules
@value
class Shape:
    """The height and width of a grid."""

    height: int
    width: int

    __coordinates__: ClassVar[bool] = True

    @property
    def as_tuple(self) -> tuple[int, int]:
        """(height, width)."""
        return (self.height, self.width)

    def __iter__(self) -> Iterator[int]:
        yield self.height
        yield self.width


@for_rules
@value
class Position:
    """The position of a cell, or the offset from one cell to another."""

    y: int
    x: int

    __coordinates__: ClassVar[bool] = True

    @property
    def yx(self) -> tuple[int, int]:
        """(y, x)."""
        return (self.y, self.x)

    def __add__(self, other: Shifted) -> Shifted:
        return other.shifted(self)

    def __sub__(self, other: Position) -> Position:
        return Position(self.y - other.y, self.x - other.x)

    def __neg__(self) -> Position:
        return Position(-self.y, -self.x)

    def __mul__(self, other: Orientation | Transform) -> Position:
        return other.moving(self)

    def shifted(self, step: Position) -> Position:
        """The position translated by an offset."""
        return Position(self.y + step.y, self.x + step.x)

    def posed(self, position: Position, orientation: Orientation) -> Position:
        """Transform this position from the frame of a pose to the world's frame."""
        return self.turned(orientation).shifted(position)

    def turned(self, orientation: Orientation) -> Position:
        """This offset in the frame of a viewer who faces `orientation`."""
        o = orientation.value
        y, x = (self.x, self.y) if o >= 2 else (self.y, self.x)
        return Position(-y if (o + 1) & 2 else y, -x if o & 1 else x)

    @staticmethod
    def from_orientation(orientation: Orientation) -> Position:
        """The unit step in a direction."""
        return Position(-1, 0).turned(orientation)

    @staticmethod
    def manhattan_distance(p: Position, q: Position) -> float:
        """|dy| + |dx|."""
        return float(abs(p.y - q.y) + abs(p.x - q.x))

    @staticmethod
    def euclidean_distance(p: Position, q: Position) -> float:
        """The straight-line distance."""
        return math.sqrt(float((p.y - q.y) * (p.y - q.y) + (p.x - q.x) * (p.x - q.x)))


class _Orientations(type):
    """Make `Orientation` iterable, indexable by name and comparable with `is`, like an enum."""

    def __call__(cls, value: int) -> Orientation:
        if not 0 <= value <= 3:
            raise ValueError(f"an orientation is 0, 1, 2 or 3, not {value}")
        found = _made.get(value)
        if found is None:
            found = _made.setdefault(int(value), super().__call__(value))
        return found

    def __iter__(cls) -> Iterator[Orientation]:
        return iter(_ORIENTATIONS)

    def __len__(cls) -> int:
        return 4

    def __getitem__(cls, name: str) -> Orientation:
        if name not in ORIENTATION_NAMES:
            raise KeyError(f"no orientation {name!r}; there are {', '.join(ORIENTATION_NAMES)}")
        return _ORIENTATIONS[ORIENTATION_NAMES.index(name)]


_made: dict[int, Orientation] = {}
ORIENTATION_NAMES = ("FORWARD", "BACKWARD", "LEFT", "RIGHT")


@for_rules
@value
class Orientation(metaclass=_Orientations):
    """One of four headings, FORWARD=0 (up), BACKWARD=1, LEFT=2, RIGHT=3.

    A group under `*` with FORWARD as the identity.
    """

    value: int

    __single__: ClassVar[bool] = True
    FORWARD: ClassVar[Orientation]
    BACKWARD: ClassVar[Orientation]
    LEFT: ClassVar[Orientation]
    RIGHT: ClassVar[Orientation]
    F: ClassVar[Orientation]
    B: ClassVar[Orientation]
    L: ClassVar[Orientation]
    R: ClassVar[Orientation]

    @property
    def quarter_turns(self) -> int:
        """Clockwise quarter turns from FORWARD: 0, 2, 3, 1."""
        return (0x1320 >> (4 * self.value)) & 3

    def __mul__(self, other: Orientation | Transform) -> Orientation:
        return other.turned(self)

    def moving(self, thing: Turned) -> Turned:
        """Rotate an offset, an area or an orientation: the result of `thing * self`."""
        return thing.turned(self)

    def __neg__(self) -> Orientation:
        return from_quarter_turns(4 - self.quarter_turns)

    def turned(self, orientation: Orientation) -> Orientation:
        """This heading in the frame of a viewer who faces `orientation`."""
        return from_quarter_turns(self.quarter_turns + orientation.quarter_turns)

    def posed(self, position: Position, orientation: Orientation) -> Orientation:
        """Transform this heading from the frame of a pose to the world's frame."""
        return self.turned(orientation)

    @property
    def name(self) -> str:
        """FORWARD, BACKWARD, LEFT or RIGHT (interpreted only)."""
        return ORIENTATION_NAMES[self.value]

    def __repr__(self) -> str:
        return f"Orientation.{ORIENTATION_NAMES[self.value]}"


def _orientation_from_number(value: Any) -> Orientation:
    if not 0 <= value <= 3:
        raise ValueError(f"an orientation is 0, 1, 2 or 3, not {value}")
    return heading(value)


Orientation.__compiled_constructor__ = _orientation_from_number  # type: ignore[attr-defined]


FAR = 1 << 30
"""Farther away than any cell; sums of such numbers have 64 bits."""


def check_near(position: Position) -> None:
    """Raise an error for where neither agents nor things can be, not even those that have left the grid."""
    if not (-FAR < position.y < FAR and -FAR < position.x < FAR):
        raise ValueError(f"nothing can be as far away as ({position.y}, {position.x})")


@compiled_as("gridarium.world.compiled.primitives:heading")
def heading(number: int) -> Orientation:
    """The orientation of a valid number (compiled: not checked)."""
    return Orientation(int(number))


@for_rules
def from_quarter_turns(turns: int) -> Orientation:
    """The orientation after a number of clockwise quarter turns from FORWARD."""
    return heading((0x2130 >> (4 * (turns & 3))) & 3)


_ORIENTATIONS = tuple(Orientation(i) for i in range(4))
for _name, _orientation in zip(ORIENTATION_NAMES, _ORIENTATIONS, strict=True):
    setattr(Orientation, _name, _orientation)
    setattr(Orientation, _name[0], _orientation)


class _Areas(type):
    """Allow `Area((y0, y1), (x0, x1))` as in gym-gridverse, and check the bounds."""

    def __call__(cls, ys: Sequence[int], xs: Sequence[int]) -> Area:
        if ys[0] > ys[1]:
            raise ValueError(f"ymin {ys[0]} is above ymax {ys[1]}; an area's bounds may not decrease")
        if xs[0] > xs[1]:
            raise ValueError(f"xmin {xs[0]} is above xmax {xs[1]}; an area's bounds may not decrease")
        area: Area = super().__call__(ys[0], ys[1], xs[0], xs[1])
        return area


@for_rules
@value
class Area(metaclass=_Areas):
    """A rectangle of cells, `Area((ymin, ymax), (xmin, xmax))`, bounds included."""

    ymin: int
    ymax: int
    xmin: int
    xmax: int

    __coordinates__: ClassVar[bool] = True

    @property
    def ys(self) -> tuple[int, int]:
        """(ymin, ymax)."""
        return (self.ymin, self.ymax)

    @property
    def xs(self) -> tuple[int, int]:
        """(xmin, xmax)."""
        return (self.xmin, self.xmax)

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.ymax - self.ymin + 1

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.xmax - self.xmin + 1

    def y_coordinates(self) -> Iterator[int]:
        """The rows, from the top."""
        for y in range(self.ymin, self.ymax + 1):
            yield y

    def x_coordinates(self) -> Iterator[int]:
        """The columns, from the left."""
        for x in range(self.xmin, self.xmax + 1):
            yield x

    def positions(self, selection: Literal["all", "border", "inside"] = "all") -> Iterator[Position]:
        """The positions in row-major order: all of them, the outermost ring, or those inside that ring.

        Raises:
            ValueError: an unknown selection.
        """
        if selection not in ("all", "border", "inside"):
            raise ValueError(f"selection must be 'all', 'border' or 'inside', not {selection!r}")
        y, x = self.ymin, self.xmin
        while y <= self.ymax:
            on_border = y == self.ymin or y == self.ymax or x == self.xmin or x == self.xmax
            if selection == "all" or (selection == "border") == on_border:
                yield Position(y, x)
            x += 1
            if x > self.xmax:
                y, x = y + 1, self.xmin

    def contains(self, position: Position) -> bool:
        """Whether a position lies in the area."""
        return self.ymin <= position.y <= self.ymax and self.xmin <= position.x <= self.xmax

    def shifted(self, step: Position) -> Area:
        """The area translated by an offset."""
        return area(self.ymin + step.y, self.ymax + step.y, self.xmin + step.x, self.xmax + step.x)

    def __add__(self, step: Position) -> Area:
        return self.shifted(step)

    def turned(self, orientation: Orientation) -> Area:
        """The area in the frame of a viewer who faces `orientation`, bounds sorted again."""
        p = Position(self.ymin, self.xmin).turned(orientation)
        q = Position(self.ymax, self.xmax).turned(orientation)
        return area(min(p.y, q.y), max(p.y, q.y), min(p.x, q.x), max(p.x, q.x))

    def __mul__(self, other: Orientation | Transform) -> Area:
        return other.moving(self)

    def posed(self, position: Position, orientation: Orientation) -> Area:
        """Transform this area from the frame of a pose to the world's frame."""
        return self.turned(orientation).shifted(position)

    @staticmethod
    def from_positions(positions: Iterable[Position]) -> Area:
        """The smallest area that contains all positions."""
        listed = list(positions)
        ys, xs = [p.y for p in listed], [p.x for p in listed]
        return area(min(ys), max(ys), min(xs), max(xs))

    def __repr__(self) -> str:
        return f"Area(({self.ymin}, {self.ymax}), ({self.xmin}, {self.xmax}))"

    def __reduce__(self) -> Any:
        return Area, ((self.ymin, self.ymax), (self.xmin, self.xmax))


def _area_from_pairs(ys: Any, xs: Any) -> Area:
    return area(ys[0], ys[1], xs[0], xs[1])


Area.__compiled_constructor__ = _area_from_pairs  # type: ignore[attr-defined]


@compiled_as("gridarium.world.compiled.primitives:area")
def area(ymin: int, ymax: int, xmin: int, xmax: int) -> Area:
    """An area from its four bounds."""
    make: Any = Area
    made: Area = make((ymin, ymax), (xmin, xmax))
    return made


@for_rules
@value
class Transform:
    """A pose: a position and an orientation. `*` composes poses, or transforms things to the world's frame."""

    position: Position
    orientation: Orientation

    def __mul__(self, other: Posed) -> Posed:
        return other.posed(self.position, self.orientation)

    def moving(self, thing: Posed) -> Posed:
        """Transform something from this frame to the world's frame: the result of `thing * self`."""
        return thing.posed(self.position, self.orientation)

    def turned(self, orientation: Orientation) -> Orientation:
        """Transform a heading from this frame to the world's frame: the result of `orientation * self`."""
        return orientation.turned(self.orientation)

    def __neg__(self) -> Transform:
        back = -self.orientation
        return Transform((-self.position).turned(back), back)

    def posed(self, position: Position, orientation: Orientation) -> Transform:
        """Transform this pose from the frame of another pose to the world's frame."""
        return Transform(position + self.position.turned(orientation), self.orientation.turned(orientation))


def get_manhattan_boundary(position: Position, distance: int) -> list[Position]:
    """The 4 * distance cells at that Manhattan distance, clockwise from the top.

    Raises:
        ValueError: a distance below 1.
    """
    if distance <= 0:
        raise ValueError(f"distance must be at least 1, got {distance}")
    d = distance
    steps = [(i - d, i) for i in range(d)] + [(i, d - i) for i in range(d)]
    steps += [(d - i, -i) for i in range(d)] + [(-i, i - d) for i in range(d)]
    return [Position(position.y + y, position.x + x) for y, x in steps]


def distance_function_factory(name: str) -> DistanceFunction:
    """The distance function called 'manhattan' or 'euclidean'.

    Raises:
        ValueError: an unknown name.
    """
    known: dict[str, DistanceFunction] = {
        "manhattan": Position.manhattan_distance,
        "euclidean": Position.euclidean_distance,
    }
    if name not in known:
        raise ValueError(f"no distance function {name!r}; there are {', '.join(known)}")
    return known[name]
