"""The drawings of the pieces of board games (see `gridarium.world.board_games`)."""

from __future__ import annotations

from math import cos, pi, sin

from gridarium.draw.shapes import RGB, Disc, Drawing, Line, Polygon, Rectangle, Ring
from gridarium.world.board_games import Mark, Pawn, Stone, Token
from gridarium.world.objects import GridObject

INK: RGB = (24, 26, 34)
IVORY: RGB = (250, 248, 240)
SHADE: RGB = (196, 192, 182)
GLOSS: RGB = (92, 96, 108)
BLUE: RGB = (36, 92, 200)
RED: RGB = (212, 44, 52)
GREEN: RGB = (20, 140, 92)
PURPLE: RGB = (134, 66, 190)


def _triangle(radius: float) -> tuple[tuple[float, float], ...]:
    corners = [-pi / 2 + 2 * pi * k / 3 for k in (0, 1, 2, 0)]
    return tuple((0.5 + radius * cos(a), 0.56 + radius * sin(a)) for a in corners)


def _token(face: RGB, rim: RGB) -> Drawing:
    return (Disc(0.5, 0.5, 0.41, rim), Disc(0.5, 0.5, 0.37, face), Ring(0.5, 0.5, 0.25, 0.04, rim))


def _stone(face: RGB, rim: RGB, gloss: RGB) -> Drawing:
    return (Disc(0.5, 0.5, 0.46, rim), Disc(0.5, 0.5, 0.43, face), Disc(0.38, 0.36, 0.1, gloss))


def _pawn_shape(margin: float, color: RGB) -> Drawing:
    """Head, collar, body and foot, larger by a margin."""
    m = margin
    return (
        Disc(0.5, 0.3, 0.14 + m, color),
        Rectangle(0.34 - m, 0.42 - m, 0.66 + m, 0.48 + m, color, 0.03),
        Polygon(((0.42 - m, 0.46), (0.58 + m, 0.46), (0.7 + m, 0.78 + m), (0.3 - m, 0.78 + m)), color),
        Rectangle(0.22 - m, 0.76 - m, 0.78 + m, 0.86 + m, color, 0.03),
    )


BOARD_GAMES: dict[type[GridObject], Drawing | dict[str, Drawing]] = {
    Mark: {
        "CROSS": (
            Line(((0.24, 0.24), (0.76, 0.76)), 0.13, BLUE),
            Line(((0.24, 0.76), (0.76, 0.24)), 0.13, BLUE),
        ),
        "NOUGHT": (Ring(0.5, 0.5, 0.28, 0.13, RED),),
        "TRIANGLE": (Line(_triangle(0.34), 0.11, GREEN),),
        "SQUARE": (
            Line(((0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75), (0.25, 0.25)), 0.11, PURPLE),
        ),
    },
    Token: {
        "RED": _token((218, 46, 52), (158, 24, 34)),
        "YELLOW": _token((250, 206, 46), (204, 152, 16)),
    },
    Stone: {
        "BLACK": _stone((34, 36, 44), (12, 13, 18), GLOSS),
        "WHITE": _stone(IVORY, (120, 116, 108), (255, 255, 255)),
    },
    Pawn: {
        "WHITE": (*_pawn_shape(0.04, INK), *_pawn_shape(0.0, IVORY)),
        "BLACK": (*_pawn_shape(0.04, SHADE), *_pawn_shape(0.0, INK)),
    },
}
