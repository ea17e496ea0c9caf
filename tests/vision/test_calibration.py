"""Measures of how good probabilities are, and temperatures that mend them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.vision import Quality, Readings, read
from gridarium.vision.calibration import best_temperature, log_loss, softmax
from gridarium.vision.readings import LEVELS
from gridarium.world import Dog, Flower


def honest(count=20_000, seed=0, sharpness=2.0):
    """Scores whose softmax is right, and labels drawn by it."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(0, sharpness, (count, 3))
    labels = (softmax(scores).cumsum(axis=1) < rng.random((count, 1))).sum(axis=1)
    return scores, labels


@given(st.lists(st.floats(-300, 300), min_size=3, max_size=3), st.floats(0.25, 20))
def test_softmax_gives_probabilities_in_the_order_of_scores(scores, temperature):
    found = softmax([scores], temperature)[0]
    assert found.sum() == pytest.approx(1) and (found >= 0).all()
    assert found[int(np.argmax(scores))] == found.max()


def test_a_temperature_each_is_the_same_as_one_by_one():
    scores, heat = np.random.default_rng(0).normal(size=(4, 3)), np.array([0.5, 1.0, 2.0, 4.0])
    assert softmax(scores, heat) == pytest.approx(
        np.concatenate([softmax(s[None], t) for s, t in zip(scores, heat)])
    )


@pytest.mark.parametrize("temperature", [0.5, 1.0, 3.0])
def test_the_best_temperature_undoes_what_was_overdone(temperature):
    scores, labels = honest()
    found = best_temperature(scores * temperature, labels)
    assert found == pytest.approx(temperature, rel=0.05)
    losses = [log_loss(softmax(scores * temperature, found * k), labels) for k in (0.9, 1.0, 1.1)]
    assert min(losses) == losses[1]


def test_temperatures_are_bounded():
    sure = np.array([[5.0, 0, 0], [0, 5.0, 0]])
    assert best_temperature(sure, np.array([0, 1])) == pytest.approx(0.25)
    assert best_temperature(sure, np.array([1, 0])) == pytest.approx(20.0)


def test_honest_probabilities_are_calibrated_and_boastful_ones_are_not():
    scores, labels = honest()
    good, boastful = (Quality.of(softmax(scores * k), labels) for k in (1.0, 3.0))
    assert good.calibration_error < 0.015
    assert boastful.calibration_error > 0.1
    assert good.log_loss < boastful.log_loss and good.accuracy == boastful.accuracy
    assert good.counts.sum() == good.count == 20_000 == good.confusion.sum()


def test_quality_by_hand():
    found = Quality.of(np.array([[0.8, 0.2], [0.9, 0.1], [0.3, 0.7], [0.4, 0.6]]), np.array([0, 1, 1, 1]))
    assert found.accuracy == 0.75 and found.confusion.tolist() == [[1, 0], [1, 2]]
    assert found.log_loss == pytest.approx(
        -(math.log(0.8) + math.log(0.1) + math.log(0.7) + math.log(0.6)) / 4
    )
    assert found.calibration_error == pytest.approx((0.2 + 0.9 + 0.3 + 0.4) / 4)
    assert found.standard_error == pytest.approx(math.sqrt(0.75 * 0.25 / 4))


class TestReadings:
    def test_a_reading_is_a_class_and_how_sure_it_is(self):
        shares = [[0.5, 0.3, 0.2], [0.65, 0.35, 0], [0.1, 0.9, 0], [0.01, 0, 0.99]]
        assert read(shares).tolist() == [0, 1, LEVELS + 2, 2 * LEVELS + 3]

    def test_counts_become_probabilities_none_of_them_0(self):
        found = Readings.counted(("dog", "flower", "rest"), np.eye(3, 12) * 88)
        assert found.table.sum(axis=1) == pytest.approx(1) and found.table.min() == 0.01
        assert found.table[0, 0] == pytest.approx(0.89)
        assert found.confusion.shape == (3, 3) and found.confusion.sum(axis=1) == pytest.approx(1)

    def test_sensors_want_a_kind_for_each_class(self):
        found = Readings.counted(("dog", "flower", "rest"), np.zeros((3, 12)))
        with pytest.raises(ValueError, match="each of dog, flower; got 1 kinds"):
            found.sensor(Dog)
        assert found.entry(Dog, Flower)["object_types"] == ["Dog", "Flower"]
