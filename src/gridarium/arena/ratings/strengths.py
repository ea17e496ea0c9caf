"""Strengths of players estimated from all results at once, with confidence intervals (Plackett-Luce)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.agents.statistics import ConfidenceInterval, Z
from gridarium.engine.arguments import check_count

Floats = npt.NDArray[np.float64]
Ranking: TypeAlias = "tuple[Sequence[int], Sequence[int]]"
"""The players of a match, by number, and the rank of each, from 0 for the best; equal ranks are ties."""
PER_UNIT = 400 / math.log(10)
"""Points of a rating for each unit of log-strength, so that 400 points more stand for odds of 10 to 1, as in Elo's."""
MEAN_RATING = 1500.0
PRIOR = 2.0
"""The standard deviation of the prior of log-strengths: it weighs as much as one match against an equal player."""
MOST_STEPS = 100
LARGEST = 20.0
"""Larger log-strengths without a prior are taken for infinite: odds of 10^8."""
MOST_PERMUTED = 3
"""Larger groups of tied players are ordered by their cyclic shifts, forward and backward, instead of all permutations."""


@dataclass(frozen=True)
class Strengths:
    """Estimated strengths.

    Attributes:
        values: float64[n]: log-strengths; their mean is 0. Of two players the first wins with odds exp(a - b).
        covariance: float64[n, n]: of these estimates.
    """

    values: Floats
    covariance: Floats

    def rating(self, player: int) -> ConfidenceInterval:
        """A player's strength in points about a mean of 1500, with its 95 % confidence interval."""
        middle = MEAN_RATING + PER_UNIT * float(self.values[player])
        reach = Z * PER_UNIT * math.sqrt(max(0.0, float(self.covariance[player, player])))
        return ConfidenceInterval(middle, middle - reach, middle + reach)

    def win_probability(self, first: int, second: int) -> float:
        """The probability that the first player beats the second one, where there are no draws."""
        return float(1 / (1 + np.exp(self.values[second] - self.values[first])))


def fit_strengths(rankings: Iterable[Ranking], players: int, *, prior: float = PRIOR) -> Strengths:
    """Estimate strengths by maximum likelihood in the Plackett-Luce model, for two players that of Bradley and Terry.

    The best player of a match is drawn in proportion to exp(strength), then the best of the others, and so on. Ties count as
    all orders of the tied players in equal parts, so a draw as half a win and half a loss. The log-likelihood is concave
    (Hunter 2004, "MM algorithms for generalized Bradley-Terry models"); Newton's method finds its maximum, and the inverse of the
    observed information there is the covariance.

    Args:
        rankings: the results of all matches.
        players: the number of players.
        prior: the standard deviation of a normal prior of each log-strength, which keeps those who have won or lost all matches
            finite; `math.inf` for none.

    Raises:
        ValueError: a ranking with other players than there are or without a rank for each, a prior that is not positive, or
            without a prior, no finite maximum.
    """
    check_count("the number of players", players)
    if not prior > 0:
        raise ValueError(f"the prior's standard deviation has to be positive, got {prior}")
    winners, members, weights = _stages(rankings, players)
    precision = prior**-2
    values: Floats = np.zeros(players)
    step: Floats = np.zeros(players)
    goodness = -math.inf
    for _ in range(MOST_STEPS):  # a few suffice
        found, gradient, information = _likelihood(values + step, winners, members, weights, precision)
        if found < goodness - 1e-12:
            step /= 2
            continue
        values, goodness = values + step, found
        if np.abs(values).max() > LARGEST:
            raise ValueError(
                "there is no finite estimate, since some players have beaten all others; give a prior"
            )
        step = np.asarray(np.linalg.solve(information, gradient), np.float64)
        if np.abs(step).max() < 1e-9:
            break
    covariance = np.linalg.inv(information)
    centred = np.eye(players) - 1 / players
    return Strengths(values - values.mean(), centred @ covariance @ centred)


def _likelihood(
    values: Floats,
    winners: npt.NDArray[np.int64],
    members: npt.NDArray[np.int64],
    weights: Floats,
    precision: float,
) -> tuple[float, Floats, Floats]:
    """The logarithm of the likelihood, its gradient, and the observed information."""
    count = len(values)
    padded = np.append(values, -np.inf)  # members -1 take no part
    theirs = padded[members]
    best = theirs.max(axis=1, keepdims=True)
    shares = np.exp(theirs - best)
    sums = shares.sum(axis=1, keepdims=True)
    shares /= sums
    logs = values[winners] - best[:, 0] - np.log(sums[:, 0])
    likelihood = float(weights @ logs) - precision / 2 * float(values @ values)
    weighted = weights[:, None] * shares
    gradient = np.bincount(winners, weights, count) - precision * values
    expected = np.zeros(count + 1)
    np.add.at(expected, members, weighted)
    gradient -= expected[:count]
    information = np.zeros((count + 1, count + 1))
    for i in range(members.shape[1]):
        np.add.at(information, (members[:, i], members[:, i]), weighted[:, i])
        for j in range(members.shape[1]):
            np.add.at(information, (members[:, i], members[:, j]), -weighted[:, i] * shares[:, j])
    # the sum of all strengths is free: what is added fixes it, and is lost when estimates are centred
    information = information[:count, :count] + precision * np.eye(count) + 1 / count
    return likelihood, gradient, information


def _stages(
    rankings: Iterable[Ranking], players: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats]:
    """Each choice of a best player among those that are left: who, among whom (padded with -1), and its weight."""
    found: list[tuple[int, Sequence[int], float]] = []
    for numbers, ranks in rankings:
        if len(numbers) != len(ranks) or len({*numbers}) < len(numbers):
            raise ValueError(f"a ranking has one rank for each of several players, not {numbers}, {ranks}")
        if not all(0 <= number < players for number in numbers):
            raise ValueError(f"players are numbered from 0 to {players - 1}; a match has {list(numbers)}")
        orders = list(_orders(numbers, ranks))
        for order in orders:
            found.extend((order[i], order[i:], 1 / len(orders)) for i in range(len(order) - 1))
    width = max((len(members) for _, members, _ in found), default=1)
    members = np.full((len(found), width), -1)
    for row, (_, among, _) in zip(members, found, strict=True):
        row[: len(among)] = among
    winners = np.array([winner for winner, _, _ in found], np.int64)
    return winners, members, np.array([weight for _, _, weight in found], np.float64)


def _orders(numbers: Sequence[int], ranks: Sequence[int]) -> Iterator[list[int]]:
    """Orders of a match's players from the best to the worst; those of tied players in turn."""
    groups = [
        [number for number, own in zip(numbers, ranks, strict=True) if own == rank]
        for rank in sorted({*ranks})
    ]
    for orders in itertools.product(*map(_orders_of_tied, groups)):
        yield list(itertools.chain(*orders))


def _orders_of_tied(group: list[int]) -> list[list[int]]:
    if len(group) <= MOST_PERMUTED:
        return [list(order) for order in itertools.permutations(group)]
    shifts = [group[i:] + group[:i] for i in range(len(group))]
    return shifts + [shift[::-1] for shift in shifts]
