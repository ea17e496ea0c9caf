"""What cannot be recorded is refused before the environment is stepped, and what a sink refuses is kept."""

import gymnasium as gym
import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from gridarium.env import aec_env, parallel_env
from gridarium.episodes import EpisodeError
from gridarium.episodes.recording import AECEpisodeRecorder, EpisodeRecorder, ParallelEpisodeRecorder
from tests.episodes.recording.sinks import Refuses
from tests.episodes.recording.test_pettingzoo_recorders import WORLD

SEEN = gym.spaces.Box(-1e3, 1e3, (1,), np.float32)
DONE = gym.spaces.Dict({"force": gym.spaces.Box(-1.0, 1.0, (2,), np.float32), "gear": gym.spaces.Discrete(3)})
ACTION = {"force": np.zeros(2, np.float32), "gear": 1}


class Counting(gym.Env):
    """Counts its steps, and ends after three. Actions are never looked at."""

    observation_space, action_space = SEEN, DONE
    steps, reward = 0, 1.0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.steps = 0
        return np.zeros(1, np.float32), {}

    def step(self, action):
        self.steps += 1
        return np.full(1, self.steps, np.float32), self.reward, self.steps == 3, False, {}


BAD = [
    (None, None, "action: only in the data"),
    ({"force": np.zeros(2)}, None, "action.gear: only in the columns"),
    (ACTION | {"force": np.zeros(3)}, None, r"action.force: items have the shape \(3,\)"),
    (ACTION | {"gear": 0.5}, None, "action.gear: values of type float64 do not fit"),
    (ACTION | {"gear": "up"}, None, "action.gear: values of type"),
    (ACTION, [1], r"extras: expected a dict, got \[1\]"),
    (ACTION, {}, r"extras: expected the keys \['value'\], got \[\]"),
    (ACTION, {"value": 1.0, "more": 1}, "extras: expected the keys"),
]


@pytest.mark.parametrize(("action", "extras", "why"), BAD)
def test_a_step_that_cannot_be_recorded_is_not_made(action, extras, why):
    env = EpisodeRecorder(Counting())
    env.reset()
    env.step(ACTION, {"value": 0.5})
    with pytest.raises(EpisodeError, match=f"{why}.*the environment was not stepped"):
        env.step(action, extras)
    assert env.unwrapped.steps == 1
    for force in (
        np.ones(2),
        np.array([5.0, 0.0]),
    ):  # of another type, or outside: what the environment takes is kept
        env.step(ACTION | {"force": force}, {"value": 0.5})
    (episode,) = env.take()
    assert (len(episode), episode.is_terminated) == (3, True)


def test_what_an_environment_gives_that_cannot_be_recorded_ends_the_episode_before_it():
    env = EpisodeRecorder(Counting())
    env.reset()
    env.step(ACTION)
    env.unwrapped.reward = None
    with pytest.raises(EpisodeError, match="a reward is a number, got None"):
        env.step(ACTION)
    (episode,) = env.take()
    assert (len(episode), episode.is_truncated) == (1, True)
    env.unwrapped.reward = 1.0
    env.step(ACTION)  # nothing is recorded before the next reset
    assert env.take() == []


def test_a_sink_that_refuses_loses_neither_a_step_nor_an_episode():
    sink = Refuses()
    env = EpisodeRecorder(Counting(), sink=sink)
    env.reset()
    for _ in range(2):
        env.step(ACTION)
    observation, _, terminated, *_ = env.step(ACTION)
    assert (observation.item(), terminated) == (3.0, True)
    with pytest.raises(OSError, match="the disk is full") as told:
        env.reset()
    (episode,) = env.take()
    assert [episode.id_ in note and "`take` gives it" in note for note in told.value.__notes__] == [True]
    assert len(episode) == 3
    assert env.unwrapped.steps == 3  # nothing was reset
    env.reset()
    env.step(ACTION)
    with pytest.raises(OSError, match="the disk is full"):
        env.close()
    assert [len(episode) for episode in env.take()] == [1]
    sink.full = False
    env.close()
    assert sink.kept == []


def test_several_refusals_are_told_together():
    sink = Refuses()
    env = EpisodeRecorder(Counting(), sink=sink)
    env.reset()
    env.step(ACTION)
    assert [len(chunk) for chunk in env.take(ongoing=True)] == [1]
    env.step(ACTION)
    env.take(ongoing=True)
    with pytest.raises(OSError, match="the disk is full") as told:
        env.reset()
    assert "the sink has raised 2 times" in told.value.__notes__[-1]
    env.reset()


@pytest.mark.parametrize("refusing", [False, True])
def test_parallel_environments_are_asked_about_first(refusing):
    sink = Refuses()
    sink.full = refusing
    env = ParallelEpisodeRecorder(parallel_env(WORLD, compiled=False), sink=sink)
    env.reset(seed=0)
    first, *others = env.agents
    steps = []
    env.env.step, step = lambda actions: steps.append(actions) or step(actions), env.env.step
    good = dict.fromkeys(env.agents, 0)
    for actions, extras, why in (
        ([0, 0], None, "actions: expected a dict from agents"),
        (dict.fromkeys(others, 0), None, f"no action for ..{first}"),
        (good | {first: 0.5}, None, f"action of agent '{first}': values of type float64"),
        (good, [1], "extras: expected a dict from agents"),
        (good, {first: 1}, f"extras of agent '{first}': expected a dict"),
    ):
        with pytest.raises(EpisodeError, match=f"{why}.*the environment was not stepped"):
            env.step(actions, extras)
    assert steps == []
    assert len(env.step(good)) == 5
    if refusing:
        with pytest.raises(OSError, match="the disk is full"):
            env.close()
    else:
        env.close()
    (episode,) = env.take() if refusing else sink.kept
    assert (len(episode), episode.is_truncated) == (1, True)


def test_environments_in_which_agents_act_in_turn_are_asked_about_first():
    env = AECEpisodeRecorder(aec_env(WORLD, compiled=False))
    env.reset(seed=0)
    agent = env.agent_selection
    for action, extras in ((0.5, None), (np.zeros(2, np.int64), None), (0, [1])):
        with pytest.raises(EpisodeError, match=f"of agent '{agent}'.*the environment was not stepped"):
            env.step(action, extras)
    assert env.agent_selection == agent
    env.step(0)
    env.close()
    assert [len(episode) for episode in env.take()] == [1]
