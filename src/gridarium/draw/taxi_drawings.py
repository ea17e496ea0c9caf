"""The drawings of the taxi problem: landmarks, the passenger, the taxi (see `gridarium.world.taxi`)."""

from __future__ import annotations

from gridarium.draw.shapes import RGB, WHITE, Disc, Drawing, Line, Polygon, Rectangle
from gridarium.world.objects import GridObject
from gridarium.world.taxi import Landmark, Passenger

INK: RGB = (24, 26, 34)
SKIN: RGB = (244, 206, 164)
COAT: RGB = (44, 62, 110)
YELLOW: RGB = (250, 196, 24)
GLASS: RGB = (176, 214, 240)
_GROUND: Drawing = (
    Rectangle(1 / 32, 1 / 32, 1, 1, "dark"),
    Rectangle(3 / 32, 3 / 32, 15 / 16, 15 / 16, "object"),
)
_BODY = (
    (0.05, 0.74),
    (0.05, 0.52),
    (0.2, 0.47),
    (0.3, 0.26),
    (0.7, 0.26),
    (0.8, 0.47),
    (0.95, 0.52),
    (0.95, 0.74),
)

TAXI: dict[type[GridObject], Drawing | dict[str, Drawing]] = {
    Landmark: _GROUND,
    Passenger: (
        *_GROUND,
        Disc(0.5, 0.33, 0.2, WHITE),
        Polygon(((0.18, 0.92), (0.22, 0.64), (0.38, 0.5), (0.62, 0.5), (0.78, 0.64), (0.82, 0.92)), WHITE),
        Disc(0.5, 0.33, 0.15, INK),
        Disc(0.5, 0.35, 0.12, SKIN),
        Polygon(((0.23, 0.88), (0.27, 0.66), (0.41, 0.55), (0.59, 0.55), (0.73, 0.66), (0.77, 0.88)), COAT),
    ),
}
CAB: Drawing = (
    Line((*_BODY, _BODY[0]), 0.1, INK),
    Rectangle(0.38, 0.12, 0.62, 0.26, INK, 0.04),
    Rectangle(0.42, 0.15, 0.58, 0.24, WHITE),
    Polygon(_BODY, YELLOW),
    Polygon(((0.28, 0.47), (0.35, 0.31), (0.48, 0.31), (0.48, 0.47)), GLASS),
    Polygon(((0.52, 0.47), (0.52, 0.31), (0.65, 0.31), (0.72, 0.47)), GLASS),
    *(Rectangle(x, 0.54, x + 0.075, 0.6, INK) for x in (0.125, 0.275, 0.425, 0.575, 0.725)),
    *(Rectangle(x, 0.6, x + 0.075, 0.66, INK) for x in (0.2, 0.35, 0.5, 0.65, 0.8)),
    *(Disc(x, 0.76, 0.12, INK) for x in (0.27, 0.73)),
    *(Disc(x, 0.76, 0.05, WHITE) for x in (0.27, 0.73)),
)
"""The taxi, from the side."""
