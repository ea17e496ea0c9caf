"""The drawings of tiles and of what lies on them (see `gridarium.world.tiles`)."""

from __future__ import annotations

from math import cos, pi, sin

from gridarium.draw.shapes import RGB, Disc, Drawing, Line, Polygon, Rectangle
from gridarium.world.objects import GridObject
from gridarium.world.tiles import Dog, Flower, Tile, TwoFlowers

INK: RGB = (24, 26, 34)
FUR: RGB = (150, 98, 52)
EAR: RGB = (96, 60, 30)
PETAL: RGB = (250, 250, 255)
PISTIL: RGB = (250, 196, 40)
_GROUND: Drawing = (Rectangle(1 / 32, 1 / 32, 1, 1, "object"),)
_DOG: Drawing = (
    Polygon(((0.24, 0.2), (0.42, 0.26), (0.3, 0.5)), EAR),
    Polygon(((0.76, 0.2), (0.58, 0.26), (0.7, 0.5)), EAR),
    Disc(0.5, 0.42, 0.22, FUR),
    Disc(0.42, 0.37, 0.035, INK),
    Disc(0.58, 0.37, 0.035, INK),
    Disc(0.5, 0.48, 0.055, INK),
    Line(((0.42, 0.56), (0.5, 0.59), (0.58, 0.56)), 0.03, INK),
)


def _flower(x: float, y: float, size: float) -> Drawing:
    angles = [2 * pi * k / 5 - pi / 2 for k in range(5)]
    petals = tuple(Disc(x + size * cos(a), y + size * sin(a), 0.75 * size, PETAL) for a in angles)
    return (*petals, Disc(x, y, 0.65 * size, PISTIL))


def _note(x: float) -> Drawing:
    return (
        Disc(x, 0.88, 0.06, INK),
        Line(((x + 0.05, 0.88), (x + 0.05, 0.68), (x + 0.13, 0.72)), 0.035, INK),
    )


def _with_notes(picture: Drawing) -> dict[str, Drawing]:
    """A tile with a picture, for each number of notes."""
    plain = (*_GROUND, *picture)
    return {
        "PLAIN": plain,
        "ONE_NOTE": (*plain, *_note(0.14)),
        "TWO_NOTES": (*plain, *_note(0.14), *_note(0.36)),
    }


TILES: dict[type[GridObject], dict[str, Drawing]] = {
    Tile: _with_notes(()),
    Dog: _with_notes(_DOG),
    Flower: _with_notes(_flower(0.5, 0.4, 0.17)),
    TwoFlowers: _with_notes((*_flower(0.32, 0.32, 0.13), *_flower(0.68, 0.5, 0.13))),
}
