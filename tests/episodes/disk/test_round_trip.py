"""What is written is what is read."""

import os
import pickle

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridarium.episodes import EpisodeError, SingleAgentEpisode
from gridarium.episodes.recording import block_of

from .making import episode, plain, same

pytest.importorskip("pyarrow")
from gridarium.episodes.disk import DatasetError, EpisodeDataset, EpisodeWriter, leftovers


def test_episodes_come_back_as_they_were(tmp_path):
    written = [episode(n, f"e{n}", seed=n) for n in (3, 1, 0, 17)]
    written[1].custom_data["note"] = {"tuple": (1, 2), "array": np.arange(3)}
    with EpisodeWriter(tmp_path) as writer:
        writer.add(written)
    data = EpisodeDataset(tmp_path)
    assert len(data) == 4 and all(map(same, written[:1], data[:1])) and data.ids == ["e3", "e1", "e0", "e17"]
    assert all(same(a, b) for a, b in zip(written, data) if a.id_ != "e1")
    assert plain(data[1].custom_data) == plain(written[1].custom_data)
    assert isinstance(data[1].custom_data["note"]["tuple"], tuple)
    assert np.allclose(
        data[3].get_extra_model_outputs("values"), np.stack(written[3].get_extra_model_outputs("values"))
    )


def test_one_by_one_or_all_at_once_is_the_same(tmp_path):
    written = [episode(n, f"e{n}", seed=n) for n in (1, 0, 2, 5)]
    with EpisodeWriter(tmp_path / "a") as writer:
        for one in written:
            writer.add(one)
    with EpisodeWriter(tmp_path / "b") as writer:
        writer.add(block_of(written))
    pairs = zip(EpisodeDataset(tmp_path / "a"), EpisodeDataset(tmp_path / "b"), strict=True)
    assert all(same(a, b) for a, b in pairs)


@settings(max_examples=20, deadline=None)
@given(
    lengths=st.lists(st.integers(0, 30), min_size=1, max_size=6),
    flushes=st.sets(st.integers(0, 5)),
    window=st.tuples(st.integers(-35, 35), st.integers(-35, 35), st.integers(0, 5)),
)
def test_any_window_is_the_slice_of_the_whole(tmp_path_factory, lengths, flushes, window):
    folder = tmp_path_factory.mktemp("data")
    written = [episode(n, f"e{i}", seed=i) for i, n in enumerate(lengths)]
    with EpisodeWriter(folder) as writer:
        writer.add(episode(1))  # tells what the columns are
        for i, one in enumerate(written):
            writer.add(one)
            if i in flushes:
                writer.flush()
    data = EpisodeDataset(folder)
    start, stop, lookback = window
    for i, one in enumerate(written):
        part = data.read(i + 1, start, stop, lookback=lookback)
        wanted = one.slice(slice(start, stop), len_lookback_buffer=lookback)
        assert same(part, wanted)


def test_chunks_are_joined_when_asked_for(tmp_path):
    whole = episode(20, "long", infos=False)
    with EpisodeWriter(tmp_path) as writer:
        for start in (0, 7, 14):
            writer.add(whole.slice(slice(start, start + 7), len_lookback_buffer=min(start, 3)))
    data = EpisodeDataset(tmp_path)
    assert [len(chunk) for chunk in data] == [7, 7, 6] and data[1].rewards.lookback == 3
    assert data[2].t_started == 14 and data[2].is_done and not data[1].is_done
    assert same(data.find("long"), whole)
    with pytest.raises(KeyError, match="short"):
        data.find("short")


def test_returns_leave_out_the_lookback(tmp_path):
    chunk = episode(9, lookback=4)
    with EpisodeWriter(tmp_path) as writer:
        writer.add(chunk)
    assert EpisodeDataset(tmp_path).returns == pytest.approx(chunk.get_return())


def test_spaces_the_world_and_metadata_lie_inside(tmp_path):
    spaces = {
        "observation_space": gym.spaces.Dict(
            a=gym.spaces.Box(-np.inf, 1, (2,)), b=gym.spaces.Discrete(3, start=1)
        ),
        "action_space": gym.spaces.MultiDiscrete([2, 3]),
    }
    made = SingleAgentEpisode(**spaces)
    made.add_env_reset({"a": np.zeros(2, np.float32), "b": 2})
    made.add_env_step({"a": np.ones(2, np.float32), "b": 3}, np.array([1, 2]), 0.5)
    with EpisodeWriter(tmp_path, world={"name": "Hall"}, metadata={"by": ["me"]}) as writer:
        writer.add(made)
    data = EpisodeDataset(tmp_path)
    assert (data.observation_space, data.action_space) == tuple(spaces.values())
    assert data.world == {"name": "Hall"} and data.metadata == {"by": ["me"]}
    data[0].validate(spaces=True)
    with pytest.raises(EpisodeError, match=r"another world \(Hall\)"):
        EpisodeWriter(tmp_path, world={"name": "Cellar"})
    with pytest.raises(EpisodeError, match=r"\(Hall too, but not the same in shape, time_limit\)"):
        EpisodeWriter(tmp_path, world={"name": "Hall", "shape": [3, 3], "time_limit": 9})


