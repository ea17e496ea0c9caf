"""What agents, filters and tests of old call of the ghost world, besides its public methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gridarium.ghost import settings
from gridarium.ghost.rules import misread
from gridarium.ghost.settings import STAY
from gridarium.ghost.turns import Turns
from gridarium.ghost.ways import STEPS, Ways


class Familiar(Turns):
    """Helpers with the names that they have in CustomGridEnv; those that draw do so from `np_random`."""

    np_random: np.random.Generator

    @property
    def ways(self) -> Ways:
        """Where one can go, with walls as they are now."""
        return self.up_to_date().ways

    @property
    def slip(self) -> float:
        """How likely the agent really slips: 0 if `deterministic`."""
        return 0.0 if self.deterministic else self.slip_probability

    def _move_entity(self, current_pos: list[int], action: int) -> list[int]:
        """Where an action leads; the same list where the way is blocked, or the action is -1 or 4 (stay)."""
        index = settings.action(action, stay=True)
        if index == STAY:
            return current_pos
        there = [current_pos[0] + STEPS[index][0], current_pos[1] + STEPS[index][1]]
        return there if self._is_move_valid(current_pos, there) else current_pos

    def _is_move_valid(self, from_pos: Sequence[int], to_pos: Sequence[int]) -> bool:
        """Whether one can go from a cell to a neighbour (or stay)."""
        ways = self.ways
        if not (ways.contains(from_pos) and ways.contains(to_pos)):
            return False
        here, there = ways.cell(from_pos), ways.cell(to_pos)
        return here == there or there in ways.next[here]

    def _get_cell_info(self, row: int, col: int) -> dict[str, Any] | None:
        """A copy of a cell, None outside the grid."""
        numbers = isinstance(row, int | np.integer) and isinstance(col, int | np.integer)
        outside = numbers and not self.ways.contains((row, col))
        return None if outside else dict(self._cell_at((row, col)))

    def _calculate_shortest_path_distance(self, start_pos: Sequence[int], end_pos: Sequence[int]) -> int:
        """How many moves it is, -1 where there is no way."""
        return self.ways.distance(self._place(start_pos), self._place(end_pos))

    def _get_obs(self) -> dict[str, Any]:
        return self.observe_edited()

    def _get_ghost_obs(self, ghost: int = 0) -> dict[str, Any]:
        self.up_to_date()
        self._places()
        return self.observe_as_ghost(ghost)

    def _apply_slip(self, intended_action: int) -> tuple[list[int], bool]:
        """What may become of a move: the moves that are made, and whether that is a slip. Draws from `np_random`."""
        return settings.slipped(settings.action(intended_action), self.slip, self.slip_type, self.np_random)

    def _get_color_sensor_measurement(self, pos: Sequence[int]) -> int:
        """What the color sensor may say of a cell. Draws from `np_random`."""
        return misread(self._cell_at(pos)["colour"], self.color_sensor_quality, self.np_random.random())

    def _place(self, pos: Sequence[int]) -> tuple[int, int]:
        """Row and column of a cell of this grid."""
        return settings.place(pos, self.rows, self.cols, "a position")

    def _cell_at(self, pos: Sequence[int]) -> dict[str, Any]:
        """A cell of this grid."""
        cell: dict[str, Any] = self.grid[self._place(pos)]
        return cell
