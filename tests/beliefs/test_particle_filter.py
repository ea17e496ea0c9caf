"""The particle filter against the exact one, interpreted against compiled."""

import copy
import dataclasses
import functools
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridarium.beliefs import (
    RECOVERY,
    Adaptive,
    BayesFilter,
    Impossible,
    ParticleFilter,
    kld_sample_size,
    random_walks,
)
from gridarium.beliefs.places.motion import Motion
from gridarium.beliefs.places.particles.arguments import FilterNumber
from gridarium.beliefs.places.particles.kernel import REDRAW, RESAMPLE, SCATTER, UPDATE
from gridarium.beliefs.places.particles.memory import ParticleMemory
from gridarium.beliefs.resampling import RESAMPLERS
from gridarium.world import Action, Position
from tests.beliefs.grounds import COLOR, VISION, ghost_grid

METHODS = pytest.mark.parametrize("method", RESAMPLERS)
MEASURED = (2, 0, 1, 0, 2, 0)


def follow(known, steps=12):
    for t in range(steps):
        known.predict(t % 4)
        known.update(COLOR, MEASURED[t % 6])
        if isinstance(known, ParticleFilter):
            known.resample()
    return known


def cloud(particles=400, **options):
    return ParticleFilter(ghost_grid()[1], particles, **({"seed": 1} | options))


@METHODS
@pytest.mark.parametrize("threshold", [0.5, 1.0])
def test_many_particles_come_close_to_the_exact_belief(method, threshold):
    # total variation about 0.5 * sqrt(places / n) = 0.005 for each resampling; seeds are fixed
    known = follow(cloud(50_000, resampler=method, threshold=threshold))
    exact = follow(BayesFilter(ghost_grid()[1]))
    assert np.abs(known.belief - exact.belief).sum() / 2 < 0.03
    assert known.log_likelihood == pytest.approx(exact.log_likelihood, abs=0.05)
    assert known.entropy == pytest.approx(exact.entropy, abs=0.1)
    assert known.estimate().position == exact.estimate().position


@METHODS
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 999), threshold=st.sampled_from([0.3, 1.0]), injection=st.sampled_from([0.0, 0.1]))
def test_interpreted_and_compiled_agree_bit_for_bit(method, seed, threshold, injection):
    options = {
        "seed": seed,
        "resampler": method,
        "threshold": threshold,
        "injection": injection,
        "recovery": RECOVERY,
        "adaptive": Adaptive(least=10, most=80),
    }
    one, other = cloud(60, **options), cloud(60, compiled=False, **options)
    for known in (one, other):
        follow(known, 6)
    assert len(one) == len(other)
    assert (one.particles == other.particles).all() and (one.weights == other.weights).all()
    assert one.estimate() == other.estimate() and one.log_likelihood == other.log_likelihood


