"""The picture of the ghost world in CustomGridEnv's style, with a panel below. It needs no screen.

Only the window needs one, and pygame (`gridarium[window]`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gridarium.draw.shapes import RGB
from gridarium.ghost.drawing.sprites import (
    BLACK,
    BLUE,
    CYAN,
    DARK,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    RED,
    WHITE,
    YELLOW,
    Picture,
    put,
    write,
)
from gridarium.ghost.drawing.window import PictureWindow

TITLE = "Custom Grid Environment"
CELL, MIN_WIDTH, MAX_GRID, PANEL_HEIGHT = 100, 500, 800, 185
"""Pixels: a cell's side, the least width of a picture (the panel needs it), a large grid's longer side, the panel."""
MARGIN, HATCH, WALL, FRAME = 4, 8, 6, 3
SPREAD = 0.4
"""The spread of particles around the middle of their cell, in cells."""
SIDES = ((0.22, 0.5), (0.5, 0.88), (0.78, 0.5), (0.5, 0.12))
"""The position of the value of the best action in a cell: x and y, for each action."""
COLORS, READINGS = ("None", "Red", "Green"), ("White", "Red", "Green")
"""The names of a cell's color, and of the sensor's reading."""
MAX_ITEMS_TEXT = 15
"""The number of characters of the items that the panel shows."""
TEXT, HEADING = 0.078, 0.12
TOP, LINE = 0.5, 0.235
COLUMNS = (0.12, 1.6, 3.3)
"""The layout of the panel, in units of 100 pixels."""


class PygameRenderer:
    """Draws the ghost world.

    Args:
        rows, cols: of the grid.
        render_mode: "rgb_array" (pictures) or "human" (a window, too).
        render_fps: the frame rate of films made of it; drawing does not wait.
    """

    def __init__(self, rows: int, cols: int, render_mode: str = "human", render_fps: float = 4) -> None:
        self.rows, self.cols, self.render_mode, self.render_fps = rows, cols, render_mode, render_fps
        self.cell = max(16, min(CELL, MAX_GRID // max(rows, cols))) if max(rows, cols) > 8 else CELL
        self._window: PictureWindow | None = None
        self._ground: tuple[Any, Picture | None] = (None, None)

    def render(
        self, agent_pos: Sequence[int], ghost_pos: Any, grid: Any, walls_horizontal: Any, walls_vertical: Any,
        step_count: int, current_turn: int, info: dict[str, Any], use_ghost: bool = True,
    ) -> Picture | None:  # fmt: skip
        """Draw; the arguments are those of `draw`.

        Returns:
            the picture; None if it is shown in a window.
        """
        picture = self.draw(
            agent_pos, ghost_pos, grid, walls_horizontal, walls_vertical, step_count, current_turn, info, use_ghost
        )  # fmt: skip
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
            step_count: the number of steps that the agent has taken.
            current_turn: 0 for the agent.
            info: further things to show, see docs/ghost.md.
            use_ghost: whether ghosts take part.

        Returns:
            uint8[rows * cell + 185, width, 3], (585, 500, 3) for the default layout.
        """
        several = isinstance(ghost_pos[0], Sequence)
        ghosts = [list(g) for g in (ghost_pos if several else [ghost_pos])] if use_ghost else []
        picture = self._grid(list(agent_pos), ghosts, grid, (walls_horizontal, walls_vertical), info)
        below, here = picture[self.rows * self.cell :], grid[agent_pos[0], agent_pos[1]]
        draw_panel(below, agent_pos, ghosts, here, step_count, current_turn, info)
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
        """The grid, with space for the panel."""
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
        """Everything that does not move; cached until it changes."""
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
        out = np.full((height + PANEL_HEIGHT, max(width, MIN_WIDTH), 3), WHITE, np.uint8)
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
        def write_value(value: float, x: float, y: float, rgb: RGB, align: str) -> None:
            write(out, f"{value:.0f}", x, y, 0.084, rgb, size=self.cell, align=align)

        cells = list(np.ndindex(self.rows, self.cols))
        for key, x, rgb, align in (
            ("agent_values", 0.06, BLUE, "left"),
            ("ghost_values", 0.94, PURPLE, "right"),
        ):
            if (values := info.get(key)) is not None:
                for row, col in cells:
                    if np.isfinite(values[row][col]):
                        write_value(values[row][col], col + x, row + 0.91, rgb, align)
        if (q_values := info.get("q_values")) is not None:
            for row, col in cells:
                best = int(np.argmax(q_values[row][col]))
                x, y = SIDES[best]
                write_value(q_values[row][col][best], col + x, row + y, BLUE, "centre")

    def _particles(self, out: Picture, particles: Any) -> None:
        """Black dots around the middles of their cells, at fixed random offsets."""
        places = np.asarray(particles, np.float64)
        offsets = np.random.default_rng(0).uniform(-SPREAD, SPREAD, places.shape)
        middles = ((places + 0.5 + offsets) * self.cell).astype(np.int64)
        dy, dx = np.mgrid[-2:3, -2:3]
        dot = dy * dy + dx * dx <= 5
        y = np.clip(middles[:, :1] + dy[dot], 0, self.rows * self.cell - 1)
        x = np.clip(middles[:, 1:] + dx[dot], 0, self.cols * self.cell - 1)
        out[y, x] = BLACK


