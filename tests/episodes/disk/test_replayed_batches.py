"""Batches of episodes that are kept as recorded runs, alone and beside data."""

import pickle

import numpy as np
import pytest

from gridarium.engine import Autoreset, Recorder, World
from gridarium.worlds import Description, find

pytest.importorskip("pyarrow")
from gridarium.episodes.disk import DatasetError, EpisodeDataset, EpisodeWriter, replays
from gridarium.episodes.recording import episodes_of_run


@pytest.fixture(scope="module")
def run():
    world = World(Description.from_dict(find("Empty-8x8").to_dict() | {"time_limit": 12}), compiled=False)
    recorder = Recorder(world.batch(3, autoreset=Autoreset.NEXT_STEP))
    luck = np.random.default_rng(0)
    recorder.reset(3)
    for _ in range(40):
        recorder.step(luck.integers(0, len(world.actions), 3))
    return recorder.run()


@pytest.fixture
def kept(tmp_path, run):
    """The same episodes as data, as a run, and as both."""
    folders = {name: tmp_path / name for name in ("data", "run", "both")}
    for name, folder in folders.items():
        with EpisodeWriter(folder) as writer:
            if name != "run":
                writer.add(episodes_of_run(run))
            if name != "data":
                writer.add_run(run)
    return {name: EpisodeDataset(folder) for name, folder in folders.items()}


def same(a, b):
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return a.dtype == b.dtype and np.array_equal(a, b)


@pytest.mark.parametrize("window", [None, 5])
def test_a_run_gives_the_batches_of_its_data(kept, window):
    options = {"window": window}
    assert len(kept["run"].batches(8, **options)) == len(kept["data"].batches(8, **options))
    pairs = zip(kept["run"].batches(8, **options), kept["data"].batches(8, **options), strict=True)
    assert all(same(again, wanted) for again, wanted in pairs)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("pool_bytes", [1, 1 << 28])
@pytest.mark.parametrize("shards", [1, 3])
def test_each_step_comes_once_from_a_mixed_dataset(kept, pool_bytes, shards):
    def rows(data, **options):
        return sorted(
            (
                bytes(b["observations"]["grid"][i]),
                int(b["actions"][i]),
                bytes(b["next_observations"]["grid"][i]),
            )
            for shard in range(shards)
            for b in data.batches(8, shard=(shard, shards), **options)
            for i in range(len(b["actions"]))
        )

    both = rows(kept["both"], seed=1, pool_bytes=pool_bytes)
    assert both == sorted(2 * rows(kept["data"]))


@pytest.mark.exhaustive
def test_another_process_gets_the_same_batches(kept):
    again = pickle.loads(pickle.dumps(kept["both"]))
    pairs = zip(again.batches(16, seed=5), kept["both"].batches(16, seed=5), strict=True)
    assert all(same(a, b) for a, b in pairs)


def test_an_episode_is_done_again_only_when_it_is_its_turn(kept, monkeypatch):
    done, again = [], replays.episodes_of_run
    monkeypatch.setattr(
        replays, "episodes_of_run", lambda run, *a, **o: done.append(run) or again(run, *a, **o)
    )
    batches = iter(kept["run"].batches(4, pool_bytes=1))
    next(batches)
    assert len(done) == 2  # the first of all tells what the columns are
    assert sum(len(batch["rewards"]) for batch in batches) == kept["run"].steps - 4
    assert len(done) == 1 + len(kept["run"])


def test_a_world_that_has_changed_is_told(kept, run, monkeypatch):
    other = dict(run.description) | {"rewards": [{"name": "living_reward", "reward": -7.0}]}
    changed = World(Description.from_dict(other), compiled=False)
    monkeypatch.setattr(replays, "world_of", lambda run, **_: changed)
    with pytest.raises(DatasetError, match="has changed since"):
        list(EpisodeDataset(kept["both"].path).batches(8))


def test_runs_and_data_of_different_forms_make_no_common_batches(tmp_path, run):
    from .making import episode

    with EpisodeWriter(tmp_path) as writer:
        writer.add(episode(5))
        writer.add_run(run)
    with pytest.raises(DatasetError, match="different forms"):
        EpisodeDataset(tmp_path).batches(8)
