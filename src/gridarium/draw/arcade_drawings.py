"""The drawings of what players leave behind and pick up (see `gridarium.world.arcade_games`)."""

from __future__ import annotations

from gridarium.draw.shapes import AGENT_COLORS, RGB, Disc, Drawing, Line, Polygon, Rectangle
from gridarium.world.arcade_games import Apple, SnakeBody, Square, Trail
from gridarium.world.objects import GridObject


def _dimmed(color: RGB) -> RGB:
    """A color halfway to a light grey."""
    red, green, blue = ((part + 200) // 2 for part in color)
    return red, green, blue


def _plastic(color: RGB) -> Drawing:
    """A square with bevelled edges, light from the upper left."""
    red, green, blue = color
    light = ((red + 255) // 2, (green + 255) // 2, (blue + 255) // 2)
    return (
        Rectangle(0, 0, 1, 1, (red * 2 // 3, green * 2 // 3, blue * 2 // 3)),
        Polygon(((0, 0), (1, 0), (0, 1)), light),
        Rectangle(0.14, 0.14, 0.86, 0.86, color),
    )


def _part(status: int) -> Drawing:
    """A part of a snake, joined to the next one."""
    color = _dimmed(AGENT_COLORS[status // 4])
    x0, y0, x1, y1 = ((0.2, 0, 0.8, 0.5), (0.2, 0.5, 0.8, 1), (0, 0.2, 0.5, 0.8), (0.5, 0.2, 1, 0.8))[
        status % 4
    ]
    return (
        Rectangle(0.05, 0.05, 0.97, 0.97, color, 0.3),
        Rectangle(x0, y0, x1, y1, color),
        Disc(0.5, 0.5, 0.14, AGENT_COLORS[status // 4]),
    )


APPLE: Drawing = (
    *(Disc(x, 0.57, 0.24, (214, 58, 52)) for x in (0.38, 0.62)),
    Disc(0.5, 0.64, 0.24, (214, 58, 52)),
    Line(((0.5, 0.38), (0.53, 0.16)), 0.07, (124, 82, 40)),
    Polygon(((0.54, 0.28), (0.66, 0.12), (0.84, 0.14), (0.72, 0.28)), (72, 150, 66)),
)
SQUARE_COLORS: dict[str, RGB] = {
    "BLUE": (44, 96, 204),
    "YELLOW": (246, 202, 40),
    "RED": (214, 48, 48),
    "GREEN": (40, 160, 76),
}
ARCADE: dict[type[GridObject], Drawing | dict[str, Drawing]] = {
    Trail: {
        status.name: (Rectangle(0.05, 0.05, 0.98, 0.98, _dimmed(AGENT_COLORS[status]), 0.12),)
        for status in Trail.Status
    },
    Square: {name: _plastic(color) for name, color in SQUARE_COLORS.items()},
    SnakeBody: {status.name: _part(status) for status in SnakeBody.Status},
    Apple: APPLE,
}
