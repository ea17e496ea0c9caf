"""The ghost world's picture: the cells, who is where, what is believed, and a panel. Needs no screen.

Only the window needs one, and pygame (`gridarium[window]`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gridarium.ghost.palette import BLACK, BLUE, GREEN, GREY, PURPLE, RED, WHITE, Picture, put, write
from gridarium.ghost.panel import HEIGHT, panel
from gridarium.ghost.window import PictureWindow

TITLE = "Custom Grid Environment"
CELL, LEAST_WIDTH, LARGEST = 100, 500, 800
"""Pixels: a cell's side, the least width of a picture (the panel needs it), and the most of a large grid's sides."""
MARGIN, HATCH, WALL, FRAME = 4, 8, 6, 3
SPREAD = 0.4
"""How far particles are strewn around the middle of their cell, in cells."""
SIDES = ((0.22, 0.5), (0.5, 0.88), (0.78, 0.5), (0.5, 0.12))
"""Where in a cell the value of its best action stands: x and y."""


class PygameRenderer:
    """Draws the ghost world.

    Args:
        rows, cols: of the grid.
        render_mode: "rgb_array" (pictures) or "human" (a window, too).
        render_fps: how many pictures a second a film of it should have; drawing does not wait.
    """

    def __init__(self, rows: int, cols: int, render_mode: str = "human", render_fps: float = 4) -> None:
        self.rows, self.cols, self.render_mode, self.render_fps = rows, cols, render_mode, render_fps
        self.cell = max(16, min(CELL, LARGEST // max(rows, cols))) if max(rows, cols) > 8 else CELL
        self._window: PictureWindow | None = None
        self._ground: tuple[Any, Picture | None] = (None, None)

    def render(
        self, agent_pos: Sequence[int], ghost_pos: Any, grid: Any, walls_horizontal: Any, walls_vertical: Any,
        step_count: int, current_turn: int, info: dict[str, Any], use_ghost: bool = True,
    ) -> Picture | None:  # fmt: skip
        """Draw; arguments as for `draw`.

        Returns:
            the picture; None in a window.
        """
        picture = self.draw(
            agent_pos,
            ghost_pos,
            grid,
            walls_horizontal,
            walls_vertical,
            step_count,
            current_turn,
            info,
            use_ghost,
        )
        if self.render_mode != "human":
            return picture
        if self._window is None:
            self._window = PictureWindow(TITLE)
        self._window.show(picture)
        return None

    def draw(
        self, agent_pos: Sequence[int], ghost_pos: Any, grid: Any, walls_horizontal: Any, walls_vertical: Any,
        step_count: int, current_turn: int, info: dict[str, Any], use_ghost: bool = True,
    ) -> Picture:  # fmt: skip
        """The picture.

        Args:
            agent_pos: [row, column].
            ghost_pos: the same, or a list of these for several ghosts.
            grid: object[rows, cols] of cells.
            walls_horizontal: bool[rows, cols], as of `CustomGridEnv`.
            walls_vertical: bool[rows, cols].
            step_count: how many steps the agent has taken.
            current_turn: 0 for the agent.
            info: with what is to be shown, see docs/ghost.md.
            use_ghost: whether there is a ghost.

        Returns:
            uint8[rows * cell + 185, width, 3], (585, 500, 3) for the usual grid.
        """
        several = isinstance(ghost_pos[0], Sequence)
        ghosts = [list(g) for g in (ghost_pos if several else [ghost_pos])] if use_ghost else []
        picture = self._grid(list(agent_pos), ghosts, grid, (walls_horizontal, walls_vertical), info)
        below, here = picture[self.rows * self.cell :], grid[agent_pos[0], agent_pos[1]]
        panel(below, agent_pos, ghosts, here, step_count, current_turn, info)
        _frame(picture)
        return picture

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def _grid(
        self,
        agent: list[int],
        ghosts: list[list[int]],
        grid: Any,
        walls: tuple[Any, Any],
        info: dict[str, Any],
    ) -> Picture:
        """The grid, with room for the panel."""
        out = self._background(grid, walls).copy()
        size = self.cell
        self._values(out, info)
        for row, col in ghosts:
            if [row, col] != agent:
                put(out, "ghost", row, col, size)
        put(out, "robot", agent[0], agent[1], size)
        if agent in ghosts:
            put(out, "collision", agent[0], agent[1], size)
        if info.get("show_particles") and info.get("particles"):
            self._particles(out, info["particles"])
        return out

    def _background(self, grid: Any, walls: tuple[Any, Any]) -> Picture:
        """Everything that does not move; kept until it changes."""
        key = (
            [(cell["colour"], tuple(cell["items"]), cell["text"]) for cell in grid.flat],
            *(array.tobytes() for array in walls),
        )
        if self._ground[0] != key or self._ground[1] is None:
            self._ground = key, self._painted(grid, walls)
        assert self._ground[1] is not None
        return self._ground[1]

    def _painted(self, grid: Any, walls: tuple[Any, Any]) -> Picture:
        size, height, width = self.cell, self.rows * self.cell, self.cols * self.cell
        out = np.full((height + HEIGHT, max(width, LEAST_WIDTH), 3), WHITE, np.uint8)
        for k in range(self.rows + 1):
            out[min(k * size, height - 1), :width] = GREY
        for k in range(self.cols + 1):
            out[:height, min(k * size, width - 1)] = GREY
        hatch = _crosshatch(size)
        for row in range(self.rows):
            for col in range(self.cols):
                cell = grid[row, col]
                part = out[row * size : (row + 1) * size, col * size : (col + 1) * size]
                if cell["colour"]:
                    part[hatch] = RED if cell["colour"] == 1 else GREEN
                if cell["text"]:
                    share = min(0.25, 0.9 / len(cell["text"]))
                    write(out, cell["text"], col + 0.5, row + 0.5, share, BLACK, size=size, align="centre")
                for item in cell["items"]:
                    if item in ("dog", "flower", "two_flowers", "one_note", "two_notes"):
                        put(out, item, row, col, size)
        half = WALL // 2
        for row, col in np.argwhere(walls[0]).tolist():
            y, x = (row + 1) * size, col * size
            out[y - half : min(y + half, height), x : x + size] = BLACK
        for row, col in np.argwhere(walls[1]).tolist():
            y, x = row * size, (col + 1) * size
            out[y : y + size, x - half : min(x + half, width)] = BLACK
        return out

    def _values(self, out: Picture, info: dict[str, Any]) -> None:
        size = self.cell
        for key, x, rgb, align in (
            ("agent_values", 0.06, BLUE, "left"),
            ("ghost_values", 0.94, PURPLE, "right"),
        ):
            values = info.get(key)
            if values is not None:
                for row, col in np.ndindex(self.rows, self.cols):
                    if np.isfinite(values[row][col]):
                        write(
                            out,
                            f"{values[row][col]:.0f}",
                            col + x,
                            row + 0.91,
                            0.084,
                            rgb,
                            size=size,
                            align=align,
                        )
        q_values = info.get("q_values")
        if q_values is not None:
            for row, col in np.ndindex(self.rows, self.cols):
                best = int(np.argmax(q_values[row][col]))
                x, y = SIDES[best]
                write(
                    out,
                    f"{q_values[row][col][best]:.0f}",
                    col + x,
                    row + y,
                    0.084,
                    BLUE,
                    size=size,
                    align="centre",
                )

    def _particles(self, out: Picture, particles: Any) -> None:
        """Black dots around the middles of their cells; where exactly does not depend on any other random number."""
        places = np.asarray(particles, np.float64)
        strewn = np.random.default_rng(0).uniform(-SPREAD, SPREAD, places.shape)
        middles = ((places + 0.5 + strewn) * self.cell).astype(np.int64)
        dy, dx = np.mgrid[-2:3, -2:3]
        dot = dy * dy + dx * dx <= 5
        y = np.clip(middles[:, :1] + dy[dot], 0, self.rows * self.cell - 1)
        x = np.clip(middles[:, 1:] + dx[dot], 0, self.cols * self.cell - 1)
        out[y, x] = BLACK


def _crosshatch(size: int) -> Any:
    """bool[size, size]: lines in both directions, 8 pixels apart, inside a margin."""
    y, x = np.mgrid[:size, :size]
    inside = (np.minimum(y, x) >= MARGIN) & (np.maximum(y, x) < size - MARGIN)
    return inside & (((x + y) % HATCH == 0) | ((x - y) % HATCH == 0))


def _frame(out: Picture) -> None:
    for part in (out[:FRAME], out[-FRAME:], out[:, :FRAME], out[:, -FRAME:]):
        part[...] = BLACK
