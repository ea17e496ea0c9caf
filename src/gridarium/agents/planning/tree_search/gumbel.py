"""Sequential halving with Gumbel noise at the root (Danihelka, Guez, Schrittwieser and Silver 2022)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gridarium.agents.planning.tree_search.nodes import FEWEST_VISITS

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
IMPOSSIBLE = -1e30


class GumbelRoots:
    """The choice of actions at the roots of n trees.

    A number of actions is drawn without replacement, by adding Gumbel noise to the logarithms of the priors. All are
    tried equally often; then the better half of them, and so on.

    Args:
        priors: float64[n, actions].
        legal: bool[n, actions].
        values: float64[n]: of the roots, for the agent that decides.
        considered: the number of actions that are drawn.
        simulations: of each tree.
        scale: `c_scale` of the paper.
        noise: float64[n, actions]: Gumbel noise.
    """

    def __init__(
        self,
        priors: Floats,
        legal: npt.NDArray[np.bool_],
        values: Floats,
        *,
        considered: int,
        simulations: int,
        scale: float,
        noise: Floats,
    ) -> None:
        with np.errstate(divide="ignore"):
            masked = np.where(legal, priors, 0.0)
            total = masked.sum(axis=1, keepdims=True)
            even = legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)
            self._logits = np.where(
                legal, np.log(np.where(total > 0, masked / np.maximum(total, 1e-300), even)), IMPOSSIBLE
            )
        self._logits = np.maximum(self._logits, IMPOSSIBLE)
        self._legal, self._root_values, self._scale = legal, values, scale
        self._noise = noise
        first = np.where(legal, self._noise + self._logits, -np.inf)
        counts = np.minimum(legal.sum(axis=1), considered)
        ranks = (-first).argsort(axis=1).argsort(axis=1)
        self._considered = (ranks < counts[:, None]) & legal
        schedules = {int(count): visits_by_halving(int(count), simulations) for count in set(counts.tolist())}
        self._schedule = np.array([schedules[count] for count in counts.tolist()])

    def forced(self, simulation: int, visits: Integers, values: Floats, spread: Floats) -> Integers:
        """int64[n]: the action that the next simulation begins with; -1 where no action is legal.

        Args:
            simulation: the number of simulations so far.
            visits: int64[n, actions]: of the roots' actions.
            values: float64[n, actions]: their mean returns.
            spread: float64[n]: the range of returns in each tree.
        """
        wanted = self._schedule[:, simulation]
        candidates = self._considered & (visits == wanted[:, None])
        score = np.where(candidates, self._score(visits, values, spread), -np.inf)
        return np.where(candidates.any(axis=1), score.argmax(axis=1), -1)

    def best(self, visits: Integers, values: Floats, spread: Floats) -> Integers:
        """int64[n]: the best of the actions tried most often; -1 where none was."""
        most = self._considered & (visits == np.where(self._considered, visits, 0).max(axis=1, keepdims=True))
        score = np.where(most, self._score(visits, values, spread), -np.inf)
        return np.where(visits.any(axis=1), score.argmax(axis=1), -1)

    def policy(self, visits: Integers, values: Floats, spread: Floats) -> Floats:
        """float64[n, actions]: the improved policy, with the values of actions that were not tried completed."""
        logits = np.where(self._legal, self._logits + self._sigma(visits, values, spread), -np.inf)
        weights = np.exp(logits - logits.max(axis=1, keepdims=True, initial=IMPOSSIBLE))
        shares: Floats = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
        return shares

    def _score(self, visits: Integers, values: Floats, spread: Floats) -> Floats:
        score: Floats = self._noise + self._logits + self._sigma(visits, values, spread)
        return score

    def _sigma(self, visits: Integers, values: Floats, spread: Floats) -> Floats:
        """The transformed values of actions."""
        priors, tried = np.exp(self._logits), visits > 0
        known = np.where(tried, values, 0.0)
        weight, total = (priors * tried).sum(axis=1), visits.sum(axis=1)
        mean = (priors * tried * known).sum(axis=1) / np.maximum(weight, 1e-300)
        mixed = np.where(weight > 0, (self._root_values + total * mean) / (1 + total), self._root_values)
        completed = np.where(tried, known, mixed[:, None])
        factor = (FEWEST_VISITS + visits.max(axis=1)) * self._scale / np.where(spread > 0, spread, 1.0)
        sigma: Floats = factor[:, None] * completed
        return sigma


def visits_by_halving(actions: int, simulations: int) -> list[int]:
    """For each simulation, the number of visits of the actions from which the next one is taken.

    Sequential halving (Karnin, Koren and Somekh 2013): in each of about log2(actions) phases the actions left are tried
    equally often, then half of them are left, at least 2.
    """
    if actions <= 1:
        return list(range(simulations))
    phases = int(np.ceil(np.log2(actions)))
    left, visits = actions, [0] * actions
    schedule: list[int] = []
    while len(schedule) < simulations:
        for _ in range(max(1, simulations // (phases * left))):
            schedule += visits[:left]
            visits[:left] = [count + 1 for count in visits[:left]]
        left = max(2, left // 2)
    return schedule[:simulations]