def draw_panel(
    out: Picture, agent: Sequence[int], ghosts: Sequence[Sequence[int]], cell: dict[str, Any], step_count: int,
    current_turn: int, info: dict[str, Any],
) -> None:  # fmt: skip
    """Draw the panel: whose turn it is, where everybody is, and the readings of the sensors."""
    out[...] = DARK
    write(out, f"Step: {step_count}", COLUMNS[0], 0.22, HEADING, WHITE)
    turn, color = ("Ghost's Turn", CYAN) if current_turn else ("Agent's Turn", YELLOW)
    write(out, turn, COLUMNS[1], 0.22, HEADING, color)
    ghost = f"({ghosts[0][0]}, {ghosts[0][1]})" if ghosts else "-"
    others = f" +{len(ghosts) - 1}" if len(ghosts) > 1 else ""
    columns = (
        [
            (f"Agent: ({agent[0]}, {agent[1]})", WHITE),
            (f"Ghost: {ghost}{others}", CYAN),
            (f"Dist: {info.get('ghost_distance', '-') if ghosts else '-'}", YELLOW),
            (f"Intended: {info.get('intended_action', '-')}", WHITE),
            (f"Actual: {info.get('actual_action', '-')}", WHITE),
        ],
        [
            (f"Color: {COLORS[cell['colour']]}", WHITE),
            (f"Items: {(', '.join(cell['items']) or '-')[:MAX_ITEMS_TEXT]}", WHITE),
            (f"Goal: {'Yes' if cell['is_goal'] else 'No'}", YELLOW if cell["is_goal"] else WHITE),
        ],
        sensor_lines(info),
    )
    for x, lines in zip(COLUMNS, columns, strict=True):
        for k, (text, rgb) in enumerate(lines):
            write(out, text, x, TOP + k * LINE, TEXT, rgb)
    out[:2] = BLACK


def sensor_lines(info: dict[str, Any]) -> list[tuple[str, RGB]]:
    """The panel's lines about sensors and the filter."""
    lines = []
    if "cnn_prediction" in info:
        name, share = info["cnn_prediction"]
        lines.append((f"CNN: {name} ({share:.0%})", ORANGE))
    if "color_measurement" in info:
        lines.append((f"Sensor: {READINGS[info['color_measurement']]}", WHITE))
    if "estimated_pos" in info:
        row, col = info["estimated_pos"]["cell_pos"]
        lines.append((f"Est. Pos: ({row}, {col})", ORANGE))
    return lines


def _crosshatch(size: int) -> Any:
    """bool[size, size]: lines in both directions, 8 pixels apart, inside a margin."""
    y, x = np.mgrid[:size, :size]
    inside = (np.minimum(y, x) >= MARGIN) & (np.maximum(y, x) < size - MARGIN)
    return inside & (((x + y) % HATCH == 0) | ((x - y) % HATCH == 0))


def _frame(out: Picture) -> None:
    for part in (out[:FRAME], out[-FRAME:], out[:, :FRAME], out[:, -FRAME:]):
        part[...] = BLACK
