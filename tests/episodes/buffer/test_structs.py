"""Batches of nested items."""

import numpy as np
import pytest
from gymnasium.spaces import Box, Discrete

from gridarium.episodes import EpisodeError, batch, get_dummy_batch_for_space, unbatch
from tests.episodes.spaces import NESTED, same, samples


def test_unbatching_undoes_batching():
    items = samples(NESTED, 4)
    struct = batch(items)
    assert struct["picture"].shape == (4, 2, 3)
    assert struct["rest"][0].shape == (4, 2)
    assert same(unbatch(struct), items)


def test_items_that_have_a_batch_axis_are_joined():
    joined = batch(
        [{"a": np.zeros((2, 3))}, {"a": np.ones((1, 3))}], individual_items_already_have_batch_dim=True
    )
    assert joined["a"].shape == (3, 3)


def test_nothing_is_cut_off():
    assert batch([1, 2.5]).tolist() == [1.0, 2.5]
    assert batch([np.array([1]), np.array([2.5])]).tolist() == [[1.0], [2.5]]


@pytest.mark.parametrize(
    ("items", "names"),
    [
        ([], "empty"),
        ([{"a": np.zeros(2)}, {"a": np.zeros(3)}], r"\['a'\].*\(2,\), \(3,\)"),
        ([{"a": 1.0}, {"a": np.zeros(2)}], r"\['a'\].*\(\), \(2,\)"),
        ([{"a": 1}, {"b": 1}], "'a'"),
        ([{"a": 1}, 1], "a dict"),
        ([(1, 2), (1,)], "tuple of 2"),
    ],
)
def test_items_of_different_forms_are_refused(items, names):
    with pytest.raises(EpisodeError, match=names):
        batch(items)


def test_leaves_of_different_lengths_are_refused():
    with pytest.raises(EpisodeError, match="lengths"):
        unbatch((np.zeros(2), np.zeros(3)))


def test_dummies():
    made = get_dummy_batch_for_space(NESTED, 5, fill_value=1, time_size=3)
    assert made["picture"].shape == (5, 3, 2, 3)
    assert made["picture"].dtype == np.uint8
    assert (made["picture"] == 1).all()
    assert get_dummy_batch_for_space(Discrete(4), 5, time_size=3, time_major=True).shape == (3, 5)
    assert get_dummy_batch_for_space(Discrete(4), 0).shape == ()
    assert get_dummy_batch_for_space(Box(0, 1, (2,)), 0, time_size=3).shape == (3, 2)


def test_one_hot_dummies():
    made = get_dummy_batch_for_space(NESTED, 2, one_hot_discrete=True)
    assert made["kind"].shape == (2, 4)
    assert made["rest"][0].shape == (2, 5)
    assert made["kind"].dtype == np.float32


def test_random_dummies_lie_in_the_space():
    NESTED.seed(1)
    made = get_dummy_batch_for_space(NESTED, 2, fill_value="random", time_size=3)
    items = [item for row in unbatch(made) for item in unbatch(row)]
    assert len(items) == 6
    assert all(NESTED.contains(item) for item in items)
    assert len({item["picture"].tobytes() for item in items}) > 1
    hot = get_dummy_batch_for_space(NESTED, 2, fill_value="random", one_hot_discrete=True)
    assert hot["kind"].sum(axis=1).tolist() == [1, 1]