def test_what_is_there_stays_when_more_is_added(tmp_path):
    for n in (2, 3):
        with EpisodeWriter(tmp_path, metadata={f"kept {n}": n}) as writer:
            writer.add(episode(n))
    data = EpisodeDataset(tmp_path)
    assert data.lengths.tolist() == [2, 3] and data.metadata == {"kept 2": 2, "kept 3": 3}
    with EpisodeWriter(tmp_path) as writer:
        writer.add(episode(4))
    assert len(data) == 2
    data.refresh()
    assert data.lengths.tolist() == [2, 3, 4]


def test_the_index_is_enough_for_lengths(tmp_path):
    with EpisodeWriter(tmp_path) as writer:
        writer.add([episode(n) for n in (4, 5)])
    for path in tmp_path.glob("*.steps-*"):
        path.write_bytes(b"")
    data = EpisodeDataset(tmp_path)
    assert (len(data), data.steps, data.lengths.tolist()) == (2, 9, [4, 5])
    with pytest.raises(DatasetError, match=r"steps-0\.parquet: truncated"):
        data[0]


def test_other_processes_see_what_this_one_sees(tmp_path):
    with EpisodeWriter(tmp_path) as writer:
        writer.add([episode(n, f"e{n}") for n in (4, 5)])
    data = EpisodeDataset(tmp_path)
    kept = pickle.dumps(data)
    with EpisodeWriter(tmp_path) as writer:
        writer.add(episode(6))
    assert len(kept) < 1000 and same(pickle.loads(kept)[1], data[1]) and len(pickle.loads(kept)) == 2


def test_the_rows_are_an_arrow_table_for_everybody(tmp_path):
    with EpisodeWriter(tmp_path) as writer:
        writer.add(episode(4, infos=False))
    table = EpisodeDataset(tmp_path).table()
    names = [
        "observations.view",
        "observations.pose.0",
        "observations.pose.1",
        "observations.word",
        "actions",
    ]
    assert table.column_names[:5] == names and len(table) == 5
    assert np.shape(table.column("observations.view").to_pylist()) == (5, 2, 3)


def test_infos_that_come_late_are_kept(tmp_path):
    with EpisodeWriter(tmp_path) as writer:
        writer.add(episode(4, "plain", infos=False))
        writer.add(episode(4, "told", infos=True))
    data = EpisodeDataset(tmp_path)
    assert data[0].get_infos() == [{}] * 5 and data[1].get_infos(0) == {"first": True}


@pytest.mark.parametrize(
    "value", [{"!": 1}, {"a": [1, (2, b"x"), None, np.float32(0.1)]}, {"n": 10**30, "f": 1e-300}]
)
def test_infos_come_back_with_their_types(tmp_path, value):
    made = SingleAgentEpisode()
    made.add_env_reset(0, value)
    made.add_env_step(1, 0, 1.0)
    with EpisodeWriter(tmp_path) as writer:
        writer.add(made)
    assert repr(EpisodeDataset(tmp_path)[0].get_infos(0)) == repr(value)


def test_what_json_cannot_hold_is_refused_and_nothing_is_added(tmp_path):
    bad = SingleAgentEpisode()
    bad.add_env_reset(0.5, {"deep": [{"x": object()}]})
    bad.add_env_step(1.5, 1, 0.0)
    with EpisodeWriter(tmp_path) as writer:
        with pytest.raises(EpisodeError, match=r"infos\['deep'\]\[0\]\['x'\]: object cannot be written"):
            writer.add([bad])
        other = SingleAgentEpisode(observations=[1.5, 2.5], actions=[1], rewards=[0.0], len_lookback_buffer=0)
        writer.add(other)
    assert len(EpisodeDataset(tmp_path)) == 1


@pytest.mark.parametrize(
    ("items", "told"),
    [
        ([np.zeros(3), np.zeros(3)], r"observations: items have the shape \(3,\)"),
        ([np.zeros(2), np.zeros(2)], "do not fit into the column, which is float32"),
        ([{"a": np.zeros(2, np.float32)}] * 2, "observations"),
    ],
)
def test_items_that_do_not_fit_are_named(tmp_path, items, told):
    def made(items):
        return SingleAgentEpisode(
            "odd", observations=items, actions=[1], rewards=[0.0], len_lookback_buffer=0
        )

    with EpisodeWriter(tmp_path) as writer:
        writer.add(made([np.zeros(2, np.float32)] * 2))
        with pytest.raises(EpisodeError, match=told) as caught:
            writer.add([made([np.ones(2, np.float32)] * 2), made(items)])
        assert "episode odd" in str(caught.value)
    assert len(EpisodeDataset(tmp_path)) == 1


