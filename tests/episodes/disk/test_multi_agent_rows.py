"""Episodes of several agents on disk."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.engine import World
from gridarium.episodes.multi_agent import MultiAgentEpisode
from gridarium.episodes.recording import BatchRecorder
from gridarium.worlds import Description, find

from .making import plain, same

pytest.importorskip("pyarrow")
from gridarium.episodes.disk import EpisodeDataset, EpisodeWriter
from gridarium.episodes.disk.index import SKIPPED, runs_of_steps, steps_of_runs


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


def test_blocks_come_back_as_what_was_recorded(tmp_path):
    description = find("TwoAgents-Empty-8x8").to_dict() | {"shape": [5, 5], "time_limit": 30}
    world = World(Description.from_dict(description), compiled=False)
    recorder, luck = BatchRecorder(world.batch(4)), np.random.default_rng(0)
    recorder.reset(seed=0)
    blocks = []
    for lookback in (0, 2, 0):
        for _ in range(45):
            recorder.step(luck.integers(0, 3, (4, 2)), {"logp": luck.random((4, 2))})
        blocks.append(recorder.take(ongoing=True, lookback=lookback))
    with EpisodeWriter(tmp_path) as writer:
        writer.add(blocks)
        writer.add(blocks[0].labelled("random", [{"seed": k} for k in range(len(blocks[0]))]))
        writer.add(list(blocks[1]))
    data = EpisodeDataset(tmp_path)
    written = [e for block in blocks for e in block]
    count = len(blocks[0])
    assert len(data) == len(written) + count + len(blocks[1]) and len(data.header.streams) == 1
    assert data.lengths[: len(written)].tolist() == [len(e) for e in written]
    assert data.returns[: len(written)] == pytest.approx([e.get_return() for e in written])
    for mine, its in zip(written, data, strict=False):
        assert metadata(mine) == metadata(its)
        for agent, own in mine.agent_episodes.items():
            other = its.agent_episodes[agent]
            assert plain(own.get_observations()) == plain(other.get_observations())
            assert plain(own.get_extra_model_outputs("logp")) == plain(other.get_extra_model_outputs("logp"))
    assert data.catalog.texts("module")[len(written) : len(written) + count] == ["random"] * count
    assert data[len(written) + 1].custom_data == {"seed": 1}


@pytest.mark.parametrize("agents", ["together", "apart"])
def test_a_policy_is_named_without_touching_custom_data(agents):
    recorder = BatchRecorder(World("TwoAgents-Empty-8x8", compiled=False).batch(2), agents=agents)
    recorder.reset(seed=0)
    recorder.step(np.zeros((2, 2), np.int64))
    block = recorder.take(ongoing=True)
    known = block.labelled("random", [{"seed": k} for k in range(len(block))])
    renamed = known.labelled("idle")
    assert (
        [e.custom_data for e in renamed] == [e.custom_data for e in known] != [e.custom_data for e in block]
    )
    parts = renamed.parts if agents == "together" else renamed
    assert [part.module_id for part in parts] == ["idle"] * len(parts)


def metadata(episode):
    """What is known of an episode and of the steps of its agents."""
    steps = {agent: episode.env_t_to_agent_t[agent].data for agent in episode.agent_episodes}
    return episode.id_, episode.env_t_started, episode.is_terminated, episode.is_truncated, steps


@pytest.mark.parametrize("lookback", [0, 1, 2, 3, "auto"])
def test_steps_before_the_first_are_kept(tmp_path, lookback):
    written = [
        MultiAgentEpisode(
            name,
            observations=[{"a": t, "b": 2 * t} if t % 3 or late == 0 else {"a": t} for t in range(4)],
            actions=[{"a": t, "b": 1} if t % 3 or late == 0 else {"a": t} for t in range(3)],
            rewards=[{"a": float(t), "b": 0.5} if t % 3 or late == 0 else {"a": 1.0} for t in range(3)],
            len_lookback_buffer=lookback,
            env_t_started=late,
        )
        for late, name in enumerate(["both", "late"])
    ]
    with EpisodeWriter(tmp_path) as writer:
        writer.add(written)
    for mine, its in zip(written, EpisodeDataset(tmp_path), strict=True):
        assert metadata(mine) == metadata(its) and len(mine) == len(its)
        for agent, own in mine.agent_episodes.items():
            other, steps = its.agent_episodes[agent], its.env_t_to_agent_t[agent]
            assert steps.lookback == mine.env_t_to_agent_t[agent].lookback
            assert same(own, other)


@given(
    st.lists(
        st.one_of(st.just(SKIPPED), st.integers(-6, 9)), unique_by=lambda s: object() if s == SKIPPED else s
    )
)
def test_any_steps_come_back_from_their_runs(steps):
    assert list(steps_of_runs(*runs_of_steps(steps))) == steps


def test_runs_of_the_first_versions_can_be_read():
    assert list(steps_of_runs([[0, 3], [-1, 2], [3, 1]])) == [-1, 0, 1, SKIPPED, SKIPPED, 2]
    assert runs_of_steps([-1, 0, 1, SKIPPED, SKIPPED, 2]) == [
        [[0, 3], [-1, 2], [3, 1]]
    ]  # which these can read


def test_chunks_are_found_whatever_their_order(tmp_path):
    whole = MultiAgentEpisode(
        "walk",
        observations=[{"a": t} for t in range(7)],
        actions=[{"a": t} for t in range(6)],
        rewards=[{"a": float(t)} for t in range(6)],
        len_lookback_buffer=0,
    )
    with EpisodeWriter(tmp_path) as writer:
        writer.add([whole[4:6], whole[0:2], whole[2:4]])
    found = EpisodeDataset(tmp_path).find("walk")
    assert metadata(found)[1:] == metadata(whole)[1:] and found.get_return() == whole.get_return() == 15
    assert plain(found.get_observations()) == {"a": list(range(7))}
