"""What a sensor says can be all that an agent perceives: then planners plan with it."""

from functools import partial

import numpy as np
import pytest

from gridarium.agents import POMCP, QMDP, TabularModel, evaluate, random_action
from gridarium.engine import World
from gridarium.rules.transition_functions import move_agent, slip
from gridarium.vision import Classifier
from gridarium.world import Color, Dog, Exit, Floor, Flower, Position
from gridarium.worlds import Spec

READINGS = Classifier.load().readings(1.0)
SENSOR = READINGS.sensor(Dog, Flower)
CONFUSION = SENSOR.likelihood.keywords["confusion"]


def anywhere(state, *, rng):
    for p in state.grid.positions():
        state.grid[p] = Floor()
    state.grid[0, 0] = Dog(Dog.Status.PLAIN, Color.NONE)
    state.grid[0, 3] = Flower(Flower.Status.PLAIN, Color.NONE)
    state.grid[2, 3] = Exit()
    cell = rng.integers(11)
    state.agent.position = Position(cell // 4, cell % 4)


@pytest.fixture(scope="module")
def world():
    spec = Spec.build(
        name="Kennel",
        shape=(3, 4),
        objects=[Floor, Exit, Dog, Flower],
        actions=["LEFT", "DOWN", "RIGHT", "UP"],
        reset=anywhere,
        transitions=[partial(slip, transition_function=move_agent, probability=0.2)],
        rewards=["reach_exit", {"name": "living_reward", "reward": -0.04}],
        terminations=["reach_exit"],
        sensors=[SENSOR.likelihood],
        representation="sensors",
    )
    return World(spec, compiled=False)


@pytest.fixture(scope="module")
def model(world):
    return TabularModel.extract(world)


def said(seen):
    """The reading in an observation."""
    return int(seen["sensors"][0])


def test_the_models_array_o_is_the_sensors_table(model):
    assert len(model.observations) == len(CONFUSION[0]) == 12
    readings = [said(seen) for seen in model.observations.arrays]
    assert sorted(readings) == list(range(12))
    for i in range(len(model)):
        expected = SENSOR.probabilities(model.state(i))
        row = slice(*model.observations.offsets[i : i + 2])
        found = np.zeros(12)
        found[[readings[k] for k in model.observations.numbers[row]]] = model.observations.probabilities[row]
        assert found == pytest.approx(expected, abs=1e-12)


def test_qmdp_believes_what_the_sensor_says(world, model):
    planner = QMDP(model)
    for seen in model.observations.arrays:
        planner.begin()
        planner.update(seen)
        expected = model.start * [SENSOR.likelihood(model.state(i), said(seen)) for i in range(len(model))]
        assert planner.belief == pytest.approx(expected / expected.sum())


@pytest.mark.exhaustive
def test_planners_find_the_exit_by_the_camera_alone(world, model):
    lost = evaluate(world, random_action, episodes=100).mean_return().mean
    assert evaluate(world, QMDP(model, 0.99), episodes=100).mean_return().low > lost
    assert evaluate(world, POMCP(40, particles=100, horizon=15), episodes=4).win_rate().mean > 0.5
