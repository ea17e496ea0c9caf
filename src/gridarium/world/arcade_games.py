"""What players leave behind and pick up in games on a grid (see `gridarium.rules.games`)."""

from __future__ import annotations

import enum

from gridarium.world.objects import GridObject


class Trail(GridObject):
    """A cell where a player has been, and where nobody may go any more (Tron); its status is the player."""

    class Status(enum.IntEnum):
        """Players from 1, numbered from 0 as agents are."""

        PLAYER_1 = 0
        PLAYER_2 = 1
        PLAYER_3 = 2
        PLAYER_4 = 3
        PLAYER_5 = 4
        PLAYER_6 = 5
        PLAYER_7 = 6
        PLAYER_8 = 7

    glyph = "t"


class Square(GridObject):
    """A square of a piece that has been placed (Blokus); its status is the player's color."""

    class Status(enum.IntEnum):
        """The colors in the order of turns."""

        BLUE = 0
        YELLOW = 1
        RED = 2
        GREEN = 3

    glyph = "q"
