"""Expectimax: looking ahead, with probabilities of outcomes and of what others do."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.agents.behaviour import Others, behaviour
from gridarium.agents.model.dynamics import Joint
from gridarium.agents.model.outcomes import Outcomes
from gridarium.agents.planning.look_ahead import LookAhead, WeightedOutcomes
from gridarium.engine import World


class Expectimax(LookAhead):
    """Maximises the expected return: outcomes, and what the others do, are weighed by their probabilities.

    Outcomes have their exact probabilities where these can be found, see `gridarium.agents.Dynamics`.

    Args:
        depth, world, agent, discount, evaluate, limit: see the attributes of the search; `depth` counts ticks, and
            `evaluate(state, agent)` is what a state is worth where the search ends.
        others: the model of the other agents.
    """

    def __init__(
        self,
        depth: int = 3,
        world: World | None = None,
        agent: int = 0,
        *,
        others: Others = "random",
        **options: Any,
    ) -> None:
        self.others = others
        self._table: dict[tuple[int, int], float] = {}
        self._probabilities: dict[tuple[int, int], npt.NDArray[np.float64]] = {}
        super().__init__(depth, world, agent, **options)

    def set_world(self, world: World, agent: int) -> None:
        """Prepare for a world and the agent that it plays."""
        self._behaviour = behaviour(world, self.others)
        super().set_world(world, agent)

    def _clear_cache(self) -> None:
        super()._clear_cache()
        self._table.clear()
        self._probabilities.clear()

    def _action_value(self, root: int, replies: list[Joint], depth: int) -> float:
        return self._mean(root, replies, depth)

    def _weighted(self, outcomes: Outcomes) -> WeightedOutcomes:
        rewards = outcomes.rewards[:, self.agent]
        return list(zip(outcomes.probability.tolist(), outcomes.next.tolist(), rewards.tolist(), strict=True))

    def _value(self, i: int, depth: int) -> float:
        if self.dynamics.over(i):
            return 0.0
        if depth == 0:
            return self._evaluate_leaf(i)
        if (i, depth) not in self._table:
            self._table[i, depth] = max(self._mean(i, replies, depth) for replies in self._options(i, depth))
        return self._table[i, depth]

    def _mean(self, i: int, replies: list[Joint], depth: int) -> float:
        """The expected value over the others' replies."""
        total = 0.0
        for joint in replies:
            probability = self._reply_probability(i, joint)
            if probability == 0:
                continue
            for p, after, reward in self._transitions(i, joint):
                total += probability * p * (reward + self.discount * self._value(after, depth - 1))
        return total

    def _reply_probability(self, i: int, joint: Joint) -> float:
        """The probability that the others choose their part of a joint action."""
        probability = 1.0
        for other in self.dynamics.acting(i):
            if other != self.agent:
                if (i, other) not in self._probabilities:
                    self._probabilities[i, other] = self._behaviour(self.dynamics.state(i, other), other)
                probability *= float(self._probabilities[i, other][joint[other]])
        return probability
