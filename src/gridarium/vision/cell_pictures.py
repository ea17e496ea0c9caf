"""The picture of one cell: its object, a text on it, and the walls at its sides."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.draw import LIGHT, Label
from gridarium.draw.overlays.marks import OverlayShape
from gridarium.draw.pixels.raster import lay
from gridarium.draw.pixels.tiles import tile
from gridarium.draw.shapes import BLACK
from gridarium.world import Orientation, Position, State
from gridarium.world.objects import Floor, GridObject

Pixels = npt.NDArray[np.uint8]
SIZE = 32
"""The side of a picture in pixels, by default."""
ABOVE, RIGHT, BELOW, LEFT = 1, 2, 4, 8
"""The sides at which a wall may stand, as bits."""
SIDES = {
    ABOVE: Orientation.FORWARD,
    RIGHT: Orientation.RIGHT,
    BELOW: Orientation.BACKWARD,
    LEFT: Orientation.LEFT,
}


@dataclass(frozen=True)
class Scene:
    """The visible contents of a cell.

    Attributes:
        thing: the object in it.
        text: written across it.
        walls: the sides at which walls stand: 1 (above) + 2 (right) + 4 (below) + 8 (left).
    """

    thing: GridObject = Floor()  # noqa: RUF009  (objects cannot be changed)
    text: str = ""
    walls: int = 0

    @staticmethod
    def at(state: State, position: Position) -> Scene:
        """The scene of a cell of a world; agents are not seen.

        Raises:
            IndexError: the cell lies outside the grid.
        """
        grid, walls = state.grid, 0
        for side, orientation in SIDES.items():
            beyond = position + Position.from_orientation(orientation)
            if grid.contains(beyond) and grid.has_wall(position, beyond):
                walls |= side
        return Scene(grid[position], "", walls)

    def picture(self, size: int = SIZE) -> Pixels:
        """uint8[size, size, 3], as the world is drawn; not to be written to.

        Raises:
            ValueError: a size that cannot be drawn.
        """
        return _drawn(self, size)


@functools.lru_cache(8192)
def _drawn(scene: Scene, size: int) -> Pixels:
    out = tile(scene.thing, size).copy()
    if scene.text:
        lay(OverlayShape(Label(scene.text, 0.5, 0.5, 0.25, BLACK, room=1.0), BLACK), out, size)
    half = max(1, (size + 8) // 16)
    parts: dict[int, Any] = {
        ABOVE: np.s_[:half],
        RIGHT: np.s_[:, -half:],
        BELOW: np.s_[-half:],
        LEFT: np.s_[:, :half],
    }
    for side, part in parts.items():
        if scene.walls & side:
            out[part] = LIGHT.mortar
    out.flags.writeable = False
    return out
