"""Batches give every step once, in an order of their own."""

import numpy as np
import pytest

from gridarium.episodes import SingleAgentEpisode

pytest.importorskip("pyarrow")
from gridarium.episodes.disk import EpisodeDataset, EpisodeWriter

LENGTHS = (3, 1, 0, 8, 5, 2, 9)


def counted(length, start):
    made = SingleAgentEpisode(observations=[{"n": np.array([start])}], infos=[{}])
    for t in range(length):
        made.add_env_step({"n": np.array([start + t + 1])}, t, float(start + t), terminated=t == length - 1)
    return made


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setattr("gridarium.episodes.disk.write_buffer.MIN_ROWS", 4)
    monkeypatch.setattr("gridarium.episodes.disk.write_buffer.GROUP_BYTES", 1)
    with EpisodeWriter(tmp_path) as writer:
        for i, length in enumerate(LENGTHS):
            writer.add(counted(length, 100 * i))
            if i % 3 == 2:
                writer.flush()
    return EpisodeDataset(tmp_path)


def steps():
    return sorted(100 * i + t for i, length in enumerate(LENGTHS) for t in range(length))


@pytest.mark.parametrize("seed", [None, 0])
@pytest.mark.parametrize("pool_bytes", [1, 1 << 20])
@pytest.mark.parametrize("size", [1, 4, 100])
def test_each_step_is_there_once(data, seed, pool_bytes, size):
    batches = data.batches(size, seed=seed, pool_bytes=pool_bytes)
    found = list(batches)
    seen = np.concatenate([b["observations"]["n"][:, 0] for b in found])
    assert sorted(seen.tolist()) == steps() and len(found) == len(batches)
    assert all(len(b["rewards"]) == size for b in found[:-1])
    for b in found:
        assert (b["next_observations"]["n"] == b["observations"]["n"] + 1).all()
        assert (b["rewards"] == b["observations"]["n"][:, 0]).all()
        ends = [100 * i + length - 1 for i, length in enumerate(LENGTHS)]
        assert (b["terminated"] == np.isin(b["rewards"], ends)).all() and not b["truncated"].any()
    assert seed is not None or seen.tolist() == steps()


def test_each_epoch_and_each_seed_has_an_order_of_its_own(data):
    def order(batches):
        return [x for b in batches for x in b["rewards"].tolist()]

    batches = data.batches(4, seed=0)
    first, second = order(batches), order(batches)
    assert first != second and sorted(first) == sorted(second)
    assert first == order(data.batches(4, seed=0)) and second == order(data.batches(4, seed=0, epoch=1))
    assert first != order(data.batches(4, seed=1))


@pytest.mark.parametrize("seed", [None, 3])
def test_windows_are_filled_up_with_zeros(data, seed):
    found = list(data.batches(3, window=4, seed=seed, pool_bytes=1))
    assert len(found) == -(-sum(-(-n // 4) for n in LENGTHS) // 3)
    for b in found:
        assert b["observations"]["n"].shape[1:] == (5, 1) and b["rewards"].shape[1:] == (4,)
        first = b["observations"]["n"][:, 0, 0]
        wanted = (first[:, None] + np.arange(4)) * b["mask"]
        assert (b["rewards"] == wanted).all()
        assert (b["terminated"].sum(1) <= 1).all() and not (b["terminated"] & ~b["mask"]).any()
    assert sorted(np.concatenate([b["rewards"][b["mask"]] for b in found]).tolist()) == steps()
    assert sum(b["terminated"].sum() for b in found) == np.count_nonzero(LENGTHS)


def test_shards_share_the_work(data):
    parts = [
        [x for b in data.batches(4, seed=5, shard=(k, 3)) for x in b["rewards"].tolist()] for k in range(3)
    ]
    assert all(parts) and sorted(x for part in parts for x in part) == steps()


def test_drop_last(data):
    assert {len(b["rewards"]) for b in data.batches(5, seed=0, drop_last=True)} == {5}


def test_lookbacks_are_no_steps(tmp_path):
    with EpisodeWriter(tmp_path) as writer:
        writer.add(counted(9, 0).slice(slice(4, None), len_lookback_buffer=3))
    (batch,) = EpisodeDataset(tmp_path).batches(50)
    assert batch["rewards"].tolist() == [4, 5, 6, 7, 8]


@pytest.mark.parametrize("options", [{"size": 0}, {"size": 1, "window": 0}, {"size": 1, "shard": (2, 2)}])
def test_options_that_make_no_sense(data, options):
    with pytest.raises(ValueError, match="or more|from 0 to"):
        data.batches(**options)
