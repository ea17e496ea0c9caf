"""Colored tiles with pictures and notes on them: landmarks for localisation tasks."""

from __future__ import annotations

import enum

from gridarium.world.objects import GridObject


class Tile(GridObject):
    """A colored floor tile with up to two notes and, in subclasses, a picture."""

    class Status(enum.IntEnum):
        """The number of notes on the tile."""

        PLAIN = 0
        ONE_NOTE = 1
        TWO_NOTES = 2

    glyph = "t"
    colored = True


class Dog(Tile):
    """A tile with the picture of a dog."""

    glyph = "d"


class Flower(Tile):
    """A tile with the picture of a flower."""

    glyph = "f"


class TwoFlowers(Tile):
    """A tile with the picture of two flowers, which are not a flower."""

    glyph = "w"
