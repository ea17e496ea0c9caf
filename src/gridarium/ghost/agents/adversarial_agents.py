"""Agents that look some turns ahead: minimax and expectimax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gridarium.ghost import settings
from gridarium.ghost.agents.base_agent import BaseAgent
from gridarium.ghost.slipping import MOVES
from gridarium.rules.outcomes import slip_outcomes

GOAL, CAUGHT = 10_000.0, -10_000.0
NEAR = 2
"""A ghost so near weighs heavily."""
Outcomes = Sequence[tuple[float, Sequence[int]]]
"""(probability, the moves made one after another)."""


class AdversarialAgent(BaseAgent):
    """What minimax and expectimax have in common; it plays the agent or a ghost, as the observation is.

    Each turn counts as one of `depth_limit`. A goal is worth 10,000 less the number of turns until then, being caught
    -10,000 plus them. Where the search ends, it counts how far it is to the goal (-10 each) and to the ghost: +2 each,
    but from two moves on -200, -300, -400. Everything found is remembered, so that no state is searched twice.

    Any goal ends the game; the distance that counts is to the first one, row by row, or to [0, 0] where there is none.
    These values, positions that are only believed, and maps that are edited
    between two moves are why this is not `gridarium.agents.Minimax` and `Expectimax`, which search worlds by their rules.

    Args:
        action_space: whose actions it chooses.
        depth_limit: how many turns it looks ahead.
        keywords: as for `BaseAgent`; it needs `env`.

    Raises:
        ValueError: a depth below 1.
    """

    def __init__(self, action_space: Any, depth_limit: int = 4, **keywords: Any) -> None:
        super().__init__(action_space, **keywords)
        self.depth_limit = settings.whole("depth_limit", depth_limit, 1)
        self._known: tuple[Any, ...] = ()
        self._table: dict[tuple[int, int, int], float] = {}

    def get_action(self, observation: dict[str, Any]) -> int:
        """The best action, the lowest of equals.

        As a ghost it is where it sees the agent from; or, where that is outside the grid, where the environment has it.
        """
        agent_pos, ghost_pos = self.positions()
        if "agent_relative_pos" in observation and self.perceived_ghost_pos is None:
            relative = observation["agent_relative_pos"]
            seen = agent_pos[0] - int(relative[0]), agent_pos[1] - int(relative[1])
            ghost_pos = list(seen) if self.env.ways.contains(seen) else ghost_pos
        agent, ghost = self._prepare(agent_pos, ghost_pos)
        if "agent_relative_pos" in observation:
            return _lowest([-self._value(agent, there, 1) for there in self._next[ghost]])
        return _lowest([self._expected(agent, ghost, ends, 0) for ends in self._outcomes])

    def get_value(self, agent_pos: Sequence[int], ghost_pos: Sequence[int]) -> float:
        """What a position is worth to the agent, whose turn it is.

        Raises:
            ValueError: a position outside the grid, or it was given no environment.
        """
        return self._value(*self._prepare(agent_pos, ghost_pos), 0)

    def outcomes(self, slips: tuple[float, str]) -> list[Outcomes]:
        """For each action what may become of it, given how the agent slips."""
        raise NotImplementedError

    def reply(self, values: list[float]) -> float:
        """What the ghost's turn is worth, given what its four actions are worth."""
        raise NotImplementedError

    def _prepare(self, agent_pos: Sequence[int], ghost_pos: Sequence[int]) -> tuple[int, int]:
        """The cells of both; forgets everything if the world has changed."""
        if self.env is None:
            self.positions()  # says what is missing
        views = self.env.up_to_date()
        ways = views.ways
        agent, ghost = (
            ways.cell(settings.place(pos, ways.rows, ways.cols, "a position"))
            for pos in (agent_pos, ghost_pos)
        )
        slip = 0.0 if self.env.deterministic else self.env.slip_probability
        known = (views, slip, self.env.slip_type, self.depth_limit, self.env.use_ghost)
        if known != self._known:
            self._known, self._next = known, ways.next
            self._outcomes = self.outcomes((slip, self.env.slip_type))
            self._goals = [i for i, cell in enumerate(self.env.grid.flat) if cell["is_goal"]]
            self._to_goal = ways.distances(self._goals[0] if self._goals else 0)
            self._haunted, self._ways = self.env.use_ghost, ways
            self._table = {}
        return agent, ghost

    def _value(self, agent: int, ghost: int, turn: int) -> float:
        """What a position is worth after so many turns; the agent moves on even ones, if the agent is searched for."""
        key = (agent, ghost, turn)
        found = self._table.get(key)
        if found is None:
            found = self._table[key] = self._computed(agent, ghost, turn)
        return found

    def _computed(self, agent: int, ghost: int, turn: int) -> float:
        if self._haunted and agent == ghost:
            return CAUGHT + turn
        if agent in self._goals:
            return GOAL - turn
        if turn >= self.depth_limit:
            return self._guess(agent, ghost)
        if turn % 2 == 0:
            return max(self._expected(agent, ghost, ends, turn) for ends in self._outcomes)
        if not self._haunted:
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

    def _guess(self, agent: int, ghost: int) -> float:
        far = len(self._next)
        goal = self._to_goal[agent]
        worth = -10.0 * (goal if goal >= 0 else far)
        if not self._haunted:
            return worth
        distance = self._ways.distances(ghost)[agent]
        distance = distance if distance >= 0 else far
        return worth + (-100.0 * (4 - distance) if distance <= NEAR else 2.0 * distance)


class MinimaxAgent(AdversarialAgent):
    """Expects the worst of the ghost, and that nobody slips."""

    def outcomes(self, slips: tuple[float, str]) -> list[Outcomes]:
        """Every action does what it says."""
        return [[(1.0, (action,))] for action in range(4)]

    def reply(self, values: list[float]) -> float:
        """The least."""
        return min(values)


class ExpectimaxAgent(AdversarialAgent):
    """Weighs what may become of its moves, and takes the ghost for one that does anything."""

    def outcomes(self, slips: tuple[float, str]) -> list[Outcomes]:
        """With the exact probabilities."""
        return [
            [(share, [MOVES.index(move) for move in moves]) for share, moves in slip_outcomes(action, *slips)]
            for action in MOVES
        ]

    def reply(self, values: list[float]) -> float:
        """The mean."""
        return sum(values) / len(values)


def _lowest(values: list[float]) -> int:
    """The first of the best but for rounding."""
    best = max(values)
    return next(a for a, value in enumerate(values) if value >= best - 1e-9)
