"""Agents that search some turns ahead: minimax and expectimax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gridarium.ghost.agents.base_agent import BaseAgent
from gridarium.ghost.world import checks
from gridarium.ghost.world.paths import MOVES
from gridarium.rules.outcomes import slip_outcomes

GOAL, CAUGHT = 10_000.0, -10_000.0
NEAR = 2
"""The distance from which on a ghost is a danger."""
Outcomes = Sequence[tuple[float, Sequence[int]]]
"""(probability, the moves made one after another)."""


class AdversarialAgent(BaseAgent):
    """Base class of minimax and expectimax. It plays the agent or a ghost, depending on the observation.

    Each turn counts as one of `depth_limit`. A goal has the value 10,000 minus the number of turns to it, being caught
    -10,000 plus that number. At the depth limit, each move to the goal counts -10, and each move to the ghost +2; a ghost
    that is 2, 1 or 0 moves away counts -200, -300 or -400. Values are kept in a table, so that no state is searched twice.

    Any goal ends the game; the distance that counts is that to the first one, row by row, or to [0, 0] if there is none.
    These values, believed positions, and maps that are edited between moves are why this is not
    `gridarium.agents.Minimax` and `Expectimax`, which search worlds by their rules.

    Args:
        action_space: the space of its actions.
        depth_limit: the number of turns that it searches ahead.
        keywords: as for `BaseAgent`; it needs `env`.

    Raises:
        ValueError: a depth below 1.
    """

    def __init__(self, action_space: Any, depth_limit: int = 4, **keywords: Any) -> None:
        super().__init__(action_space, **keywords)
        self.depth_limit = checks.whole_from_1("depth_limit", depth_limit)
        self._known: tuple[Any, ...] = ()
        self._table: dict[tuple[int, int, int], float] = {}

    def get_action(self, observation: dict[str, Any]) -> int:
        """The best action, the lowest of equals.

        A ghost takes its own position from the agent's and its observation; if that is outside the grid, from the environment.
        """
        agent_pos, ghost_pos = self.positions()
        if "agent_relative_pos" in observation and self.perceived_ghost_pos is None:
            relative = observation["agent_relative_pos"]
            seen = agent_pos[0] - int(relative[0]), agent_pos[1] - int(relative[1])
            ghost_pos = list(seen) if self.env.paths.contains(seen) else ghost_pos
        agent, ghost = self._prepare(agent_pos, ghost_pos)
        if "agent_relative_pos" in observation:
            return _lowest([-self._value(agent, there, 1) for there in self._next[ghost]])
        return _lowest([self._expected(agent, ghost, ends, 0) for ends in self._outcomes])

    def get_value(self, agent_pos: Sequence[int], ghost_pos: Sequence[int]) -> float:
        """The value of a position for the agent, whose turn it is.

        Raises:
            ValueError: a position outside the grid, or it has no environment.
        """
        return self._value(*self._prepare(agent_pos, ghost_pos), 0)

    def outcomes(self, slips: tuple[float, str]) -> list[Outcomes]:
        """The outcomes of each action, given (slip probability, slip type)."""
        raise NotImplementedError

    def reply(self, values: list[float]) -> float:
        """The value of the ghost's turn, given the values of its four actions."""
        raise NotImplementedError

    def _prepare(self, agent_pos: Sequence[int], ghost_pos: Sequence[int]) -> tuple[int, int]:
        """The cells of both; clears the table if the world has changed."""
        if self.env is None:
            self.positions()  # raises
        env = self.env
        tables = env.update_tables()
        paths = tables.paths
        agent, ghost = (
            paths.cell(checks.position("a position", pos, paths.rows, paths.cols))
            for pos in (agent_pos, ghost_pos)
        )
        known = (tables, env.slip, env.slip_type, self.depth_limit, env.use_ghost)
        if known != self._known:
            self._known, self._next = known, paths.next
            self._outcomes = self.outcomes((env.slip, env.slip_type))
            self._goals = [paths.cell(goal) for goal in env.goals]
            self._to_goal = paths.distances(self._goals[0] if self._goals else 0)
            self._use_ghost, self._paths = env.use_ghost, paths
            self._table = {}
        return agent, ghost

    def _value(self, agent: int, ghost: int, turn: int) -> float:
        """The value of a position after a number of turns; the agent moves on even ones."""
        key = (agent, ghost, turn)
        found = self._table.get(key)
        if found is None:
            found = self._table[key] = self._computed(agent, ghost, turn)
        return found

    def _computed(self, agent: int, ghost: int, turn: int) -> float:
        if self._use_ghost and agent == ghost:
            return CAUGHT + turn
        if agent in self._goals:
            return GOAL - turn
        if turn >= self.depth_limit:
            return self._heuristic(agent, ghost)
        if turn % 2 == 0:
            return max(self._expected(agent, ghost, ends, turn) for ends in self._outcomes)
        if not self._use_ghost:
            return self._value(agent, ghost, turn + 1)
        return self.reply([self._value(agent, there, turn + 1) for there in self._next[ghost]])

    def _expected(self, agent: int, ghost: int, ends: Outcomes, turn: int) -> float:
        total = 0.0
        for share, moves in ends:
            there = agent
            for move in moves:
                there = self._next[there][move]
            total += share * self._value(there, ghost, turn + 1)
        return total

    def _heuristic(self, agent: int, ghost: int) -> float:
        far = len(self._next)
        goal = self._to_goal[agent]
        value = -10.0 * (goal if goal >= 0 else far)
        if not self._use_ghost:
            return value
        distance = self._paths.distances(ghost)[agent]
        distance = distance if distance >= 0 else far
        return value + (-100.0 * (4 - distance) if distance <= NEAR else 2.0 * distance)


class MinimaxAgent(AdversarialAgent):
    """Assumes that the ghost plays its best, and that nobody slips."""

    def outcomes(self, slips: tuple[float, str]) -> list[Outcomes]:
        """Every action has the intended outcome."""
        return [[(1.0, (action,))] for action in range(4)]

    def reply(self, values: list[float]) -> float:
        """The minimum."""
        return min(values)


class ExpectimaxAgent(AdversarialAgent):
    """Takes expectations over slips, and assumes that the ghost moves at random."""

    def outcomes(self, slips: tuple[float, str]) -> list[Outcomes]:
        """All outcomes with their exact probabilities."""
        return [
            [(share, [MOVES.index(move) for move in moves]) for share, moves in slip_outcomes(action, *slips)]
            for action in MOVES
        ]

    def reply(self, values: list[float]) -> float:
        """The mean."""
        return sum(values) / len(values)


def _lowest(values: list[float]) -> int:
    """The index of the first maximum, up to rounding."""
    best = max(values)
    return next(a for a, value in enumerate(values) if value >= best - 1e-9)
