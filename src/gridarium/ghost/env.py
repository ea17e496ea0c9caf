"""The ghost world as a Gymnasium environment: an agent on slippery ground, a ghost and a color sensor."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypedDict

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from gridarium.ghost.drawing.text import to_text
from gridarium.ghost.renderer import PygameRenderer
from gridarium.ghost.world import cells, checks
from gridarium.ghost.world.board import Board, BoardSnapshot, RuleParameters, cell_object, compose_board
from gridarium.ghost.world.cells import CellTracker, CheckedAttribute, Setting
from gridarium.ghost.world.descriptions import describe
from gridarium.ghost.world.layout import DEFAULT, GridLayout, load_layout
from gridarium.ghost.world.observations import ObservationTables, observation_space
from gridarium.ghost.world.paths import ACTION_NAMES, STEPS, GridPaths, Place
from gridarium.ghost.world.round_kernel import MOVE, SET_UP
from gridarium.ghost.world.rounds import RoundArguments
from gridarium.ghost.world.rules import TRAIL_NAMES, TRAIL_OF_MOVE, noisy_color
from gridarium.world import State

if TYPE_CHECKING:
    from gridarium.ghost.renderer import PygameRenderer

CARRIED = ("cnn_prediction", "cnn_probs", "estimated_pos", "particles", "agent_values", "ghost_values")
"""Keys that others write into `info`; they are kept from turn to turn."""
CHANGED_BY_TURNS = (
    "agent_pos", "ghost_positions", "step_count", "current_turn", "is_terminated", "is_truncated", "info", "_nearest",
)  # fmt: skip
changed_by_turns = attrgetter(*CHANGED_BY_TURNS)


class RewardStructure(TypedDict):
    """The rewards, the slip probability, and what ends an episode."""

    step_penalty: float
    caught_by_ghost: float
    reached_goal: float
    slip_probability: float
    terminal_states: list[str]


EnvSnapshot: TypeAlias = tuple[tuple[Any, ...], BoardSnapshot | None]
"""The values of `CHANGED_BY_TURNS`, and the board's part; a plain tuple, because one is made in each round."""


def _fixed_by_layout(name: str, value: Any) -> Any:
    raise AttributeError(f"{name} cannot be set: the layout says how large a grid is; pass layout=...")


