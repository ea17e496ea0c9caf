"""Files that are none of ours, damaged, or of another version, are told from each other."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .making import episode
from .test_multi_agent_rows import walk

pytest.importorskip("pyarrow")
import pyarrow as pa
import pyarrow.parquet as pq

from gridarium.engine import Recorder, World
from gridarium.episodes.disk import DatasetError, EpisodeDataset, EpisodeWriter
from gridarium.episodes.disk.write_buffer import HEADER_KEY


@pytest.fixture
def folder(tmp_path):
    with EpisodeWriter(tmp_path, world={"name": "Hall"}) as writer:
        writer.add([episode(n, f"e{n}") for n in (4, 5)])
    return tmp_path


def index_of(folder):
    return next(folder.glob("*.episodes.parquet"))


def with_header(folder, change):
    path = index_of(folder)
    table = pq.read_table(path)
    header = json.loads(table.schema.metadata[HEADER_KEY])
    change(header)
    pq.write_table(table.replace_schema_metadata({HEADER_KEY: json.dumps(header)}), path)


def with_column(folder, name, values):
    path = index_of(folder)
    table = pq.read_table(path)
    place = table.schema.get_field_index(name)
    pq.write_table(
        table.set_column(place, table.schema.field(place), pa.array(values, table.schema.types[place])), path
    )


@pytest.mark.parametrize(
    ("version", "told"),
    [
        (3, r"a newer Gridarium \(9\.0\) wrote it, in format 3.*update"),
        (0, "has no version"),
        ("1", "has no version"),
    ],
)
def test_other_versions(folder, version, told):
    with_header(folder, lambda header: header.update(version=version, library="9.0"))
    with pytest.raises(DatasetError, match=told):
        len(EpisodeDataset(folder))
    with pytest.raises(DatasetError, match=told):
        EpisodeWriter(folder)


@pytest.mark.parametrize("keep", [0, 3, 100, -1, -9])
@pytest.mark.parametrize("kind", ["episodes", "steps-0"])
def test_truncated_files(folder, keep, kind):
    path = next(folder.glob(f"*.{kind}.parquet"))
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(DatasetError, match=f"{kind}.parquet: truncated, damaged, or not a Parquet file"):
        EpisodeDataset(folder)[0]


def test_a_missing_file(folder):
    next(folder.glob("*.steps-0.parquet")).unlink()
    with pytest.raises(DatasetError, match="the file is missing, though"):
        EpisodeDataset(folder)[0]


ELSEWHERE = "another file than the one that its index was written with"


def exchange(one, other):
    between = one.with_name("between")
    one.rename(between), other.rename(one), between.rename(other)


@pytest.mark.parametrize("kind", ["steps-0.parquet", "episodes.parquet"])
def test_files_of_one_form_that_were_exchanged(tmp_path, kind):
    for n in range(2):  # alike in all but what they hold
        with EpisodeWriter(tmp_path) as writer:
            writer.add(episode(5, f"e{n}", seed=n))
    exchange(*tmp_path.glob(f"*.{kind}"))
    data = EpisodeDataset(tmp_path)
    for _ in range(2):
        with pytest.raises(DatasetError, match=f"steps-0.parquet: {ELSEWHERE}"):
            data[0]
    with pytest.raises(DatasetError, match=ELSEWHERE):
        list(data.batches(2))
    with pytest.raises(DatasetError, match=ELSEWHERE):
        data.table()


def test_runs_that_were_exchanged(tmp_path):
    world = World("EmptyRandom-5x5", compiled=False)
    for seed in range(2):
        recorder = Recorder(world)
        recorder.reset(seed)
        recorder.step(0)
        with EpisodeWriter(tmp_path) as writer:
            writer.add_run(recorder.run(), world=world)
    assert len(list(EpisodeDataset(tmp_path))) == 2
    exchange(*tmp_path.glob("*.run"))
    with pytest.raises(DatasetError, match=f"run: {ELSEWHERE}"):
        EpisodeDataset(tmp_path)[0]


def test_the_first_format_which_had_no_checksums_is_read(folder):
    expected = [one.get_observations() for one in EpisodeDataset(folder)]
    with_header(folder, lambda header: (header.update(version=1), header.pop("files")))
    assert str([one.get_observations() for one in EpisodeDataset(folder)]) == str(expected)


def test_foreign_files(folder):
    (folder / "000000-notes.txt").write_text("not ours")
    pq.write_table(pa.table({"x": [1]}), folder / "other.parquet")
    assert len(EpisodeDataset(folder)) == 2
    pq.write_table(pa.table({"x": [1]}), folder / "000009-abcdef.episodes.parquet")
    with pytest.raises(DatasetError, match="no header of Gridarium's episodes"):
        len(EpisodeDataset(folder))


def test_rows_of_another_form(folder):
    path = next(folder.glob("*.steps-0.parquet"))
    pq.write_table(pq.read_table(path).drop_columns(["actions"]), path)
    with pytest.raises(DatasetError, match=r"there is no column actions of int64"):
        EpisodeDataset(folder)[0]


@pytest.mark.parametrize(
    ("name", "values", "told"),
    [
        ("steps", [-1, 5], "row 0 of the index cannot be right"),
        ("kind", [0, 7], "row 1 of the index cannot be right"),
        ("parent", [9, -1], "row 0 of the index cannot be right"),
        ("row", [0, 10**12], r"rows 10{12} to"),
        ("stream", [0, 40], "has no stream 40"),
        ("custom", ["[", None], "damaged data"),
    ],
)
def test_an_index_that_lies(folder, name, values, told):
    with_column(folder, name, values)
    with pytest.raises(DatasetError, match=told):
        list(EpisodeDataset(folder))


@pytest.mark.parametrize(
    "change",
    [
        lambda h: h.pop("streams"),
        lambda h: h["streams"][0].pop("actions"),
        lambda h: h["streams"][0]["actions"].update(dtype="O"),
        lambda h: h["streams"][0]["actions"].update(shape=[-3]),
        lambda h: h["streams"][0].update(spaces=[{"space": "nothing"}, None]),
        lambda h: h.update(agents={"": 5}),
        lambda h: h.update(world=3),
        lambda h: h.pop("files"),
        lambda h: h.update(files=3),
    ],
)
def test_a_damaged_header(folder, change):
    with_header(folder, change)
    with pytest.raises(DatasetError, match="its header is damaged|no column is"):
        list(EpisodeDataset(folder))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("state", ["[", None, None, None]),
        ("state", [json.dumps({"id_": "several"}), None, None, None]),
        ("agent", [None, '"a"', '"c"', None]),
        ("parent", [-1, 0, 3, -1]),
    ],
)
def test_an_episode_of_several_agents_that_lies(tmp_path, name, values):
    with EpisodeWriter(tmp_path) as writer:
        writer.add([walk("several"), episode(2, "single")])
    assert len(list(EpisodeDataset(tmp_path))) == 2
    with_column(tmp_path, name, values)
    with pytest.raises(DatasetError, match="damaged"):
        list(EpisodeDataset(tmp_path))


@settings(max_examples=60, deadline=None)
@given(
    place=st.floats(0, 1, exclude_max=True),
    value=st.integers(0, 255),
    kind=st.sampled_from(["episodes", "steps-0"]),
)
def test_any_changed_byte_gives_data_or_a_clear_error(tmp_path_factory, place, value, kind):
    folder = tmp_path_factory.mktemp("data")
    with EpisodeWriter(folder) as writer:
        writer.add([episode(3), walk("several")])
    path = next(folder.glob(f"*.{kind}.parquet"))
    data = bytearray(path.read_bytes())
    data[int(place * len(data))] = value
    path.write_bytes(data)
    try:
        assert all(len(one) >= 0 for one in EpisodeDataset(folder))
    except DatasetError as error:
        assert str(folder) in str(error)
