"""Episodes of one agent."""

import copy
import json
import pickle

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.spaces import Box, Discrete

from gridarium.episodes import EpisodeError, InfiniteLookbackBuffer, MultiAgentEpisode, SingleAgentEpisode
from gridarium.episodes.buffer.storage import BLOCK
from tests.episodes.making import SPACE, fill, make, observation, steps_of
from tests.episodes.spaces import same


def numbers(n, **options):
    return SingleAgentEpisode(
        observations=list(range(n + 1)),
        actions=list(range(1, n + 1)),
        rewards=[i / 10 for i in range(1, n + 1)],
        **options,
    )


def test_an_empty_episode():
    episode = SingleAgentEpisode()
    assert (len(episode), episode.t, episode.is_reset, episode.is_done, episode.is_numpy) == (
        0,
        0,
        False,
        False,
        False,
    )
    assert len(episode.id_) == 32
    assert int(episode.id_, 16) >= 0
    assert episode.id_ != SingleAgentEpisode().id_
    assert episode.get_return() == 0
    with pytest.raises(AttributeError):
        episode.anything = 1


@pytest.mark.parametrize("steps", [1, 3, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5])
@pytest.mark.parametrize("done", [None, "terminated", "truncated"])
def test_steps_are_kept(steps, done):
    episode = make(steps, done=done)
    assert steps_of(episode) == range(steps)
    assert (episode.is_terminated, episode.is_truncated) == (done == "terminated", done == "truncated")
    assert episode.is_done == (done is not None)
    assert episode.env_steps() == episode.agent_steps() == steps
    episode.validate(spaces=True)
    assert steps_of(episode.to_numpy()) == range(steps)
    assert episode.is_numpy


@pytest.mark.parametrize("first", [1, 40, BLOCK])
def test_steps_are_kept_after_to_numpy(first):
    episode = fill(make(first).to_numpy(), 2 * BLOCK)
    assert steps_of(episode) == range(first + 2 * BLOCK)
    assert isinstance(episode.get_observations()["at"], np.ndarray)
    assert episode.get_observations()["at"].dtype == np.float32
    assert episode.get_actions().dtype == np.int64


def test_a_step_of_an_environment_is_added_as_it_comes():
    env = gym.make("CartPole-v1")
    episode = SingleAgentEpisode(observation_space=env.observation_space, action_space=env.action_space)
    episode.add_env_reset(*env.reset(seed=3))
    seen, total = [env.unwrapped.state], 0.0
    while not episode.is_done:
        action = episode.t % 2
        observed, reward, terminated, truncated, infos = env.step(action)
        episode.add_env_step(observed, action, reward, infos, terminated=terminated, truncated=truncated)
        seen.append(observed)
        total += reward
    assert episode.get_return() == total == len(episode)
    assert np.allclose(episode.to_numpy().get_observations(), np.array(seen), rtol=1e-6)
    episode.validate(spaces=True)
    assert 0 < episode.get_duration_s() < 60


def test_nothing_is_added_to_an_ended_episode():
    episode = make(2, done="terminated")
    with pytest.raises(AssertionError, match="is over"):
        episode.add_env_step(observation(3), 0, 0.0)
    assert steps_of(episode) == range(2)


@pytest.mark.parametrize("begun", [lambda: make(0), lambda: make(2), lambda: make(2).cut()])
def test_an_episode_is_reset_once(begun):
    episode = begun()
    with pytest.raises(AssertionError, match="begun already"):
        episode.add_env_reset(observation(0))


def test_a_step_without_a_reset_is_noticed_by_validate():
    episode = SingleAgentEpisode()
    episode.add_env_step(1, 0, 0.0)
    with pytest.raises(AssertionError, match="1 observations need 0 actions, there are 1"):
        episode.validate()


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ({"observations": [1], "actions": [1]}, "actions"),
        ({"observations": [1, 2], "actions": [1], "rewards": []}, "rewards"),
        ({"observations": [1], "infos": [{}, {}]}, "infos"),
        ({"observations": [1], "extra_model_outputs": {"value": [1.0]}}, "value"),
        ({"rewards": [1.0]}, "0 observations need 0 rewards"),
    ],
)
def test_lengths_must_belong_together(data, named):
    with pytest.raises(AssertionError, match=named):
        SingleAgentEpisode(**data, len_lookback_buffer=0)


@pytest.mark.parametrize(
    ("lengths", "named"),
    [
        ((3, 1, 1), "3 observations need 2 actions, there are 1"),
        ((2, 1, 2), "all 2 observations are lookback; T steps need"),
        ((1, 1, 1), "all 1 observations are lookback"),
        ((3, 2, 1), "3 observations need 2 rewards, there are 1"),
    ],
)
def test_lengths_are_told_as_they_were_given(lengths, named):
    observations, actions, rewards = (list(range(n)) for n in lengths)
    with pytest.raises(EpisodeError, match=named):
        SingleAgentEpisode(observations=observations, actions=actions, rewards=rewards)


