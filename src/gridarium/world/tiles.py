"""Colored tiles with pictures and notes on them: landmarks for worlds in which one has to find out where one is."""

from __future__ import annotations

import enum

from gridarium.world.objects import GridObject


class Tile(GridObject):
    """A floor tile of some color; on it may lie a note or two, and in its subclasses a picture."""

    class Status(enum.IntEnum):
        """How many notes lie on it."""

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
