"""Several agents tracked at once."""

import numpy as np
import pytest

from gridarium.beliefs import BayesFilter, Impossible, JointParticleFilter, PlaceModel
from gridarium.rules.sensors import sensor
from gridarium.world import Position
from tests.beliefs.grounds import ghost_grid

SONAR = sensor("noisy_distance", spread=1)


def ghosts(count=2):
    world, _ = ghost_grid()
    model = PlaceModel(world, world.reset(0), agent=1, observer=0)
    model.motion = model.motion.under()
    return [model] * count


def test_a_ghost_is_tracked_by_noisy_distances():
    world, _ = ghost_grid()
    [model] = ghosts(1)
    known, state = BayesFilter(model), world.reset(0)
    for observer in ((0, 0), (3, 0), (0, 4)):  # from three corners one distance each: (1, 3) is the only cell
        state.agents[0].position = Position(*observer)
        distance = abs(observer[0] - 1) + abs(observer[1] - 3)
        known.update(sensor("noisy_distance", spread=0), distance, state)
    assert known.estimate().position == Position(1, 3)
    assert known.estimate().probability == pytest.approx(1.0)


def test_independent_measurements_give_the_beliefs_of_independent_filters():
    # total variation about 0.5 * sqrt(20 / 20,000); seeds are fixed
    known, exact = JointParticleFilter(ghosts(), 20_000, seed=1), [BayesFilter(m) for m in ghosts()]
    for t in range(5):
        known.predict()
        for j, one in enumerate(exact):
            one.predict()
            one.update(SONAR, (3, 4, 3, 2, 3)[t] + j)
            known.update(j, SONAR, (3, 4, 3, 2, 3)[t] + j)
        known.resample()
    for j, one in enumerate(exact):
        assert np.abs(known.belief(j) - one.belief).sum() / 2 < 0.05
        assert known.grid(j).shape == (4, 5)
    assert known.log_likelihood == pytest.approx(sum(one.log_likelihood for one in exact), abs=0.1)


def test_joint_measurements_tie_the_agents_together():
    known = JointParticleFilter(ghosts(), 4000, seed=1)
    known.update_jointly(lambda cells: np.abs(cells[:, 0] - cells[:, 1]).sum(axis=1) <= 1)
    known.update(0, np.eye(20)[0])
    known.resample()
    assert known.estimate(0).position == Position(0, 0)
    assert set(np.flatnonzero(known.belief(1)).tolist()) == {0, 1, 5}


def test_equal_seeds_give_equal_particles():
    one, other = (JointParticleFilter(ghosts(), 50, [(0, 0), None], seed=4) for _ in range(2))
    for known in (one, other):
        known.predict()
    assert (one.particles == other.particles).all()
    assert set(one.particles[:, 0].tolist()) <= {0, 5}  # a wall stands to the right of the corner


def test_what_cannot_be_is_refused_and_changes_nothing():
    known = JointParticleFilter(ghosts(), 50, seed=4)
    with pytest.raises(Impossible):
        known.update_jointly(lambda cells: np.zeros(len(cells)))
    assert known.effective == pytest.approx(50.0)
    with pytest.raises(ValueError, match=r"float\[50\]"):
        known.update_jointly(lambda cells: np.ones(3))


@pytest.mark.parametrize(
    ("models", "options", "words"),
    [
        ([], {}, "at least one agent"),
        (None, {"particles": 0}, "number of particles is at least 1"),
        (None, {"resampler": "wheel"}, "no resampler"),
        (None, {"priors": [None]}, "2 in all; got 1"),
    ],
)
def test_bad_options_are_refused(models, options, words):
    with pytest.raises(ValueError, match=words):
        JointParticleFilter(ghosts() if models is None else models, **options)


def test_what_is_refused_moves_nobody():
    _, model = ghost_grid()
    belief = JointParticleFilter([model, model], 50, seed=1)
    before = belief.particles.copy()
    with pytest.raises(ValueError, match="action 99 is none of"):
        belief.predict([0, 99])
    assert np.array_equal(belief.particles, before)


def test_places_of_others_that_are_given_once_do_not_stay():
    world, _ = ghost_grid()
    model = PlaceModel(world, world.reset(0), agent=1, observer=0)
    usual, state = model.likelihood(SONAR, 1).copy(), world.reset(0)
    state.agents[0].position = Position(3, 0)
    assert not np.array_equal(model.likelihood(SONAR, 1, state), usual)
    assert np.array_equal(model.likelihood(SONAR, 1), usual)
