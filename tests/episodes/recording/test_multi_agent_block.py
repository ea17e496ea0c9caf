"""Episodes of several agents, recorded in batches: they are what recording one world by itself gives."""

import numpy as np
import pytest

pytest.importorskip("pettingzoo")
from gridarium.engine import Autoreset, Recorder, World
from gridarium.env import parallel_env
from gridarium.episodes.multi_agent import MultiAgentEpisode
from gridarium.episodes.recording import (
    BatchRecorder,
    MultiAgentBlock,
    ParallelEpisodeRecorder,
    episodes_of_run,
)
from gridarium.worlds import Description, Spec, find

WORLDS, SEED = 3, 5


@pytest.fixture(scope="module")
def description():
    """Two agents on few cells: often one is at the exit before the other, sometimes the time is up."""
    plain = find("TwoAgents-Empty-8x8").to_dict()
    return Description.from_dict(plain | {"shape": [5, 5], "time_limit": 40})


@pytest.fixture(scope="module")
def world(description):
    return World(description, compiled=False)


def played(recorder, steps, luck):
    """Random steps; worlds whose episode is over begin again where they do not by themselves."""
    batch = recorder.batch
    for _ in range(steps):
        recorder.step(luck.integers(0, len(batch.composed.spec.actions), (batch.n, 2)))
        if batch.autoreset is Autoreset.DISABLED and batch.ended.any():
            recorder.reset(mask=batch.ended)


def second_stays_out(state):
    state.agents[1].active = False


@pytest.mark.parametrize("autoreset", Autoreset)
@pytest.mark.parametrize("agents", ["together", "apart"])
def test_agents_that_a_reset_rule_leaves_out_have_no_episode(description, autoreset, agents):
    plain = {**description.to_dict(), "time_limit": 4}
    without = World(Spec.build(**plain, after_reset=[second_stays_out]), compiled=False)
    recorder = BatchRecorder(without.batch(2, autoreset=autoreset), agents=agents)
    recorder.reset(0)
    played(recorder, 11, np.random.default_rng(0))
    recorder.reset(1)
    episodes = list(recorder.take())
    assert len(episodes) >= 4 and {len(episode) for episode in episodes} <= {1, 2, 3, 4}
    for episode in episodes:
        own = episode.agent_episodes if agents == "together" else {episode.agent_id: episode}
        assert set(own) == {"agent_0"}


def told(episode):
    """All that an episode holds, as plain data."""
    parts = {}
    for agent, own in sorted(episode.agent_episodes.items()):
        seen = own.get_observations()
        grids = seen["grid"] if isinstance(seen, dict) else [o["grid"] for o in seen]
        parts[agent] = (
            np.asarray(grids).tolist(),
            np.asarray(own.get_actions()).tolist(),
            np.asarray(own.get_rewards()).tolist(),
            (own.is_terminated, own.is_truncated, own.t_started, own.t, own.module_id),
            list(episode.env_t_to_agent_t[agent].data),
            episode.agent_t_started[agent],
        )
    return parts, episode.env_t_started, episode.env_t, episode.is_terminated, episode.is_truncated


def alone(description, episode):
    """The same actions in a PettingZoo environment."""
    _, index, number = episode.id_.split("-")
    env = ParallelEpisodeRecorder(parallel_env(description, compiled=False), infos=False)
    env.reset(seed=SEED + int(index))
    for _ in range(int(number)):
        env.reset()
    for t in range(len(episode)):
        env.step({agent: own.get_actions(t) for agent, own in episode.agent_episodes.items() if t < len(own)})
    (found,) = env.take() or env.take(ongoing=True)
    return found


@pytest.mark.sampled(3)
@pytest.mark.parametrize("mode", Autoreset)
def test_they_are_what_single_worlds_do(world, description, mode):
    recorder = BatchRecorder(world.batch(WORLDS, autoreset=mode))
    recorder.reset(seed=SEED)
    played(recorder, 250, np.random.default_rng(1))
    block = recorder.take()
    assert isinstance(block, MultiAgentBlock) and len(block) > 10
    early = 0
    for k, episode in enumerate(block):
        episode.validate()
        assert told(episode) == told(alone(description, episode))
        lengths = {len(own) for own in episode.agent_episodes.values()}
        assert episode.is_done and max(lengths) == len(episode) == block.lengths[k]
        assert episode.get_return() == pytest.approx(block.returns[k]) and episode.id_ == block.ids[k]
        early += len(lengths) > 1
    assert early, "no agent has ended before the other"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("mode", Autoreset)
def test_chunks_make_the_whole_episodes(world, mode):
    luck = [np.random.default_rng(2) for _ in range(2)]
    whole, parts = (BatchRecorder(world.batch(WORLDS, autoreset=mode)) for _ in range(2))
    for recorder in (whole, parts):
        recorder.reset(seed=SEED)
    played(whole, 200, luck[0])
    found = []
    for _ in range(25):
        played(parts, 8, luck[1])
        found += parts.take(ongoing=True, lookback=2)
    joined = {}
    for chunk in found:
        assert chunk.tables.lookback <= 2
        if chunk.id_ in joined:
            joined[chunk.id_].concat_episode(chunk)
        else:
            joined[chunk.id_] = chunk
    done = {place(e): told(e) for e in joined.values() if e.is_done}
    assert done == {place(e): told(e) for e in whole.take()}


def place(episode):
    """World and number of an episode."""
    return tuple(episode.id_.split("-")[1:])


def test_agents_that_have_left_do_not_begin_again(world):
    recorder = BatchRecorder(world.batch(8))
    recorder.reset(seed=SEED)
    luck = np.random.default_rng(3)
    while (recorder.batch.memory.outputs.terminated.sum(axis=1) != 1).all():
        recorder.step(luck.integers(0, len(world.actions), (8, 2)))
    left = np.argwhere(recorder.batch.memory.outputs.terminated)
    recorder = BatchRecorder(recorder.batch)  # it goes on from what the worlds are in the middle of
    recorder.step(np.zeros((8, 2), int))
    block = recorder.take(ongoing=True)
    there = {(int(place(e)[0]), world.spec.agent_names.index(a)) for e in block for a in e.agent_episodes}
    for index, agent in left.tolist():
        if (index, 1 - agent) in there:  # the world has gone on
            assert (index, agent) not in there


def test_runs_are_done_again_as_they_were(world):
    runs, luck = Recorder(world.batch(2)), np.random.default_rng(0)
    runs.reset(seed=1)
    for _ in range(60):
        runs.step(luck.integers(0, len(world.actions), (2, 2)))
    block = episodes_of_run(runs.run(), world)
    apart = episodes_of_run(runs.run(), world, agents="apart")
    assert isinstance(block[0], MultiAgentEpisode) and len(apart) == 2 * len(block)
    assert block.parts.returns.sum() == apart.returns.sum() and apart.steps == block.parts.steps


def test_other_words_are_refused(world):
    with pytest.raises(ValueError, match="together or apart, not 'both'"):
        BatchRecorder(world.batch(1), agents="both")