@pytest.mark.parametrize("lookback", ["all", -1, 1.5, None])
def test_a_lookback_is_a_number_or_auto(lookback):
    with pytest.raises(EpisodeError, match="'auto', or a number"):
        SingleAgentEpisode(len_lookback_buffer=lookback)
    with pytest.raises(EpisodeError, match="'auto', or a number"):
        MultiAgentEpisode(len_lookback_buffer=lookback)


def test_a_late_output_is_noticed_by_validate():
    episode = make(2)
    episode.add_env_step(observation(3), 0, 1.5, {"t": 3}, extra_model_outputs={"value": 4.0, "late": 1})
    with pytest.raises(AssertionError, match=r"need 3 extra_model_outputs\['state'\], there are 2"):
        episode.validate()
    assert episode.get_extra_model_outputs("late") == [1]
    assert episode.get_extra_model_outputs("value") == [0.0, 2.0, 4.0]


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (
            {"at": np.array([0, 9000], np.float32), "step": 1},
            r"observations\['at'\] at step 2, entry \(1,\): 9000",
        ),
        ({"at": np.array([0, np.nan], np.float32), "step": 1}, r"observations\['at'\] at step 2"),
        (
            {"at": np.array([0, 1], np.float32), "step": 5000},
            r"observations\['step'\] at step 2: 5000 is outside",
        ),
        ({"at": np.array([0, 1], np.float32), "spam": 1}, r"\['spam'\].*at step 2"),
        ({"at": np.zeros(3, np.float32), "step": 1}, r"observations\['at'\]: the shape is \(3,\).*at step 2"),
    ],
)
def test_values_outside_their_space_are_named(wrong, named):
    episode = make(1, outputs=False)
    episode.add_env_step(wrong, 0, 0.0)
    episode.validate()
    with pytest.raises(EpisodeError, match=named):
        episode.validate(spaces=True)


def test_actions_outside_their_space_are_named():
    episode = make(1, outputs=False)
    episode.add_env_step(observation(2), 3, 0.0)
    with pytest.raises(EpisodeError, match="actions at step 1: 3 is outside"):
        episode.validate(spaces=True)


def test_data_of_another_shape_does_not_become_arrays():
    episode = make(1, outputs=False)
    episode.add_env_step({"at": np.zeros(3, np.float32), "step": 1}, 0, 0.0)
    for _ in range(2):
        with pytest.raises(EpisodeError, match=r"observations: \['at'\].*\(2,\), \(3,\)"):
            episode.to_numpy()


def test_what_cannot_become_arrays_leaves_the_lists():
    episode = make(2)
    episode.add_env_step(
        observation(3), {"odd": 1}, 1.0, {"t": 3}, extra_model_outputs={"value": 4.0, "state": None}
    )
    with pytest.raises(EpisodeError, match="actions: "):
        episode.to_numpy()
    assert isinstance(episode.get_observations(), list)
    assert episode.get_actions() == [0, 1, {"odd": 1}]


@pytest.mark.parametrize("steps", [3, BLOCK + 3])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_copies_go_their_own_way(steps, copied):
    episode = make(steps)
    again = fill(copied(episode), 2)
    assert steps_of(again) == range(steps + 2)
    assert steps_of(episode) == range(steps)


def test_given_data_is_lookback_by_default():
    episode = numbers(3)
    assert (len(episode), episode.get_observations(), episode.get_actions()) == (0, [3], [])
    assert episode.get_actions([-1, -3]) == [3, 1]
    assert episode.get_infos() == [{}]


@pytest.mark.parametrize(("lookback", "length"), [(0, 5), (2, 3), (5, 0), (9, 0), ("auto", 0)])
def test_lookback(lookback, length):
    episode = numbers(5, len_lookback_buffer=lookback, t_started=10)
    assert (len(episode), episode.t_started, episode.t) == (length, 10, 10 + length)
    assert episode.get_observations() == list(range(5 - length, 6))


def test_ready_buffers_are_kept():
    buffer = InfiniteLookbackBuffer([1, 2, 3], lookback=1)
    episode = SingleAgentEpisode(observations=buffer, actions=[0, 0], rewards=[0, 0], len_lookback_buffer=1)
    assert episode.observations is buffer
    assert episode.get_infos() == [{}, {}]


