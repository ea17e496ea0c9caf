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


class SnakeBody(GridObject):
    """A part of a snake; its status is the player, and the direction of the next part towards the head."""

    class Status(enum.IntEnum):
        """4 times the number of the player, plus that of the direction: up, down, left, right."""

        UP_1 = 0
        DOWN_1 = 1
        LEFT_1 = 2
        RIGHT_1 = 3
        UP_2 = 4
        DOWN_2 = 5
        LEFT_2 = 6
        RIGHT_2 = 7
        UP_3 = 8
        DOWN_3 = 9
        LEFT_3 = 10
        RIGHT_3 = 11
        UP_4 = 12
        DOWN_4 = 13
        LEFT_4 = 14
        RIGHT_4 = 15

    glyph = "n"

    @property
    def player(self) -> int:
        """The number of the player."""
        return self.state_index // 4


class Apple(GridObject):
    """Is eaten by a snake, which grows."""

    glyph = "c"