@pytest.mark.sampled(4)
@METHODS
@pytest.mark.parametrize("weights", [(9.0, 1.0), (1.0, 0.0), (1.0, 2.0, 3.0, 4.0)])
def test_resampling_in_the_loop_is_unbiased(method, weights):
    """By chi-square, a false alarm in a million runs at most; one draw in 50 put a place off would be found."""
    likelihood, rounds, counts = np.tile(weights, 20 // len(weights)), 300, np.zeros(20)
    known = cloud(200, resampler=method)
    for _ in range(rounds):
        known.reset()
        known.update(likelihood)
        known.resample(force=True)
        counts += np.bincount(known.particles, minlength=20)
        assert known.weights == pytest.approx(np.full(200, 0.005))
    expected = 200 * rounds * likelihood / likelihood.sum()
    possible = expected > 0
    assert counts[~possible].sum() == 0
    off = ((counts - expected)[possible] ** 2 / expected[possible]).sum()
    assert off < 62  # the quantile 1 - 1e-6 at 19 degrees of freedom


def test_one_call_does_what_three_do():
    one, other = cloud(), cloud()
    for t in range(8):
        one.step(t % 4, COLOR, t % 3)
        other.predict(t % 4)
        other.update(COLOR, t % 3)
        other.resample()
    assert (one.particles == other.particles).all() and one.estimate() == other.estimate()


class TestSeeds:
    def test_equal_seeds_give_equal_filters(self):
        assert (follow(cloud(seed=3)).particles == follow(cloud(seed=3)).particles).all()
        assert (follow(cloud(seed=3)).particles != follow(cloud(seed=4)).particles).any()

    def test_nobody_elses_random_numbers_are_touched(self):
        world, _ = ghost_grid()
        state = world.reset(0)
        before, global_before = state.tobytes(), np.random.get_state()[1].copy()
        follow(cloud())
        assert state.tobytes() == before
        assert (np.random.get_state()[1] == global_before).all()


class TestPredicting:
    def test_a_known_place_spreads_as_slip_says(self):
        # 5 standard errors
        known = cloud(20_000, prior=(0, 4))
        known.predict(Action.LEFT)
        assert known.grid[0, 2:] == pytest.approx([0.1, 0.8, 0.1], abs=5 * math.sqrt(0.25 / 20_000))
        assert known.estimate().position == Position(0, 3)

    def test_a_slipping_agent_is_lost_without_measurements(self):
        known = cloud(prior=(0, 2))
        entropies = []
        for t in range(6):
            entropies.append(known.entropy)
            known.predict(t % 4)
        assert entropies[0] == pytest.approx(0.0, abs=1e-9)
        assert 0.3 < entropies[1] < entropies[-1]

    def test_an_unknown_action_is_refused(self):
        with pytest.raises(ValueError, match="action 9 is none of the 4"):
            cloud().predict(9)


class TestOnesOwnWeights:
    def test_weights_and_particles_can_be_set(self):
        known = cloud(40)
        known.update(COLOR, 1)
        assert known.estimate().probability < 0.9
        known.particles = np.arange(40) % 20
        known.weights = np.arange(40) == 13
        assert known.estimate().position == Position(2, 3) and known.effective == pytest.approx(1.0)
        assert known.weights.sum() == known.belief[13] == known.grid[2, 3] == 1.0
        assert known.resample() and (known.particles == 13).all()

    def test_they_cannot_be_changed_behind_the_filters_back(self):
        known = cloud()
        for seen in (known.weights, known.particles, known.belief):
            with pytest.raises(ValueError, match="read-only"):
                seen[:] = 0

    @pytest.mark.parametrize("wrong", [np.zeros(400), -np.ones(400), np.ones(3), np.full(400, np.nan)])
    def test_what_are_no_weights_are_refused(self, wrong):
        known = cloud()
        with pytest.raises(ValueError, match=r"weights are float\[400\]"):
            known.weights = wrong
        assert known.weights.sum() == pytest.approx(1.0)

    @pytest.mark.parametrize("wrong", [np.zeros(400), np.arange(3), np.full(400, 20), np.full(400, -1)])
    def test_what_are_no_places_are_refused(self, wrong):
        with pytest.raises(ValueError, match="places"):
            cloud().particles = wrong


class TestResampling:
    def test_nothing_is_done_while_enough_particles_count(self):
        known = cloud(threshold=0.1)
        known.update(COLOR, 0)
        assert known.effective > 40 and not known.resample()
        assert known.resample(force=True)
        assert known.effective == 400

    def test_threshold_zero_never_resamples(self):
        known = cloud(threshold=0.0)
        assert not any(known.update(np.eye(20)[0] + 1e-6) or known.resample() for _ in range(5))

    def test_the_belief_after_an_update_is_that_before_resampling(self):
        known = cloud(50)
        known.update(VISION, 0)
        before = known.belief.copy()
        known.resample(force=True)
        assert (known.belief == before).all()
        assert len(known.positions) == 50

    def test_some_particles_may_be_put_anywhere(self):
        known = cloud(1000, prior=(0, 0), injection=0.3)
        known.update(np.ones(20))
        assert known.resample()
        assert 220 < known.injected < 380  # 5 standard errors
        assert len(set(known.particles.tolist())) == 20


class TestRecovery:
    def kidnapped(self, **options):
        """How far the filter's belief in the true cell comes back after the agent was carried elsewhere."""
        known = cloud(60, prior=(0, 0), **options)
        there = np.full(20, 0.001)
        there[19] = 0.9
        for _ in range(10):
            known.update(np.where(np.arange(20) == 0, 0.9, 0.001))
            known.resample()
        for _ in range(12):
            known.update(there)
            known.resample()
        return known.grid[3, 4]

    def test_without_recovery_a_carried_agent_stays_lost(self):
        assert self.kidnapped() == 0.0

    def test_with_recovery_it_is_found(self):
        assert self.kidnapped(recovery=RECOVERY) > 0.9

    def test_where_no_particle_explains_a_measurement_all_are_drawn_by_it(self):
        known = cloud(40, prior=(0, 0))
        known.update(np.eye(20)[7])
        assert known.lost == 1 and known.log_likelihood == -math.inf
        assert known.estimate().position == Position(1, 2)

    def test_what_cannot_be_anywhere_is_refused_and_changes_nothing(self):
        known = cloud(40)
        weights = known.weights.copy()
        with pytest.raises(Impossible):
            known.update(np.zeros(20))
        assert (known.weights == weights).all() and known.lost == 0


class TestAdaptiveNumbers:
    def test_there_are_as_many_as_the_spread_asks_for(self):
        known = cloud(500, adaptive=Adaptive(error=0.1, least=10, most=2000))
        known.update(np.ones(20))
        known.resample(force=True)
        assert len(known) == kld_sample_size(20, 0.1)
        known.update(np.eye(20)[3] + np.eye(20)[4])
        known.resample(force=True)
        assert len(known) == max(10, kld_sample_size(2, 0.1)) == len(known.weights)
        known.reset()
        assert len(known) == 500

    def test_bounds_hold(self):
        known = cloud(50, adaptive=Adaptive(error=1e-4, least=40, most=60))
        known.update(np.ones(20))
        known.resample(force=True)
        assert len(known) == 60


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"particles": 0}, "number of particles is at least 1, got 0"),
        ({"resampler": "wheel"}, "no resampler 'wheel'; there are systematic"),
        ({"threshold": 1.5}, "threshold is between 0 and 1"),
        ({"injection": -0.1}, "injection is between 0 and 1"),
        ({"recovery": (0.5, 0.1)}, "slow <= fast"),
        ({"particles": 99, "adaptive": Adaptive(most=50)}, "more than the most"),
    ],
)
def test_bad_options_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        cloud(**options)


