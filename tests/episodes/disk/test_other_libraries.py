"""Minari and PyTorch, where they are installed."""

import gymnasium as gym
import numpy as np
import pytest

pytest.importorskip("pyarrow")
from gridarium.episodes import EpisodeError, SingleAgentEpisode
from gridarium.episodes.disk import EpisodeDataset, EpisodeWriter
from gridarium.episodes.recording import EpisodeRecorder


@pytest.fixture
def data(tmp_path):
    with EpisodeWriter(tmp_path / "data") as writer:
        env = EpisodeRecorder(gym.make("CartPole-v1"), sink=writer.add)
        env.action_space.seed(0)
        for k in range(5):
            env.reset(seed=k)
            while not env.episode.is_done:
                env.step(env.action_space.sample())
    return EpisodeDataset(tmp_path / "data")


@pytest.mark.filterwarnings("ignore")
class TestMinari:
    @pytest.fixture(autouse=True)
    def minari(self, tmp_path, monkeypatch):
        pytest.importorskip("minari")
        monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))

    def test_episodes_go_there_and_come_back(self, data, tmp_path):
        from gridarium.episodes.disk import from_minari, to_minari

        there = to_minari(
            data, "gridarium/cart-v0", algorithm_name="random", author="me", data_format="arrow"
        )
        assert (there.total_episodes, there.total_steps) == (5, data.steps)
        with EpisodeWriter(tmp_path / "back") as writer:
            assert from_minari("gridarium/cart-v0", writer) == 5
        for a, b in zip(data, EpisodeDataset(tmp_path / "back"), strict=True):
            assert np.array_equal(a.get_observations(), b.get_observations())
            assert np.array_equal(a.get_actions(), b.get_actions()) and a.get_return() == b.get_return()
            assert (a.is_terminated, a.is_truncated) == (b.is_terminated, b.is_truncated)
            b.validate(spaces=True)

    def test_what_has_no_place_there_is_refused(self, tmp_path):
        from gridarium.episodes.disk import to_minari

        with EpisodeWriter(tmp_path / "plain") as writer:
            writer.add(
                SingleAgentEpisode(observations=[0, 1], actions=[0], rewards=[1.0], len_lookback_buffer=0)
            )
        with pytest.raises(EpisodeError, match="one space of observations"):
            to_minari(EpisodeDataset(tmp_path / "plain"), "gridarium/plain-v0")

    INFOS = {
        "number": (3, 0.5, np.float32(0.25), True),
        "array": (np.zeros(2), np.ones((2, 3), np.uint8), [1, 2]),
        "text": ("north",),
        "nested": ({"b": 1}, {"b": np.zeros(2)}, (1, 2.0)),
        "nothing": (None,),
    }
    IN_TABLES = frozenset({"number", "array", "text"})
    HELD = {"hdf5": {"number", "array", "nested"}, "arrow": IN_TABLES, "parquet": IN_TABLES}

    @pytest.mark.parametrize("data_format", HELD)
    @pytest.mark.parametrize("kind", INFOS)
    def test_infos_are_read_there_as_they_were_or_refused(self, tmp_path, kind, data_format):
        import minari

        from gridarium.episodes.disk import to_minari

        spaces = {"observation_space": gym.spaces.Discrete(5), "action_space": gym.spaces.Discrete(2)}
        for i, info in enumerate(self.INFOS[kind]):
            with EpisodeWriter(tmp_path / f"infos-{i}") as writer:
                infos = [{"a": info, "t": t} for t in range(3)]
                writer.add(
                    SingleAgentEpisode(
                        observations=[0, 1, 2],
                        actions=[0, 1],
                        rewards=[1.0] * 2,
                        infos=infos,
                        len_lookback_buffer=0,
                        **spaces,
                    )
                )
            data, name = EpisodeDataset(tmp_path / f"infos-{i}"), f"gridarium/infos{i}-v0"
            if kind not in self.HELD[data_format]:
                with pytest.raises(EpisodeError, match=r"infos that Minari cannot hold \('a' .*infos=False"):
                    to_minari(data, name, data_format=data_format)
                assert name not in minari.list_local_datasets()
                continue
            to_minari(data, name, data_format=data_format)
            (found,) = minari.load_dataset(name).iterate_episodes()
            assert found.infos["t"].tolist() == [0, 1, 2]
            if kind != "nested":
                assert np.array_equal(found.infos["a"], np.stack([info] * 3))
            elif isinstance(info, dict):
                assert np.array_equal(found.infos["a"]["b"], np.stack([info["b"]] * 3))


class TestTorch:
    @pytest.fixture(autouse=True)
    def torch(self):
        self.torch = pytest.importorskip("torch")

    @pytest.mark.parametrize("workers", [0, 2])
    def test_each_step_is_there_once(self, data, workers):
        from gridarium.episodes.disk import TorchBatches

        batches = TorchBatches(data, 16, seed=0)
        loader = self.torch.utils.data.DataLoader(batches, batch_size=None, num_workers=workers)
        found = self.torch.cat([b["observations"] for b in loader])
        wanted = np.concatenate([episode.get_observations(slice(0, -1)) for episode in data])
        assert sorted(found.tolist()) == sorted(wanted.tolist())
        assert len(batches) == -(-len(wanted) // 16) <= len([*loader])
        batches.set_epoch(1)
        again = self.torch.cat([b["observations"] for b in loader])
        assert again.tolist() != found.tolist() and sorted(again.tolist()) == sorted(found.tolist())

    def test_actions_are_such_as_gather_takes(self, tmp_path):
        from gridarium.episodes.disk import TorchBatches

        actions = [{"move": np.uint8(1), "push": np.float32(0.5)}]
        with EpisodeWriter(tmp_path) as writer:
            writer.add(
                SingleAgentEpisode(observations=[0, 1], actions=actions, rewards=[1.0], len_lookback_buffer=0)
            )
        found = next(iter(TorchBatches(EpisodeDataset(tmp_path), 1)))["actions"]
        assert found["move"].dtype is self.torch.int64 and found["push"].dtype is self.torch.float32
        assert self.torch.zeros(1, 3).gather(1, found["move"][:, None]).shape == (1, 1)
