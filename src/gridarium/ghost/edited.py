"""Map, pieces and settings of the ghost world as users may edit them, and the engine told of what they have edited."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.ghost import settings
from gridarium.ghost.board import Board, Numbers, machine, thing
from gridarium.ghost.layout import Layout
from gridarium.ghost.observing import Views
from gridarium.ghost.rounds import Rounds
from gridarium.ghost.settings import Setting
from gridarium.ghost.watched import Alarm, WatchedGrid
from gridarium.ghost.ways import Ways


class Edited:
    """What may be edited at any time; see `CustomGridEnv` for most attributes.

    Attributes:
        views: what can be seen from each cell, as of the last turn.
        rounds: what the compiled calls know of the map; others after an edit of the map or of settings.
        motion: how likely, and in which way, the agent slips, as of the last turn.
    """

    slip_probability = Setting(settings.probability)
    slip_type = Setting(settings.slip_type)
    color_sensor_quality = Setting(settings.probability)
    deterministic = Setting(settings.truth)
    use_ghost = Setting(settings.truth)
    settings_changed: bool
    views: Views
    rounds: Rounds
    motion: tuple[float, str]
    agent_pos: list[int]
    ghost_positions: list[list[int]]
    step_count: int
    current_turn: int
    _known: list[list[int]]
    _known_turn: int
    _last_turn: int
    _map_written: bool

    def lay_out(self, layout: Layout) -> None:
        """Furnish a map and put everybody at their starts."""
        self.layout, self.rows, self.cols = layout, layout.rows, layout.cols
        self._furnish(layout.dictionaries())
        shape = self.rows, self.cols
        self.walls_horizontal = np.reshape(layout.walls_below, shape)
        self.walls_vertical = np.reshape(layout.walls_right, shape)
        self.start_pos = list(layout.start)
        self.ghost_start_positions = [list(place) for place in layout.ghosts]
        self._starts = np.zeros((1 + len(layout.ghosts), 2), np.int64)
        self._known_starts: list[list[int]] = []
        self._board: Board | None = None
        self._walls: tuple[bytes, bytes] = (b"", b"")
        self._line_up()

    def up_to_date(self) -> Views:
        """What can be seen from each cell, with the map as it is now."""
        walls = self.walls_horizontal.tobytes(), self.walls_vertical.tobytes()
        if self._alarm.rung or walls != self._walls:
            self._survey(walls)
        return self.views

    # inside

    def _prepare(self) -> Board:
        """See to it that the engine knows map and settings as they are now."""
        if self._board is None or self.settings_changed:
            self._fit_board()
        board = self._board
        assert board is not None
        self._write_map(board)
        return board

    def _sync(self) -> Board:
        """Tell the engine what was edited since the last turn."""
        board = self._prepare()
        places = [self.agent_pos, *self.ghost_positions]
        if _differ(places, self._known) or self.current_turn != self._known_turn:
            if len(places) != len(board.bodies) or not 0 <= self.current_turn < len(places):
                raise ValueError(f"there are {len(board.bodies) - 1} ghosts; turns are numbered from 0")
            checked = [settings.place(place, self.rows, self.cols, "a position") for place in places]
            board.write_pieces(checked, self.current_turn, ghosts_active=self.use_ghost)
        return board

    def _write_map(self, board: Board) -> None:
        self.up_to_date()
        if not self._map_written:
            cells, ways = list(self.grid.flat), self.views.ways
            things = [thing(cell["colour"], cell["items"], cell["is_goal"]) for cell in cells]
            self.rounds = Rounds(
                ways, [cell["colour"] for cell in cells], board.write_map(things, ways.walls_between()),
                self._starts, self._last_turn, self.color_sensor_quality,
            )  # fmt: skip
            self._map_written = True

    def _fit_board(self) -> None:
        """Another board, which plays by the present settings."""
        payoff = self.layout.payoff
        slip = 0.0 if self.deterministic else self.slip_probability
        numbers = Numbers(
            slip, float(self.slip_type == "perpendicular"), self.color_sensor_quality,
            payoff.step, payoff.caught, payoff.reached,
        )  # fmt: skip
        built = machine(self.rows, self.cols, len(self.layout.ghosts), numbers)
        self._board = Board(built) if self._board is None else self._board.on(built)
        self.settings_changed, self._map_written = False, False
        self._known = []
        self._last_turn = len(self.layout.ghosts) if self.use_ghost else 0
        self.motion = slip, self.slip_type

    def _survey(self, walls: tuple[bytes, bytes]) -> None:
        """Make tables of the map as it is now."""
        shape = self.rows, self.cols
        for name, array in (
            ("walls_horizontal", self.walls_horizontal),
            ("walls_vertical", self.walls_vertical),
        ):
            if array.shape != shape or array.dtype != np.bool_:
                raise ValueError(f"{name} is bool{list(shape)}, not {array.dtype}{list(array.shape)}")
        cells = [settings.cell(cell, i, self.cols) for i, cell in enumerate(self.grid.flat)]
        self.views = Views(cells, Ways(self.walls_horizontal, self.walls_vertical))
        self._walls, self._alarm.rung, self._map_written = walls, False, False

    def _line_up(self) -> None:
        self.agent_pos = list(self.start_pos)
        self.ghost_positions = [list(place) for place in self.ghost_start_positions]
        self.step_count = self.current_turn = self._known_turn = 0

    def _check_starts(self) -> None:
        starts = [self.start_pos, *self.ghost_start_positions]
        if not _differ(starts, self._known_starts):
            return
        rows, cols = self.rows, self.cols
        if len(starts) != len(self._starts):
            raise ValueError(
                f"there are {len(self._starts) - 1} ghosts, got {len(starts) - 1} starts for them"
            )
        agent = settings.place(self.start_pos, rows, cols, "start_pos")
        ghosts = [settings.place(p, rows, cols, "ghost_start_pos") for p in self.ghost_start_positions]
        self._starts[:] = agent, *ghosts
        self._known_starts = [list(place) for place in starts]

    def _furnish(self, cells: list[list[dict[str, Any]]]) -> None:
        self._alarm = Alarm()
        self.grid: npt.NDArray[Any] = WatchedGrid.of(cells, self._alarm)


def _differ(places: Any, known: list[list[int]]) -> bool:
    try:
        return bool(places != known)
    except ValueError:  # arrays among them
        return True