def test_bad_bounds_are_refused():
    with pytest.raises(ValueError, match="most is at least 10, got 5"):
        Adaptive(least=10, most=5)


def test_it_follows_an_agent_through_the_world():
    _, model = ghost_grid()
    walks = random_walks(model, [COLOR, VISION], walks=30, steps=20, seed=3)
    right = 0
    for w in range(30):
        known = cloud(500, seed=w)
        for t in range(21):
            if t:
                known.predict(int(walks.actions[w, t - 1]))
            for k, asked in enumerate(walks.sensors):
                known.update(asked, int(walks.measurements[w, t, k]))
            known.resample()
        right += known.estimate().position.yx == model.places.cells[walks.places[w, 20]]
    assert right >= 18


def test_what_is_of_another_type_is_named():
    with pytest.raises(TypeError, match=r"Adaptive\(\.\.\.\) or None, not 3"):
        cloud(adaptive=3)
    with pytest.raises(TypeError, match=r"whole number, got 2\.5"):
        cloud(2.5)
    with pytest.raises(TypeError, match="Action or its index, not 'up'"):
        cloud().predict("up")


def test_a_sensor_that_gives_no_probabilities_is_refused():
    broken = dataclasses.replace(COLOR, likelihood=functools.partial(COLOR.likelihood, quality=3.0))
    with pytest.raises(ValueError, match=r"quality=3\.0\) gives likelihoods that are negative"):
        cloud().update(broken, 1)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda cloud: pickle.loads(pickle.dumps(cloud))])
def test_a_copy_goes_on_alike_and_by_itself(copied):
    known = follow(cloud(100, resampler="residual"))
    twin, before = copied(known), known.particles.copy()
    follow(twin)
    assert (known.particles == before).all()
    follow(known)
    assert (known.particles == twin.particles).all() and known.log_likelihood == twin.log_likelihood


SHARES = st.lists(st.sampled_from([0.0, 0.1, 1.0, 3.0]), min_size=1, max_size=9).filter(any)


def memories(shares, count):
    """Memories of as many places, interpreted and compiled, with these likelihoods."""
    places = len(shares)
    still = Motion(np.arange(places).reshape(1, places, 1), np.ones((1, places, 1)))
    for compiled in (False, True):
        memory = ParticleMemory(still, np.zeros((places, 2)), count, compiled=compiled)
        memory.count, memory.scratch[0], memory.likelihood[:] = count, 7, shares
        yield memory


@given(shares=SHARES, count=st.integers(1, 40))
def test_particles_are_scattered_evenly_over_all_places(shares, count):
    for memory in memories(shares, count):
        memory.run(SCATTER)
        on_each = np.bincount(memory.particles, minlength=len(shares))
        assert set(on_each) <= {count // len(shares), -(-count // len(shares))}
        assert memory.belief == pytest.approx(on_each / count)


@given(shares=SHARES, count=st.integers(1, 40))
def test_particles_are_put_where_something_is_likely(shares, count):
    plain, compiled = memories(shares, count)
    for memory in (plain, compiled):
        memory.run(REDRAW)
        assert all(shares[place] > 0 for place in memory.particles)
    assert (plain.particles == compiled.particles).all()


@given(shares=SHARES, count=st.integers(1, 40))
def test_systematic_resampling_leaves_as_many_as_a_place_is_worth(shares, count):
    for memory in memories(shares, count):
        memory.numbers[FilterNumber.THRESHOLD] = 2.0
        memory.run(SCATTER | UPDATE | RESAMPLE)
        if memory.number(FilterNumber.TOTAL) > 0:
            worth = memory.belief * count
            on_each = np.bincount(memory.particles, minlength=len(shares))
            assert (np.abs(on_each - worth) < 1 + 1e-9).all()
            assert not on_each[worth == 0].any()


@pytest.mark.parametrize("scale", [1e-165, 1e-310])
def test_likelihoods_may_be_tiny(scale):
    """As those of many measurements together; their squares are 0."""
    _, model = ghost_grid()
    likelihood = np.arange(1, 21) * 0.05
    usual, tiny = (ParticleFilter(model, 50, seed=1, threshold=0.0, compiled=False) for _ in range(2))
    usual.step(0, likelihood)
    tiny.step(0, likelihood * scale)
    assert tiny.belief == pytest.approx(usual.belief, rel=1e-3)
    assert tiny.effective == pytest.approx(usual.effective, rel=1e-3)
