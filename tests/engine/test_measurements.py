"""What sensors say as part of what an agent observes: the same as `Sensor.read`, however the world is run."""

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from gridarium import Spec, World
from gridarium.engine.composed_world import ComposedWorld
from gridarium.env.gym_env import GridariumEnv
from gridarium.rules.sensors import sensor, sensor_registry
from gridarium.worlds import DescriptionError

SENSORS = [
    "walls_around",
    {"name": "noisy_position", "noise": 0.7},
    {"name": "noisy_range", "other_agent": 0},
]
BESIDES = {"name": "compact", "sensors": True}


def spec(**more):
    """An agent that knows its way by noisy sensors only."""
    given = {
        "name": "Dark",
        "shape": (4, 5),
        "objects": ["Floor", "Wall", "Exit"],
        "reset": {"name": "empty", "random_agent": True},
        "actions": ["MOVE_FORWARD", "TURN_LEFT", "TURN_RIGHT"],
        "transitions": ["turn_agent", "move_agent"],
        "rewards": ["reach_exit"],
        "terminations": ["reach_exit"],
        "sensors": SENSORS,
        "representation": "sensors",
        "time_limit": 30,
    }
    return Spec.build(**given | more)


def dark(**more):
    return World(spec(**more), compiled=False)


@pytest.fixture(scope="module")
def fast():
    return World(spec())


def story(batch, steps=40):
    rng = np.random.default_rng(0)
    said = [batch.reset(seed=3)["sensors"].copy()]
    for _ in range(steps):
        said.append(batch.step(rng.integers(0, 3, batch.n))[0]["sensors"].copy())
    return np.array(said)


def test_nothing_else_is_observed_unless_it_is_wanted():
    blind, seeing = dark(), dark(representation=BESIDES)
    assert set(blind.batch(1).reset(0)) == {"sensors"}
    assert set(seeing.batch(1).reset(0)) == {"grid", "agent_id_grid", "item", "sensors"}
    shown = {
        observe: set(World(ComposedWorld(blind.spec, compiled=False, observe=observe)).batch(1).reset(0))
        for observe in ("state", "both")
    }
    assert {"sensors", "state.grid"} <= shown["both"]
    assert "grid" in shown["state"] and "sensors" not in shown["state"]


def test_it_is_what_the_sensors_read():
    world = dark()
    batch = world.batch(4)
    batch.reset(seed=1)
    for k in range(10):
        seen = batch.step(np.full(4, k % 3))[0]["sensors"]
        for i in range(4):
            assert seen[i].tolist() == [s.read(batch.state(i)) for s in world.spec.sensors]


def test_each_agent_has_readings_of_its_own():
    world = dark(agents=2, sensors=[{"name": "noisy_distance", "other_agent": 1}])
    seen = world.batch(50).reset(seed=0)["sensors"]
    assert seen.shape == (50, 2, 1)
    assert set(seen[:, 1, 0]) <= {0.0, 1.0, 2.0, 3.0} and seen[:, 0, 0].max() > 3


@pytest.mark.exhaustive
def test_they_are_the_same_interpreted_compiled_and_on_any_number_of_threads(fast):
    expected = story(dark().batch(6))
    assert fast.composed.compiled
    for threads in (1, 2):
        assert story(fast.batch(6, threads=threads)).tobytes() == expected.tobytes()


def minus_nothing(state, *, rng):
    """0, of either sign, in plain Python."""
    best = 0
    if rng.random() < 0.5:
        best = 0.5
    return -best


@sensor_registry.register(measure=minus_nothing)
def balance(state, measurement: float) -> float:
    return 1.0


@pytest.mark.exhaustive
def test_zero_has_no_sign():
    found = []
    for compiled in (False, True):
        batch = World(spec(sensors=[{"name": "balance"}]), compiled=compiled).batch(20)
        found.append(batch.reset(1)["sensors"].tobytes())
    assert found[0] == found[1]


@pytest.mark.exhaustive
def test_readings_are_as_frequent_as_they_should_be(fast):
    """Within five standard deviations, a false alarm in two of a million runs."""
    n, right = 2_000, 0
    batch, true = fast.batch(n), sensor("walls_around", quality=1.0)
    seen = batch.reset(seed=0)["sensors"][:, 0]
    for i in range(n):
        right += true.read(batch.state(i)) == seen[i]
    share = 0.9**4
    assert abs(right - n * share) < 5 * (n * share * (1 - share)) ** 0.5


def test_gymnasium_knows_their_bounds():
    check_env(GridariumEnv(spec(sensors=SENSORS[:2]), compiled=False), skip_render_check=True)
    space = GridariumEnv(spec(), compiled=False).observation_space["sensors"]
    assert space.low.tolist() == [0, 0, -np.inf] and space.high.tolist() == [15, 19, np.inf]


def test_a_world_without_sensors_has_none_to_show():
    for representation in ("sensors", BESIDES):
        with pytest.raises(DescriptionError, match="the world has no sensors to show"):
            spec(representation=representation, sensors=[])


def test_the_description_keeps_it():
    given = spec(representation=BESIDES).description.to_dict()
    assert given["representation"] == BESIDES
    assert Spec.build(**given).representation.shows_sensors
