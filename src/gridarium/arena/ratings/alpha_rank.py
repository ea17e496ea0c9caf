"""Alpha-rank: how long a population that imitates success stays with each player."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gridarium.arena.ratings.win_rates import check_win_rates
from gridarium.engine.arguments import check_count, check_number

Floats = npt.NDArray[np.float64]


def alpha_rank(win_rates: npt.ArrayLike, *, alpha: float = 100.0, population: int = 50) -> Floats:
    """Rank players by the evolution of a population (Omidshafiei et al. 2019, "alpha-Rank: multi-agent evaluation by evolution").

    All of a population are one player until a mutant, any other one, takes over or dies out: the more likely, the better it does
    against them. The result is the share of time that the population spends with each player, so what beats others in a circle
    shares it.

    Args:
        win_rates: float[n, n]: the share of points of each player against each other one; those of two players add up to 1.
        alpha: the intensity of selection: with large ones every advantage wins in the end.
        population: its size.

    Returns:
        float64[n], adding up to 1.

    Raises:
        ValueError: other numbers.
    """
    check_number("alpha", alpha)
    check_count("population", population, 2)
    rates = check_win_rates(win_rates)
    count = len(rates)
    if count == 1:
        return np.ones(1)
    transitions = _fixation(alpha * (rates.T - rates), population) / (count - 1)
    np.fill_diagonal(transitions, 0.0)
    np.fill_diagonal(transitions, 1 - transitions.sum(axis=1))
    equations = np.vstack([transitions.T - np.eye(count), np.ones(count)])
    found = np.linalg.lstsq(equations, np.append(np.zeros(count), 1.0))[0]
    shares: Floats = np.maximum(found, 0.0)
    shares /= shares.sum()
    return shares


def _fixation(advantage: Floats, population: int) -> Floats:
    """The probability with which a single mutant takes over, by its advantage times alpha (Fermi process)."""
    size = np.abs(advantage)
    with np.errstate(invalid="ignore"):
        for_better = np.expm1(-size) / np.expm1(-population * size)
    for_worse = for_better * np.exp(-(population - 1) * size)
    probability: Floats = np.where(advantage > 0, for_better, for_worse)
    probability[size < 1e-12] = 1 / population
    return probability
