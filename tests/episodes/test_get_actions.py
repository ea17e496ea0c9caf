"""The documented examples of `get_actions`.

They are those of https://docs.ray.io/en/latest/rllib (SingleAgentEpisode.get_actions), with two of its comments corrected.
"""

import numpy as np
import pytest
from gymnasium.spaces import Discrete

from gridarium.episodes import SingleAgentEpisode


@pytest.fixture(params=["lists", "arrays"])
def make(request):
    def make(actions, lookback, space=None):
        episode = SingleAgentEpisode(
            observations=list(range(len(actions) + 1)),
            actions=actions,
            rewards=[1.0] * len(actions),
            action_space=space,
            len_lookback_buffer=lookback,
        )
        return episode.to_numpy() if request.param == "arrays" else episode

    return make


def test_a_negative_index_into_the_lookback(make):
    episode = make([4, 5, 6, 7, 8, 9], 3)
    assert episode.get_actions(-1, neg_index_as_lookback=True) == 6
    assert list(episode.get_actions(slice(-2, 1), neg_index_as_lookback=True)) == [5, 6, 7]


def test_filling_at_the_left(make):
    episode = make([10, 11, 12, 13, 14], 2)
    assert list(episode.get_actions(slice(-7, -2), fill=0.0)) == [0.0, 0.0, 10, 11, 12]


def test_plain_usage(make):
    episode = make([1, 2, 3], 0, Discrete(4))
    assert episode.get_actions(-1) == 3
    assert episode.get_actions(0) == 1
    assert list(episode.get_actions([0, 2])) == [1, 3]
    assert list(episode.get_actions([-1, 0])) == [3, 1]
    assert list(episode.get_actions(slice(None, 2))) == [1, 2]
    assert list(episode.get_actions(slice(-2, None))) == [2, 3]


def test_filling(make):
    episode = make([1, 2, 3], 0, Discrete(4))
    assert list(episode.get_actions(slice(-5, -2), fill=-9)) == [-9, -9, 1]  # the page says four items
    assert list(episode.get_actions(slice(1, 5), fill=-7)) == [2, 3, -7, -7]


def test_one_hot(make):
    episode = make([1, 2, 3], 0, Discrete(4))
    assert episode.get_actions(1, one_hot_discrete=True).tolist() == [0, 0, 1, 0]
    assert episode.get_actions(2, one_hot_discrete=True).tolist() == [0, 0, 0, 1]
    two = np.array(episode.get_actions(slice(0, 2), one_hot_discrete=True))
    assert two.tolist() == [[0, 1, 0, 0], [0, 0, 1, 0]]  # the page says actions 1 and 3
    assert two.dtype == np.float32


def test_what_is_filled_in_is_no_action_at_all(make):
    episode = make([1, 2, 3], 0, Discrete(4))
    vector = episode.get_actions(-1, neg_index_as_lookback=True, fill=0.0, one_hot_discrete=True)
    assert vector.tolist() == [0, 0, 0, 0]
    assert vector.dtype == np.float32
