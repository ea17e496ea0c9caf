"""The worlds that are measured, for ours and for MATRX: random walkers in empty and in walled worlds. Imports nothing of either."""

from __future__ import annotations

import time
from collections.abc import Callable

MOVES = (
    "MoveNorth", "MoveNorthEast", "MoveEast", "MoveSouthEast",
    "MoveSouth", "MoveSouthWest", "MoveWest", "MoveNorthWest",
)  # fmt: skip
SCENARIOS: dict[str, tuple[int, int, str]] = {
    **{
        f"empty {side}x{side}, {n} agents": (side, n, "none")
        for side in (20, 50)
        for n in (1, 2, 5, 10, 20, 50)
    },
    **{f"walls {side}x{side}, {n} agents": (side, n, "walls") for side in (20, 50) for n in (1, 10, 50)},
    **{
        f"walls and tiles {side}x{side}, {n} agents": (side, n, "tiles") for side in (20, 50) for n in (1, 10)
    },
    **{f"walls, one query {side}x{side}, 10 agents": (side, 10, "query") for side in (20, 50)},
    "BW4T, 3 idle agents": (30, 3, "bw4t"),
}
"""Side, number of agents, and what else there is, by name; the last one is the case of MATRX, whose agents do nothing."""
QUICK = (
    "empty 20x20, 1 agents",
    "empty 20x20, 10 agents",
    "walls 20x20, 10 agents",
    "walls, one query 20x20, 10 agents",
)


def border(side: int) -> list[tuple[int, int]]:
    """The cells of the border."""
    return [(x, y) for x in range(side) for y in range(side) if x in (0, side - 1) or y in (0, side - 1)]


def starts(side: int, agents: int) -> list[tuple[int, int]]:
    """Where agents begin: inside the border."""
    inside = side - 2
    return [(1 + i % inside, 1 + i // inside % inside) for i in range(agents)]


def per_tick(step: Callable[[], object], seconds: float) -> float:
    """Processor seconds of a step: the median of three windows, after three steps to warm up."""
    for _ in range(3):
        step()
    windows = []
    for _ in range(3):
        count, began = 0, time.process_time()
        while time.process_time() - began < seconds:
            step()
            count += 1
        windows.append((time.process_time() - began) / count)
    return sorted(windows)[1]
