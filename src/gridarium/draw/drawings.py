"""The drawings of the built-in kinds and of agents, and the one that any other kind gets."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from math import cos, pi, sin
from typing import Any

from gridarium.draw import font
from gridarium.draw.arcade_drawings import ARCADE
from gridarium.draw.board_game_drawings import BOARD_GAMES
from gridarium.draw.shapes import (
    AGENT_COLORS,
    BLACK,
    RGB,
    WHITE,
    Disc,
    Drawing,
    Label,
    Line,
    Point,
    Polygon,
    Rectangle,
    Ring,
    Shape,
    check_drawing,
)
from gridarium.draw.taxi_drawings import CAB, TAXI
from gridarium.draw.team_drawings import FORAGING, KITCHEN, LIVE, WAREHOUSE
from gridarium.draw.tile_drawings import TILES
from gridarium.world.colors import Color
from gridarium.world.geometry import Orientation, Position
from gridarium.world.objects import (
    Ball,
    Beacon,
    Block,
    Box,
    Crate,
    Door,
    Evader,
    Exit,
    Floor,
    Goal,
    GridObject,
    Hidden,
    Key,
    Lava,
    MovingObstacle,
    NoneGridObject,
    Telepod,
    Wall,
)
from gridarium.world.taxi import Landmark

SMALLEST_PLATE = 20
SMALLEST_LABEL = 28
"""The smallest tiles, in pixels, that have room for a plate under held objects, and for letters and digits."""
GREEN: RGB = (38, 190, 108)
UNCOLORED: dict[type[GridObject], RGB] = {Exit: GREEN, Goal: GREEN}
"""Kinds that are to be seen at once even without a color (all others have their theme's `plain`): where to go."""
GROUND_EDGE = 1 / 8
"""The share of a cell's edge that a ground may leave free, see `layers_of`."""


def _bricks() -> Drawing:
    """Four courses, every second one shifted by half a brick."""
    gap = 1 / 32
    shapes = [Rectangle(0, 0, 1, 1, "mortar")]
    for row in range(4):
        for left in (0.0, 0.5) if row % 2 == 0 else (-0.25, 0.25, 0.75):
            x0, x1 = max(left + gap, 0.0), min(left + 0.5 - gap, 1.0)
            shapes.append(Rectangle(x0, row / 4 + gap, x1, (row + 1) / 4 - gap, "brick"))
    return tuple(shapes)


def _spiral(turns: float, radius: float) -> tuple[Point, ...]:
    steps = int(turns * 24)
    angles = [2 * pi * turns * i / steps for i in range(steps + 1)]
    return tuple(
        (0.5 + radius * i / steps * cos(a), 0.5 + radius * i / steps * sin(a)) for i, a in enumerate(angles)
    )


def _star(inner: float, outer: float, points: int) -> tuple[Point, ...]:
    radii = (outer, inner) * points
    angles = [pi * i / points - pi / 2 for i in range(2 * points)]
    return tuple((0.5 + r * cos(a), 0.5 + r * sin(a)) for r, a in zip(radii, angles, strict=True))


def _wave(y: float, height: float) -> tuple[Point, ...]:
    return tuple((i / 16, y + height * sin(2 * pi * i / 8)) for i in range(-1, 18))


_FRAME: Drawing = (Rectangle(0, 0, 1, 1, "dark"),)
_PANEL: Drawing = (
    *_FRAME,
    Rectangle(1 / 8, 1 / 8, 7 / 8, 7 / 8, "object"),
)


def _edging(outer: float, inner: float) -> Drawing:
    """Four bands around a cell: they stay when an overlay covers what is within them."""
    far = 1 - inner
    return (
        Rectangle(outer, outer, 1, inner),
        Rectangle(outer, far, 1, 1),
        Rectangle(outer, outer, inner, 1),
        Rectangle(far, outer, 1, 1),
    )


def _key(outline: float, color: str) -> Drawing:
    """Bow, shaft and bit, all strokes wider by an outline."""
    x = 7 / 16
    return (
        Ring(x, 0.28, 0.17, 0.1 + outline, color),
        Line(((x, 0.48), (x, 0.87), (x + 0.18, 0.87)), 0.1 + outline, color),
        Line(((x, 0.69), (x + 0.16, 0.69)), 0.1 + outline, color),
    )


def _crate(edge: RGB, face: RGB, board: RGB) -> Drawing:
    """Boards within a frame, and one across."""
    return (
        Rectangle(0.06, 0.06, 0.94, 0.94, edge, 0.04),
        Rectangle(0.12, 0.12, 0.88, 0.88, face),
        *(Rectangle(x, 0.12, x + 0.03, 0.88, board) for x in (0.3, 0.485, 0.67)),
        Line(((0.16, 0.84), (0.84, 0.16)), 0.16, edge),
        Line(((0.16, 0.84), (0.84, 0.16)), 0.1, board),
    )


BUILT_IN: dict[type[GridObject], Drawing | dict[str, Drawing]] = {
    NoneGridObject: (
        Rectangle(0, 0, 1, 1, "plate"),
        Line(((0.3, 0.3), (0.7, 0.7)), 0.05, "line"),
        Line(((0.3, 0.7), (0.7, 0.3)), 0.05, "line"),
    ),
    Hidden: (
        Rectangle(0, 0, 1, 1, "darkness"),
        *(Line(((x, 1.0), (x + 1, 0.0)), 0.05, "gloom") for x in (-0.75, -0.25, 0.25, 0.75)),
    ),
    Floor: (),
    Wall: _bricks(),
    Exit: (
        Rectangle(7 / 64, 7 / 64, 57 / 64, 57 / 64, "object"),
        *_edging(1 / 32, 1 / 8),
        Polygon(((5 / 16, 0.14), (0.89, 0.14), (0.77, 0.34), (0.89, 0.54), (5 / 16, 0.54)), WHITE),
        Line(((5 / 16, 0.15), (5 / 16, 0.86)), 0.1, "dark"),
        Line(((0.2, 0.88), (0.43, 0.88)), 0.1, "dark"),
    ),
    Door: {
        "OPEN": (
            *_FRAME,
            Rectangle(1 / 8, 1 / 8, 7 / 8, 7 / 8, "light"),
            Polygon(((1 / 8, 1 / 8), (0.36, 0.22), (0.36, 0.98), (1 / 8, 7 / 8)), "object"),
        ),
        "CLOSED": (*_PANEL, Disc(0.74, 0.5, 0.075, "dark")),
        "LOCKED": (
            *_PANEL,
            Disc(0.5, 0.5, 0.24, "light"),
            Disc(0.5, 0.44, 0.09, "dark"),
            Polygon(((0.47, 0.44), (0.53, 0.44), (0.57, 0.64), (0.43, 0.64)), "dark"),
        ),
    },
    Key: (
        *_key(2 * 0.04, "dark"),
        *_key(0.0, "object"),
    ),
    MovingObstacle: (
        Polygon(((0.5, 0.04), (0.96, 0.5), (0.5, 0.96), (0.04, 0.5)), (110, 24, 34)),
        Polygon(((0.5, 0.12), (0.88, 0.5), (0.5, 0.88), (0.12, 0.5)), (208, 52, 58)),
        Disc(0.37, 0.46, 0.1, WHITE),
        Disc(0.63, 0.46, 0.1, WHITE),
        Disc(0.39, 0.48, 0.05, BLACK),
        Disc(0.61, 0.48, 0.05, BLACK),
    ),
    Box: (
        Rectangle(0.08, 0.08, 0.92, 0.92, (106, 70, 38), 0.05),
        Rectangle(0.14, 0.14, 0.86, 0.86, (196, 146, 92)),
        Line(((0.14, 0.14), (0.86, 0.86)), 0.08, (150, 104, 60)),
        Line(((0.14, 0.86), (0.86, 0.14)), 0.08, (150, 104, 60)),
    ),
    Telepod: (
        Disc(0.5, 0.5, 0.44, "dark"),
        Disc(0.5, 0.5, 0.38, "object"),
        Line(_spiral(2.0, 0.3), 0.07, "light"),
    ),
    Beacon: (
        Polygon(_star(0.2, 0.47, 8), "dark"),
        Disc(0.5, 0.5, 0.3, "dark"),
        Disc(0.5, 0.5, 0.24, "object"),
        Disc(0.42, 0.42, 0.07, WHITE),
    ),
    Lava: (
        Rectangle(0, 0, 1, 1, (232, 96, 32)),
        *(Line(_wave(y, 0.05), 0.07, (255, 198, 60)) for y in (0.25, 0.75)),
        Line(_wave(0.5, -0.05), 0.07, (180, 56, 20)),
    ),
    Ball: (
        Disc(0.5, 0.5, 0.38, "dark"),
        Disc(0.5, 0.5, 0.32, "object"),
        Disc(0.4, 0.38, 0.09, "light"),
    ),
    Goal: (
        Disc(0.5, 0.5, 0.42, "object"),
        Disc(0.5, 0.5, 0.29, WHITE),
        Disc(0.5, 0.5, 0.16, "object"),
    ),
    Block: (
        Polygon(((0.14, 0.34), (0.32, 0.16), (0.86, 0.16), (0.86, 0.68), (0.68, 0.86), (0.14, 0.86)), "dark"),
        Polygon(((0.2, 0.34), (0.34, 0.2), (0.8, 0.2), (0.66, 0.34)), "light"),
        Polygon(((0.7, 0.38), (0.82, 0.26), (0.82, 0.66), (0.7, 0.78)), "dark"),
        Rectangle(0.2, 0.4, 0.64, 0.8, "object"),
    ),
    Evader: (
        Polygon(
            ((0.22, 0.88), (0.22, 0.44), (0.34, 0.22), (0.5, 0.16), (0.66, 0.22), (0.78, 0.44), (0.78, 0.88)),
            "dark",
        ),
        Polygon(
            ((0.27, 0.83), (0.27, 0.45), (0.38, 0.26), (0.5, 0.21), (0.62, 0.26), (0.73, 0.45), (0.73, 0.83)),
            (64, 130, 214),
        ),
        *(Disc(x, 0.44, 0.09, WHITE) for x in (0.39, 0.61)),
        *(Disc(x, 0.46, 0.045, "dark") for x in (0.39, 0.61)),
    ),
    Crate: {
        "LOOSE": _crate((106, 70, 38), (196, 146, 92), (150, 104, 60)),
        "STORED": _crate((24, 92, 58), (96, 190, 128), (52, 140, 88)),
    },
    **BOARD_GAMES,
    **TILES,
    **FORAGING,
    **KITCHEN,
    **WAREHOUSE,
    **LIVE,
    **TAXI,
    **ARCADE,
}

UNKNOWN: Drawing = (Rectangle(0, 0, 1, 1, (200, 0, 160)), Label("?", 0.5, 0.5, 0.6, WHITE, 1 / 5))
"""A cell whose number stands for no object."""

HATCH_WIDTH = 0.07
HATCH: Drawing = tuple(Line(((x, 1.0), (x + 1, 0.0)), HATCH_WIDTH) for x in (-0.75, -0.25, 0.25, 0.75))
"""The stripes on what is not seen; they go on from cell to cell."""

PLATE: Drawing = (Rectangle(0, 0, 1, 1, "plate", 0.3),)
"""Lies under what is drawn small on top of something else."""

_ARROW = ((0.5, 0.1), (0.84, 0.84), (0.5, 0.68), (0.16, 0.84))
AGENT: Drawing = (
    Line((*_ARROW, _ARROW[0]), 0.18, WHITE),
    Line((*_ARROW, _ARROW[0]), 0.1, "dark"),
    Polygon(_ARROW, "object"),
)
"""An agent that faces up."""


def _figure(margin: float, color: str | RGB) -> Drawing:
    """A head and shoulders, larger by a margin."""
    across, up = 0.3 + margin, 0.36 + margin
    arch = [pi * k / 24 for k in range(25)]
    body = ((0.5 - across, 0.86 + margin), *((0.5 - across * cos(a), 0.86 - up * sin(a)) for a in arch))
    return (
        Disc(0.5, 0.3, 0.17 + margin, color),
        Polygon((*body, (0.5 + across, 0.86 + margin)), color),
    )


FIGURE: Drawing = (*_figure(0.09, WHITE), *_figure(0.05, "dark"), *_figure(0.0, "object"))
"""An agent in a world where it does not matter which way it faces."""
FIGURES: dict[type[GridObject], Drawing] = {Landmark: CAB}
"""What agents look like in worlds with a kind, where it does not matter which way they face."""


def figure_in(kinds: Iterable[type[GridObject]]) -> Drawing:
    """What agents look like in a world with some kinds, where it does not matter which way they face."""
    return next((FIGURES[kind] for kind in kinds if kind in FIGURES), FIGURE)


def drawing_of(thing: GridObject) -> Drawing:
    """The shapes of an object: its kind's own drawing, a built-in one, or one made from glyph and flags.

    Raises:
        TypeError: the kind's `drawing` is neither a tuple of shapes nor a mapping from statuses to such tuples.
        ValueError: it lacks the object's status.
    """
    kind = type(thing)
    for cls in kind.__mro__:
        declared = vars(cls).get("drawing")
        if declared is not None:
            return _for_status(declared, thing, f"{cls.__name__}.drawing")
        if cls in BUILT_IN:
            return _for_status(BUILT_IN[cls], thing, cls.__name__)
        if "glyph" in vars(cls):
            break
    return made_drawing(kind, thing.state_index)


def made_drawing(kind: type[GridObject], status: int) -> Drawing:
    """A drawing for a kind that has none: its glyph (or a pattern of its own) on a square, a disc or tinted floor.

    What blocks the way is a square, what can be held a disc. Further statuses have as many pips at the lower edge.
    """
    if status in kind.flags["blocks_movement"]:
        body: Drawing = (
            Rectangle(0, 0, 1, 1, "object", 0.1),
            Rectangle(1 / 8, 1 / 8, 7 / 8, 7 / 8, "light", 0.04),
        )
    elif status in kind.flags["holdable"]:
        body = (Disc(0.5, 0.5, 0.5, "object"), Disc(0.5, 0.5, 0.39, "light"))
    else:
        body = (Rectangle(1 / 32, 1 / 32, 1, 1, "light"),)
    pips = []
    for i in range(status):
        x, y = 0.5 + 0.125 * (i % 6 - (min(status, 6) - 1) / 2), 0.9 - 0.125 * (i // 6)
        pips.append(Rectangle(x - 0.04, y - 0.04, x + 0.04, y + 0.04, "dark"))
    return (*body, *_sign(kind), *pips)


def color_mark(color: Color) -> Drawing:
    """The letter that tells a color apart, in the lower right corner."""
    return (
        Rectangle(0.69, 0.66, 0.97, 0.97, "plate", 0.06),
        Label(color.mark, 0.83, 0.79, 0.2, "dark", 1 / 5),
    )


def agent_rgb(number: int) -> RGB:
    """The color of an agent; there are ten."""
    return AGENT_COLORS[number % len(AGENT_COLORS)]


def agent_label(number: int, orientation: Orientation | None) -> Drawing:
    """An agent's number, upright within its arrow, or on a figure that faces nowhere."""
    if orientation is None:
        return (Label(str(number), 0.5, 0.7, 0.2, WHITE, 1 / 5),)
    back = -Position.from_orientation(orientation)
    return (Label(str(number), 0.5 + 0.06 * back.x, 0.5 + 0.06 * back.y, 0.24, WHITE, 1 / 5),)


def _for_status(declared: Any, thing: GridObject, whose: str) -> Drawing:
    if not isinstance(declared, Mapping):
        return check_drawing(declared, whose)
    name = getattr(thing.status, "name", str(thing.status))
    if name not in declared:
        raise ValueError(f"{whose} has no status {name}; it has {', '.join(map(str, declared))}")
    return check_drawing(declared[name], f"{whose}[{name!r}]")


def _sign(kind: type[GridObject]) -> Drawing:
    """The glyph, or where the font lacks it or none was chosen, a mirrored pattern made from the kind's name."""
    if kind.glyph != GridObject.glyph and font.has(kind.glyph):
        return (Label(kind.glyph, 0.5, 0.48, 0.52, "dark", 1 / 5),)
    bits = zlib.crc32(kind.__name__.encode()) | 1
    squares = []
    for row in range(5):
        for column in range(5):
            if bits >> (3 * row + min(column, 4 - column)) & 1:
                left, top = 0.25 + column / 10, 0.25 + row / 10
                squares.append(Rectangle(left, top, left + 0.1, top + 0.1, "dark"))
    return tuple(squares)


def layers_of(thing: GridObject) -> tuple[Drawing, Drawing]:
    """The ground and the body of an object; what an overlay lays on the floor comes between them.

    The ground is a first rectangle that covers all but the edge of the cell. What blocks the way has none: nothing is
    on the floor of a wall.
    """
    drawing = drawing_of(thing)
    count = 1 if drawing and _covers(drawing[0]) and not thing.blocks_movement else 0
    return drawing[:count], drawing[count:]


def _covers(shape: Shape) -> bool:
    if not isinstance(shape, Rectangle):
        return False
    return max(shape.x0, shape.y0) <= GROUND_EDGE and min(shape.x1, shape.y1) >= 1 - GROUND_EDGE
