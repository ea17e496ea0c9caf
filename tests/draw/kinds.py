"""Kinds as users declare them."""

import enum

from gridarium.draw import Disc, Rectangle
from gridarium.world import Color, Door, GridObject, Wall


class Ice(GridObject):
    """With a drawing for each status."""

    class Status(enum.IntEnum):
        """Slippery until it breaks."""

        SMOOTH = 0
        BROKEN = 1

    glyph = "~"
    drawing = {
        "SMOOTH": (Rectangle(0, 0, 1, 1, (200, 230, 250)),),
        "BROKEN": (Rectangle(0, 0, 1, 1, (200, 230, 250)), Disc(0.5, 0.5, 0.3, "dark")),
    }


class Gem(GridObject):
    """With one drawing."""

    glyph = "d"
    colored = holdable = True
    drawing = (Disc(0.5, 0.5, 0.3),)


class Lever(GridObject):
    """With a glyph only, and three statuses that look alike but for their pips."""

    class Status(enum.IntEnum):
        """Positions."""

        LEFT = 0
        MIDDLE = 1
        RIGHT = 2

    glyph = "L"
    blocks_movement = {Status.MIDDLE}


class Tree(GridObject):
    """With a glyph that the font of tiles lacks."""

    glyph = "Ж"


class Bush(GridObject):
    """Without anything."""


class Gate(Door):
    """Looks like the door that it is."""


class Hedge(Wall):
    """A wall with a look of its own."""

    glyph = "h"


PINK = Color("DRAW_TEST_PINK", rgb=(255, 150, 200), mark="p")
CUSTOM = (Ice, Gem, Lever, Tree, Bush, Hedge)
