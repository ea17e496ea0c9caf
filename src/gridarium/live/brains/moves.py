"""The moves of agents, by the names of their actions."""

from __future__ import annotations

from gridarium.rules import live_actions

MOVES: dict[str, tuple[int, int]] = {
    **{action.name: live_actions.direction_of(action).yx[::-1] for action in live_actions.MOVES},
    "UP": (0, -1),
    "RIGHT": (1, 0),
    "DOWN": (0, 1),
    "LEFT": (-1, 0),
}
"""Columns to the right and rows down of each move; the last four are those of worlds of the catalogue."""