def test_the_episodes_spaces_are_those_of_ready_buffers():
    ready = {
        "observations": InfiniteLookbackBuffer([1, 2, 3]),
        "actions": InfiniteLookbackBuffer([0, 2]),
        "rewards": InfiniteLookbackBuffer([0.5, 0.5]),
    }
    space = Box(0, 9, (2,), np.int16)
    episode = SingleAgentEpisode(**ready, observation_space=space, action_space=Discrete(3))
    assert episode.get_actions(1, one_hot_discrete=True).tolist() == [0, 0, 1]
    assert episode.get_observations(9, fill=4).tolist() == [4, 4]
    assert episode.get_rewards(9, fill=4).dtype == np.float32
    assert episode.cut().rewards.space == episode.rewards.space


def test_a_ready_buffer_brings_its_space():
    ready = {
        "observations": InfiniteLookbackBuffer([1, 2], space=Discrete(4)),
        "actions": InfiniteLookbackBuffer([0], space=Discrete(3)),
        "rewards": InfiniteLookbackBuffer([0.5], space=Box(0, 1, ())),
    }
    episode = SingleAgentEpisode(**ready)
    assert (episode.observation_space, episode.action_space) == (Discrete(4), Discrete(3))
    assert episode.rewards.space == Box(0, 1, ())


def test_arrays_are_taken_too():
    episode = SingleAgentEpisode(
        observations=np.arange(4), actions=np.arange(3), rewards=np.ones(3), len_lookback_buffer=1
    )
    assert episode.is_numpy
    assert episode.get_observations().tolist() == [1, 2, 3]


def test_the_callers_lists_stay_as_they_are():
    observations = [0, 1]
    episode = SingleAgentEpisode(observations=observations, actions=[0], rewards=[0.0])
    episode.add_env_step(2, 0, 0.0)
    assert observations == [0, 1]


def test_to_numpy_needs_data():
    with pytest.raises(ValueError, match="no data"):
        SingleAgentEpisode().to_numpy()
    reset = make(0).to_numpy()
    assert isinstance(reset.get_observations()["at"], np.ndarray)
    assert not reset.is_numpy


@pytest.mark.parametrize("numpy", [False, True])
def test_setters_write_what_getters_read(numpy):
    episode = make(5)
    if numpy:
        episode.to_numpy()
    episode.set_observations(new_data=observation(77), at_indices=2)
    episode.set_actions(new_data=2, at_indices=0)
    episode.set_rewards(new_data=[9.0, 8.0], at_indices=slice(-2, None))
    episode.set_extra_model_outputs(key="value", new_data=[1.0] * 5)
    assert episode.get_observations(2)["step"] == 77
    assert episode.get_actions(0) == 2
    assert list(episode.get_rewards([3, 4])) == [9.0, 8.0]
    assert list(episode.get_extra_model_outputs("value")) == [1.0] * 5
    with pytest.raises(AssertionError, match=r"'spam', there are \['state', 'value'\]"):
        episode.set_extra_model_outputs(key="spam", new_data=[])
    with pytest.raises(KeyError):
        episode.get_extra_model_outputs("spam")


def test_rewards_and_infos_are_filled_too():
    episode = make(2)
    assert [float(r) for r in episode.get_rewards(slice(0, 4), fill=-1)] == [0.0, 0.5, -1.0, -1.0]
    assert episode.get_infos(5, fill={}) == {}
    assert episode.get_extra_model_outputs("value", slice(-3, 0), neg_index_as_lookback=True, fill=None) == []
    assert episode.get_extra_model_outputs("value", 9, fill="none") == "none"


@pytest.mark.parametrize("numpy", [False, True])
@pytest.mark.parametrize("done", [None, "truncated"])
def test_data_dict(numpy, done):
    episode = make(3, done=done, id_="me")
    if numpy:
        episode.to_numpy()
    data = episode.get_data_dict()
    assert list(data) == [
        *("terminateds", "truncateds", "t", "eps_id", "obs", "infos", "actions", "rewards"),
        *("value", "state"),
    ]
    assert list(data["truncateds"]) == [False, False, done is not None]
    assert list(data["terminateds"]) == [False] * 3
    assert list(data["t"]) == [0, 1, 2]
    assert list(data["eps_id"]) == ["me"] * 3
    assert [info["t"] for info in data["infos"]] == [0, 1, 2]
    steps = data["obs"]["step"] if numpy else [o["step"] for o in data["obs"]]
    assert list(steps) == [0, 1, 2]
    assert isinstance(data["rewards"], np.ndarray if numpy else list)


def test_data_dict_of_no_steps_is_empty():
    data = make(2).cut(1).get_data_dict()
    assert all(len(column) == 0 for key, column in data.items())


