"""The moves of agents, by the names of their actions."""

from __future__ import annotations

MOVES: dict[str, tuple[int, int]] = {
    "MoveNorth": (0, -1),
    "MoveNorthEast": (1, -1),
    "MoveEast": (1, 0),
    "MoveSouthEast": (1, 1),
    "MoveSouth": (0, 1),
    "MoveSouthWest": (-1, 1),
    "MoveWest": (-1, 0),
    "MoveNorthWest": (-1, -1),
    "UP": (0, -1),
    "RIGHT": (1, 0),
    "DOWN": (0, 1),
    "LEFT": (-1, 0),
}
"""Columns to the right and rows down of each move; the last four are those of worlds of the catalogue."""
