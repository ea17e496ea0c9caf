"""What the agent and the ghost observe, as Gymnasium spaces and as dictionaries made from tables."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from gridarium.ghost.ways import DOWN, LEFT, RIGHT, STEPS, UP, Ways

NEIGHBORS = (("up", UP), ("right", RIGHT), ("down", DOWN), ("left", LEFT))
TEXT_LENGTH = 10
WRITING = string.ascii_letters + string.digits + string.punctuation + " ÄÖÜäöüß"
"""What texts may be written with, besides the letters that a layout uses."""


def observation_space(rows: int, cols: int, texts: Sequence[str]) -> spaces.Dict:
    """The space of the agent's observations on a grid of this size, with these texts among others."""
    written = {*"".join(texts), *WRITING}
    neighbor: dict[str, spaces.Space[Any]] = {"accessible": spaces.Discrete(2), "colour": spaces.Discrete(3)}
    reach = max(rows, cols) - 1
    return spaces.Dict(
        {
            "current_cell": spaces.Dict(
                {
                    "colour": spaces.Discrete(3),
                    "has_item": spaces.MultiBinary(3),
                    "is_goal": spaces.Discrete(2),
                    "text": spaces.Text(
                        max([TEXT_LENGTH, *map(len, texts)]), min_length=0, charset="".join(sorted(written))
                    ),
                }
            ),
            "neighbors": spaces.Dict({name: spaces.Dict(neighbor) for name, _ in NEIGHBORS}),
            "ghost_relative_pos": spaces.Box(-reach, reach, (2,), np.int32),
            "ghost_distance": spaces.Discrete(rows * cols + 1),
        }
    )


def has_item(items: Sequence[str]) -> list[int]:
    """Whether there is a dog, a flower, a note."""
    return [
        int(any("dog" in item for item in items)),
        int(any("flower" in item for item in items)),
        int("one_note" in items or "two_notes" in items),
    ]


class Views:
    """What can be seen from each cell.

    Args:
        cells: for each cell its dictionary.
        ways: where one can go.
    """

    def __init__(self, cells: Sequence[dict[str, Any]], ways: Ways) -> None:
        self.ways = ways
        self._items = [np.array(has_item(cell["items"]), np.int8) for cell in cells]
        self._for_ghosts = [
            {"colour": int(cell["colour"]), "has_item": [], "is_goal": int(bool(cell["is_goal"]))}
            for cell in cells
        ]
        self._for_agents = [
            {**seen, "text": cell["text"]} for seen, cell in zip(self._for_ghosts, cells, strict=True)
        ]
        self._around = [self._neighbors(i, cells) for i in range(len(cells))]
        reach_y, reach_x = ways.rows - 1, ways.cols - 1
        self._relative = {
            (dy, dx): np.array((dy, dx), np.int32)
            for dy in range(-reach_y, reach_y + 1)
            for dx in range(-reach_x, reach_x + 1)
        }

    def _neighbors(self, i: int, cells: Sequence[dict[str, Any]]) -> tuple[dict[str, int], ...]:
        row, col = divmod(i, self.ways.cols)
        found = []
        for _, way in NEIGHBORS:
            there = row + STEPS[way][0], col + STEPS[way][1]
            colour = int(cells[self.ways.cell(there)]["colour"]) if self.ways.contains(there) else 0
            found.append({"accessible": int(self.ways.next[i][way] != i), "colour": colour})
        return tuple(found)

    def agent(self, here: int, agent: Sequence[int], other: Sequence[int], distance: int) -> dict[str, Any]:
        """The agent's observation; every call gives new dictionaries and arrays."""
        return {
            "current_cell": self._cell(self._for_agents, here),
            "neighbors": self._seen(here),
            "ghost_relative_pos": self._relative[other[0] - agent[0], other[1] - agent[1]].copy(),
            "ghost_distance": distance,
        }

    def ghost(self, here: int, ghost: Sequence[int], other: Sequence[int], distance: int) -> dict[str, Any]:
        """A ghost's observation; every call gives new dictionaries and arrays."""
        return {
            "current_cell": self._cell(self._for_ghosts, here),
            "neighbors": self._seen(here),
            "agent_relative_pos": self._relative[other[0] - ghost[0], other[1] - ghost[1]].copy(),
            "agent_distance": distance,
        }

    def _cell(self, seen: list[dict[str, Any]], here: int) -> dict[str, Any]:
        found = seen[here].copy()
        found["has_item"] = self._items[here].copy()
        return found

    def _seen(self, here: int) -> dict[str, dict[str, int]]:
        up, right, down, left = self._around[here]
        return {"up": up.copy(), "right": right.copy(), "down": down.copy(), "left": left.copy()}
