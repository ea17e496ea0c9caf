"""Outcomes of episodes are recorded as their custom data, also of agents that have left before the end."""

import numpy as np
import pytest

from gridarium.engine import Autoreset, Recorder, World
from gridarium.env import GridariumEnv, parallel_env
from gridarium.episodes.disk import EpisodeDataset, EpisodeWriter
from gridarium.episodes.recording import (
    BatchRecorder,
    EpisodeRecorder,
    ParallelEpisodeRecorder,
    episodes_of_run,
)
from tests.engine.board import board

LOSING = {"outcome": "survival", "illegal": "lose", "episode_ends": "all_agents"}


def of_agents(episode):
    return {agent: own.custom_data.get("outcome") for agent, own in episode.agent_episodes.items()}


def expected(outcomes):
    return [dict(zip(("agent_0", "agent_1"), row, strict=True)) for row in outcomes]


def played(recorder, batch, steps=12):
    """Outcomes of all episodes that end, in the order in which they do; some actions are illegal."""
    recorder.reset(seed=0)
    rng, found = np.random.default_rng(0), []
    for _ in range(steps):
        actions = batch.sample_actions(rng)
        careless = rng.random(actions.shape) < 0.2
        actions[careless] = rng.integers(0, 9, careless.sum())
        done = recorder.step(actions)
        found += done.outcomes[~np.isnan(done.outcomes).any(axis=1)].tolist()
    return found


@pytest.fixture(scope="module")
def world():
    return board(compiled=False, **LOSING)


@pytest.mark.parametrize("mode", [Autoreset.SAME_STEP, Autoreset.NEXT_STEP])
def test_batches_of_agents_together(world, mode, tmp_path):
    recorder = BatchRecorder(batch := world.batch(8, autoreset=mode))
    outcomes = played(recorder, batch)
    block = recorder.take()
    assert len(block) >= 8 and {tuple(row) for row in outcomes} >= {(1.0, -1.0), (-1.0, 1.0)}
    assert [of_agents(episode) for episode in block] == expected(outcomes)
    early = [len({len(own) for own in episode.agent_episodes.values()}) == 2 for episode in block]
    assert any(early)
    with EpisodeWriter(tmp_path) as writer:
        writer.add(block.labelled("random", [{"course": "spring"}] * len(block)))
    read = EpisodeDataset(tmp_path)
    assert [of_agents(episode) for episode in read] == expected(outcomes)


def test_agents_apart_have_one_where_they_stay_until_the_end(world):
    recorder = BatchRecorder(batch := world.batch(8), agents="apart")
    outcomes = played(recorder, batch)
    episodes = [one for one in recorder.take() if "outcome" in one.custom_data]
    assert 0 < len(episodes) < 2 * len(outcomes)
    assert {one.custom_data["outcome"] for one in episodes} <= {-1.0, 0.0, 1.0}


def test_runs(world):
    recorder = Recorder(batch := world.batch(2))
    outcomes = played(recorder, batch)
    assert [of_agents(e) for e in episodes_of_run(recorder.run())][: len(outcomes)] == expected(outcomes)


def test_environments():
    described = World("Empty-4x4", compiled=False).spec.description.to_dict() | {"outcome": "survival"}
    env = EpisodeRecorder(GridariumEnv(described | {"time_limit": 3}, compiled=False), infos=False)
    env.reset(seed=0)
    while not env.episode.is_done:
        env.step(0)
    assert env.take()[0].custom_data == {"seed": 0, "outcome": 0.0}
    pair = ParallelEpisodeRecorder(parallel_env(board(compiled=False, **LOSING).spec, compiled=False))
    pair.reset(seed=0)
    for cell in (4, 4, 0, 1, 2, 3, 5):  # the second one loses, since the cell is taken
        if pair.agents:
            pair.step(dict.fromkeys(pair.agents, cell))
    assert of_agents(pair.take()[0]) == {"agent_0": 1.0, "agent_1": -1.0}
