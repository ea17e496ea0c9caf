"""The drawings of what players leave behind and pick up (see `gridarium.world.arcade_games`)."""

from __future__ import annotations

from gridarium.draw.shapes import AGENT_COLORS, RGB, Drawing, Rectangle
from gridarium.world.arcade_games import Trail
from gridarium.world.objects import GridObject


def _dimmed(color: RGB) -> RGB:
    """A color halfway to a light grey."""
    red, green, blue = ((part + 200) // 2 for part in color)
    return red, green, blue


ARCADE: dict[type[GridObject], Drawing | dict[str, Drawing]] = {
    Trail: {
        status.name: (Rectangle(0.05, 0.05, 0.98, 0.98, _dimmed(AGENT_COLORS[status]), 0.12),)
        for status in Trail.Status
    },
}
