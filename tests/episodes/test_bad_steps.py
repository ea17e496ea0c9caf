"""A step that an episode cannot take is refused whole: with a clear error, and nothing has changed."""

from types import MappingProxyType

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.episodes import EpisodeError, InfiniteLookbackBuffer, MultiAgentEpisode, SingleAgentEpisode
from gridarium.episodes.buffer.storage import BLOCK
from tests.episodes.freezing import frozen

NO_NUMBERS = (None, "1", b"1", [1.0], {"r": 1.0}, 1j, np.zeros(2), 2**70)
NO_DICTS = ("text", 7, ["value"], (1,), {1, 2})
MANY = np.array([True, False])


def observation(n, width=2):
    return {"at": np.full(width, n, np.float32), "step": n}


def episode_of(steps, *, arrays):
    episode = SingleAgentEpisode()
    episode.add_env_reset(observation(0))
    for i in range(steps):
        episode.add_env_step(observation(i + 1), i, float(i), extra_model_outputs={"value": float(i)})
    return episode.to_numpy() if arrays else episode


def step(**changes):
    usual = {"observation": observation(9), "action": 1, "reward": 1.0, "infos": {"i": 1}}
    return usual | {"extra_model_outputs": {"value": 0.5}} | changes


BAD = [
    *[({"reward": reward}, "a reward is a number") for reward in NO_NUMBERS[:-1]],
    *[({"infos": infos}, "infos: expected a dict") for infos in NO_DICTS],
    *[({"extra_model_outputs": outputs}, "extra_model_outputs: expected a dict") for outputs in NO_DICTS],
]


@given(
    steps=st.sampled_from([1, 2, BLOCK - 2, BLOCK + 1]),
    arrays=st.booleans(),
    bad=st.sampled_from(BAD),
    over=st.booleans(),
)
def test_what_is_of_the_wrong_kind_is_refused(steps, arrays, bad, over):
    episode = episode_of(steps, arrays=arrays)
    before = frozen(episode.get_state())
    changes, why = bad
    with pytest.raises(EpisodeError, match=f"episode {episode.id_}: {why}"):
        episode.add_env_step(**step(**changes), terminated=over)
    assert frozen(episode.get_state()) == before
    episode.add_env_step(**step())


def test_flags_that_are_neither_true_nor_false_are_refused():
    episode = episode_of(1, arrays=False)
    before = frozen(episode.get_state())
    for flags in ({"terminated": MANY}, {"truncated": MANY}):
        with pytest.raises(ValueError, match="truth value"):
            episode.add_env_step(**step(), **flags)
    assert frozen(episode.get_state()) == before


MISFITS = [
    (
        {"observation": observation(1, 3)},
        r"observations: \['at'\]: shape \(3,\) where \(2,\) is stored",
    ),
    ({"observation": {"at": np.zeros(2, np.float32)}}, "observations: data has another form"),
    ({"observation": [0.0, 1.0]}, "observations: data has another form"),
    ({"observation": observation(1) | {"at": np.array(["a", "b"])}}, r"\['at'\]: not a number where"),
    ({"observation": observation(2**70)}, r"\['step'\]: not a number where int64"),
    ({"action": np.zeros(1)}, r"actions: data: shape \(1,\) where \(\) is stored"),
    ({"action": "left"}, "actions: data: not a number where int64 is stored"),
    ({"extra_model_outputs": {"value": np.zeros(3)}}, r"extra_model_outputs\['value'\]: data: shape \(3,\)"),
    ({"extra_model_outputs": {"value": 2**53 + 1}}, r"\['value'\]: data: the whole number 9007199254740993"),
    (
        {"extra_model_outputs": {"value": 1.0, "new": 1} | {"value": {}}},
        r"extra_model_outputs\['value'\]: data has another form",
    ),
]


@pytest.mark.parametrize(("changes", "why"), MISFITS)
@pytest.mark.parametrize("pending", [0, 3])
def test_what_does_not_fit_into_arrays_is_refused_at_once(changes, why, pending):
    episode = episode_of(4, arrays=True)
    for _ in range(pending):
        episode.add_env_step(**step())
    before = frozen(episode.get_state())
    with pytest.raises(EpisodeError, match=why):
        episode.add_env_step(**step(**changes))
    assert frozen(episode.get_state()) == before
    episode.add_env_step(**step())
    assert episode.get_actions().tolist() == [0, 1, 2, 3, *[1] * (pending + 1)]


