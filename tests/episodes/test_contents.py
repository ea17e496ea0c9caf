"""What was added is there for whoever looks, in whatever order it came."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.episodes import EpisodeError, InfiniteLookbackBuffer, SingleAgentEpisode
from gridarium.episodes.buffer.storage import BLOCK

OUTPUTS = st.sampled_from([None, {}, {"a": 1}, {"a": 1, "b": 2}, {"b": 3, "a": 4}, {"c": 5, "a": 6, "b": 7}])
INFOS = st.sampled_from([None, {}, {"t": 1}])
LOOKS = st.sampled_from(["", "", "actions", "rewards", "infos", "outputs", "copy", "pickle"])


@given(st.lists(st.tuples(OUTPUTS, INFOS, LOOKS), max_size=12))
def test_each_kind_of_data_is_what_was_added(steps):
    episode = SingleAgentEpisode()
    episode.add_env_reset(0)
    known = {}
    for t, (outputs, infos, look) in enumerate(steps):
        episode.add_env_step(t + 1, -t, float(t), infos, extra_model_outputs=outputs)
        for key, value in (outputs or {}).items():
            known.setdefault(key, []).append(value)
        if look == "actions":
            assert episode.get_actions(-1) == -t
        elif look == "rewards":
            assert episode.get_rewards(slice(-2, None)) == [float(i) for i in range(t + 1)][-2:]
        elif look == "infos":
            assert episode.get_infos(-1) == (infos or {})
        elif look == "outputs" and known:
            assert all(episode.get_extra_model_outputs(key, -1) == known[key][-1] for key in known)
        elif look:
            episode = copy.deepcopy(episode) if look == "copy" else pickle.loads(pickle.dumps(episode))
    n = len(steps)
    assert episode.get_observations() == list(range(n + 1))
    assert (episode.get_actions(), episode.get_rewards()) == ([-t for t in range(n)], [*map(float, range(n))])
    assert episode.get_infos() == [{}, *(infos or {} for _, infos, _ in steps)]
    assert {key: buffer.get() for key, buffer in episode.extra_model_outputs.items()} == known


@pytest.mark.parametrize("again", [lambda e: e, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
@pytest.mark.parametrize("odd", [{}, {"late": 1}])
def test_empty_infos_stay_empty_and_others_stay_what_they_are(again, odd):
    episode = SingleAgentEpisode()
    episode.add_env_reset(0)
    for t in range(2 * BLOCK + 40):
        if t == BLOCK + 10:
            episode = again(episode)
        episode.add_env_step(t, 0, 0.0, odd if t == BLOCK + 20 else {}, truncated=t == 2 * BLOCK + 39)
    expected = [{} for _ in range(2 * BLOCK + 41)]
    expected[BLOCK + 21] = odd
    assert episode.get_infos() == expected
    episode.get_infos(3)["mine"] = 1
    assert episode.get_infos(4) == {}
    episode.validate()


def test_an_info_that_was_read_is_that_of_the_episode():
    episode = SingleAgentEpisode(observations=[0])
    episode.add_env_step(1, 0, 0.0)
    episode.get_infos(-1)["seen"] = True
    episode.add_env_step(2, 0, 0.0, {})
    assert episode.get_infos(slice(1, None)) == [{"seen": True}, {}]


def test_a_dict_of_outputs_may_be_used_again():
    episode, outputs = SingleAgentEpisode(), {"logp": 0.0, "value": 0.0}
    episode.add_env_reset(0)
    for t in range(3):
        outputs["logp"] = float(t)
        episode.add_env_step(t + 1, 0, 1.0, extra_model_outputs=outputs)
    assert episode.get_extra_model_outputs("logp") == [0.0, 1.0, 2.0]


def test_outputs_that_are_no_dict_leave_the_episode_as_it_was():
    episode = SingleAgentEpisode()
    episode.add_env_reset(0)
    with pytest.raises(EpisodeError, match=r"extra_model_outputs: expected a dict, got \[0\]"):
        episode.add_env_step(1, 0, 1.0, extra_model_outputs=[0])
    assert len(episode) == 0
    episode.validate()


def test_buffers_may_be_replaced_between_steps():
    episode = SingleAgentEpisode()
    episode.add_env_reset(0)
    episode.add_env_step(1, 5, 1.0, extra_model_outputs={"a": 1, "b": 2})
    episode.actions = InfiniteLookbackBuffer([7])
    del episode.extra_model_outputs["a"]
    episode.add_env_step(2, 6, 1.0, extra_model_outputs={"a": 3, "b": 4})
    assert episode.get_actions() == [7, 6]
    assert {key: buffer.get() for key, buffer in episode.extra_model_outputs.items()} == {
        "b": [2, 4],
        "a": [3],
    }


def test_a_step_that_fits_no_array_names_its_episode():
    episode = SingleAgentEpisode("walk", observations=[0, 1], actions=[0], rewards=[0.0]).to_numpy()
    with pytest.raises(EpisodeError, match=r"episode walk: observations"):
        for _ in range(BLOCK + 1):
            episode.add_env_step("far", 0, 0.0)
