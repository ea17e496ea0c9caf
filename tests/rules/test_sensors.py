"""Sensors: measurements and their probabilities."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.rules import sensors as s
from gridarium.rules.limits import probability
from gridarium.rules.sensor_registry import SensorRegistry
from gridarium.rules.sensors import factory, sensor, sensor_registry
from gridarium.testing import check_rule
from gridarium.world import Color, Exit, Floor, Position, State, Vocabulary, Wall
from gridarium.world.tiles import Dog, Flower, Tile, TwoFlowers
from gridarium.worlds import DescriptionError, Spec
from tests.differential import check, random_states

RED, GREEN, NONE = Color.RED, Color.GREEN, Color.NONE
WORDS = Vocabulary([Floor, Wall, Exit, Tile, Dog, Flower, TwoFlowers], [RED, GREEN], edges=True)
CONFUSION = ((0.7, 0.2, 0.1), (0.1, 0.8, 0.1), (0.05, 0.05, 0.9))
SENSORS = {
    "color": partial(s.color, colors=(NONE, RED, GREEN), quality=0.7),
    "object_class": partial(s.object_class, object_types=(Dog, Flower), confusion=CONFUSION),
    "walls_around": s.walls_around,
    "noisy_distance": partial(s.noisy_distance, spread=2),
    "noisy_path_length": s.noisy_path_length,
    "noisy_position": partial(s.noisy_position, noise=0.8),
    "noisy_range": s.noisy_range,
}


def ground(shape=(3, 4), agent=(1, 1), other=(2, 3)):
    state = State.blank(shape, WORDS, agents=2)
    state.agents[0].position, state.agents[1].position = Position(*agent), Position(*other)
    return state


def test_all_sensors_are_tested():
    assert {n for n, f in sensor_registry.items() if f.__module__.startswith("gridarium.")} == SENSORS.keys()


@pytest.mark.parametrize("rule", SENSORS.values(), ids=SENSORS)
@pytest.mark.sampled(4)
def test_likelihoods_are_the_same_interpreted_and_compiled(rule):
    check("sensor", rule, random_states(WORDS, 8, agents=2, fill=0.4))


@pytest.mark.parametrize("name", SENSORS)
def test_each_keeps_to_the_protocol_and_its_probabilities_add_up_to_one(name):
    check_rule(SENSORS[name], "sensor", vocabulary=WORDS, count=4, compiled=False)


@pytest.mark.parametrize("name", [n for n in SENSORS if n != "noisy_range"])
@pytest.mark.sampled(6)
def test_measurements_are_as_frequent_as_probable(name):
    # chi-squared; each test would fail by chance once in 10,000 seeds
    made, state, count = sensor(SENSORS[name]), ground(), 2000
    state.grid[1, 1] = Dog(0, RED)
    rng = np.random.default_rng(3)
    counts = np.bincount([made.read(state, rng) for _ in range(count)], minlength=made.count(state))
    expected = count * made.probabilities(state)
    assert (counts[expected == 0] == 0).all()
    seen, wanted = counts[expected > 0], expected[expected > 0]
    common = wanted >= 5
    squared = ((seen[common] - wanted[common]) ** 2 / wanted[common]).sum()
    if not common.all():
        rest = wanted[~common].sum()
        squared += (seen[~common].sum() - rest) ** 2 / rest
    freedom = max(common.sum() - common.all(), 1)
    assert squared < freedom + 4 * math.sqrt(2 * freedom) + 11


def test_a_range_has_the_errors_that_its_density_says():
    made, state = sensor("noisy_range", noise=0.5), ground()
    rng = np.random.default_rng(1)
    read = np.array([made.read(state, rng) for _ in range(4000)])
    assert read.mean() == pytest.approx(math.hypot(1, 2), abs=0.04)  # five standard errors
    assert read.std() == pytest.approx(0.5, abs=0.03)
    grid = np.linspace(-3, 8, 2001)
    density = np.array([made.likelihood(state, x) for x in grid])
    assert np.trapezoid(density, grid) == pytest.approx(1.0)
    with pytest.raises(ValueError, match="measures real numbers"):
        made.probabilities(state)


class TestWhatTheySay:
    def test_the_color_is_right_with_its_quality(self):
        state = ground()
        state.grid[1, 1] = Tile(0, GREEN)
        assert sensor(SENSORS["color"]).probabilities(state) == pytest.approx([0.15, 0.15, 0.7])

    def test_a_single_color_is_always_seen(self):
        assert sensor("color", colors=(RED,), quality=0.3).probabilities(ground()).tolist() == [1.0]

    def test_a_classifier_sees_the_first_class_that_fits(self):
        state = ground()
        for thing, row in ((Dog(0, RED), 0), (Flower(2, NONE), 1), (TwoFlowers(0, RED), 2), (Floor(), 2)):
            state.grid[1, 1] = thing
            assert sensor(SENSORS["object_class"]).probabilities(state) == pytest.approx(CONFUSION[row])

    def test_walls_around_are_told_by_bits(self):
        state = ground(agent=(0, 0))
        state.grid.set_wall(Position(0, 0), Position(0, 1))
        assert sensor("walls_around", quality=1.0).probabilities(state).tolist().index(1.0) == 4  # only below
        state.agents[1].position = Position(1, 0)
        assert sensor("walls_around", quality=1.0).read(state) == 4  # agents do not count

    def test_a_distance_is_off_by_little_and_never_below_zero(self):
        state = ground(agent=(1, 1), other=(1, 2))
        found = sensor("noisy_distance", spread=2, decay=0.5).probabilities(state)
        assert found[:4] * 2.5 == pytest.approx([0.75, 1.0, 0.5, 0.25])

    def test_a_way_around_walls_is_longer(self):
        state = ground(agent=(0, 0), other=(0, 1))
        state.grid.set_wall(Position(0, 0), Position(0, 1))
        assert sensor("noisy_path_length", spread=0).read(state) == 3
        assert sensor("noisy_distance", spread=0).read(state) == 1

    def test_where_there_is_no_way_all_cells_are_counted(self):
        state = ground(agent=(0, 0), other=(2, 3))
        state.grid[0, 1] = state.grid[1, 0] = Wall()
        assert sensor("noisy_path_length", spread=0).read(state) == 12

    @given(st.integers(0, 2), st.integers(0, 3))
    def test_without_noise_the_position_is_known(self, y, x):
        assert sensor("noisy_position", noise=0.0).read(ground(agent=(y, x))) == 4 * y + x


class TestRandomness:
    def test_a_measurement_is_the_same_however_often_one_asks_in_a_tick(self):
        state = ground()
        reads = {sensor(SENSORS["color"]).read(state) for _ in range(20)}
        assert len(reads) == 1

    def test_it_differs_between_ticks_and_between_sensors(self):
        state, one, other = ground(), sensor("noisy_position"), sensor("noisy_position", noise=1.1)
        assert one.stream != other.stream
        pairs = []
        for tick in range(200):
            state.data[0] = tick
            pairs.append((one.read(state), other.read(state)))
        assert len({a for a, _ in pairs}) > 3
        assert np.mean([a == b for a, b in pairs]) < 0.5

    def test_many_different_sensors_have_as_many_streams(self):
        sensors = [sensor("walls_around", quality=k / 5000) for k in range(5000)]
        assert len({one.stream for one in sensors}) == 5000
        assert len({one.stream & 0xFFF for one in sensors}) > 1000  # what lies beside the tick differs too

    def test_equal_sensors_have_one_stream_whether_defaults_are_given_or_not(self):
        assert sensor("walls_around").stream == sensor(partial(s.walls_around, quality=0.9)).stream


class TestRegistering:
    def test_a_sensor_of_ones_own_takes_a_few_lines(self):
        registry = SensorRegistry()

        @registry.register(outcomes=2)
        def bell(state, measurement, *, reliability: float = 0.9):
            rings = isinstance(state.grid[state.agent.position], Exit)
            return reliability if measurement == rings else 1.0 - reliability

        state = ground()
        state.grid[1, 1] = Exit(NONE)
        assert registry.sensor("bell", reliability=0.75).probabilities(state).tolist() == [0.25, 0.75]
        assert registry.sensor(bell).count(state) == 2
        assert repr(registry.sensor(bell)) == "bell(reliability=0.9)"

    def test_it_says_how_it_measures_or_how_many_outcomes_there_are(self):
        def silent(state, measurement):
            return 1.0

        for wrong in ({}, {"outcomes": 2, "measure": silent}):
            with pytest.raises(ValueError, match="either `outcomes=`"):
                SensorRegistry().register(silent, **wrong)

    def test_names_and_parameters_are_checked(self):
        with pytest.raises(ValueError, match="no sensor rule 'colour'; did you mean color"):
            sensor("colour")
        with pytest.raises(ValueError, match="needs colors"):
            sensor("color")
        with pytest.raises(ValueError, match="no parameter sharpness"):
            sensor("walls_around", sharpness=1)
        with pytest.raises(ValueError, match="is not registered as a sensor"):
            sensor(lambda state, measurement: 1.0)


class TestWhatTheyMayBeGiven:
    @pytest.mark.parametrize(
        ("name", "given", "words"),
        [
            (
                "color",
                {"colors": (RED,), "quality": 3},
                "sensor rule color: quality is a probability, .* got 3",
            ),
            ("color", {"colors": ()}, "colors is a list of one or more"),
            ("walls_around", {"quality": -0.1}, "from 0 to 1, got -0.1"),
            ("walls_around", {"quality": math.nan}, "got nan"),
            ("walls_around", {"quality": "sure"}, "got 'sure'"),
            ("walls_around", {"quality": True}, "got True"),
            ("noisy_distance", {"spread": -1}, "spread is a whole number, at least 0, got -1"),
            ("noisy_distance", {"spread": 1.5}, "got 1.5"),
            ("noisy_path_length", {"decay": math.inf}, "decay is a finite number, at least 0"),
            ("noisy_path_length", {"other_agent": -1}, "other_agent is a whole number"),
            ("noisy_position", {"noise": -1}, "noise is a finite number, at least 0"),
            ("noisy_range", {"noise": 0}, "noise is a finite number above 0"),
            ("object_class", {"object_types": (Dog,), "confusion": ((0.5, 0.5),)}, "a table of 2 rows"),
            ("object_class", {"object_types": (Dog,), "confusion": (1, 0)}, "a table of 2 rows"),
            ("object_class", {"object_types": (), "confusion": ((0.5, 0.6),)}, "add up to 1"),
            ("object_class", {"object_types": (), "confusion": ((1.5, -0.5),)}, "a table of probabilities"),
            (
                "object_class",
                {"object_types": (Dog,), "confusion": ((1.0,), (0.5, 0.5))},
                "rows of one length",
            ),
        ],
    )
    @pytest.mark.parametrize("make", [sensor, factory])
    def test_what_makes_no_probabilities_is_refused_at_once(self, make, name, given, words):
        with pytest.raises(ValueError, match=words):
            make(name, **given)

    def test_a_parameter_that_is_bound_is_checked_too(self):
        with pytest.raises(ValueError, match="quality is a probability"):
            sensor(partial(s.walls_around, quality=2.0))

    def test_the_ends_of_the_ranges_and_numbers_of_numpy_are_allowed(self):
        for quality in (0, 1.0, np.float64(0.5)):
            assert sensor("walls_around", quality=quality).probabilities(ground()).sum() == pytest.approx(1.0)
        assert sensor("noisy_distance", spread=np.int64(0), decay=0).probabilities(ground()).max() == 1.0

    def test_sensors_of_ones_own_declare_limits_alike(self):
        @sensor_registry.register(outcomes=2, limits={"reliability": probability})
        def chime(state, measurement, *, reliability: float) -> float:
            return reliability if measurement else 1.0 - reliability

        try:
            assert sensor("chime", reliability=0.5).probabilities(ground()).tolist() == [0.5, 0.5]
            with pytest.raises(ValueError, match="reliability is a probability"):
                sensor("chime", reliability=1.5)
        finally:
            del sensor_registry._functions["chime"]

    def test_a_world_says_where_and_what(self):
        given = {"shape": (3, 3), "objects": ["Floor"], "reset": "empty", "transitions": ["move_agent"]}
        wrong = ["walls_around", {"name": "walls_around", "quality": 3}]
        with pytest.raises(
            DescriptionError, match=r"sensors\[1\].quality: .* a probability, from 0 to 1, got 3"
        ):
            Spec.build(**given, sensors=wrong)
        with pytest.raises(ValueError, match="walls_around: quality is a probability"):
            Spec.build(**given, sensors=[partial(s.walls_around, quality=3)])
