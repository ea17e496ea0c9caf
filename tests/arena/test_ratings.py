"""Ratings recover strengths from results, and say how sure they are."""

import math

import numpy as np
import pytest

from gridarium.arena import OnlineRatings, fit_strengths

LEVELS = np.linspace(-1.5, 1.5, 8)


def simulated(rng, strengths, matches, seats):
    """Results of the Plackett-Luce model: the order of exponential waiting times."""
    for _ in range(matches):
        players = rng.choice(len(strengths), seats, replace=False)
        times = rng.exponential(np.exp(-strengths[players]))
        yield players.tolist(), times.argsort().argsort().tolist()


@pytest.mark.exhaustive
@pytest.mark.parametrize("seats", [2, 4])
def test_intervals_are_calibrated(seats):
    """Of 95 % intervals about 95 % contain the truth; 3.5 standard errors of as many independent ones."""
    rng, repetitions = np.random.default_rng(seats), 60
    inside, errors = 0, []
    for _ in range(repetitions):
        found = fit_strengths(simulated(rng, LEVELS, 400 // seats, seats), len(LEVELS))
        for player, level in enumerate(LEVELS):
            interval = found.rating(player)
            true = 1500 + 400 / math.log(10) * level
            inside += interval.low <= true <= interval.high
            errors.append((interval.mean - true) / ((interval.high - interval.mean) / 1.96))
    share = inside / (repetitions * len(LEVELS))
    assert abs(share - 0.95) < 3.5 * math.sqrt(0.95 * 0.05 / (repetitions * len(LEVELS)))
    assert 0.85 < np.std(errors) < 1.15


@pytest.mark.parametrize("seats", [2, 3])
def test_a_known_order_is_recovered(seats):
    rng = np.random.default_rng(1)
    results = list(simulated(rng, 2 * LEVELS, 1500, seats))
    found = fit_strengths(results, len(LEVELS))
    assert found.values.argsort().tolist() == [*range(len(LEVELS))]
    online = OnlineRatings()
    for players, ranks in results:
        online.update([str(p) for p in players], ranks)
    assert sorted(range(8), key=lambda p: online[str(p)].mu) == [*range(8)]
    assert all(online[str(p)].sigma < 25 / 3 / 2 for p in range(8))
    assert online["0"].ordinal < online["0"].mu


def minorized(results, count):
    """Hunter's MM algorithm for Plackett-Luce, without ties and prior."""
    gammas = np.ones(count)
    wins = np.zeros(count)
    stages = []
    for players, ranks in results:
        order = [p for _, p in sorted(zip(ranks, players))]
        wins[order[:-1]] += 1
        stages += [order[i:] for i in range(len(order) - 1)]
    for _ in range(300):
        sums = np.zeros(count)
        for stage in stages:
            sums[stage] += 1 / gammas[stage].sum()
        gammas = wins / sums
    logs = np.log(gammas)
    return logs - logs.mean()


@pytest.mark.exhaustive
def test_estimates_are_those_of_hunters_algorithm():
    results = list(simulated(np.random.default_rng(3), LEVELS[::2], 150, 3))
    found = fit_strengths(results, 4, prior=math.inf)
    assert np.allclose(found.values, minorized(results, 4), atol=1e-6)


def test_two_players_have_the_odds_of_their_results():
    found = fit_strengths([([0, 1], [0, 1])] * 30 + [([1, 0], [0, 1])] * 10, 2, prior=math.inf)
    assert found.values[0] - found.values[1] == pytest.approx(math.log(3))
    assert found.win_probability(0, 1) == pytest.approx(0.75)
    variance = found.covariance[0, 0] + found.covariance[1, 1] - 2 * found.covariance[0, 1]
    assert variance == pytest.approx(1 / (40 * 0.75 * 0.25))


def test_a_draw_is_half_a_win():
    drawn = fit_strengths([([0, 1], [0, 0])] * 4 + [([0, 1], [0, 1])] * 2, 2)
    halves = fit_strengths([([0, 1], [0, 1])] * 4 + [([1, 0], [0, 1])] * 2, 2)
    assert np.allclose(drawn.values, halves.values)
    assert np.allclose(drawn.covariance, halves.covariance)
    for size in (2, 3, 5):
        tied = fit_strengths([(list(range(size)), [0] * size)] * 3, size)
        assert np.allclose(tied.values, 0)


def test_who_always_wins_has_a_finite_strength():
    found = fit_strengths([([0, 1], [0, 1])] * 20, 3)
    assert found.values[0] > found.values[2] > found.values[1]
    width = [found.rating(p).high - found.rating(p).low for p in range(3)]
    assert width[2] > 600
    with pytest.raises(ValueError, match="there is no finite estimate"):
        fit_strengths([([0, 1], [0, 1])] * 20, 2, prior=math.inf)


def test_wrong_results_are_refused():
    for ranking, problem in [
        (([0, 1], [0]), "one rank for each"),
        (([0, 0], [0, 1]), "one rank for each"),
        (([0, 2], [0, 1]), "numbered from 0 to 1"),
    ]:
        with pytest.raises(ValueError, match=problem):
            fit_strengths([ranking], 2)
    with pytest.raises(ValueError, match="has to be positive"):
        fit_strengths([], 2, prior=0.0)
    with pytest.raises(ValueError, match="a rank for each of 2 players"):
        OnlineRatings().update(["a", "b"], [0])


def test_who_has_not_played_is_as_good_as_the_mean():
    found = fit_strengths([], 2)
    assert found.rating(0).mean == 1500
    ratings = OnlineRatings()
    ratings.update(["a", "a"], [0, 1])
    assert (ratings["a"].mu, ratings["a"].sigma) == (25.0, pytest.approx(25 / 3))
