"""What stands below the picture: whose turn it is, where everybody is, and what the sensors say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gridarium.draw.shapes import RGB
from gridarium.ghost.palette import BLACK, CYAN, DARK, ORANGE, WHITE, YELLOW, Picture, write

HEIGHT = 185
COLORS, MEASURED = ("None", "Red", "Green"), ("White", "Red", "Green")
"""What the color of a cell is called, and what the sensor says of it."""
LONGEST = 15
"""How many characters of the items are shown."""
TEXT, TITLE = 0.078, 0.12
TOP, LINE = 0.5, 0.235
COLUMNS = (0.12, 1.6, 3.3)


def panel(
    out: Picture, agent: Sequence[int], ghosts: Sequence[Sequence[int]], cell: dict[str, Any], step_count: int,
    current_turn: int, info: dict[str, Any],
) -> None:  # fmt: skip
    """Fill the part of a picture below the grid; one unit of its layout is 100 pixels."""
    out[...] = DARK
    write(out, f"Step: {step_count}", COLUMNS[0], 0.22, TITLE, WHITE)
    turn, color = ("Ghost's Turn", CYAN) if current_turn else ("Agent's Turn", YELLOW)
    write(out, turn, COLUMNS[1], 0.22, TITLE, color)
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
            (f"Items: {(', '.join(cell['items']) or '-')[:LONGEST]}", WHITE),
            (f"Goal: {'Yes' if cell['is_goal'] else 'No'}", YELLOW if cell["is_goal"] else WHITE),
        ],
        _sensors(info),
    )
    for x, lines in zip(COLUMNS, columns, strict=True):
        for k, (text, rgb) in enumerate(lines):
            write(out, text, x, TOP + k * LINE, TEXT, rgb)
    out[:2] = BLACK


def _sensors(info: dict[str, Any]) -> list[tuple[str, RGB]]:
    """What the sensors and the filter say."""
    lines = []
    if "cnn_prediction" in info:
        name, share = info["cnn_prediction"]
        lines.append((f"CNN: {name} ({share:.0%})", ORANGE))
    if "color_measurement" in info:
        lines.append((f"Sensor: {MEASURED[info['color_measurement']]}", WHITE))
    if "estimated_pos" in info:
        row, col = info["estimated_pos"]["cell_pos"]
        lines.append((f"Est. Pos: ({row}, {col})", ORANGE))
    return lines
