"""Minimax: looking ahead among adversaries."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium.agents.model.dynamics import Joint
from gridarium.agents.model.outcomes import Outcomes
from gridarium.agents.planning.look_ahead import LookAhead, WeightedOutcomes
from gridarium.engine import World

EXACT, AT_LEAST, AT_MOST = range(3)


class Minimax(LookAhead):
    """Expects the worst of the others: they are taken to lower the agent's return as much as they can.

    Of random outcomes, the likeliest counts (the first of equals). Where agents act at once, the others
    know what the agent does. Values are found by alpha-beta search with a table of what was found before (Knuth and
    Moore 1975); they are those of the whole search.

    Args:
        depth, world, agent, discount, evaluate, limit: see the attributes of the search; `depth` counts ticks, and
            `evaluate(state, agent)` is what a state is worth where the search ends.
        pruning: False searches everything, for comparison.

    Example:
        >>> world = World("TaxiTown-5x5", compiled=False)
        >>> Minimax(3, world).get_action(world.reset(seed=0)).name
        'LEFT'
    """

    def __init__(
        self,
        depth: int = 4,
        world: World | None = None,
        agent: int = 0,
        *,
        pruning: bool = True,
        **options: Any,
    ) -> None:
        self.pruning = pruning
        self._table: dict[tuple[int, int], tuple[int, float]] = {}
        super().__init__(depth, world, agent, **options)

    def _clear_cache(self) -> None:
        super()._clear_cache()
        self._table.clear()

    def _action_value(self, root: int, replies: list[Joint], depth: int) -> float:
        return self._worst(root, replies, depth, -np.inf, np.inf)

    def _weighted(self, outcomes: Outcomes) -> WeightedOutcomes:
        likeliest = int(outcomes.probability.argmax())
        return [(1.0, int(outcomes.next[likeliest]), float(outcomes.rewards[likeliest, self.agent]))]

    def _value(self, i: int, depth: int, alpha: float, beta: float) -> float:
        """The value of a state if it lies between alpha and beta; otherwise a bound on that side."""
        if self.dynamics.over(i):
            return 0.0
        if depth == 0:
            return self._evaluate_leaf(i)
        kind, known = self._table.get((i, depth), (EXACT, None))
        if known is not None and (
            kind == EXACT or (kind == AT_LEAST and known >= beta) or (kind == AT_MOST and known <= alpha)
        ):
            return known
        best, low = -np.inf, alpha
        for replies in self._options(i, depth):
            best = max(best, self._worst(i, replies, depth, low, beta))
            low = max(low, best)
            if self.pruning and best >= beta:
                break
        kind = AT_LEAST if best >= beta else AT_MOST if best <= alpha else EXACT
        self._table[i, depth] = (kind if self.pruning else EXACT, best)
        return best

    def _worst(self, i: int, replies: list[Joint], depth: int, alpha: float, beta: float) -> float:
        """The least that the others' replies leave."""
        worst, high = np.inf, beta
        for joint in replies:
            ((_, after, reward),) = self._transitions(i, joint)
            if self.pruning and self.discount > 0:
                window = ((alpha - reward) / self.discount, (high - reward) / self.discount)
            else:
                window = (-np.inf, np.inf)
            worst = min(worst, reward + self.discount * self._value(after, depth - 1, *window))
            high = min(high, worst)
            if self.pruning and worst <= alpha:
                break
        return worst
