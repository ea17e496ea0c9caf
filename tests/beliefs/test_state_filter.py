"""Filtering whole states with the world's own step."""

import copy
import functools

import numpy as np
import pytest

from gridarium import World
from gridarium.beliefs import BayesFilter, Impossible, PlaceModel, StateFilter
from gridarium.beliefs.states.state_sensing import StateSensing
from gridarium.engine import StaleProgramError
from gridarium.rules.sensor_registry import SensorRegistry
from gridarium.rules.sensors import sensor
from gridarium.world import Action, Dog, Flower, Position
from tests.beliefs.grounds import COLOR, ghost_grid

CONFUSION = ((0.8, 0.1, 0.1), (0.1, 0.8, 0.1), (0.1, 0.1, 0.8))
SENSORS = [
    sensor("object_class", object_types=(Dog, Flower), confusion=CONFUSION),
    *map(sensor, ("walls_around", "noisy_distance", "noisy_path_length", "noisy_position", "noisy_range")),
    COLOR,
]


@functools.cache
def compiled():
    return World("GhostGrid-4x5")


def test_it_agrees_with_the_exact_filter():
    # total variation about 0.5 * sqrt(20 / 5,000) for each resampling; seeds are fixed
    world = compiled()
    start = world.reset(0)
    exact, known = BayesFilter(PlaceModel(world, start), start), StateFilter(world, 5000, start, seed=1)
    for action, measured in ((0, 2), (0, 0), (1, 1), (1, 2), (2, 0)):
        exact.predict(action)
        exact.update(COLOR, measured)
        known.predict([action, 3])
        known.predict([action, 3])  # the ghost's turn
        known.update(COLOR, measured)
        known.resample()
    assert np.abs(known.grid() - exact.grid).sum() / 2 < 0.06
    assert known.log_likelihood == pytest.approx(exact.log_likelihood, abs=0.2)
    assert known.entropy() == pytest.approx(exact.entropy, abs=0.2)


def test_a_player_without_a_body_is_in_no_cell():
    world = World("ConnectFour", compiled=False)
    known = StateFilter(world, 5, world.reset(0), seed=1)
    with pytest.raises(ValueError, match="agent 1 has no body, and so is in no cell"):
        known.entropy(1)


class TestRandomness:
    def test_copies_slip_independently_of_each_other_and_of_the_world(self):
        # 5 standard errors
        world = compiled()
        state = world.reset(0)
        state.agents[0].position = Position(0, 4)
        known = StateFilter(world, 4000, state, seed=1)
        known.predict([Action.LEFT, Action.LEFT])
        assert known.grid()[0, 2:] == pytest.approx([0.1, 0.8, 0.1], abs=0.04)

    def test_after_resampling_copies_of_one_copy_part(self):
        known = StateFilter(compiled(), 500, compiled().reset(0), seed=1)
        known.weights = np.eye(500)[3]
        assert known.resample()
        known.predict([Action.LEFT, Action.LEFT])
        assert (known.grid() > 0.02).sum() == 2

    def test_equal_seeds_give_equal_copies(self):
        states = []
        for seed in (5, 5, 6):
            known = StateFilter(compiled(), 50, compiled().reset(0), seed=seed)
            known.predict([0, 0])
            known.update(COLOR, 0)
            known.resample(force=True)
            states.append(b"".join(known.state(i).tobytes() for i in range(50)))
        assert states[0] == states[1] != states[2]

    def test_the_real_state_is_left_alone(self):
        state = compiled().reset(0)
        before = state.tobytes()
        StateFilter(compiled(), 20, state, seed=5).predict([0, 0])
        assert state.tobytes() == before


@pytest.mark.parametrize("made", SENSORS, ids=lambda made: made.name)
@pytest.mark.sampled(9)
def test_all_sensors_are_asked_compiled_and_say_the_same(made):
    known = StateFilter(compiled(), 40, compiled().reset(0), seed=2)
    for action in range(6):
        known.predict([action % 4, action % 3])
    asked = StateSensing(known.copies, made)
    states = [known.state(i) for i in range(40)]
    assert asked.likelihoods(1.0).tolist() == [made.likelihood(state, 1) for state in states]
    assert asked.measurements().tolist() == [made.read(state) for state in states]
    other = StateSensing(known.copies, COLOR, 1).likelihoods(0.0)
    assert other.tolist() == [COLOR.likelihood(state.seen_by(1), 0) for state in states]


def heard(state, measurement):
    """Quiet, normal or loud, as whole numbers, whose truth values are added and which are indices."""
    loud = (measurement > 0) + (measurement > 1)
    return (0.5, 0.25, 0.125)[measurement] if loud == state.agent.position.x % 3 else 0.0625


def test_interpreted_sensors_get_whole_numbers_as_compiled_ones_do():
    registry = SensorRegistry()
    registry.register(heard, outcomes=3)
    made = registry.sensor(heard)
    for world in (compiled(), ghost_grid()[0]):
        known = StateFilter(world, 20, world.reset(0), seed=2)
        known.predict([1, 2])
        asked, seen = StateSensing(known.copies, made), set()
        for measurement in (0, 1, np.int64(2)):
            expected = [made.likelihood(known.state(i), int(measurement)) for i in range(20)]
            assert asked.likelihoods(measurement).tolist() == expected
            seen.update(expected)
        assert len(seen) > 1


