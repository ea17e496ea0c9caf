"""Characters of maps: those reserved for agents and walls, and those available for kinds of objects."""

from __future__ import annotations

import unicodedata

ARROWS = "^v<>"
"""An agent that faces FORWARD (up), BACKWARD, LEFT, RIGHT."""
AGENT = "@"
"""An agent in a world in which headings do not matter. A kind may have the same glyph; it then has another symbol on
maps with such an agent."""
WALL_RIGHT, WALL_BELOW, CROSSING = "|", "-", "+"
RESERVED = (*ARROWS, WALL_RIGHT, WALL_BELOW, CROSSING)


def is_readable(symbol: str) -> bool:
    """Whether a character is visible, one column wide and not reserved for walls."""
    if not symbol.isprintable() or symbol.isspace() or symbol in (WALL_RIGHT, WALL_BELOW, CROSSING):
        return False
    return not unicodedata.combining(symbol) and unicodedata.east_asian_width(symbol) not in ("W", "F")
