"""A ghost world as a text, for terminals."""

from __future__ import annotations

from typing import Any

from gridarium.ghost.world.paths import DOWN, RIGHT

COLOURS = (".", "r", "g")
ITEMS = {"dog": "d", "flower": "f", "two_flowers": "w", "one_note": "n", "two_notes": "m"}

LEGEND = "A agent, G ghost, X both, ? the estimate; * goal; r red, g green; | and - walls; " + ", ".join(
    f"{mark} {item.replace('_', ' ')}" for item, mark in ITEMS.items()
)
"""The meaning of the marks."""


def to_text(env: Any, *, estimate: bool = True) -> str:
    """The cells with color, first item, agent and ghosts, by the marks of `LEGEND`.

    Args:
        env: a `CustomGridEnv`.
        estimate: whether to mark the filter's estimate.
    """
    paths = env.paths
    guess = env.info.get("estimated_pos", {}).get("cell_pos") if estimate else None
    lines = []
    for row in range(env.rows):
        above, below = "", ""
        for col in range(env.cols):
            here = paths.cell((row, col))
            above += _cell(env, row, col, guess)
            above += "|" if col + 1 < env.cols and paths.next[here][RIGHT] == here else " "
            below += "----" if row + 1 < env.rows and paths.next[here][DOWN] == here else "    "
            below += " "
        lines += [above.rstrip(), below.rstrip()]
    return "\n".join(line for k, line in enumerate(lines) if line or k % 2 == 0)


def _cell(env: Any, row: int, col: int, guess: Any) -> str:
    cell = env.grid[row, col]
    thing = "*" if cell["is_goal"] else next((ITEMS[i] for i in cell["items"] if i in ITEMS), " ")
    agent = [row, col] == list(env.agent_pos)
    ghost = env.use_ghost and [row, col] in [list(g) for g in env.ghost_positions]
    who = "X" if agent and ghost else "A" if agent else "G" if ghost else " "
    return COLOURS[cell["colour"]] + thing + who + ("?" if guess == [row, col] else " ")