def test_it_runs_interpreted_too():
    world, _ = ghost_grid()
    known = StateFilter(world, 30, world.reset(0), seed=1)
    known.predict([0, 0])
    known.update(COLOR, 2)
    assert known.grid().sum() == pytest.approx(1.0)


class TestPriors:
    def test_one_may_know_nothing_but_the_rules(self):
        world = World("EmptyRandom-5x5", compiled=False)
        known = StateFilter(world, 200, seed=1)
        assert (known.grid() > 0).sum() > 5

    def test_one_may_know_a_few_states(self):
        world, _ = ghost_grid()
        states = [world.reset(0), world.reset(1)]
        states[1].agents[0].position = Position(1, 1)
        known = StateFilter(world, 200, states, seed=1)
        assert known.grid()[0, 2] == pytest.approx(0.5, abs=0.2)
        assert known.grid()[0, 2] + known.grid()[1, 1] == pytest.approx(1.0)


def test_a_sample_is_one_of_the_copies_with_a_future_of_its_own():
    known = StateFilter(compiled(), 20, compiled().reset(0), seed=1)
    one, other = known.sample(), known.sample()
    assert one == other == known.state(0) and not one.identical(other)


def test_numbers_of_the_copies_are_averaged():
    known = StateFilter(compiled(), 20, compiled().reset(0), seed=1)
    known.update(np.arange(20.0))
    assert known.mean(np.arange(20.0)) == pytest.approx((np.arange(20.0) ** 2).sum() / 190)
    assert len(known) == 20


class TestBadInput:
    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"particles": 0}, "number of particles is at least 1"),
            ({"resampler": "wheel"}, "no resampler 'wheel'"),
            ({"prior": []}, "one or more"),
        ],
    )
    def test_options(self, options, words):
        with pytest.raises(ValueError, match=words):
            StateFilter(ghost_grid()[0], **({"particles": 5} | options))

    def test_states_of_another_world(self):
        other = World("EmptyRandom-5x5", compiled=False).reset(0)
        with pytest.raises(ValueError, match="not those of GhostGrid"):
            StateFilter(ghost_grid()[0], 5, other)

    def test_actions_and_measurements(self):
        known = StateFilter(ghost_grid()[0], 5, ghost_grid()[0].reset(0))
        with pytest.raises(ValueError, match="2 in all; got 0"):
            known.predict(0)
        with pytest.raises(ValueError, match="WAIT is not among"):
            known.predict([Action.WAIT, 0])
        with pytest.raises(Impossible):
            known.update(np.zeros(5))
        with pytest.raises(IndexError, match="agents are numbered from 0 to 1"):
            StateSensing(known.copies, COLOR, 2)

    @pytest.mark.parametrize("measured", [7, -1, 1.5, float("nan"), True, None, "red"])
    def test_what_a_sensor_cannot_measure(self, measured):
        known = StateFilter(compiled(), 50, compiled().reset(0), seed=0)
        before = known.weights.copy()
        with pytest.raises(ValueError, match="sensor color measures whole numbers from 0 to 2, not"):
            known.update(COLOR, measured)
        with pytest.raises(ValueError, match="sensor noisy_range measures finite numbers, not"):
            known.update(sensor("noisy_range"), float("inf"))
        assert (known.weights == before).all()


SHARPNESS = 0.75


def column(state, measurement):
    """Whether the agent stands in the first column."""
    return SHARPNESS if measurement == (state.agent.position.x == 0) else 1 - SHARPNESS


def test_a_compiled_sensor_is_not_asked_once_what_it_reads_has_changed(monkeypatch):
    known = StateFilter(compiled(), 5, compiled().reset(0), seed=1)
    registry = SensorRegistry()
    registry.register(column, outcomes=2)
    asked = StateSensing(known.copies, registry.sensor(column))
    before = asked.likelihoods(1.0).tolist()
    monkeypatch.setitem(globals(), "SHARPNESS", 0.5)
    with pytest.raises(StaleProgramError, match="rule 'column': SHARPNESS was 0.75, is now 0.5"):
        asked.likelihoods(1.0)
    monkeypatch.undo()
    assert asked.likelihoods(1.0).tolist() == before


def test_a_copy_of_a_filter_and_its_sensor_weighs_its_own_states():
    world = World("GhostGrid-4x5", compiled=False)
    sensor = COLOR
    belief, same = (StateFilter(world, 50, seed=0) for _ in range(2))
    for one in (belief, same):
        one.update(sensor, 1)
    twin, its_own = copy.deepcopy((belief, sensor))
    del belief
    for one, asked in ((twin, its_own), (same, sensor)):
        one.predict([0, 0])
        one.update(asked, 2)
    assert np.array_equal(twin.weights, same.weights)
