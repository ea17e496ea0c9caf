"""What the worlds of teams consist of, besides walls and doors (see `gridarium.rules.live_actions`).

Source: the objects of MATRX.
"""

from __future__ import annotations

import enum

from gridarium.world.objects import GridObject

COLOUR_FIELD = "colour"
"""The field of things that says their color as a number, 0xff8000, more exactly than the colors of a world; pictures show it."""
OTHER_COLOUR, INVISIBLE = -1, -2
"""Numbers in it: of things whose color the world's own colors say, and of things that pictures do not show."""


class Item(GridObject):
    """Any object that agents meet: it can be carried if it is movable, and walked over if it is passable."""

    class Status(enum.IntEnum):
        """Whether it stays where it is or can be carried, and whether agents can enter its cell."""

        FIXED = 0
        FIXED_PASSABLE = 1
        MOVABLE = 2
        MOVABLE_PASSABLE = 3

    glyph = "u"
    colored = True
    blocks_movement = frozenset({Status.FIXED, Status.MOVABLE})  # type: ignore[assignment]  # a set of statuses
    holdable = frozenset({Status.MOVABLE, Status.MOVABLE_PASSABLE})  # type: ignore[assignment]


class AreaTile(GridObject):
    """A colored part of the floor."""

    glyph = ","
    colored = True


class DropOffTile(GridObject):
    """A part of the floor to which things are brought."""

    glyph = "="
    colored = True


class Smoke(GridObject):
    """Can be walked through, but not seen through."""

    glyph = "%"
    colored = True
    blocks_vision = True
