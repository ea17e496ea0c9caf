"""Runs in the place of data: the same episodes, a few bytes a step, as long as the world is the same."""

import dataclasses

import numpy as np
import pytest

from gridarium.engine import Autoreset, Recorder, World
from gridarium.worlds import Description, find

from .making import plain

pytest.importorskip("pyarrow")
from gridarium.episodes.disk import DatasetError, EpisodeDataset, EpisodeWriter
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording import episodes_of_run


@pytest.fixture(scope="module")
def world():
    return World(Description.from_dict(find("Empty-8x8").to_dict() | {"time_limit": 12}), compiled=False)


def recorded(world, mode, steps=30, worlds=3):
    recorder = Recorder(world.batch(worlds, autoreset=mode))
    luck = np.random.default_rng(0)
    recorder.reset(3)
    for _ in range(steps):
        recorder.step(luck.integers(0, len(world.actions), worlds))
        if mode is Autoreset.DISABLED and recorder.driven.ended.any():
            recorder.reset(None, recorder.driven.ended)
    return recorder.run()


@pytest.mark.parametrize("mode", Autoreset)
def test_they_give_the_same_episodes(tmp_path, world, mode):
    run = recorded(world, mode)
    block = episodes_of_run(run)
    with EpisodeWriter(tmp_path) as writer:
        writer.add_run(run)
    data = EpisodeDataset(tmp_path)
    assert data.lengths.tolist() == block.lengths.tolist() and data.world["name"] == world.name
    assert data.terminated.tolist() == block.facts.terminated.tolist()
    for again, wanted in zip(data, block, strict=True):
        assert plain(again.get_observations()) == plain(wanted.get_observations())
        assert again.get_actions().tolist() == wanted.get_actions().tolist()
        assert again.get_rewards().tolist() == wanted.get_rewards().tolist()
        assert again.is_done and again.is_truncated == wanted.is_truncated
    assert plain(data.read(0, 2, 5).get_observations()) == plain(data[0][2:5].get_observations())


def test_they_take_a_few_bytes_a_step(tmp_path, world):
    run = recorded(world, Autoreset.SAME_STEP, steps=300, worlds=16)
    with EpisodeWriter(tmp_path) as writer:
        writer.add_run(run)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 8 * run.steps * run.worlds


def test_a_world_that_has_changed_is_told(tmp_path, world):
    run = recorded(world, Autoreset.NEXT_STEP)
    with EpisodeWriter(tmp_path) as writer:
        writer.add_run(run)
    path = next(tmp_path.glob("*.run"))
    other = dict(run.description) | {"rewards": [{"name": "living_reward", "reward": -7.0}]}
    dataclasses.replace(run, description=other).save(path)
    with pytest.raises(DatasetError, match="has changed since"):
        EpisodeDataset(tmp_path)[0]
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(DatasetError, match="cannot be done again"):
        EpisodeDataset(tmp_path)[0]


def test_runs_and_data_lie_side_by_side(tmp_path, world):
    run = recorded(world, Autoreset.NEXT_STEP)
    with EpisodeWriter(tmp_path) as writer:
        writer.add(episodes_of_run(run))
        writer.add_run(run)
    data = EpisodeDataset(tmp_path)
    half = len(data) // 2
    assert data.lengths[:half].tolist() == data.lengths[half:].tolist()
    assert plain(data[0].get_observations()) == plain(data[half].get_observations())


def test_a_run_of_another_world_is_refused(tmp_path, world):
    writer = EpisodeWriter(tmp_path, world={"name": "Cellar"})
    with pytest.raises(EpisodeError, match="another world"):
        writer.add_run(recorded(world, Autoreset.NEXT_STEP, steps=2))
