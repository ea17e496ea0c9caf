"""An agent that plans by value iteration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gridarium.ghost.agents.base_agent import BaseAgent
from gridarium.ghost.planning.values import best_actions, goal_values
from gridarium.ghost.world import checks
from gridarium.ghost.world.likelihoods import Floats


class ValueIterationAgent(BaseAgent):
    """Heads for the goals by value iteration, which takes slip into account but not ghosts. It needs `env`.

    Values are computed when first needed, and again when the map, the goals or the slip change.
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
        agent = checks.position("the agent's position", self.positions()[0], self.env.rows, self.env.cols)
        if self.env.grid[agent]["is_goal"]:
            return 0
        best: int = self._best[self.env.tables.paths.cell(agent)]
        return best

    def get_value(self, state: Sequence[int]) -> float:
        """The value of a cell; 0 where there is no goal or no environment.

        Raises:
            ValueError: it is outside the grid.
        """
        values = self.values
        if values is None:
            return 0.0
        row, col = checks.position("a position", state, self.env.rows, self.env.cols)
        return float(values[row, col])

    @property
    def values(self) -> Floats | None:
        """float64[rows, cols]: the value of each cell; None where there is no goal or no environment."""
        if self.env is None:
            return None
        env = self.env
        tables, slips = env.update_tables(), (env.slip, env.slip_type)
        if (tables, slips) != self._known:
            goals, payoff = env.goals, env.layout.payoff
            self._known, self._values = (tables, slips), None
            if goals:
                self._values = goal_values(
                    tables.paths, goals, slips, step=payoff.step, reached=payoff.reached
                )
                self._best = best_actions(tables.paths, self._values, slips)
        return self._values
