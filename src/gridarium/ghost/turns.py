"""Turns in the ghost world: pieces, map and rules as users may edit them, kept in step with the engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.ghost import settings
from gridarium.ghost.board import Board, Numbers, machine, thing
from gridarium.ghost.layout import Layout
from gridarium.ghost.observing import Views
from gridarium.ghost.rounds import Rounds
from gridarium.ghost.rules import misread
from gridarium.ghost.settings import Setting
from gridarium.ghost.watched import Alarm, WatchedGrid
from gridarium.ghost.ways import ACTION_NAMES, Ways

CARRIED = ("cnn_prediction", "cnn_probs", "estimated_pos", "particles", "agent_values", "ghost_values")
"""What others write into `info` stays there from turn to turn."""
MEASURED = ("color_measurement", "slipped", "intended_action", "actual_action")
"""What an agent's turn says stays in `info` during the ghosts' turns."""
_ONCE = {8 + a: name for a, name in enumerate(ACTION_NAMES)}
TRAILS = {0: "stay", **_ONCE, **{17 * number: f"{name}, {name}" for number, name in _ONCE.items()}}
"""What the trails of a turn are called."""


class Turns:
    """The pieces on a map, who take turns; see `CustomGridEnv` for most attributes.

    Attributes:
        is_terminated, is_truncated: whether the episode has ended, or its time is up.
        views: what can be seen from each cell, as of the last turn.
        motion: how likely, and in which way, the agent slips, as of the last turn.
    """

    slip_probability = Setting(settings.probability)
    slip_type = Setting(settings.slip_type)
    color_sensor_quality = Setting(settings.probability)
    deterministic = Setting(settings.truth)
    use_ghost = Setting(settings.truth)
    settings_changed: bool
    time_limit: int | None
    views: Views
    motion: tuple[float, str]
    info: dict[str, Any]
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
        self.info = {}
        self.is_terminated = self.is_truncated = self._begun = False
        self._board: Board | None = None
        self._walls: tuple[bytes, bytes] = (b"", b"")
        self._line_up()

    def begin(self, seed: int | None) -> None:
        """Begin an episode: the one of the seed, or the next one.

        Raises:
            ValueError: a start outside the grid, or an edited cell or wall that is no good.
        """
        self._line_up()
        self._fit_board()
        assert self._board is not None
        self._board.begin(seed)
        self._write_map(self._board)
        self._known = [self.agent_pos[:], *(place[:] for place in self.ghost_positions)]
        self._board.write_pieces(self._known, 0, ghosts_active=self.use_ghost)
        self.is_terminated = self.is_truncated = False
        self._begun = True
        colour = self.views.colour(self.agent_pos)
        self.info = {
            "current_turn": "agent",
            "color_measurement": misread(colour, self.color_sensor_quality, self._board.luck()),
            "ghost_distance": self._distance(),
        }

    # turns

    def advance(self, action: Any) -> float:
        """The turn of whoever is next: gives the agent's reward. What else came of it is in `info`.

        Raises: as `CustomGridEnv.step`.
        """
        self._check_running()
        turn = self.current_turn
        index = settings.action(action, stay=turn != 0)
        self._sync()
        assert self._board is not None
        reward = self._board.tick(turn, index)
        self._note(turn, index if turn == 0 else None)
        return reward

    def prepare_round(self, action: Any) -> int:
        """Before `play_round`: gives the agent's action; what was edited since the last turn is noticed.

        Raises: as `CustomGridEnv.step`.
        """
        self._check_running()
        index = settings.action(action)
        self._sync()
        return index

    def play_round(self, rounds: Rounds, index: int) -> float:
        """A whole round as `advance` would play it, the ghosts taking shortest ways; gives the agent's reward."""
        assert self._board is not None
        self._board.play(rounds, index)
        self._note(rounds.turn, index, rounds.distance)
        return rounds.reward

    @property
    def board(self) -> Board | None:
        """The engine's world; another one after settings have changed, None before the first reset."""
        return self._board

    @property
    def ghosts_to_move(self) -> int:
        """How many ghosts take a turn in each round."""
        return self._last_turn

    def resume(self) -> None:
        """Let a finished episode go on from where it is."""
        self.is_terminated = self.is_truncated = False

    @property
    def is_over(self) -> bool:
        """Whether the episode has ended, or its time is up."""
        return self.is_terminated or self.is_truncated

    def observe(self, far: int | None = None) -> dict[str, Any]:
        """The agent's observation, of the map as of the last turn; `far` is the distance of the ghost, if known."""
        agent, cols = self.agent_pos, self.cols
        if far is None:
            far = self._distance()
        here, ghost = agent[0] * cols + agent[1], self._nearest_ghost()
        return self.views.agent(here, agent, ghost, far if far >= 0 else self.rows * cols)

    def up_to_date(self) -> Views:
        """What can be seen from each cell, with the map as it is now."""
        walls = self.walls_horizontal.tobytes(), self.walls_vertical.tobytes()
        if self._alarm.rung or walls != self._walls:
            self._survey(walls)
        return self.views

    # inside

    def _note(self, turn: int, index: int | None, far: int | None = None) -> None:
        """Take over what the engine has made of some turns, up to one; of the agent's too if its action is given."""
        board, before = self._board, self.info
        assert board is not None
        rows = board.bodies.tolist()
        agent = rows[0]
        ended, last = board.over, turn == self._last_turn
        self.agent_pos = agent[:2]
        self.ghost_positions = [row[:2] for row in rows[1:]]
        self._known = [row[:2] for row in rows]
        self._known_turn = 0 if last else turn + 1
        self.current_turn = 0 if ended or last else turn + 1
        self.is_terminated = ended
        info: dict[str, Any] = {
            "current_turn": "ghost" if self.current_turn else "agent",
            "mover": "ghost" if turn else "agent",
            "ghost_distance": self._distance() if far is None else far,
        }
        for key in CARRIED:
            if key in before:
                info[key] = before[key]
        if index is None:
            for key in MEASURED:
                if key in before:
                    info[key] = before[key]
        else:
            self.step_count += 1
            trail = agent[8]
            info["color_measurement"] = agent[9]
            info["slipped"] = trail != 8 + index
            info["intended_action"] = ACTION_NAMES[index]
            info["actual_action"] = TRAILS[trail]
        if ended:
            caught = self.use_ghost and self.agent_pos in self.ghost_positions
            info["caught_by_ghost" if caught else "reached_goal"] = True
        elif self.time_limit is not None:
            self.is_truncated = self.current_turn == 0 and self.step_count >= self.time_limit
        self.info = info

    def _check_running(self) -> None:
        if not self._begun:
            raise RuntimeError("reset the environment before stepping it")
        if self.is_terminated or self.is_truncated:
            raise RuntimeError("the episode is over: reset it, or set a new goal, before the next step")

    def _sync(self) -> None:
        """Tell the engine what was edited since the last turn."""
        if self.settings_changed:
            self._fit_board()
        board = self._board
        assert board is not None
        self._write_map(board)
        places = [self.agent_pos, *self.ghost_positions]
        if places != self._known or self.current_turn != self._known_turn:
            if len(places) != len(board.bodies) or not 0 <= self.current_turn < len(places):
                raise ValueError(f"there are {len(board.bodies) - 1} ghosts; turns are numbered from 0")
            for place in places:
                settings.place(place, self.rows, self.cols, "a position")
            board.write_pieces(places, self.current_turn, ghosts_active=self.use_ghost)

    def _write_map(self, board: Board) -> None:
        self.up_to_date()
        if not self._map_written:
            board.write_map(
                [thing(cell["colour"], cell["items"], cell["is_goal"]) for cell in self.grid.flat],
                self.views.ways.walls_between(),
            )
            self._map_written = True

    def _fit_board(self) -> None:
        """See to it that the engine plays by the present settings."""
        if self._board is not None and not self.settings_changed:
            return
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
        start = settings.place(self.start_pos, self.rows, self.cols, "start_pos")
        starts = [
            settings.place(p, self.rows, self.cols, "ghost_start_pos") for p in self.ghost_start_positions
        ]
        self.agent_pos, self.ghost_positions = list(start), [list(place) for place in starts]
        self.step_count = self.current_turn = self._known_turn = 0

    def _furnish(self, cells: list[list[dict[str, Any]]]) -> None:
        self._alarm = Alarm()
        self.grid: npt.NDArray[Any] = WatchedGrid.of(cells, self._alarm)

    def _nearest_ghost(self) -> list[int]:
        ghosts = self.ghost_positions
        if len(ghosts) == 1:
            return ghosts[0]
        ways, agent = self.views.ways, self.agent_pos
        lengths = [ways.distance(agent, ghost) for ghost in ghosts]
        far = len(ways.next)
        return ghosts[min(range(len(ghosts)), key=lambda k: lengths[k] if lengths[k] >= 0 else far)]

    def _distance(self) -> int:
        ghost, agent, cols = self._nearest_ghost(), self.agent_pos, self.cols
        return self.views.ways.distances(ghost[0] * cols + ghost[1])[agent[0] * cols + agent[1]]
