"""Map, pieces and settings of the ghost world as users may edit them, and the engine told of what they have edited."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np

from gridarium.ghost import cells, settings
from gridarium.ghost.attributes import Fixed, MapPart, Setting
from gridarium.ghost.board import Board, Numbers, machine, thing
from gridarium.ghost.layout import Layout
from gridarium.ghost.observing import Views
from gridarium.ghost.rounds import Rounds
from gridarium.ghost.watched import Watch
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
    time_limit = Setting(settings.time_limit)
    rows = Fixed("the layout says how large a grid is: pass layout=...")
    cols = Fixed("the layout says how large a grid is: pass layout=...")
    grid = MapPart(cells.as_grid)
    walls_horizontal = MapPart(cells.as_walls)
    walls_vertical = MapPart(cells.as_walls)
    observation_space: Any
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
        self._known_starts: Any = None
        self._board: Board | None = None
        self._written: tuple[bytes, ...] = ()
        self._line_up()

    def up_to_date(self) -> Views:
        """What can be seen from each cell, with the map as it is now."""
        written = self.grid.tobytes(), self.walls_horizontal.tobytes(), self.walls_vertical.tobytes()
        watch = self._watch
        if written != self._written or watch.rung or (watch.others and watch.others_differ()):
            self._survey()
            self._written = written
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
        places: Any
        try:
            places = [self.agent_pos, *self.ghost_positions]
        except TypeError:
            places = None
        if _differ(places, self._known) or self.current_turn != self._known_turn:
            turn = settings.whole("current_turn", self.current_turn, 0)
            if turn > len(self.layout.ghosts):
                raise ValueError(f"current_turn is 0, or a ghost's number up to {len(self.layout.ghosts)}")
            board.write_pieces(self._places(), turn, ghosts_active=self.use_ghost)
        return board

    def _places(self) -> list[tuple[int, int]]:
        """Where agent and ghosts are, checked."""
        return self._checked("agent_pos", self.agent_pos, "ghost_positions", self.ghost_positions)

    def _checked(self, name: str, agent: Any, others: str, ghosts: Any) -> list[tuple[int, int]]:
        """Places of the agent and of all ghosts; `name` and `others` are what they are called."""
        rows, cols, count = self.rows, self.cols, len(self.layout.ghosts)
        listed = list(ghosts) if isinstance(ghosts, Sequence | np.ndarray) else None
        if listed is None or len(listed) != count:
            raise ValueError(f"{others} has a place for each ghost, {count} in all; got {ghosts!r}")
        first = settings.place(agent, rows, cols, name)
        return [first, *(settings.place(p, rows, cols, f"{others}[{k}]") for k, p in enumerate(listed))]

    def _write_map(self, board: Board) -> None:
        self.up_to_date()
        if not self._map_written:
            listed, ways = list(self.grid.flat), self.views.ways
            things = [thing(cell["colour"], cell["items"], cell["is_goal"]) for cell in listed]
            self.rounds = Rounds(
                ways, [cell["colour"] for cell in listed], board.write_map(things, ways.walls_between()),
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

    def _survey(self) -> None:
        """Make tables of the map as it is now."""
        listed, texts = list(self.grid.flat), self.observation_space["current_cell"]["text"]
        for i, cell in enumerate(listed):
            cells.check_cell(cell, divmod(i, self.cols), texts)
        self.views = Views(listed, Ways(self.walls_horizontal, self.walls_vertical))
        self._watch.look(listed)
        self._map_written = False

    def _line_up(self) -> None:
        self.agent_pos = list(self.start_pos)
        self.ghost_positions = [list(place) for place in self.ghost_start_positions]
        self.step_count = self.current_turn = self._known_turn = 0

    def _check_starts(self) -> None:
        starts = (self.start_pos, self.ghost_start_positions)
        if _differ(starts, self._known_starts):
            places = self._checked("start_pos", starts[0], "ghost_start_positions", starts[1])
            self._starts[:] = places
            self._known_starts = copy.deepcopy(starts)

    def _furnish(self, dictionaries: list[list[dict[str, Any]]]) -> None:
        self._watch = Watch()
        self.grid = self._watch.grid(dictionaries)


def _differ(places: Any, known: Any) -> bool:
    try:
        return bool(places != known)
    except ValueError:  # arrays among them
        return True
