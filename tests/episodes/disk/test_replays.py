"""Runs in the place of data: the same episodes, a few bytes a step, as long as the world is the same."""

import dataclasses

import numpy as np
import pytest

from gridarium.engine import Autoreset, Recorder, World
from gridarium.worlds import Description, find

from .making import plain

pytest.importorskip("pyarrow")
from gridarium.episodes.disk import DatasetError, EpisodeDataset, EpisodeWriter, replays
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.multi_agent import MultiAgentEpisode
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
    assert data.terminated.tolist() == block.metadata.terminated.tolist()
    for again, wanted in zip(data, block, strict=True):
        assert plain(again.get_observations()) == plain(wanted.get_observations())
        assert again.get_actions().tolist() == wanted.get_actions().tolist()
        assert again.get_rewards().tolist() == wanted.get_rewards().tolist()
        assert again.is_done and again.is_truncated == wanted.is_truncated
    assert plain(data.read(0, 2, 5).get_observations()) == plain(data[0][2:5].get_observations())


@pytest.mark.exhaustive
def test_they_take_a_few_bytes_a_step(tmp_path, world):
    run = recorded(World(world.spec), Autoreset.SAME_STEP, steps=300, worlds=16)
    with EpisodeWriter(tmp_path) as writer:
        writer.add_run(run)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 8 * run.steps * run.worlds


def test_a_world_that_has_changed_is_told(tmp_path, world, monkeypatch):
    run = recorded(world, Autoreset.NEXT_STEP)
    with EpisodeWriter(tmp_path) as writer:
        writer.add_run(run)
    other = dict(run.description) | {"rewards": [{"name": "living_reward", "reward": -7.0}]}
    changed = World(Description.from_dict(other), compiled=False)
    with monkeypatch.context() as patched:
        patched.setattr(replays, "world_of", lambda run, **_: changed)
        with pytest.raises(DatasetError, match="has changed since"):
            EpisodeDataset(tmp_path)[0]
    path = next(tmp_path.glob("*.run"))
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


def test_a_run_is_added_from_its_file(tmp_path, world):
    file = tmp_path / "walk.run"
    run = recorded(world, Autoreset.NEXT_STEP, steps=3)
    run.save(file)
    with EpisodeWriter(tmp_path / "data") as writer:
        writer.add_run(file)
        with pytest.raises(FileNotFoundError):
            writer.add_run(tmp_path / "nowhere.run")
    assert EpisodeDataset(tmp_path / "data").steps == run.steps * run.worlds


def test_a_run_of_another_world_is_refused(tmp_path, world):
    writer = EpisodeWriter(tmp_path, world={"name": "Cellar"})
    with pytest.raises(EpisodeError, match="another world"):
        writer.add_run(recorded(world, Autoreset.NEXT_STEP, steps=2))


@pytest.fixture(scope="module")
def pair():
    description = find("TwoAgents-Empty-8x8").to_dict() | {"shape": [5, 5], "time_limit": 30}
    return World(Description.from_dict(description), compiled=False)


def recorded_pair(pair, steps=80, worlds=3):
    recorder, luck = Recorder(pair.batch(worlds)), np.random.default_rng(0)
    recorder.reset(3)
    for _ in range(steps):
        recorder.step(luck.integers(0, 3, (worlds, 2)))
    return recorder.run()


def test_agents_of_a_world_make_one_episode(tmp_path, pair):
    run = recorded_pair(pair)
    block = episodes_of_run(run)
    assert (
        len({len(own) for own in block[0].agent_episodes.values()} | {len(block[0])}) == 2
    )  # one left early
    with EpisodeWriter(tmp_path) as writer:
        writer.add_run(run)
        assert (writer.episodes, writer.steps) == (len(block), block.steps)
    data = EpisodeDataset(tmp_path)
    assert data.lengths.tolist() == block.lengths.tolist() and data.returns == pytest.approx(block.returns)
    for again, wanted in zip(data, block, strict=True):
        assert isinstance(again, MultiAgentEpisode) and again.agent_ids == wanted.agent_ids
        assert (again.get_terminateds(), again.get_truncateds()) == (
            wanted.get_terminateds(),
            wanted.get_truncateds(),
        )
        for name in ("observations", "actions", "rewards"):
            get = f"get_{name}"
            assert plain(getattr(again, get)()) == plain(getattr(wanted, get)())
        assert {own.multi_agent_episode_id for own in again.agent_episodes.values()} == {again.id_}
    some = data.read(0, 2, 5)
    assert plain(some.get_actions()) == plain(data[0][2:5].get_actions()) and len(some) == 3


@pytest.mark.exhaustive
def test_agents_of_a_world_are_done_again_together_for_batches(tmp_path, pair, monkeypatch):
    from gridarium.episodes.disk import replays

    run = recorded_pair(pair)
    for name, add in (("run", EpisodeWriter.add_run), ("data", lambda w, run: w.add(episodes_of_run(run)))):
        with EpisodeWriter(tmp_path / name) as writer:
            add(writer, run)
    kept, data = EpisodeDataset(tmp_path / "run"), EpisodeDataset(tmp_path / "data")
    done, again = [], replays.episodes_of_run
    monkeypatch.setattr(replays, "episodes_of_run", lambda *a, **o: done.append(1) or again(*a, **o))
    for window in (None, 4):
        for its, mine in zip(data.batches(16, window=window), kept.batches(16, window=window), strict=True):
            assert its.keys() == mine.keys() and all(plain(its[key]) == plain(mine[key]) for key in its)
    assert len(done) == 2 * (1 + len(kept))  # the first of all tells what the columns are


def test_what_is_known_of_a_run_without_doing_it_again(tmp_path, world, pair):
    for name, run in (
        ("one", recorded(world, Autoreset.NEXT_STEP, steps=3)),
        ("two", recorded_pair(pair, 3)),
    ):
        with EpisodeWriter(tmp_path / name) as writer:
            writer.add_run(run)
        data = EpisodeDataset(tmp_path / name)
        assert data.observation_space["grid"].shape == (7, 7, 3) and data.action_space.n in (3, 6)
        with pytest.raises(DatasetError, match="a recorded run, which has no rows"):
            data.table()


def test_an_agent_whose_part_differs_is_told(tmp_path, pair):
    with EpisodeWriter(tmp_path) as writer:
        writer.add_run(recorded_pair(pair))
    data = EpisodeDataset(tmp_path)
    entry = data.catalog.entry(0)
    member = dataclasses.replace(data.catalog.members(entry)[0], steps=99)
    object.__setattr__(data.catalog, "members", lambda _: [member])
    with pytest.raises(DatasetError, match="had 99 steps"):
        data[0]
