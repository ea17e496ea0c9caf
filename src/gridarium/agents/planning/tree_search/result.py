"""The result of a tree search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class SearchResult:
    """The results of a search in n states.

    Attributes:
        agents: int64[n]: the agent that decides in each root state.
        actions: int64[n]: the indices of the best actions; -1 where nobody can act, or it is not the turn of the agent
            that is searched for.
        visits: int64[n, actions]: the number of simulations that began with each action.
        values: float64[n, actions]: their mean return (or outcome) for the agent that decides; NaN if there was none.
        policy: float64[n, actions]: the shares of visits, with Gumbel noise the improved policy: what a network is
            trained on. 0 where no action is best.
        nodes: int64[n]: the number of nodes of each tree.
    """

    agents: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]
    visits: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]
    policy: npt.NDArray[np.float64]
    nodes: npt.NDArray[np.int64]

    @property
    def value(self) -> npt.NDArray[np.float64]:
        """float64[n]: the mean return of the best actions; NaN where there is none."""
        found: npt.NDArray[np.float64] = self.values[np.arange(len(self.actions)), self.actions]
        return np.where(self.actions >= 0, found, np.nan)


def most_visited(visits: npt.NDArray[np.int64], values: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """int64[n]: the action tried most often, of equals the one with the larger mean, then the first; -1 if none was."""
    most = visits == visits.max(axis=1, keepdims=True)
    ranked = np.where(most & (visits > 0), values, -np.inf)
    return np.where(visits.any(axis=1), ranked.argmax(axis=1), -1)
