"""Observations of the agent and the ghosts: their spaces, and dictionaries made from tables."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from gridarium.ghost.world.paths import DOWN, LEFT, RIGHT, STEPS, UP, GridPaths

NEIGHBORS = (("up", UP), ("right", RIGHT), ("down", DOWN), ("left", LEFT))
TEXT_LENGTH = 10
CHARACTERS = string.ascii_letters + string.digits + string.punctuation + " ÄÖÜäöüß"
"""The characters allowed in texts of cells, besides those of a layout's own texts."""


def observation_space(rows: int, cols: int, texts: Sequence[str]) -> spaces.Dict:
    """The space of the agent's observations on a grid of this size, with these and other texts."""
    characters = "".join(sorted({*"".join(texts), *CHARACTERS}))
    longest = max([TEXT_LENGTH, *map(len, texts)])
    neighbor: dict[str, spaces.Space[Any]] = {"accessible": spaces.Discrete(2), "colour": spaces.Discrete(3)}
    reach = max(rows, cols) - 1
    return spaces.Dict(
        {
            "current_cell": spaces.Dict(
                {
                    "colour": spaces.Discrete(3),
                    "has_item": spaces.MultiBinary(3),
                    "is_goal": spaces.Discrete(2),
                    "text": spaces.Text(longest, min_length=0, charset=characters),
                }
            ),
            "neighbors": spaces.Dict({name: spaces.Dict(neighbor) for name, _ in NEIGHBORS}),
            "ghost_relative_pos": spaces.Box(-reach, reach, (2,), np.int32),
            "ghost_distance": spaces.Discrete(rows * cols + 1),
        }
    )


def has_item(items: Sequence[str]) -> list[int]:
    """Whether there is a dog, a flower, a note: 0 or 1 each."""
    return [
        int(any("dog" in item for item in items)),
        int(any("flower" in item for item in items)),
        int("one_note" in items or "two_notes" in items),
    ]


class ObservationTables:
    """The parts of observations for each cell.

    Args:
        cells: for each cell its dictionary.
        paths: the moves between cells.
    """

    def __init__(self, cells: Sequence[dict[str, Any]], paths: GridPaths) -> None:
        self.paths = paths
        self._items = [np.array(has_item(cell["items"]), np.int8) for cell in cells]
        self._ghost_cells = [
            {"colour": int(cell["colour"]), "has_item": [], "is_goal": int(bool(cell["is_goal"]))}
            for cell in cells
        ]
        self._agent_cells = [
            {**seen, "text": cell["text"]} for seen, cell in zip(self._ghost_cells, cells, strict=True)
        ]
        self._around = [self._neighbors(i, cells) for i in range(len(cells))]
        reach_y, reach_x = paths.rows - 1, paths.cols - 1
        self._relative = {
            (dy, dx): np.array((dy, dx), np.int32)
            for dy in range(-reach_y, reach_y + 1)
            for dx in range(-reach_x, reach_x + 1)
        }

    def agent(self, here: int, agent: Sequence[int], ghost: Sequence[int], distance: int) -> dict[str, Any]:
        """The agent's observation in cell `here`; every call makes new dictionaries and arrays."""
        return {
            "current_cell": self._current(self._agent_cells, here),
            "neighbors": self._seen(here),
            "ghost_relative_pos": self._relative[ghost[0] - agent[0], ghost[1] - agent[1]].copy(),
            "ghost_distance": distance,
        }

    def ghost(self, here: int, ghost: Sequence[int], agent: Sequence[int], distance: int) -> dict[str, Any]:
        """A ghost's observation in cell `here`; every call makes new dictionaries and arrays."""
        return {
            "current_cell": self._current(self._ghost_cells, here),
            "neighbors": self._seen(here),
            "agent_relative_pos": self._relative[agent[0] - ghost[0], agent[1] - ghost[1]].copy(),
            "agent_distance": distance,
        }

    def _neighbors(self, i: int, cells: Sequence[dict[str, Any]]) -> tuple[dict[str, int], ...]:
        row, col = divmod(i, self.paths.cols)
        found = []
        for _, action in NEIGHBORS:
            there = row + STEPS[action][0], col + STEPS[action][1]
            colour = int(cells[self.paths.cell(there)]["colour"]) if self.paths.contains(there) else 0
            found.append({"accessible": int(self.paths.next[i][action] != i), "colour": colour})
        return tuple(found)

    def _current(self, cells: list[dict[str, Any]], here: int) -> dict[str, Any]:
        cell = cells[here].copy()
        cell["has_item"] = self._items[here].copy()
        return cell

    def _seen(self, here: int) -> dict[str, dict[str, int]]:
        up, right, down, left = self._around[here]
        return {"up": up.copy(), "right": right.copy(), "down": down.copy(), "left": left.copy()}