@pytest.mark.parametrize("numpy", [False, True])
@pytest.mark.parametrize("of", [lambda e: e, lambda e: e.cut(2), lambda e: e[1:3]])
def test_states(numpy, of):
    whole = make(4, agent_id="a", module_id="m")
    whole.custom_data["seen"] = 3
    episode = of(whole.to_numpy() if numpy else whole)
    again = SingleAgentEpisode.from_state(episode.get_state())
    steps_of(again)
    for name in (
        *("id_", "agent_id", "module_id", "t", "t_started", "is_numpy", "custom_data"),
        *("observation_space", "action_space", "observations", "actions", "rewards", "infos"),
    ):
        assert getattr(again, name) == getattr(episode, name), name
    assert again.extra_model_outputs == episode.extra_model_outputs
    fill(again, 2)
    assert again.t == episode.t + 2


def test_a_state_that_lacks_something_is_refused():
    state = make(1).get_state()
    del state["actions"]
    with pytest.raises(EpisodeError, match="lacks 'actions'"):
        SingleAgentEpisode.from_state(state)


def test_states_of_plain_items_are_json():
    episode = numbers(3, observation_space=Box(0, 9, ()), len_lookback_buffer=1)
    again = SingleAgentEpisode.from_state(json.loads(json.dumps(episode.get_state())))
    assert again.get_observations() == [1, 2, 3]


def test_spaces_reach_the_buffers():
    episode = make(1)
    episode.observation_space, episode.action_space = Discrete(2), Discrete(5)
    assert episode.observations.space == Discrete(2)
    assert episode.get_actions(0, one_hot_discrete=True).tolist() == [1, 0, 0, 0, 0]
    assert make(1).observation_space == SPACE


def test_repr_tells_length_end_and_return():
    assert repr(make(3, id_="me", done="terminated")) == "SAEps(len=3 done=True R=1.5 id_=me)"


def test_infos_come_back_as_they_were():
    infos = [{}, {"a": 1}, {}, {"text": "x", "array": np.arange(3)}, {}] * 100
    episode = SingleAgentEpisode()
    episode.add_env_reset(0, infos[0])
    for info in infos[1:]:
        episode.add_env_step(0, 0, 0.0, info)
    assert same(episode.get_infos(), infos)


def test_empty_infos_are_not_shared():
    episode = make(0)
    for t in range(2 * BLOCK):
        episode.add_env_step(observation(t + 1), 0, 0.0)
    first = episode.get_infos(1)
    first["mine"] = 1
    assert episode.get_infos(2) == {}


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (
            {"observations": [0, 1, 2, 3], "actions": [7], "rewards": [1.0, 2.0, 3.0]},
            "3 rewards need 3 actions",
        ),
        (
            {"observations": [0, 1], "actions": [7], "rewards": [1.0], "extra_model_outputs": {"value": []}},
            "1 rewards need 1 extra_model_outputs",
        ),
    ],
)
def test_lengths_are_compared_where_all_is_lookback_too(data, told):
    with pytest.raises(EpisodeError, match=told):
        SingleAgentEpisode(**data)


@pytest.mark.parametrize(
    "space",
    [
        gym.spaces.Graph(gym.spaces.Box(0, 1, (2,)), gym.spaces.Discrete(3)),
        gym.spaces.Sequence(gym.spaces.Discrete(3)),
        gym.spaces.OneOf((gym.spaces.Discrete(2), gym.spaces.Box(0, 1, (2,)))),
        gym.spaces.Dict(
            words=gym.spaces.Sequence(gym.spaces.Text(3)), pair=gym.spaces.Tuple([gym.spaces.Discrete(2)])
        ),
    ],
)
def test_values_that_are_no_numbers_are_looked_at_one_by_one(space):
    space.seed(0)
    items = [space.sample() for _ in range(5)]
    episode = SingleAgentEpisode(
        observations=items, actions=[0] * 4, rewards=[0.0] * 4, observation_space=space, len_lookback_buffer=0
    )
    episode.validate(spaces=True)
    episode.set_observations(new_data="nothing of the kind", at_indices=3)
    with pytest.raises(EpisodeError, match=r"observations.*nothing of the kind"):
        episode.validate(spaces=True)


def test_masks_are_not_lost_in_arrays():
    masked = np.ma.array([1.0, 2.0], mask=[False, True])
    episode = SingleAgentEpisode(
        observations=[{"x": masked}] * 2, actions=[0], rewards=[0.0], len_lookback_buffer=0
    )
    with pytest.raises(EpisodeError, match=r"\['x'\]: masked arrays would lose their masks; fill them first"):
        episode.to_numpy()
    assert episode.get_observations(0)["x"].mask.tolist() == [False, True]
