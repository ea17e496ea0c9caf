"""The drawings of what teams work with: food and baskets (see `gridarium.world.foraging`)."""

from __future__ import annotations

from gridarium.draw.shapes import RGB, WHITE, Disc, Drawing, Label, Line, Polygon
from gridarium.world.foraging import Basket, Food, Level
from gridarium.world.objects import GridObject

INK: RGB = (24, 26, 34)
APPLE: RGB = (214, 58, 52)
LEAF: RGB = (72, 150, 66)
WICKER: RGB = (206, 158, 92)
BROWN: RGB = (124, 82, 40)


def _number(number: int, y: float, size: float, color: RGB) -> Label:
    return Label(str(number), 0.5, y, size if number < 10 else 0.75 * size, color, 1 / 5)


def _apple(level: int) -> Drawing:
    return (
        *(Disc(x, 0.57, 0.28, INK) for x in (0.38, 0.62)),
        Disc(0.5, 0.66, 0.26, INK),
        *(Disc(x, 0.57, 0.24, APPLE) for x in (0.38, 0.62)),
        Disc(0.5, 0.66, 0.22, APPLE),
        Line(((0.5, 0.38), (0.53, 0.16)), 0.07, BROWN),
        Polygon(((0.54, 0.28), (0.66, 0.12), (0.84, 0.14), (0.72, 0.28)), LEAF),
        _number(level, 0.6, 0.34, WHITE),
    )


def _basket(level: int) -> Drawing:
    handle = ((0.2, 0.5), (0.24, 0.26), (0.38, 0.14), (0.62, 0.14), (0.76, 0.26), (0.8, 0.5))
    return (
        Line(handle, 0.08, BROWN),
        Polygon(((0.08, 0.42), (0.92, 0.42), (0.8, 0.92), (0.2, 0.92)), BROWN),
        Polygon(((0.14, 0.48), (0.86, 0.48), (0.76, 0.87), (0.24, 0.87)), WICKER),
        _number(level, 0.67, 0.32, INK),
    )


FORAGING: dict[type[GridObject], Drawing | dict[str, Drawing]] = {
    Food: {status.name: _apple(status + 1) for status in Level},
    Basket: {status.name: _basket(status + 1) for status in Level},
}