def test_numbers_too_large_for_their_column_are_refused(tmp_path):
    with EpisodeWriter(tmp_path, action_space=gym.spaces.MultiBinary(1)) as writer:
        fits = SingleAgentEpisode(
            observations=[0, 1], actions=[np.array([1])], rewards=[0.0], len_lookback_buffer=0
        )
        writer.add(fits)
        with pytest.raises(EpisodeError, match="actions: values of type int64 do not fit"):
            writer.add(
                SingleAgentEpisode(
                    observations=[0, 1], actions=[np.array([300])], rewards=[0], len_lookback_buffer=0
                )
            )


def test_a_closed_writer_takes_nothing(tmp_path):
    writer = EpisodeWriter(tmp_path)
    writer.close()
    with pytest.raises(EpisodeError, match="closed"):
        writer.add(episode(1))
    with pytest.raises(EpisodeError, match="not str"):
        EpisodeWriter(tmp_path).add(["text"])
    assert len(EpisodeDataset(tmp_path)) == 0
    (tmp_path / "notes.txt").touch()
    with pytest.raises(DatasetError, match="no episodes in this folder, but other files"):
        EpisodeDataset(tmp_path)
    with pytest.raises(DatasetError, match="no such folder"):
        EpisodeDataset(tmp_path / "nowhere")
    assert not list(leftovers(tmp_path))


def test_metadata_that_is_no_plain_data_is_refused_at_once(tmp_path):
    with pytest.raises(EpisodeError, match="plain data"):
        EpisodeWriter(tmp_path, metadata={"x": object()})


def test_episodes_are_chosen_as_from_an_array(tmp_path):
    written = [episode(steps, str(steps)) for steps in (3, 1, 4, 2)]
    with EpisodeWriter(tmp_path) as writer:
        writer.add(written)

    def ids(chosen):
        return [e.id_ for e in chosen]

    for those in (EpisodeDataset(tmp_path), block_of(written)):
        assert those[np.int64(-1)].id_ == "2" and ids(those[1:3]) == ["1", "4"]
        assert ids(those[[2, 0]]) == ids(those[np.array([2, 0])]) == ["4", "3"]
        assert ids(those[those.lengths > 2]) == ["3", "4"] and those[[]] == []
        for wrong in (4, -5, [0, 4]):
            with pytest.raises(IndexError, match="there are 4 episodes"):
                those[wrong]
        for wrong in ("3", 1.0, None, [True], [[0]]):
            with pytest.raises(TypeError, match="chosen by ints"):
                those[wrong]


def test_a_file_is_no_folder(tmp_path):
    file = tmp_path / "k.run"
    file.write_text("")
    with pytest.raises(DatasetError, match="this is a file"):
        EpisodeDataset(file)
    with pytest.raises(NotADirectoryError, match="is a file"):
        EpisodeWriter(file)


@pytest.mark.parametrize("wrong", [3, "e1", {"obs": []}, [3]])
def test_only_episodes_can_be_added(tmp_path, wrong):
    with EpisodeWriter(tmp_path) as writer, pytest.raises(EpisodeError, match="can be added, not"):
        writer.add(wrong)


def test_metadata_that_changes_is_told_of(tmp_path):
    with EpisodeWriter(tmp_path, metadata={"seed": 1, "by": "me"}) as writer:
        writer.add(episode(1))
    with pytest.warns(UserWarning, match="the metadata 'seed' was 1 and is 2 from now on"):
        writer = EpisodeWriter(tmp_path, metadata={"seed": 2})
    writer.add(episode(1))
    writer.close()
    with EpisodeWriter(tmp_path, metadata={"seed": 2}) as writer:
        writer.add(episode(1))
    assert EpisodeDataset(tmp_path).metadata == {"seed": 2, "by": "me"}


def test_a_folder_in_which_nothing_was_written_yet_has_no_episodes(tmp_path):
    with EpisodeWriter(tmp_path / "new"):
        data = EpisodeDataset(tmp_path / "new")
        assert (len(data), data.steps, data.ids, list(data), data[:]) == (0, 0, [], [], [])
        assert (data.world, data.metadata, data.observation_space) == ({}, {}, None)
        assert len(data.index_table()) == len(data.returns) == 0
        assert len(pickle.loads(pickle.dumps(data))) == 0
        with pytest.raises(IndexError, match="there are 0 episodes"):
            data.read(0)
        with pytest.raises(KeyError, match="there is no episode 'a'"):
            data.find("a")
        with pytest.raises(DatasetError, match="there are no steps"):
            data.batches(8)
    with EpisodeWriter(tmp_path / "new") as writer:
        writer.add(episode(3))
    assert len(data) == 0
    data.refresh()
    assert data.lengths.tolist() == [3]


def test_a_folder_that_cannot_be_written_to_is_refused_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(
        os, "access", lambda path, mode: path != tmp_path
    )  # whoever runs this may write anywhere
    with pytest.raises(PermissionError, match="cannot be written to this folder"):
        EpisodeWriter(tmp_path)
