"""Episodes and turns of the ghost world: what the engine makes of them, as observations and `info`."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from gridarium.ghost import settings
from gridarium.ghost.board import Board
from gridarium.ghost.edited import Edited
from gridarium.ghost.layout import Layout
from gridarium.ghost.round_kernel import MOVE, SET_OUT
from gridarium.ghost.ways import ACTION_NAMES

CARRIED = ("cnn_prediction", "cnn_probs", "estimated_pos", "particles", "agent_values", "ghost_values")
"""What others write into `info` stays there from turn to turn."""
CHANGING = (
    "agent_pos", "ghost_positions", "step_count", "current_turn", "is_terminated", "is_truncated", "info", "_nearest",
)  # fmt: skip
LASTING = attrgetter(*CHANGING)
"""What a turn changes, besides what the engine knows."""
_ONCE = {8 + a: name for a, name in enumerate(ACTION_NAMES)}
TRAILS = {0: "stay", **_ONCE, **{17 * number: f"{name}, {name}" for number, name in _ONCE.items()}}
"""What the trails of a turn are called."""


class Turns(Edited):
    """The pieces on a map, who take turns; see `CustomGridEnv` for most attributes.

    Attributes:
        is_terminated, is_truncated: whether the episode has ended, or its time is up.
    """

    info: dict[str, Any]
    _nearest: int

    def lay_out(self, layout: Layout) -> None:
        """Furnish a map and put everybody at their starts."""
        super().lay_out(layout)
        self.info = {}
        self.is_terminated = self.is_truncated = self._begun = False
        self._nearest = 1

    def prepare_episode(self) -> None:
        """Before `begin_prepared`: starts, settings and what was edited are checked, and noticed.

        Raises:
            ValueError: a start outside the grid, or an edited cell or wall that is no good; nothing has changed then.
        """
        self._check_starts()
        self._prepare()

    def begin_prepared(self, seed: int | None, steps: int = SET_OUT) -> None:
        """Begin an episode, the one of the seed, or the next one; `steps` are bits of `round_kernel`: whether a filter begins with it."""
        board = self._board
        assert board is not None
        board.begin(self.rounds, seed, steps=steps)
        _, _, far, self._nearest, _, colour = self.rounds.told
        self._find_pieces(board)
        self.step_count = self.current_turn = self._known_turn = 0
        self.is_terminated = self.is_truncated = False
        self._begun = True
        self.info = {"current_turn": "agent", "color_measurement": colour, "ghost_distance": far}

    # turns

    def advance(self, action: Any) -> float:
        """The turn of whoever is next: gives the agent's reward. What else came of it is in `info`.

        Raises: as `CustomGridEnv.step`.
        """
        return self.take_turn(self.prepare_turn(action))

    def prepare_turn(self, action: Any) -> int:
        """Before `take_turn`: gives the number of an action; what was edited since the last turn is noticed.

        Raises: as `CustomGridEnv.step`; nothing has changed then.
        """
        self._check_running()
        index = settings.action(action, stay=self.current_turn != 0)
        self._sync()
        return index

    def take_turn(self, index: int, steps: int = MOVE) -> float:
        """The turn of whoever is next: gives the agent's reward.

        `steps` are bits of `round_kernel`: whether ghosts answer by shortest ways, and a filter learns.
        """
        turn, board = self.current_turn, self._board
        assert board is not None
        board.run(self.rounds, steps, index, turn)
        self._note(board, None if turn else index)
        return self.rounds.reward

    def snapshot(self) -> Any:
        """A copy of what turns change."""
        return LASTING(self), None if self._board is None else self._board.snapshot()

    def restore(self, snapshot: Any) -> None:
        """Go back to a snapshot of this episode."""
        lasting, pieces = snapshot
        for name, value in zip(CHANGING, lasting, strict=True):
            setattr(self, name, value)
        if self._board is not None and pieces is not None:
            self._board.restore(pieces)
            self._known = []

    def resume(self) -> None:
        """Let a finished episode go on from where it is."""
        self.is_terminated = self.is_truncated = False
        if self._board is not None:
            self._board.resume()

    @property
    def is_over(self) -> bool:
        """Whether the episode has ended, or its time is up."""
        return self.is_terminated or self.is_truncated

    def observe(self) -> dict[str, Any]:
        """The agent's observation, as of the last turn."""
        return self._seen(self.info["ghost_distance"], self._nearest)

    def observe_as_ghost(self, ghost: int) -> dict[str, Any]:
        """A ghost's observation, with the map as of the last turn."""
        agent, pos, cols = self.agent_pos, self.ghost_positions[ghost], self.cols
        here = pos[0] * cols + pos[1]
        far = self.views.ways.distances(here)[agent[0] * cols + agent[1]]
        return self.views.ghost(here, pos, agent, far if far >= 0 else self.rows * cols)

    def observe_edited(self) -> dict[str, Any]:
        """The agent's observation, with map and pieces as they are now."""
        ways, (agent, *ghosts) = self.up_to_date().ways, self._places()
        lengths = [ways.distance(agent, ghost) for ghost in ghosts]
        reached = [length for length in lengths if length >= 0]
        far = min(reached, default=-1)
        return self._seen(far, 1 + lengths.index(far))

    # inside

    def _note(self, board: Board, index: int | None) -> None:
        """Take over what the engine has made of some turns; of the agent's too if its action is given."""
        mover, over, far, self._nearest, trail, colour = self.rounds.told
        last = mover == self._last_turn
        self._find_pieces(board)
        self._known_turn = 0 if last else mover + 1
        self.current_turn = 0 if over or last else mover + 1
        self.is_terminated = over == 1
        stands: dict[str, Any] = {
            "current_turn": "ghost" if self.current_turn else "agent",
            "mover": "ghost" if mover else "agent",
            "ghost_distance": far,
        }
        if index is None:
            info = {**self.info, **stands}
        else:
            self.step_count += 1
            before, info = self.info, stands
            for key in CARRIED:
                if key in before:
                    info[key] = before[key]
            info["color_measurement"], info["slipped"] = colour, trail != 8 + index
            info["intended_action"], info["actual_action"] = ACTION_NAMES[index], TRAILS[trail]
        if over:
            caught = self.use_ghost and self.agent_pos in self.ghost_positions
            info["caught_by_ghost" if caught else "reached_goal"] = True
        elif self.time_limit is not None:
            self.is_truncated = self.current_turn == 0 and self.step_count >= self.time_limit
        self.info = info

    def _find_pieces(self, board: Board) -> None:
        self.agent_pos, *self.ghost_positions = board.places.tolist()
        self._known = board.places.tolist()

    def _seen(self, far: int, nearest: int) -> dict[str, Any]:
        agent, cols = self.agent_pos, self.cols
        here = agent[0] * cols + agent[1]
        return self.views.agent(
            here, agent, self.ghost_positions[nearest - 1], far if far >= 0 else self.rows * cols
        )

    def _check_running(self) -> None:
        if not self._begun:
            raise RuntimeError("reset the environment before stepping it")
        if self.is_terminated or self.is_truncated:
            raise RuntimeError("the episode is over: reset it, or set a new goal, before the next step")
