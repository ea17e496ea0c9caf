"""Recorders refuse at once what they cannot record, and tell which recorder can."""

import gc

import gymnasium as gym
import pytest

pytest.importorskip("pettingzoo")
from gridarium.engine import World
from gridarium.env import aec_env, parallel_env
from gridarium.episodes import EpisodeError
from gridarium.episodes.recording import (
    AECEpisodeRecorder,
    BatchRecorder,
    EpisodeRecorder,
    ParallelEpisodeRecorder,
    VectorEpisodeRecorder,
)

WORLD = "TwoAgents-Empty-8x8"
MAKE = {
    EpisodeRecorder: lambda: gym.make("CartPole-v1"),
    VectorEpisodeRecorder: lambda: gym.make_vec("CartPole-v1", 2, "sync"),
    ParallelEpisodeRecorder: lambda: parallel_env(WORLD, compiled=False),
    AECEpisodeRecorder: lambda: aec_env(WORLD, compiled=False),
    BatchRecorder: lambda: World("TwoAgents-Empty-8x8", compiled=False).batch(2),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", MAKE)
@pytest.mark.parametrize("recorder", MAKE)
@pytest.mark.usefixtures("old_garbage_left_alone")
def test_each_recorder_takes_its_own_kind(recorder, kind):
    env = MAKE[kind]()
    if recorder is kind:
        recorder(env)
    else:
        with pytest.raises(EpisodeError, match=f"{recorder.__name__} takes a .*that is for {kind.__name__}"):
            recorder(env)
    gc.collect()  # nothing complains when what was not made is thrown away


@pytest.mark.parametrize("recorder", MAKE)
@pytest.mark.parametrize("odd", [None, "CartPole-v1", World(WORLD, compiled=False), gym.Env])
def test_other_things_are_refused(recorder, odd):
    with pytest.raises(EpisodeError, match=f"{recorder.__name__} takes a .*, not "):
        recorder(odd)