class CustomGridEnv(gymnasium.Env[dict[str, Any], int]):
    """An agent that slips looks for a goal, and a ghost looks for the agent. They take turns.

    Args:
        render_mode: "human" (a window), "rgb_array" (uint8[585, 500, 3] for the default layout), "ansi" (a text), or None.
        slip_probability: the probability that the agent slips when it moves.
        slip_type: "longitudinal" (it stays, or moves twice) or "perpendicular" (it moves to a side).
        color_sensor_quality: the probability that the color sensor is right.
        deterministic: whether the agent never slips. The color sensor is as noisy as before.
        use_ghost: whether ghosts take part; otherwise they stay where they start.
        layout: the name of a built-in layout, a YAML file, or a `GridLayout`.
        time_limit: the number of steps that the agent may take; by default the layout's.

    Attributes:
        rows, cols: the size of the grid.
        grid: object[rows, cols]: for each cell a dictionary with `colour` (0 none, 1 red, 2 green), `items` (list of
            words), `is_goal`, `is_start` and `text`. It may be edited; the next step takes the edits into account.
        walls_horizontal, walls_vertical: bool[rows, cols]: walls between (r, c) and (r + 1, c), or (r, c + 1). They may
            be edited, too.
        agent_pos, ghost_pos: `[row, column]`; may be edited. ghost_positions: of all ghosts.
        start_pos, ghost_start_pos: the starting positions; set them before `reset`. ghost_start_positions: of all ghosts.
        step_count: the number of steps that the agent has taken.
        current_turn: 0 for the agent, from 1 on for ghosts.
        is_terminated, is_truncated: whether the episode has ended, or its time is up.
        info: the info that `render` shows; steps return copies of it.
        tables: the observations of each cell, as of the last turn.
        rounds: the arguments of compiled calls; replaced when the map or a setting was edited.
        slips: (slip probability, slip type), as of the last turn.

    Raises:
        ValueError: an argument outside the allowed values, or a layout with mistakes.

    Source: CustomGridEnv (GhostGrid), whose names, rewards and observations these are; docs/ghost.md lists the differences.
    """

    metadata = {"render_modes": ["human", "rgb_array", "ansi"], "render_fps": 4}  # noqa: RUF012

    slip_probability = Setting(checks.probability)
    slip_type = Setting(checks.slip_type)
    color_sensor_quality = Setting(checks.probability)
    deterministic = Setting(checks.true_or_false)
    use_ghost = Setting(checks.true_or_false)
    time_limit = Setting(checks.time_limit)
    rows = CheckedAttribute(_fixed_by_layout)
    cols = CheckedAttribute(_fixed_by_layout)
    grid = CheckedAttribute(cells.as_grid, "rows", "cols")
    walls_horizontal = CheckedAttribute(cells.as_walls, "rows", "cols")
    walls_vertical = CheckedAttribute(cells.as_walls, "rows", "cols")
    settings_changed: bool
    _surveyed: tuple[bytes, ...]
    tables: ObservationTables
    rounds: RoundArguments
    slips: tuple[float, str]

    def __init__(
        self,
        render_mode: str | None = "human",
        slip_probability: float = 0.2,
        slip_type: str = "longitudinal",
        color_sensor_quality: float = 0.8,
        deterministic: bool = False,
        use_ghost: bool = True,
        *,
        layout: str | Path | GridLayout = DEFAULT,
        time_limit: int | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            modes = ", ".join(map(repr, self.metadata["render_modes"]))
            raise ValueError(f"render_mode is None, or one of {modes}; got {render_mode!r}")
        self.render_mode = render_mode
        self.slip_probability, self.slip_type = slip_probability, slip_type
        self.color_sensor_quality, self.deterministic = color_sensor_quality, deterministic
        self.use_ghost = use_ghost
        self.layout = made = load_layout(layout)
        self.time_limit = made.time_limit if time_limit is None else time_limit
        self.__dict__.update(rows=made.rows, cols=made.cols)
        self.grid = cells.new_grid(made.cell_dictionaries())
        self.walls_horizontal = np.reshape(made.walls_below, (self.rows, self.cols))
        self.walls_vertical = np.reshape(made.walls_right, (self.rows, self.cols))
        self.start_pos, self.ghost_start_positions = list(made.start), [list(pos) for pos in made.ghosts]
        self.agent_pos, self.ghost_positions = list(made.start), [list(pos) for pos in made.ghosts]
        self.step_count = self.current_turn = 0
        self.is_terminated = self.is_truncated = self._has_begun = False
        self.info: dict[str, Any] = {}
        self._nearest = 1
        self._starts = np.zeros((1 + len(made.ghosts), 2), np.int64)
        self._known_starts: Any = None
        # what the engine knows; None, empty or False: nothing yet
        self._board: Board | None = None
        self._tracker, self._surveyed = CellTracker(), ()
        self._map_is_written = False
        self._known_positions: list[list[int]] = []
        self._known_turn = self._last_turn = 0
        self.action_space: Any = spaces.Discrete(4)
        self.observation_space: Any = observation_space(
            self.rows, self.cols, [cell.text for cell in made.cells]
        )
        self.renderer = self._new_renderer()

    # Gymnasium's methods

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode: the one of a seed, or the next one. Goals and edits of the map stay.

        Raises:
            ValueError: a starting position outside the grid, a mistake in an edited cell, or a bad seed; nothing has
                changed then.
        """
        self.prepare_episode()
        super().reset(seed=checks.seed(seed))
        self.begin_episode(seed)
        return self.observe(), dict(self.info)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """A turn of the agent or a ghost, as `current_turn` says.

        Returns:
            the agent's observation, its reward, whether the episode has ended, whether its time is up, info.

        Raises:
            ValueError: the number of no action; nothing has changed then.
            TypeError: an action that is not a whole number; likewise.
            RuntimeError: before the first reset, or after the end (unless a new goal was set since).
        """
        reward = self.take_turn(self.prepare_turn(action))
        return self.observe(), reward, self.is_terminated, self.is_truncated, dict(self.info)

    def render(self) -> npt.NDArray[np.uint8] | str | None:
        """The picture uint8[height, width, 3], the text, or None after drawing in the window."""
        if self.render_mode == "ansi":
            return to_text(self)
        return None if self.renderer is None else self.renderer.render(*self._scene())

    def picture(self) -> npt.NDArray[np.uint8]:
        """The picture in any `render_mode`: uint8[height, width, 3]. No window is opened."""
        renderer = self.renderer or PygameRenderer(self.rows, self.cols)
        return renderer.draw(*self._scene())

    def close(self) -> None:
        """Close the environment's own window, if it is open."""
        if self.renderer is not None:
            self.renderer.close()

    # CustomGridEnv's methods

    def get_current_turn(self) -> str:
        """Whose turn it is: "agent" or "ghost"."""
        return "ghost" if self.current_turn else "agent"

    def move_ghost(self, ghost_action: int) -> None:
        """Move the (first) ghost, without ending its turn."""
        self.ghost_pos = self._move_entity(self.ghost_pos, checks.action(ghost_action, stay=True))

    def set_goal(self, pos: Sequence[int]) -> None:
        """Make a cell the only goal. An episode that has ended may then continue.

        Raises:
            ValueError: it is outside the grid.

        Warns:
            UserWarning: there is no path from the agent to the goal.
        """
        row, col = checks.position("a goal", pos, self.rows, self.cols)
        for cell in self.grid.flat:
            if cell["is_goal"]:
                cell["is_goal"] = False
        self.grid[row, col]["is_goal"] = True
        self.info.pop("reached_goal", None)
        self.resume()
        agent = self.agent_pos[0], self.agent_pos[1]
        reason = self.paths.why_unreachable("the agent at", agent, (row, col))
        if reason:
            warnings.warn(reason, stacklevel=2)

    def calculate_reward(self, caught_by_ghost: bool = False) -> tuple[float, bool, dict[str, bool]]:
        """Reward, whether the episode ends, and its flag, for the agent's present cell."""
        payoff = self.layout.payoff
        if caught_by_ghost:
            return float(payoff.caught), True, {"caught_by_ghost": True}
        if self._cell_at(self.agent_pos)["is_goal"]:
            return float(payoff.reached), True, {"reached_goal": True}
        return float(payoff.step), False, {}

    def get_reward_structure(self) -> RewardStructure:
        """The rewards, the slip probability, and what ends an episode."""
        payoff = self.layout.payoff
        return {
            "step_penalty": payoff.step,
            "caught_by_ghost": payoff.caught,
            "reached_goal": payoff.reached,
            "slip_probability": self.slip_probability,
            "terminal_states": ["caught_by_ghost", "reached_goal"],
        }

    def get_grid_description(self, language: str = "de") -> str:
        """The contents of each cell in words, for language models.

        Args:
            language: "de" or "en".

        Raises:
            ValueError: an unknown language.
        """
        return describe(self.grid, language)

    @property
    def ghost_pos(self) -> list[int]:
        """The position of the first ghost."""
        return self.ghost_positions[0]

    @ghost_pos.setter
    def ghost_pos(self, new: Sequence[int]) -> None:
        self.ghost_positions[0] = list(checks.position("ghost_pos", new, self.rows, self.cols))

    @property
    def ghost_start_pos(self) -> list[int]:
        """The starting position of the first ghost."""
        return self.ghost_start_positions[0]

    @ghost_start_pos.setter
    def ghost_start_pos(self, new: Sequence[int]) -> None:
        self.ghost_start_positions[0] = list(checks.position("ghost_start_pos", new, self.rows, self.cols))

    # helpers that CustomGridEnv's agents, filters and tests call; those that draw do so from `np_random`

    def _move_entity(self, current_pos: list[int], action: int) -> list[int]:
        """The position after an action; the same list where the move is blocked, or the action is -1 or 4 (stay)."""
        index = checks.action(action, stay=True)
        if index == checks.STAY:
            return current_pos
        there = [current_pos[0] + STEPS[index][0], current_pos[1] + STEPS[index][1]]
        return there if self._is_move_valid(current_pos, there) else current_pos

    def _is_move_valid(self, from_pos: Sequence[int], to_pos: Sequence[int]) -> bool:
        """Whether one can move from a cell to a neighbour (or stay)."""
        paths = self.paths
        if not (paths.contains(from_pos) and paths.contains(to_pos)):
            return False
        here, there = paths.cell(from_pos), paths.cell(to_pos)
        return here == there or there in paths.next[here]

    def _get_cell_info(self, row: int, col: int) -> dict[str, Any] | None:
        """A copy of a cell; None outside the grid."""
        are_numbers = isinstance(row, int | np.integer) and isinstance(col, int | np.integer)
        outside = are_numbers and not self.paths.contains((row, col))
        return None if outside else dict(self._cell_at((row, col)))

    def _calculate_shortest_path_distance(self, start_pos: Sequence[int], end_pos: Sequence[int]) -> int:
        """The number of moves, -1 where there is no path."""
        return self.paths.distance(self._position(start_pos), self._position(end_pos))

    def _get_obs(self) -> dict[str, Any]:
        """The agent's observation, with map and pieces as they are now."""
        paths, (agent, *ghosts) = self.paths, self._positions()
        lengths = [paths.distance(agent, ghost) for ghost in ghosts]
        shortest = min((length for length in lengths if length >= 0), default=-1)
        return self._observation(shortest, 1 + lengths.index(shortest))

    def _get_ghost_obs(self, ghost: int = 0) -> dict[str, Any]:
        """A ghost's observation, with map and pieces as they are now."""
        self.update_tables()
        self._positions()
        return self.observe_as_ghost(ghost)

    def _apply_slip(self, intended_action: int) -> tuple[list[int], bool]:
        """The moves that an action may lead to, and whether that is a slip."""
        index, slip = checks.action(intended_action), self.slip
        if slip <= 0:
            return [index], False
        u = self.np_random.random()
        if u >= slip:
            return [index], False
        if self.slip_type == "longitudinal":
            return ([] if u < slip / 2 else [index, index]), True
        return [(index + (1 if self.np_random.random() < 0.5 else 3)) % 4], True

    def _get_color_sensor_measurement(self, pos: Sequence[int]) -> int:
        """A reading of the color sensor in a cell."""
        return noisy_color(self._cell_at(pos)["colour"], self.color_sensor_quality, self.np_random.random())

    def _position(self, pos: Sequence[int]) -> Place:
        return checks.position("a position", pos, self.rows, self.cols)

    def _cell_at(self, pos: Sequence[int]) -> dict[str, Any]:
        cell: dict[str, Any] = self.grid[self._position(pos)]
        return cell

    # what agents, filters and pictures ask for

    @property
    def paths(self) -> GridPaths:
        """Moves and shortest paths, with the walls as they are now."""
        return self.update_tables().paths

    @property
    def slip(self) -> float:
        """The effective slip probability: 0 if `deterministic`."""
        return 0.0 if self.deterministic else self.slip_probability

    @property
    def goals(self) -> list[Place]:
        """The positions of goals, row by row."""
        return cells.goals(self.grid)

    @property
    def state(self) -> State:
        """The engine's state, with the map as it is now; it shares the engine's memory."""
        return self._update_board().state

    @property
    def is_over(self) -> bool:
        """Whether the episode has ended, or its time is up."""
        return self.is_terminated or self.is_truncated

    def observe(self) -> dict[str, Any]:
        """The agent's observation, as of the last turn."""
        return self._observation(self.info["ghost_distance"], self._nearest)

    def observe_as_ghost(self, ghost: int) -> dict[str, Any]:
        """A ghost's observation, with the map as of the last turn."""
        agent, pos, cols = self.agent_pos, self.ghost_positions[ghost], self.cols
        here = pos[0] * cols + pos[1]
        far = self.tables.paths.distances(here)[agent[0] * cols + agent[1]]
        return self.tables.ghost(here, pos, agent, far if far >= 0 else self.rows * cols)

    def update_tables(self) -> ObservationTables:
        """The observations of each cell, with the map as it is now.

        Raises:
            ValueError: a mistake in an edited cell.
        """
        written = self.grid.tobytes(), self.walls_horizontal.tobytes(), self.walls_vertical.tobytes()
        if written != self._surveyed or self._tracker.has_edits():
            listed, texts = list(self.grid.flat), self.observation_space["current_cell"]["text"]
            for i, cell in enumerate(listed):
                cells.check_cell(cell, divmod(i, self.cols), texts)
            self.tables = ObservationTables(listed, GridPaths(self.walls_horizontal, self.walls_vertical))
            self._tracker.accept(listed)
            self._map_is_written = False
            self._surveyed = written
        return self.tables

    # episodes and turns in two halves, for an interface that lets a filter and ghosts take part in the compiled call

    def prepare_episode(self) -> None:
        """Before `begin_episode`: check starting positions, settings and edits.

        Raises:
            ValueError: a start outside the grid, or a mistake in an edited cell or wall; nothing has changed then.
        """
        starts = (self.start_pos, self.ghost_start_positions)
        if _differ(starts, self._known_starts):
            self._starts[:] = self._checked_positions(
                "start_pos", starts[0], "ghost_start_positions", starts[1]
            )
            self._known_starts = copy.deepcopy(starts)
        self._update_board()

    def begin_episode(self, seed: int | None, mode: int = SET_UP) -> None:
        """Begin the episode of a seed, or the next one; `mode` has bits of `round_kernel`."""
        board = self._board
        assert board is not None, "prepare_episode makes it"
        board.begin(self.rounds, seed, mode=mode)
        _, _, distance, self._nearest, _, colour = self.rounds.results
        self._read_positions(board)
        self.step_count = self.current_turn = self._known_turn = 0
        self.is_terminated = self.is_truncated = False
        self._has_begun = True
        self.info = {"current_turn": "agent", "color_measurement": colour, "ghost_distance": distance}

    def prepare_turn(self, action: Any) -> int:
        """Before `take_turn`: returns the index of an action, and takes edits since the last turn into account.

        Raises: as `step`; nothing has changed then.
        """
        if not self._has_begun:
            raise RuntimeError("reset the environment before stepping it")
        if self.is_terminated or self.is_truncated:
            raise RuntimeError("the episode is over: reset it, or set a new goal, before the next step")
        index = checks.action(action, stay=self.current_turn != 0)
        board = self._update_board()
        positions: Any
        try:
            positions = [self.agent_pos, *self.ghost_positions]
        except TypeError:
            positions = None
        if _differ(positions, self._known_positions) or self.current_turn != self._known_turn:
            turn = checks.whole_from_0("current_turn", self.current_turn)
            if turn > len(self.layout.ghosts):
                raise ValueError(f"current_turn is 0, or a ghost's number up to {len(self.layout.ghosts)}")
            board.write_pieces(self._positions(), turn, ghosts_active=self.use_ghost)
        return index

    def take_turn(self, index: int, mode: int = MOVE) -> float:
        """A turn of the agent or a ghost, as `current_turn` says; returns the agent's reward.

        `mode` has bits of `round_kernel`: whether ghosts move in the same call, and a filter takes its step.
        """
        turn, board = self.current_turn, self._board
        assert board is not None, "prepare_turn makes it"
        board.run(self.rounds, mode, index, turn)
        self._read_results(board, None if turn else index)
        return self.rounds.reward

    def resume(self) -> None:
        """Let an episode that has ended continue."""
        self.is_terminated = self.is_truncated = False
        if self._board is not None:
            self._board.resume()

    def snapshot(self) -> EnvSnapshot:
        """A copy of everything that turns change."""
        return changed_by_turns(self), None if self._board is None else self._board.snapshot()

    def restore(self, snapshot: EnvSnapshot) -> None:
        """Return to a snapshot of this episode."""
        values, pieces = snapshot
        for name, value in zip(CHANGED_BY_TURNS, values, strict=True):
            setattr(self, name, value)
        if self._board is not None and pieces is not None:
            self._board.restore(pieces)
            self._known_positions = []

    # between the environment and the engine

    def _update_board(self) -> Board:
        """The board, with settings and map as they are now."""
        board = self._board
        if board is None or self.settings_changed:
            board = self._new_board()
        self.update_tables()
        if not self._map_is_written:
            listed, paths = list(self.grid.flat), self.tables.paths
            objects = [cell_object(cell["colour"], cell["items"], cell["is_goal"]) for cell in listed]
            self.rounds = RoundArguments(
                paths, [cell["colour"] for cell in listed], board.write_map(objects, paths.walls()),
                self._starts, self._last_turn, self.color_sensor_quality,
            )  # fmt: skip
            self._map_is_written = True
        return board

    def _new_board(self) -> Board:
        """A board with the present settings, in the state of the old one."""
        payoff = self.layout.payoff
        parameters = RuleParameters(
            self.slip, float(self.slip_type == "perpendicular"), self.color_sensor_quality,
            payoff.step, payoff.caught, payoff.reached,
        )  # fmt: skip
        built = compose_board(self.rows, self.cols, len(self.layout.ghosts), parameters)
        self._board = Board(built) if self._board is None else self._board.with_composed(built)
        self.settings_changed = self._map_is_written = False
        self._known_positions = []
        self._last_turn = len(self.layout.ghosts) if self.use_ghost else 0
        self.slips = self.slip, self.slip_type
        return self._board

    def _read_results(self, board: Board, index: int | None) -> None:
        """Take over the results of turns; `index` is the agent's action, None if only ghosts have moved."""
        mover, over, distance, self._nearest, trail, colour = self.rounds.results
        last = mover == self._last_turn
        self._read_positions(board)
        self._known_turn = 0 if last else mover + 1
        self.current_turn = 0 if over or last else mover + 1
        self.is_terminated = over == 1
        info: dict[str, Any] = {
            "current_turn": "ghost" if self.current_turn else "agent",
            "mover": "ghost" if mover else "agent",
            "ghost_distance": distance,
        }
        if index is None:
            info = {**self.info, **info}
        else:
            self.step_count += 1
            before = self.info
            for key in CARRIED:
                if key in before:
                    info[key] = before[key]
            info["color_measurement"], info["slipped"] = colour, trail != TRAIL_OF_MOVE[index]
            info["intended_action"], info["actual_action"] = ACTION_NAMES[index], TRAIL_NAMES[trail]
        if over:
            caught = self.use_ghost and self.agent_pos in self.ghost_positions
            info["caught_by_ghost" if caught else "reached_goal"] = True
        elif self.time_limit is not None:
            self.is_truncated = self.current_turn == 0 and self.step_count >= self.time_limit
        self.info = info

    def _read_positions(self, board: Board) -> None:
        self.agent_pos, *self.ghost_positions = board.positions.tolist()
        self._known_positions = board.positions.tolist()

    def _observation(self, distance: int, nearest: int) -> dict[str, Any]:
        agent, cols = self.agent_pos, self.cols
        return self.tables.agent(
            agent[0] * cols + agent[1], agent, self.ghost_positions[nearest - 1],
            distance if distance >= 0 else self.rows * cols,
        )  # fmt: skip

    def _positions(self) -> list[Place]:
        """The positions of agent and ghosts, checked."""
        return self._checked_positions("agent_pos", self.agent_pos, "ghost_positions", self.ghost_positions)

    def _checked_positions(self, agent_name: str, agent: Any, ghosts_name: str, ghosts: Any) -> list[Place]:
        rows, cols, count = self.rows, self.cols, len(self.layout.ghosts)
        listed = list(ghosts) if isinstance(ghosts, Sequence | np.ndarray) else None
        if listed is None or len(listed) != count:
            raise ValueError(f"{ghosts_name} has a place for each ghost, {count} in all; got {ghosts!r}")
        first = checks.position(agent_name, agent, rows, cols)
        rest = [checks.position(f"{ghosts_name}[{k}]", pos, rows, cols) for k, pos in enumerate(listed)]
        return [first, *rest]

    # drawing and copying

    def _scene(self) -> tuple[Any, ...]:
        """The arguments of `PygameRenderer.render`."""
        return (
            self.agent_pos, self.ghost_positions, self.grid, self.walls_horizontal, self.walls_vertical,
            self.step_count, self.current_turn, self.info, self.use_ghost,
        )  # fmt: skip

    def _new_renderer(self) -> PygameRenderer | None:
        if self.render_mode not in ("human", "rgb_array"):
            return None
        return PygameRenderer(self.rows, self.cols, self.render_mode, self.metadata["render_fps"])

    def __copy__(self) -> Self:
        return copy.deepcopy(self)  # compiled calls know one world's memory

    def __getstate__(self) -> dict[str, Any]:
        state = {**self.__dict__, "renderer": None, "_surveyed": ()}  # a copy's cells have other addresses
        state.pop("rounds", None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.renderer = self._new_renderer()


def _differ(positions: Any, known: Any) -> bool:
    try:
        return bool(positions != known)
    except ValueError:  # there are arrays among them
        return True
