"""Renders whole states in compiled code; cells that the agent does not see are darkened.

One program serves all worlds: their differences are read from the frame. The bytes are those of `draw.rgb`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from gridarium.compiled.data_types.primitives import int64_at, uint8_at, uint32_at
from gridarium.draw.pixels.atlas import blend, draw_body, draw_signs, draw_small, draw_walls, put_tile
from gridarium.draw.signs import has_signs
from gridarium.engine.observe.pixels import atlas_at
from gridarium.world.agent import ACTIVE, HELD, ORIENTATION, X, Y
from gridarium.world.geometry import Orientation, Position
from gridarium.world.vocabulary import Vocabulary

NO_WORDS = Vocabulary([])
"""Tiles are looked up by numbers alone."""


class Paint(IntEnum):
    """Indices in the frame of a picture; those that name an array hold its address, or 0 if there is none."""

    HEIGHT = 0
    WIDTH = 1
    AGENTS = 2
    AGENT_ROW_LENGTH = 3
    CELLS = 4
    CONTENTS = 5
    EDGES = 6
    AGENT_ROWS = 7
    SEEN = 8
    """uint8[height, width]: the visible cells."""
    VEILED = 9
    """The atlas's tiles, darkened."""
    OUT = 10
    VIEW = 11
    """uint8[view height, view width, 3]: the observation of the agent in focus, from which SEEN is computed."""
    VIEW_HEIGHT = 12
    VIEW_WIDTH = 13
    VIEW_Y = 14
    VIEW_X = 15
    HIDDEN = 16
    FOCUS = 17


def paint(frame: Any, slot: int, first: int, last: int, mode: int) -> int:
    """Draw the picture that a frame describes."""
    atlas = atlas_at(frame, NO_WORDS)
    height, width, size = int(frame[Paint.HEIGHT]), int(frame[Paint.WIDTH]), atlas.size
    out = uint8_at(frame[Paint.OUT], (height * size, width * size, 3))
    cells = uint32_at(frame[Paint.CELLS], (height, width))
    count = int(frame[Paint.AGENTS])
    agent_rows = int64_at(frame[Paint.AGENT_ROWS], (count, frame[Paint.AGENT_ROW_LENGTH]))
    veiled = uint8_at(frame[Paint.VEILED], (atlas.tiles.shape[0], size, size, 3))
    shaded = frame[Paint.SEEN] != 0
    seen = uint8_at(frame[Paint.SEEN], (height, width))
    if frame[Paint.VIEW] != 0:
        look(frame, agent_rows, seen)
    signs = has_signs(cells)
    over = shaded and (
        signs or frame[Paint.EDGES] != 0 or frame[Paint.CONTENTS] != 0 or hides_agent(agent_rows, seen)
    )
    for y in range(height):
        for x in range(width):
            index = atlas.tile_at(cells, y, x)
            if shaded and not over and seen[y, x] == 0:
                put_tile(veiled, index, out, y * size, x * size)
            else:
                put_tile(atlas.tiles, index, out, y * size, x * size)
    if signs:
        draw_signs(cells, atlas, out)
    if frame[Paint.EDGES] != 0:
        draw_walls(int64_at(frame[Paint.EDGES], (height, width)), atlas, out)
    if frame[Paint.CONTENTS] != 0:
        draw_small(int64_at(frame[Paint.CONTENTS], (height, width)), atlas, out)
    for i in range(count):
        if agent_rows[i, ACTIVE] != 0:
            position = Position(agent_rows[i, Y], agent_rows[i, X])
            draw_body(i, position, int(agent_rows[i, ORIENTATION]), int(agent_rows[i, HELD]), atlas, out)
    if over:
        for y in range(height):
            for x in range(width):
                if seen[y, x] == 0:
                    blend(atlas.shadow, out, y * size, x * size)
    return 0


def hides_agent(agent_rows: Any, seen: Any) -> bool:
    """Whether an agent is in an unseen cell."""
    for i in range(agent_rows.shape[0]):
        y, x = int(agent_rows[i, Y]), int(agent_rows[i, X])
        if (
            0 <= y < seen.shape[0]
            and 0 <= x < seen.shape[1]
            and agent_rows[i, ACTIVE] != 0
            and seen[y, x] == 0
        ):
            return True
    return False


def look(frame: Any, agent_rows: Any, seen: Any) -> None:
    """Compute the visible cells from the observation of the agent in focus, in which it faces up."""
    height, width, hidden = (
        int(frame[Paint.VIEW_HEIGHT]),
        int(frame[Paint.VIEW_WIDTH]),
        int(frame[Paint.HIDDEN]),
    )
    view = uint8_at(frame[Paint.VIEW], (height, width, 3))
    focus = int(frame[Paint.FOCUS])
    here, ahead = Position(agent_rows[focus, Y], agent_rows[focus, X]), int(agent_rows[focus, ORIENTATION])
    for y in range(seen.shape[0]):
        for x in range(seen.shape[1]):
            seen[y, x] = 0
    for y in range(height):
        for x in range(width):
            if view[y, x, 0] != hidden:
                away = Position(y - frame[Paint.VIEW_Y], x - frame[Paint.VIEW_X])
                p = here + away.turned(Orientation(ahead))
                if 0 <= p.y < seen.shape[0] and 0 <= p.x < seen.shape[1]:
                    seen[p.y, p.x] = 1
