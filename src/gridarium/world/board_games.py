"""Pieces of board games: their status is the player that they belong to (see `gridarium.rules.games`)."""

from __future__ import annotations

import enum

from gridarium.world.objects import GridObject


class Mark(GridObject):
    """What a player writes into a cell (tic-tac-toe)."""

    class Status(enum.IntEnum):
        """The marks of the first to the fourth player."""

        CROSS = 0
        NOUGHT = 1
        TRIANGLE = 2
        SQUARE = 3

    glyph = "x"
    status_glyphs = "xozq"


class Token(GridObject):
    """A disc that falls into a slot (connect four)."""

    class Status(enum.IntEnum):
        """The color of the first and of the second player."""

        RED = 0
        YELLOW = 1

    glyph = "r"
    status_glyphs = "ry"


class Stone(GridObject):
    """A stone or a disc of two colors (Go, gomoku, Hex, Othello)."""

    class Status(enum.IntEnum):
        """The color of the first and of the second player."""

        BLACK = 0
        WHITE = 1

    glyph = "x"
    status_glyphs = "xo"


class Pawn(GridObject):
    """Moves forward (breakthrough)."""

    class Status(enum.IntEnum):
        """The color of the first and of the second player."""

        WHITE = 0
        BLACK = 1

    glyph = "p"
    status_glyphs = "wb"
