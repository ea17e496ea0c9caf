"""Where one can go on a grid with walls between cells, and how far it is."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from gridarium.ghost.layout import Layout

LEFT, DOWN, RIGHT, UP = range(4)
ACTION_NAMES = ("left", "down", "right", "up")
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""What each action adds to row and column."""


def by_sight(dy: int, dx: int, up: bool, right: bool, down: bool, left: bool) -> int:
    """The way towards something seen `dy` rows and `dx` columns off, given which ways are open.

    Along the longer of both distances if that is open, else along the other, else anywhere that is open.
    """
    ahead = dy != 0 and (up if dy < 0 else down)
    aside = dx != 0 and (left if dx < 0 else right)
    if ahead and (abs(dy) >= abs(dx) or not aside):
        return UP if dy < 0 else DOWN
    if aside:
        return LEFT if dx < 0 else RIGHT
    if up:
        return UP
    if right:
        return RIGHT
    return DOWN if down else LEFT


class Ways:
    """The moves between the cells of a grid. Cells are numbered row by row.

    Args:
        walls_horizontal: bool[rows, cols]: walls between (r, c) and (r + 1, c).
        walls_vertical: bool[rows, cols]: walls between (r, c) and (r, c + 1).

    Attributes:
        next: for each cell, for each action, the cell where it leads; the cell itself where the way is blocked.
    """

    def __init__(self, walls_horizontal: Any, walls_vertical: Any) -> None:
        below, beside = np.asarray(walls_horizontal, np.bool_), np.asarray(walls_vertical, np.bool_)
        self.rows: int = below.shape[0]
        self.cols: int = below.shape[1]
        cells = np.arange(self.rows * self.cols).reshape(self.rows, self.cols)
        table = np.repeat(cells[:, :, None], 4, axis=2)
        open_below, open_beside = ~below[:-1], ~beside[:, :-1]
        table[:-1, :, DOWN][open_below] = cells[1:][open_below]
        table[1:, :, UP][open_below] = cells[:-1][open_below]
        table[:, :-1, RIGHT][open_beside] = cells[:, 1:][open_beside]
        table[:, 1:, LEFT][open_beside] = cells[:, :-1][open_beside]
        self.table: npt.NDArray[np.int64] = table.reshape(-1, 4)
        self.next: list[list[int]] = self.table.tolist()
        self._rows: dict[int, list[int]] = {}

    @staticmethod
    def of_layout(layout: Layout) -> Ways:
        """The ways of a layout."""
        shape = layout.rows, layout.cols
        return Ways(np.reshape(layout.walls_below, shape), np.reshape(layout.walls_right, shape))

    @staticmethod
    def allowed_by(is_valid: Callable[[list[int], list[int]], bool], rows: int, cols: int) -> Ways:
        """The ways that a function of two neighbouring (row, column) allows; those back as well."""
        closed = np.ones((2, rows, cols), np.bool_)
        for row, col in np.ndindex(rows, cols):
            for k, (dy, dx) in enumerate((STEPS[DOWN], STEPS[RIGHT])):
                if row + dy < rows and col + dx < cols:
                    closed[k, row, col] = not is_valid([row, col], [row + dy, col + dx])
        return Ways(closed[0], closed[1])

    def distances(self, cell: int) -> list[int]:
        """How many moves it is from each cell to one, -1 where there is no way."""
        found = self._rows.get(cell)
        if found is None:
            found = self._rows[cell] = [-1] * len(self.next)
            found[cell] = 0
            waiting = deque([cell])
            while waiting:
                here = waiting.popleft()
                for there in self.next[here]:
                    if found[there] < 0:
                        found[there] = found[here] + 1
                        waiting.append(there)
        return found

    def distance(self, a: Sequence[int], b: Sequence[int]) -> int:
        """How many moves it is from one (row, column) to another, -1 where there is no way."""
        return self.distances(self.cell(b))[self.cell(a)]

    def cell(self, place: Sequence[int]) -> int:
        """The number of a cell."""
        return int(place[0]) * self.cols + int(place[1])

    def contains(self, place: Sequence[int]) -> bool:
        """Whether a (row, column) lies on the grid."""
        return 0 <= place[0] < self.rows and 0 <= place[1] < self.cols

    def is_enclosed(self, place: Sequence[int]) -> bool:
        """Whether no move leads out of a cell."""
        here = self.cell(place)
        return all(there == here for there in self.next[here])

    def doubt(self, name: str, start: tuple[int, int], goal: tuple[int, int]) -> str | None:
        """Why a goal cannot be reached from a place that is called `name`; None where it can be."""
        if self.distance(start, goal) >= 0:
            return None
        reason = "walls are all around it" if self.is_enclosed(goal) else "walls lie between them"
        return f"the goal {goal} cannot be reached from {name} {start}: {reason}"

    def walls_between(self) -> list[tuple[int, int]]:
        """The pairs of neighbouring cells with a wall between them."""
        found: list[tuple[int, int]] = []
        for i, row in enumerate(self.next):
            if (i + 1) % self.cols and row[RIGHT] == i:
                found.append((i, i + 1))
            if i + self.cols < len(self.next) and row[DOWN] == i:
                found.append((i, i + self.cols))
        return found

    def towards(self, here: int, target: int) -> int | None:
        """The first action of a shortest way, the lowest of equals; None at the target, or where there is no way."""
        far = self.distances(target)
        if far[here] <= 0:
            return None
        return next(a for a, there in enumerate(self.next[here]) if far[there] == far[here] - 1)
