"""Nash averaging and alpha-rank: circles, copies, and what others have computed."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize

from gridarium.arena import (
    MatchResult,
    PlayedMatch,
    PlayerStatus,
    ScheduledMatch,
    SeatResult,
    TournamentResult,
    alpha_rank,
    nash_averaging,
    tournament_page,
)

CIRCLE = np.array([[0.0, 3.0, -3.0], [-3.0, 0.0, 3.0], [3.0, -3.0, 0.0]])


def rates(odds) -> np.ndarray:
    return 1 / (1 + np.exp(-np.asarray(odds, float)))


def test_players_who_beat_each_other_in_a_circle_are_equal() -> None:
    found = nash_averaging(rates(CIRCLE))
    assert found.shares == pytest.approx(np.full(3, 1 / 3)) and found.skills == pytest.approx(np.zeros(3))
    assert alpha_rank(rates(CIRCLE)) == pytest.approx(np.full(3, 1 / 3))


def test_a_copy_changes_nobody_elses_average() -> None:
    """Balduzzi et al. (2018), section 3: rock, paper, scissors with two rocks."""
    which = [0, 0, 1, 2]
    found = nash_averaging(rates(CIRCLE[np.ix_(which, which)]))
    assert found.shares == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3])
    assert found.skills == pytest.approx(np.zeros(4), abs=1e-8)
    assert nash_averaging(np.full((5, 5), 0.5)).shares == pytest.approx(np.full(5, 0.2))


def test_the_best_of_all_is_the_whole_mixture() -> None:
    strengths = np.array([0.0, 2.0, 0.5])
    found = nash_averaging(rates(strengths[:, None] - strengths))
    assert found.shares == pytest.approx([0.0, 1.0, 0.0]) and found.skills == pytest.approx([-2.0, 0.0, -1.5])
    assert alpha_rank(rates(strengths[:, None] - strengths)) == pytest.approx([0.0, 1.0, 0.0])


@pytest.mark.parametrize(("seed", "players"), [*itertools.product(range(6), (4, 9))])
def test_the_mixture_is_the_equilibrium_of_largest_entropy(seed, players) -> None:
    """Of a matrix of rank 2 there are many equilibria; scipy's general optimiser finds none of larger entropy."""
    first, second = np.random.default_rng(seed).normal(size=(2, players))
    odds = np.outer(first, second) - np.outer(second, first)
    found = nash_averaging(rates(odds))
    assert found.skills.max() < 1e-8 and found.shares.min() >= 0 and found.shares.sum() == pytest.approx(1.0)

    def entropy(p):
        return -np.sum(p * np.log(np.maximum(p, 1e-12)))

    other = minimize(
        lambda p: -entropy(p), found.shares, method="SLSQP", bounds=[(0, 1)] * players,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "ineq", "fun": lambda p: 1e-9 - odds @ p},
        ],
    )  # fmt: skip
    assert entropy(found.shares) > -other.fun - 1e-4


def test_alpha_rank_is_the_stationary_distribution_of_imitation() -> None:
    """Step by step: birth and death of mutants among ten, by the Fermi rule (Traulsen et al. 2006)."""
    table, alpha, size = rates([[0, 0.4, -0.2], [-0.4, 0, 0.7], [0.2, -0.7, 0]]), 2.0, 10
    moves = np.zeros((3, 3))
    for old, new in itertools.permutations(range(3), 2):
        ratio = np.exp(-alpha * (table[new, old] - table[old, new]))
        moves[old, new] = 0.5 / sum(ratio**k for k in range(size))
        moves[old, old] -= moves[old, new]
    shares = np.linalg.matrix_power(moves + np.eye(3), 10_000)[0]
    assert alpha_rank(table, alpha=alpha, population=size) == pytest.approx(shares)


@pytest.mark.parametrize("alpha", [1.0, 10.0])
def test_alpha_rank_is_that_of_open_spiel(alpha) -> None:
    pytest.importorskip("pyspiel")
    theirs = pytest.importorskip("open_spiel.python.egt.alpharank")
    for seed in range(3):
        drawn = np.random.default_rng(seed).normal(size=(7, 7))
        table = rates(drawn - drawn.T)
        assert theirs.compute([table], m=50, alpha=alpha)[2] == pytest.approx(alpha_rank(table, alpha=alpha))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ([[0.5, 0.6]], "square table"),
        ([[0.5, 0.6], [0.6, 0.5]], "add up to 1"),
        ([[0.5, 1.0], [0.0, 0.5]], "both excluded"),
        ([[0.5, 1.5], [-0.5, 0.5]], "between 0 and 1"),
    ],
)
def test_other_tables_are_refused(table, said) -> None:
    with pytest.raises(ValueError, match=said):
        nash_averaging(table)


def result_of(pairs) -> TournamentResult:
    played = []
    for number, (winner, loser) in enumerate(pairs):
        seats = tuple(
            SeatResult("abc"[player], PlayerStatus.DONE, "", 0.0, rank, 0.0, 0.0)
            for rank, player in enumerate((winner, loser))
        )
        match = ScheduledMatch(number, 0, number, (winner, loser), number)
        played.append(PlayedMatch(match, MatchResult("game", "", number, seats, ())))
    return TournamentResult("t", "round-robin", ("a", "b", "c"), tuple(played), (0.0, 0.0, 0.0))


def test_a_tournament_in_which_all_have_met_shows_circles() -> None:
    result = result_of([(0, 1), (1, 2), (2, 0)] * 3)
    averages = result.averages()
    assert averages is not None
    assert [one.nash_share for one in averages] == pytest.approx([1 / 3] * 3)
    assert [one.alpha_rank for one in averages] == pytest.approx([1 / 3] * 3)
    rates = result.win_rates()
    assert (
        rates is not None and rates[0, 1] == pytest.approx(3.5 / 4) and rates[1, 0] == pytest.approx(0.5 / 4)
    )
    assert "Circles" in tournament_page(result) and "33.3 %" in tournament_page(result)
    unfinished = result_of([(0, 1), (1, 2)])
    assert unfinished.averages() is None and "Circles" not in tournament_page(unfinished)
