"""The ghost world under its familiar name: an agent, a ghost, slippery ground and a color sensor."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import gymnasium
from gymnasium import spaces

from gridarium.ghost import settings
from gridarium.ghost.describing import describe
from gridarium.ghost.familiar import Familiar
from gridarium.ghost.layout import DEFAULT, Layout, load_layout
from gridarium.ghost.observing import observation_space


class CustomGridEnv(Familiar, gymnasium.Env[dict[str, Any], int]):
    """An agent that slips looks for a goal; a ghost looks for the agent. They take turns.

    Args:
        render_mode: "human" (a window), "rgb_array" (uint8[585, 500, 3] for the usual layout), "ansi" (a text), or None.
        slip_probability: how likely the agent slips when it moves.
        slip_type: "longitudinal" (it stays, or moves twice) or "perpendicular" (it moves to a side).
        color_sensor_quality: how likely the color sensor is right.
        deterministic: whether the agent never slips. The color sensor is as unsure as before.
        use_ghost: whether ghosts take part; otherwise they stay where they start.
        layout: what the world looks like: the name of a layout that comes along, a YAML file, or a `Layout`.
        time_limit: how many steps the agent may take; by default as the layout says.

    Attributes:
        rows, cols: the size of the grid.
        grid: object[rows, cols]: for each cell a dictionary with `colour` (0 none, 1 red, 2 green), `items` (list of
            words), `is_goal`, `is_start` and `text`. It may be edited; the next step knows.
        walls_horizontal, walls_vertical: bool[rows, cols]: walls between (r, c) and (r + 1, c), or (r, c + 1). They may
            be edited too.
        agent_pos, ghost_pos: `[row, column]`; may be edited. ghost_positions: of all ghosts.
        start_pos, ghost_start_pos: where they start; to be set before `reset`. ghost_start_positions: of all ghosts.
        step_count: how many steps the agent has taken.
        current_turn: 0 for the agent, from 1 on for ghosts.
        info: what `render` shows; steps return copies of it.

    Raises:
        ValueError: an argument outside what is allowed, or a layout that is no good.

    Source: CustomGridEnv (GhostGrid), whose names, rewards and observations these are; docs/ghost.md lists what differs.
    """

    metadata = {"render_modes": ["human", "rgb_array", "ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        render_mode: str | None = "human",
        slip_probability: float = 0.2,
        slip_type: str = "longitudinal",
        color_sensor_quality: float = 0.8,
        deterministic: bool = False,
        use_ghost: bool = True,
        *,
        layout: str | Path | Layout = DEFAULT,
        time_limit: int | None = None,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            listed = ", ".join(map(repr, self.metadata["render_modes"]))
            raise ValueError(f"render_mode is None, or one of {listed}; got {render_mode!r}")
        self.render_mode = render_mode
        self.slip_probability, self.slip_type = slip_probability, slip_type
        self.color_sensor_quality, self.deterministic, self.use_ghost = (
            color_sensor_quality, deterministic, use_ghost,
        )  # fmt: skip
        self.lay_out(load_layout(layout))
        self.time_limit = self.layout.time_limit if time_limit is None else time_limit
        self.action_space: Any = spaces.Discrete(4)
        texts = [cell.text for cell in self.layout.cells]
        self.observation_space: Any = observation_space(self.rows, self.cols, texts)
        self.renderer = self._new_renderer()

    # Gymnasium's methods

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode: the one of the seed, or the next one. Goals and edits of the grid stay.

        Raises:
            ValueError: a start position outside the grid, an edited cell that is no good, or a seed that is none; nothing
                has changed then.
        """
        self.prepare_episode()
        super().reset(seed=settings.seed(seed))
        self.begin_prepared(seed)
        return self.observe(), dict(self.info)

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """The turn of whoever is next: the agent, or a ghost.

        Returns:
            the agent's observation, its reward, whether the episode has ended, whether its time is up, info.

        Raises:
            ValueError: an action that is none; nothing has changed then.
            TypeError: an action that is no whole number; likewise.
            RuntimeError: before the first reset, or after the end (unless a new goal was set since).
        """
        reward = self.advance(action)
        return (
            self.observe(),
            reward,
            self.is_terminated,
            self.is_truncated,
            dict(self.info),
        )

    def render(self) -> Any:
        """The picture uint8[height, width, 3], the text, or None after drawing the window."""
        if self.render_mode == "ansi":
            from gridarium.ghost.text import written

            return written(self)
        if self.renderer is None:
            return None
        return self.renderer.render(*self._scene())

    def picture(self) -> Any:
        """The picture, whatever `render_mode` is: uint8[height, width, 3]. No window is opened."""
        from gridarium.ghost.renderer import PygameRenderer

        painter = self.renderer or PygameRenderer(self.rows, self.cols)
        return painter.draw(*self._scene())

    def close(self) -> None:
        """Close the window, if there is one; others stay."""
        if self.renderer is not None:
            self.renderer.close()

    def get_current_turn(self) -> str:
        """Whose turn it is: "agent" or "ghost"."""
        return "ghost" if self.current_turn else "agent"

    def move_ghost(self, ghost_action: int) -> None:
        """Move the (first) ghost, without ending its turn."""
        self.ghost_pos = self._move_entity(self.ghost_pos, settings.action(ghost_action, stay=True))

    def set_goal(self, pos: Sequence[int]) -> None:
        """Make a cell the only goal. A finished episode may then go on.

        Raises:
            ValueError: it is outside the grid.

        Warns:
            UserWarning: no way leads there from where the agent is.
        """
        row, col = settings.place(pos, self.rows, self.cols, "a goal")
        for cell in self.grid.flat:
            if cell["is_goal"]:
                cell["is_goal"] = False
        self.grid[row, col]["is_goal"] = True
        self.info.pop("reached_goal", None)
        self.resume()
        doubt = self.ways.doubt("the agent at", (self.agent_pos[0], self.agent_pos[1]), (row, col))
        if doubt:
            warnings.warn(doubt, stacklevel=2)

    # what is known about the world

    def calculate_reward(self, caught_by_ghost: bool = False) -> tuple[float, bool, dict[str, bool]]:
        """Reward, whether the episode ends, and its flag, for the agent's present cell."""
        payoff = self.layout.payoff
        if caught_by_ghost:
            return float(payoff.caught), True, {"caught_by_ghost": True}
        if self._cell_at(self.agent_pos)["is_goal"]:
            return float(payoff.reached), True, {"reached_goal": True}
        return float(payoff.step), False, {}

    def get_reward_structure(self) -> dict[str, Any]:
        """The rewards, the probability to slip, and what ends an episode."""
        payoff = self.layout.payoff
        return {
            "step_penalty": payoff.step,
            "caught_by_ghost": payoff.caught,
            "reached_goal": payoff.reached,
            "slip_probability": self.slip_probability,
            "terminal_states": ["caught_by_ghost", "reached_goal"],
        }

    def get_grid_description(self, language: str = "de") -> str:
        """What is in each cell, in words, for language models.

        Args:
            language: "de" or "en".

        Raises:
            ValueError: another language.
        """
        return describe(self.grid, language)

    @property
    def ghost_pos(self) -> list[int]:
        """Where the first ghost is."""
        return self.ghost_positions[0]

    @ghost_pos.setter
    def ghost_pos(self, new: Sequence[int]) -> None:
        self.ghost_positions[0] = list(settings.place(new, self.rows, self.cols, "ghost_pos"))

    @property
    def ghost_start_pos(self) -> list[int]:
        """Where the first ghost starts."""
        return self.ghost_start_positions[0]

    @ghost_start_pos.setter
    def ghost_start_pos(self, new: Sequence[int]) -> None:
        self.ghost_start_positions[0] = list(settings.place(new, self.rows, self.cols, "ghost_start_pos"))

    # inside

    def _scene(self) -> tuple[Any, ...]:
        """What is drawn: the arguments of `PygameRenderer.render`."""
        return (
            self.agent_pos, self.ghost_positions, self.grid, self.walls_horizontal, self.walls_vertical,
            self.step_count, self.current_turn, self.info, self.use_ghost,
        )  # fmt: skip

    def _new_renderer(self) -> Any:
        if self.render_mode not in ("human", "rgb_array"):
            return None
        from gridarium.ghost.renderer import PygameRenderer

        return PygameRenderer(self.rows, self.cols, self.render_mode, self.metadata["render_fps"])

    def __copy__(self) -> Self:
        return copy.deepcopy(self)  # compiled calls know one world's memory

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state.pop("rounds", None)
        state.pop("_watch", None)
        state["grid"], state["renderer"] = self.grid.tolist(), None
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        cells = state.pop("grid")
        self.__dict__.update(state)
        self._furnish(cells)
        self.renderer = self._new_renderer()
