"""Episodes of several agents on disk."""

import numpy as np
import pytest

from gridarium.episodes.multi_agent import MultiAgentEpisode

from .making import plain

pytest.importorskip("pyarrow")
from gridarium.episodes.disk import EpisodeDataset, EpisodeWriter


def walk(name):
    """Agents of two forms, with skipped steps, and an action and a reward that hang."""
    made = MultiAgentEpisode(name)
    made.add_env_reset(observations={"a": 0, "b": np.zeros(2)}, infos={"a": {"first": 1}})
    made.add_env_step({"a": 1}, {"a": 5, "b": 0.5}, {"a": 1.0, "b": 0.25})
    made.add_env_step({"a": 2, "b": np.ones(2)}, {"a": 6}, {"a": 2.0, "b": 0.5})
    made.add_env_step({"b": np.ones(2) * 2}, {"a": 7, "b": 1.5}, {"a": 4.0, "b": 8.0})
    made.custom_data["seed"] = 3
    return made


def test_they_come_back_as_they_were(tmp_path):
    written = [walk("one"), walk("two")]
    with EpisodeWriter(tmp_path) as writer:
        writer.add(written)
    data = EpisodeDataset(tmp_path)
    assert data.ids == ["one", "two"] and data.lengths.tolist() == [3, 3] and len(data.header.streams) == 2
    for a, b in zip(written, data, strict=True):
        assert isinstance(b, MultiAgentEpisode) and (b.env_t, len(b), b.custom_data) == (3, 3, {"seed": 3})
        for agent in "ab":
            assert a.env_t_to_agent_t[agent].data == b.env_t_to_agent_t[agent].data
            mine, its = a.agent_episodes[agent], b.agent_episodes[agent]
            assert plain(mine.get_observations()) == plain(its.get_observations())
            assert (
                plain(mine.get_rewards()) == plain(its.get_rewards()) and mine.get_infos() == its.get_infos()
            )
        assert b.get_return(include_hanging_rewards=True) == a.get_return(include_hanging_rewards=True)
        b.add_env_step({"a": 3}, {"b": 0.1}, {"a": 0.5, "b": 1.0}, terminateds={"__all__": True})
        assert b.agent_episodes["a"].get_rewards(-1) == 4.5 and b.is_terminated


def test_one_that_does_not_fit_leaves_no_trace(tmp_path):
    from gridarium.episodes import EpisodeError

    from .making import episode

    odd = walk("odd")
    odd.agent_episodes["b"].infos[0] = {"x": object()}
    with EpisodeWriter(tmp_path) as writer:
        with pytest.raises(EpisodeError, match="infos\\['x'\\]"):
            writer.add([walk("fits"), odd])
        writer.add(episode(2, "single"))
    data = EpisodeDataset(tmp_path)
    assert data.ids == ["single"] and len(data.header.streams) == 1


def test_single_ones_and_they_lie_side_by_side(tmp_path):
    from .making import episode

    with EpisodeWriter(tmp_path) as writer:
        writer.add([episode(3, "single"), walk("several"), episode(2, "last")])
    data = EpisodeDataset(tmp_path)
    assert data.ids == ["single", "several", "last"] and len(data[2]) == 2 and len(data[1]) == 3
    assert plain(data.read(1, 0, 2).get_rewards()) == plain(walk("several")[0:2].to_numpy().get_rewards())