def test_arrays_are_still_widened_for_what_fits():
    episode = episode_of(2, arrays=True)
    wide = {"at": np.zeros(2), "step": np.int8(3)}
    episode.add_env_step(wide, np.uint8(3), np.float32(1.0), extra_model_outputs={"value": 1})
    assert episode.get_observations()["at"].dtype == np.float64
    assert episode.get_observations()["step"].tolist() == [0, 1, 2, 3]
    assert episode.get_rewards().tolist() == [0.0, 1.0, 1.0]


def test_whole_numbers_too_large_for_floats_do_not_join_them():
    buffer = InfiniteLookbackBuffer([1, 2**53 + 1])
    buffer.finalize()
    with pytest.raises(EpisodeError, match=r"the whole number 9007199254740993 stands among .* float64"):
        buffer.append(0.5)
    buffer.append(7)
    assert buffer.get().tolist() == [1, 2**53 + 1, 7]
    mixed = InfiniteLookbackBuffer([2**53 + 1, 0.5])
    assert mixed.get() == [2**53 + 1, 0.5]
    with pytest.raises(EpisodeError, match="whole numbers only up to 9007199254740992"):
        mixed.finalize()


def test_mappings_are_as_good_as_dicts():
    episode = SingleAgentEpisode()
    episode.add_env_reset(0, MappingProxyType({"i": 0}))
    outputs = MappingProxyType({"value": 1})
    episode.add_env_step(1, 1, 1.0, MappingProxyType({"i": 1}), extra_model_outputs=outputs)
    assert [dict(info) for info in episode.get_infos()] == [{"i": 0}, {"i": 1}]
    assert episode.get_extra_model_outputs("value") == [1]


@pytest.mark.parametrize("infos", NO_DICTS)
def test_infos_of_a_reset_are_a_dict(infos):
    episode = SingleAgentEpisode()
    with pytest.raises(EpisodeError, match="infos: expected a dict"):
        episode.add_env_reset(0, infos)
    assert not episode.is_reset


@pytest.mark.parametrize("begin", [2**70, -(2**63), 1.5, "3", [0]])
def test_an_episode_begins_at_a_whole_step(begin):
    with pytest.raises(EpisodeError, match="t_started is a whole number"):
        SingleAgentEpisode(t_started=begin)
    with pytest.raises(EpisodeError, match="env_t_started is a whole number"):
        MultiAgentEpisode(env_t_started=begin)
    with pytest.raises(EpisodeError, match=r"agent_t_started\['a'\] is a whole number"):
        MultiAgentEpisode(agent_t_started={"a": begin})
    assert type(SingleAgentEpisode(t_started=np.int64(3)).t) is int


SPACES = (gym.spaces.Discrete(3), gym.spaces.Discrete(500), gym.spaces.MultiDiscrete([2, 3]))


@pytest.mark.parametrize("space", SPACES, ids=str)
@pytest.mark.parametrize("items", [1, 20])
@pytest.mark.parametrize("value", [0.5, np.nan, np.float32(1.5), "one", None])
def test_only_whole_numbers_become_one_hot(space, items, value):
    item = np.array([0, value]) if isinstance(space, gym.spaces.MultiDiscrete) else value
    buffer = InfiniteLookbackBuffer([item] * items, 0, space)
    for _ in range(2):
        with pytest.raises(EpisodeError, match="whole number"):
            buffer.get(slice(None), one_hot_discrete=True)
        with pytest.raises(EpisodeError, match="whole number"):
            buffer.get(0, one_hot_discrete=True)
        buffer.finalize()
    with pytest.raises(EpisodeError, match="numbers make an item, got the shape"):
        InfiniteLookbackBuffer([np.zeros(7)], 0, space).get(slice(None), one_hot_discrete=True)


def test_floats_that_are_whole_numbers_become_one_hot():
    buffer = InfiniteLookbackBuffer(np.array([0.0, 2.0] * 10), 0, gym.spaces.Discrete(3))
    assert buffer.get([0, 1], one_hot_discrete=True).tolist() == [[1, 0, 0], [0, 0, 1]]
    assert buffer.get(slice(None), one_hot_discrete=True).argmax(1).tolist() == [0, 2] * 10
