"""Moves on a grid with walls between cells: shortest paths, and where slippery moves lead.

`gridarium.agents.chase` finds the same paths in any state of the engine, through the objects of its cells: 270 us for the
distances to a cell of the default layout, where the table of moves here takes 5 us, and it also runs compiled, in the middle of a round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.beliefs.places.motion import Motion
from gridarium.rules.outcomes import slip_outcomes
from gridarium.world import Action

Place = tuple[int, int]
"""Row and column of a cell."""
LEFT, DOWN, RIGHT, UP = range(4)
ACTION_NAMES = ("left", "down", "right", "up")
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The change of row and column by each action."""
MOVES = (Action.LEFT, Action.DOWN, Action.RIGHT, Action.UP)
"""The library's actions, by index."""


def greedy_move(dy: int, dx: int, up: bool, right: bool, down: bool, left: bool) -> int:
    """A move towards a target `dy` rows and `dx` columns away, given which sides are open. Runs compiled, too.

    Along the longer of both distances if that side is open, else along the other, else to any open side.
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


def fill_distances(following: Any, cells: int, target: int, far: Any, queue: Any) -> None:
    """Breadth-first search for the number of moves from each cell to a target. Runs compiled, too.

    Args:
        following: [cells][4], where each action leads from each cell.
        cells: the number of cells.
        target: the number of a cell.
        far: [cells], the result; -1 where there is no path.
        queue: [cells], working memory.
    """
    for cell in range(cells):
        far[cell] = -1
    far[target], queue[0] = 0, target
    done, waiting = 0, 1
    while done < waiting:
        here = queue[done]
        done += 1
        for action in range(4):
            there = following[here][action]
            if far[there] < 0:
                far[there] = far[here] + 1
                queue[waiting] = there
                waiting += 1


def first_move(following: Any, far: Any, here: int) -> int:
    """The first action of a shortest path, the lowest of equals. Runs compiled, too.

    Args:
        following: [4], where each action leads from `here`.
        far: [cells], the number of moves to the target, -1 where there is no path.
        here: the number of a cell.

    Returns:
        the action; -1 at the target, and where there is no path.
    """
    if far[here] > 0:
        for action in range(4):
            if far[following[action]] == far[here] - 1:
                return action
    return -1


class GridPaths:
    """Moves and shortest paths between the cells of a grid, which are numbered row by row.

    Args:
        walls_horizontal: bool[rows, cols], walls between (r, c) and (r + 1, c).
        walls_vertical: bool[rows, cols], walls between (r, c) and (r, c + 1).

    Attributes:
        table: int64[cells, 4], the cell where each action leads; the cell itself where the move is blocked.
        next: the same as lists.
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
        self._distances: dict[int, list[int]] = {}

    @staticmethod
    def allowed_by(is_valid: Callable[[list[int], list[int]], bool], rows: int, cols: int) -> GridPaths:
        """The moves that a function of two neighbouring positions allows, in both directions."""
        closed = np.ones((2, rows, cols), np.bool_)
        for row, col in np.ndindex(rows, cols):
            for k, (dy, dx) in enumerate((STEPS[DOWN], STEPS[RIGHT])):
                if row + dy < rows and col + dx < cols:
                    closed[k, row, col] = not is_valid([row, col], [row + dy, col + dx])
        return GridPaths(closed[0], closed[1])

    def cell(self, position: Sequence[int]) -> int:
        """The number of the cell at (row, column)."""
        return int(position[0]) * self.cols + int(position[1])

    def contains(self, position: Sequence[int]) -> bool:
        """Whether (row, column) is on the grid."""
        return 0 <= position[0] < self.rows and 0 <= position[1] < self.cols

    def distances(self, target: int) -> list[int]:
        """The number of moves from each cell to a cell, -1 where there is no path."""
        found = self._distances.get(target)
        if found is None:
            cells = len(self.next)
            found = self._distances[target] = [-1] * cells
            fill_distances(self.next, cells, target, found, [0] * cells)
        return found

    def distance(self, a: Sequence[int], b: Sequence[int]) -> int:
        """The number of moves between two positions (row, column), -1 where there is no path."""
        return self.distances(self.cell(b))[self.cell(a)]

    def first_move(self, here: int, target: int) -> int | None:
        """The first action of a shortest path between cells, the lowest of equals; None if there is none to make."""
        action = first_move(self.next[here], self.distances(target), here)
        return None if action < 0 else action

    def why_unreachable(self, name: str, start: Place, goal: Place) -> str | None:
        """Why a goal cannot be reached from a position that is called `name`; None where it can be."""
        if self.distance(start, goal) >= 0:
            return None
        around = self.next[self.cell(goal)]
        enclosed = all(there == self.cell(goal) for there in around)
        reason = "walls are all around it" if enclosed else "walls lie between them"
        return f"the goal {goal} cannot be reached from {name} {start}: {reason}"

    def walls(self) -> list[tuple[int, int]]:
        """The pairs of neighbouring cells with a wall between them."""
        found: list[tuple[int, int]] = []
        for i, row in enumerate(self.next):
            if (i + 1) % self.cols and row[RIGHT] == i:
                found.append((i, i + 1))
            if i + self.cols < len(self.next) and row[DOWN] == i:
                found.append((i, i + self.cols))
        return found


def motion(slip_prob: float, slip_type: str, paths: GridPaths) -> Motion:
    """The motion on slippery ground: the targets of each action with exact probabilities.

    Raises:
        ValueError: an unknown slip type, or a probability outside [0, 1].
    """
    outcomes = [slip_outcomes(move, slip_prob, slip_type) for move in MOVES]
    most = max(map(len, outcomes))
    here = np.arange(len(paths.next))
    targets = np.repeat(here[None, :, None], most, axis=2).repeat(4, axis=0)
    shares = np.zeros(targets.shape)
    for a, ends in enumerate(outcomes):
        for k, (share, moves) in enumerate(ends):
            there = here
            for move in moves:
                there = paths.table[there, MOVES.index(move)]
            targets[a, :, k], shares[a, :, k] = there, share
    return Motion(targets, shares)
