"""Nash averaging: how players fare against the mixture of players that nobody beats."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gridarium.arena.ratings.win_rates import check_win_rates

Floats = npt.NDArray[np.float64]
NEAR = 1e-9
"""Where the central path ends: no player does better than this against the mixture, in units of the largest log-odds."""
MOST_STEPS = 100


@dataclass(frozen=True)
class NashAverage:
    """The result of `nash_averaging`.

    Attributes:
        shares: float64[n]: of the players in the mixture.
        skills: float64[n]: the mean log-odds of each player against it: 0 for those in it, less for others.
    """

    shares: Floats
    skills: Floats


def nash_averaging(win_rates: npt.ArrayLike) -> NashAverage:
    """Rate players by the game in which two people each choose a player (Balduzzi et al. 2018, "Re-evaluating evaluation").

    Of its equilibria the one of the largest entropy is taken. So copies of a player, and opponents that everyone beats, change nobody
    else's rating, and players that beat each other in a circle are equal.

    Args:
        win_rates: float[n, n]: the share of points of each player against each other one, between 0 and 1, both excluded;
            those of two players add up to 1.

    Raises:
        ValueError: other numbers.
    """
    rates = check_win_rates(win_rates, strict=True)
    odds = np.log(rates / rates.T)
    scale = max(1.0, float(np.abs(odds).max()))
    shares = _largest_entropy(odds / scale)
    return NashAverage(shares, odds @ shares)


def _largest_entropy(payoffs: Floats) -> Floats:
    """The strategy p of largest entropy with payoffs @ p <= 0, for an antisymmetric matrix.

    The central path leads to a strictly complementary equilibrium: it has all players that any has. They are all equal in any
    equilibrium, so that the others are p + basis @ x for a basis of what leaves that unchanged.
    """
    near = _near_equilibrium(payoffs)
    inside = near > NEAR - payoffs @ near
    among = np.vstack([payoffs[np.ix_(inside, inside)], np.ones(inside.sum())])
    own = (
        near[inside]
        + np.linalg.lstsq(among, np.append(np.zeros(inside.sum()), 1.0) - among @ near[inside])[0]
    )
    _, sizes, directions = np.linalg.svd(among)
    basis = directions[(sizes > 1e-9).sum() :].T
    rest = payoffs[np.ix_(~inside, inside)]
    weight = 1e-2 if basis.size else 0.0
    while weight > NEAR:  # of a barrier that keeps players outside from doing better
        own = _newton(own, basis, rest, weight)
        weight /= 10
    shares = np.zeros(len(payoffs))
    shares[inside] = own / own.sum()
    return shares


def _newton(own: Floats, basis: Floats, rest: Floats, weight: float) -> Floats:
    """Minimise sum(p log p) - weight * sum(log(-rest @ p)) among p = own + basis @ x."""
    for _ in range(MOST_STEPS):
        slack = -(rest @ own)
        gradient = basis.T @ (np.log(own) + weight * (rest.T @ (1 / slack)))
        curvature = np.diag(1 / own) + weight * (rest.T * slack**-2) @ rest
        step = -basis @ np.linalg.solve(basis.T @ curvature @ basis, gradient)
        own = own + _longest(step, own, -(rest @ step), slack) * step
        if np.abs(step).max() < 1e-10:
            break
    return own


def _near_equilibrium(payoffs: Floats) -> Floats:
    """The strategy where the central path p * (m - payoffs @ p) = m / n ends that begins with equal shares."""
    count = len(payoffs)
    p, m = np.full(count, 1 / count), 1.0
    while True:
        for _ in range(MOST_STEPS):
            slack = m - payoffs @ p
            residual = m / count - p * slack
            if np.abs(residual).max() < 1e-3 * m / count:
                break
            step = np.linalg.solve(np.diag(slack) - p[:, None] * payoffs, residual)
            p = p + _longest(step, p, -(payoffs @ step), slack) * step
        if m < NEAR:
            equal: Floats = p / p.sum()
            return equal
        m -= 0.5 * (m - payoffs @ p).min()


def _longest(step: Floats, p: Floats, change: Floats, slack: Floats) -> float:
    """The share of a step, at most 1, after which shares and slacks are above 0."""
    least = min((step / p).min(initial=0.0), (change / slack).min(initial=0.0))
    return float(min(1.0, 0.9 / -least)) if least < 0 else 1.0
