"""Filters compared on random walks."""

import numpy as np
import pytest

from gridarium.beliefs import BayesFilter, ParticleFilter, compare, random_walks
from tests.beliefs.grounds import COLOR, VISION, ghost_grid


def walk(**options):
    return random_walks(ghost_grid()[1], [COLOR, VISION], **({"walks": 40, "steps": 8, "seed": 2} | options))


def test_walks_are_of_the_world():
    walks, (_, model) = walk(), ghost_grid()
    assert (
        walks.actions.shape == (40, 8)
        and walks.places.shape == (40, 9)
        and walks.measurements.shape == (40, 9, 2)
    )
    for action, before, after in zip(
        walks.actions.ravel(), walks.places[:, :-1].ravel(), walks.places[:, 1:].ravel()
    ):
        assert model.motion.matrix(action)[before, after] > 0
    assert set(np.unique(walks.measurements)) <= {0.0, 1.0, 2.0}


@pytest.mark.exhaustive
def test_equal_seeds_give_equal_walks_and_starts_can_be_chosen():
    assert (walk().places == walk().places).all()
    assert (walk().places != walk(seed=3).places).any()
    assert set(walk(start=(0, 2)).places[:, 0].tolist()) == {2}


@pytest.mark.exhaustive
def test_the_exact_filter_is_calibrated_and_better_than_few_particles():
    # the mean probability of the truth and the share of hits both have standard errors below 0.03 here
    _, model = ghost_grid()
    walks = walk(walks=300)
    exact = compare(lambda w: BayesFilter(model), model, walks)
    few = compare(lambda w: ParticleFilter(model, 10, seed=w), model, walks)
    assert exact.right[:, -1].mean() > few.right[:, -1].mean()
    assert np.log(exact.truth[:, -1]).mean() > np.log(np.maximum(few.truth[:, -1], 1e-9)).mean()
    assert exact.entropy[:, 0].mean() > exact.entropy[:, -1].mean()
    assert exact.seconds > 0


@pytest.mark.parametrize("options", [{"walks": 0}, {"steps": 0}])
def test_there_is_something_to_walk(options):
    with pytest.raises(ValueError, match="is at least 1, got 0"):
        walk(**options)
