"""The picture of the ghost world in the library's own style; `renderer` draws CustomGridEnv's."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium import draw
from gridarium.draw import LIGHT
from gridarium.draw.pixels import tiles
from gridarium.draw.pixels.raster import lay
from gridarium.draw.shapes import RGB
from gridarium.ghost.drawing.sprites import Picture, put
from gridarium.ghost.env import CustomGridEnv
from gridarium.ghost.renderer import PygameRenderer
from gridarium.ghost.world.descriptions import sign

MAX_TILE, PAGE = 100, 800
"""The most pixels of a cell, and of a large grid's longer side."""
AGENT, GHOST = (20, 90, 190), (130, 50, 170)
"""The colors of the agent's and the ghost's values of cells."""
ARROWS = "<v>^"
"""The direction of each action."""
HEIGHT = 0.17
"""The height of letters and digits, in cells."""
VALUE, SIGN = 0.12, 0.36
"""Where values and signs are written, from the top of a cell."""
LEFT, RIGHT = 0.24, 0.76
"""Where the agent's and the ghost's values are written, from the left of a cell, so that figures and things between them stay visible."""
PARTICLES = 0.5
"""The opacity of many particles in one cell, under which what stands there can still be seen."""


def picture(env: CustomGridEnv, info: dict[str, Any], language: str = "en") -> Picture:
    """The world with signs, agent, ghosts, particles and values: uint8[rows * cell, cols * cell, 3].

    Args:
        env: a `CustomGridEnv`.
        info: further things to show, with the keys of `env.info`, see docs/ghost.md: `particles`, `agent_values`, `ghost_values`,
            `q_values` (of the best action, with an arrow).
        language: of the signs: "en" or "de"; those of built-in layouts are German.
    """
    grid = env.state.grid
    tile = max(16, min(MAX_TILE, PAGE // max(env.rows, env.cols)))
    out = draw.rgb(grid, tile)
    if len(particles := info.get("particles", ())):
        crowded = draw.rgb(grid, tile, overlays=draw.Particles(particles))
        out = (PARTICLES * crowded + (1 - PARTICLES) * out).astype(np.uint8)
    row, col = env.agent_pos
    part = out[row * tile : (row + 1) * tile, col * tile : (col + 1) * tile]
    part[...] = tiles.stack(tiles.agent(0, None, tile), part)
    signs = [[sign(cell["text"], language) or None for cell in line] for line in env.grid]
    signs[row][col] = None  # the agent stands on it
    for y, x in env.ghost_positions if env.use_ghost else ():
        put(out, "ghost", y, x, tile)
        signs[y][x] = None
        if (y, x) == (row, col):
            put(out, "collision", y, x, tile)
    for text in (draw.Texts(signs, HEIGHT, middle=SIGN), *_values(info)):
        for mark in text.marks(grid.shape, LIGHT):
            lay(mark, out, tile)
    return out


class PlainRenderer(PygameRenderer):
    """Draws an environment in the library's own style, also in a window.

    Args:
        env: a `CustomGridEnv`.
    """

    def __init__(self, env: CustomGridEnv) -> None:
        super().__init__(env.rows, env.cols, env.render_mode or "rgb_array", env.metadata["render_fps"])
        self._env = env

    def draw(self, *_: Any, **__: Any) -> Picture:
        """The picture of the environment as it is, see `picture`."""
        return picture(self._env, self._env.info)


def _values(info: dict[str, Any]) -> list[draw.Texts]:
    """The values of cells for the agent and for a ghost."""
    found = []
    if "q_values" in info:
        numbers = [[_best(values) for values in row] for row in info["q_values"]]
        found.append(draw.Texts(numbers, HEIGHT, AGENT, VALUE, LEFT))
    for key, color, center in (("agent_values", AGENT, LEFT), ("ghost_values", GHOST, RIGHT)):
        if key in info:
            found.append(_texts(info[key], color, center))
    return found


def _best(values: Any) -> str | None:
    """The value and the direction of the best action; None where nothing has been learned."""
    return f"{ARROWS[int(np.argmax(values))]} {np.max(values):.0f}" if np.any(values) else None


def _texts(values: Any, color: RGB, center: float) -> draw.Texts:
    written = [[f"{value:.0f}" if np.isfinite(value) else None for value in row] for row in values]
    return draw.Texts(written, HEIGHT, color, VALUE, center)
