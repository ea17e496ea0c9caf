"""Episodes of several agents: built from lists, asked about themselves, kept as plain data."""

import copy
import pickle

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.episodes import EpisodeError, MultiAgentEpisode
from tests.episodes.multi_agent.plays import PLAYS, Play, contents


def lists_of(play):
    names = ("observations", "infos", "actions", "rewards", "extra_model_outputs")
    lists = {name: [step[name] for step in play.steps] for name in names}
    lists["observations"].insert(0, play.reset)
    lists["infos"].insert(0, {a: play.table["infos"][a][0] for a in play.reset})
    flags = {
        name: {agent: True for step in play.steps for agent in step[name]}
        for name in ("terminateds", "truncateds")
    }
    return lists | flags


NO_IDLING = PLAYS.map(lambda steps: [tuple("go" if c == "idle" else c for c in step) for step in steps])


@given(choices=NO_IDLING)
def test_lists_make_the_same_episode_as_steps(choices):
    play = Play(choices)
    stepped, built = play.episode(), MultiAgentEpisode(**lists_of(play), len_lookback_buffer=0)
    mine, theirs = contents(built), contents(stepped)
    alone = {agent for agent, inner in stepped.agent_episodes.items() if inner.is_done and not len(inner)}
    assert not alone
    assert mine[0] == theirs[0]
    assert mine[1] == theirs[1]
    assert mine[3:] == theirs[3:]


@given(choices=NO_IDLING, lookback=st.integers(0, 6) | st.just("auto"), started=st.integers(0, 5))
def test_lookback_is_what_a_slice_would_keep(choices, lookback, started):
    play = Play(choices)
    built = MultiAgentEpisode(**lists_of(play), len_lookback_buffer=lookback, env_t_started=started)
    history = len(play.steps) if lookback == "auto" else min(lookback, len(play.steps))
    assert (len(built), built.env_t_started) == (len(play.steps) - history, started)
    part = play.episode().slice(slice(history, None), len_lookback_buffer=history)
    for agent, inner in part.agent_episodes.items():
        for name, buffer in inner.buffers().items():
            other = built.agent_episodes[agent].buffers()[name]
            assert (buffer.data, buffer.lookback) == (other.data, other.lookback), name
        steps, others = part.env_t_to_agent_t[agent], built.env_t_to_agent_t[agent]
        assert [s == "S" for s in steps.data] == [s == "S" for s in others.data]


def test_agents_steps_are_counted_from_where_the_chunk_begins():
    episode = MultiAgentEpisode(
        observations=[{"a": 0, "b": 0}, {"b": 1}, {"b": 2}, {"b": 3}],
        actions=[{"a": 0, "b": 0}, {"b": 1}, {"b": 2}],
        rewards=[{"a": 0.1, "b": 0.1}, {"b": 0.2}, {"b": 0.3}],
        agent_t_started={"b": 7},
    )
    assert episode.env_t_to_agent_t["a"].data == [0, "S", "S", "S"]
    assert episode.env_t_to_agent_t["b"].data == [4, 5, 6, 7]
    assert episode.agent_episodes["b"].t == 7
    assert episode.tables.hanging_actions == {"a": 0}
    assert episode.tables.hanging_rewards == {"a": 0.1}
    assert episode.tables.hanging_outputs == {"a": {}}
    assert episode.get_observations(-4) == {"a": 0, "b": 0}


def test_an_agent_that_does_not_go_on_has_terminated():
    episode = MultiAgentEpisode(
        observations=[{"a": 0, "b": 0}, {"a": 1, "b": 1}, {"b": 2}],
        actions=[{"a": 0, "b": 0}, {"b": 1}],
        rewards=[{"a": 1.0, "b": 1.0}, {"b": 1.0}],
        len_lookback_buffer=0,
    )
    assert episode.agent_episodes["a"].is_terminated
    assert episode.env_t_to_agent_t["a"].data == [0, 1, "S"]
    assert episode.get_observations(-1) == {"b": 2}
    assert episode.get_agents_to_act() == {"b"}


@pytest.mark.parametrize("terminateds", [{"a": True}, {}])
def test_who_ended_before_the_last_step_is_not_truncated_with_the_others(terminateds):
    episode = MultiAgentEpisode(
        observations=[{"a": 0, "b": 0}, {"a": 1, "b": 1}, {"b": 2}],
        actions=[{"a": 0, "b": 0}, {"b": 1}],
        rewards=[{"a": 1.0, "b": 1.0}, {"b": 1.0}],
        terminateds=terminateds,
        truncateds={"__all__": True},
    )
    assert episode.get_terminateds() == {"a": True, "b": False, "__all__": False}
    assert episode.get_truncateds() == {"a": False, "b": True, "__all__": True}


@given(choices=NO_IDLING)
def test_a_reward_that_comes_with_no_observation_may_be_left_out(choices):
    play = Play(choices)
    for step in play.steps:
        step["rewards"] = {
            agent: reward for agent, reward in step["rewards"].items() if agent in step["observations"]
        }
    stepped, built = play.episode(), MultiAgentEpisode(**lists_of(play), len_lookback_buffer=0)
    assert built.get_return(include_hanging_rewards=True) == stepped.get_return(include_hanging_rewards=True)
    assert contents(built)[:2] == contents(stepped)[:2]


