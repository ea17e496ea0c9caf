"""An agent that knows the map and how slippery it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gridarium.ghost import settings
from gridarium.ghost.agents.base_agent import BaseAgent
from gridarium.ghost.sensing import Floats
from gridarium.ghost.values import best_actions, goal_values


class ValueIterationAgent(BaseAgent):
    """Goes for the goals by value iteration that knows slip, and nothing of ghosts. It needs `env`.

    Values are computed when first needed, and anew when the map, the goals or the slip change.
    """

    def __init__(self, action_space: Any, **keywords: Any) -> None:
        super().__init__(action_space, **keywords)
        self._known: tuple[Any, ...] = ()
        self._values: Floats | None = None
        self._best: list[int] = []

    def get_action(self, observation: dict[str, Any]) -> int:
        """The best action, the lowest of equals; 0 on a goal, and where there is no goal or no environment."""
        if self.env is None or self.values is None:
            return 0
        agent = settings.place(self.positions()[0], self.env.rows, self.env.cols, "the agent's position")
        if self.env.grid[agent]["is_goal"]:
            return 0
        best: int = self._best[self.env.views.ways.cell(agent)]
        return best

    def get_value(self, state: Sequence[int]) -> float:
        """What a cell is worth; 0 where there is no goal or no environment.

        Raises:
            ValueError: it is outside the grid.
        """
        values = self.values
        if values is None:
            return 0.0
        row, col = settings.place(state, self.env.rows, self.env.cols, "a position")
        return float(values[row, col])

    @property
    def values(self) -> Floats | None:
        """float64[rows, cols]: what each cell is worth; None where there is no goal or no environment."""
        if self.env is None:
            return None
        env = self.env
        views, slip = env.up_to_date(), 0.0 if env.deterministic else env.slip_probability
        known = (views, slip, env.slip_type)
        if known != self._known:
            goals = [divmod(i, env.cols) for i, cell in enumerate(env.grid.flat) if cell["is_goal"]]
            slips, payoff = (slip, env.slip_type), env.layout.payoff
            self._known, self._values = known, None
            if goals:
                self._values = goal_values(views.ways, goals, slips, step=payoff.step, reached=payoff.reached)
                self._best = best_actions(views.ways, self._values, slips)
        return self._values