BAD_LISTS = [
    (
        {"observations": [{"a": 0}], "actions": [], "rewards": [{"a": 1.0}]},
        "1 rewards need 2 observations, there are 1",
    ),
    (
        {"observations": [{"a": 0}, {"a": 1}], "actions": [], "rewards": [{"a": 1.0}]},
        "1 rewards need 1 actions",
    ),
    (
        {"observations": [{"a": 0}, {"a": 1}], "actions": [{"a": 0}], "rewards": [{}]},
        "step 0: agent 'a' acted and got an observation, but no reward",
    ),
    (
        {"observations": [{}, {"a": 1}], "actions": [{"a": 0}], "rewards": [{"a": 0}]},
        "before its first observation",
    ),
    (
        {
            "observations": [{"a": 0}, {"a": 1}, {"a": 2}],
            "actions": [{}, {"a": 1}],
            "rewards": [{}, {"a": 1}],
        },
        "step 1: agent 'a' is done",
    ),
]


@pytest.mark.parametrize(("lists", "why"), BAD_LISTS)
def test_lists_that_do_not_go_together_are_refused(lists, why):
    with pytest.raises(EpisodeError, match=why):
        MultiAgentEpisode(**lists)


def test_flags_may_stand_for_all():
    lists = {"observations": [{"a": 0}, {"a": 1}], "actions": [{"a": 0}], "rewards": [{"a": 1.0}]}
    flags = {"a": False}
    episode = MultiAgentEpisode(**lists, terminateds=True, truncateds=flags)
    assert (episode.is_terminated, episode.agent_episodes["a"].is_terminated) == (True, True)
    assert flags == {"a": False}


def test_modules_are_asked_for_once():
    asked = []

    def module_for(agent, episode):
        asked.append(agent)
        return f"module of {agent}"

    episode = MultiAgentEpisode(agent_to_module_mapping_fn=module_for, agent_module_ids={"b": "given"})
    episode.add_env_reset(observations={"a": 0, "b": 0})
    assert episode.module_for("a") == episode.agent_episodes["a"].module_id == "module of a"
    assert episode.module_for("b") == "given"
    assert MultiAgentEpisode().module_for("a") == "default_policy"
    episode.cut().module_for("a")
    assert asked == ["a"]


@given(choices=PLAYS, numpy=st.booleans())
def test_state_gives_the_episode_again(choices, numpy):
    episode = Play(choices).episode(id_="play")
    episode = episode.to_numpy() if numpy else episode
    episode.custom_data["seed"] = 7
    again = MultiAgentEpisode.from_state(episode.get_state())
    assert contents(again) == contents(episode)
    assert again.custom_data == {"seed": 7}
    assert again.agent_episode_ids == episode.agent_episode_ids
    assert again.get_duration_s() == episode.get_duration_s()
    assert repr(again) == repr(episode)


@pytest.mark.parametrize("kind", [dict, gym.spaces.Dict])
def test_state_keeps_spaces_and_can_be_pickled(kind):
    spaces = kind({"a": gym.spaces.Discrete(3)})
    episode = MultiAgentEpisode(observation_space=spaces, action_space=spaces)
    episode.add_env_reset(observations={"a": 1})
    episode.add_env_step({"a": 2}, {"a": 0}, {"a": 1.0})
    again = MultiAgentEpisode.from_state(pickle.loads(pickle.dumps(episode.get_state())))
    assert again.observation_space == spaces
    assert type(again.action_space) is kind
    assert again.agent_episodes["a"].action_space == gym.spaces.Discrete(3)
    assert contents(copy.deepcopy(episode)) == contents(episode)


def test_a_state_that_lacks_something_is_refused():
    state = Play([]).episode().get_state()
    del state["env_t"]
    with pytest.raises(EpisodeError, match="lacks 'env_t'"):
        MultiAgentEpisode.from_state(state)


@given(choices=PLAYS)
def test_arrays_hold_what_lists_held(choices):
    play = Play(choices)
    lists, arrays = play.episode(), play.episode().to_numpy()
    assert contents(arrays) == contents(lists)
    assert arrays.is_numpy == any(len(inner) for inner in arrays.agent_episodes.values())


def test_an_empty_episode():
    episode = MultiAgentEpisode(env_t_started=10)
    assert (episode.env_t, len(episode), episode.agent_ids) == (10, 0, set())
    assert not (episode.is_reset or episode.is_done or episode.is_numpy)
    assert episode.get_observations() == {} == episode.get_observations(0)
    assert episode.get_return() == episode.get_duration_s() == 0
    assert episode.to_numpy() is episode


def test_spaces_may_be_anything_that_knows_agents():
    class Spaces:
        def get(self, agent):
            return gym.spaces.Box(-1.0, 1.0, (2,), np.float32)

    episode = MultiAgentEpisode(observation_space=Spaces())
    episode.add_env_reset(observations={"a": np.zeros(2, np.float32)})
    assert episode.agent_episodes["a"].observation_space.shape == (2,)
    assert MultiAgentEpisode.from_state(episode.get_state()).observation_space.keys() == {"a"}


def test_what_it_prints(capsys):
    episode = Play([("go", "gap", "idle"), ("go", "go", "go")]).episode(id_="play")
    episode.print()
    assert capsys.readouterr().out.splitlines() == ["step 0 1 2", "a    x x x", "b    x . x", "c    . . x"]
    assert repr(episode).startswith("MAEps(len=2 done=False Rs={'a': ")
    assert (episode.env_steps(), episode.agent_steps()) == (2, 3)
    assert episode.get_duration_s() > 0
