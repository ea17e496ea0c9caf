"""The files of a folder of episodes, opened when they are read, and the catalog of all episodes in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.disk import part_reader
from gridarium.episodes.disk.arrow_tables import INFOS, pa
from gridarium.episodes.disk.header import Header, Stream
from gridarium.episodes.disk.index import SCHEMA, STEPS, RowKind, numbers, steps_of_runs
from gridarium.episodes.disk.json_values import from_json
from gridarium.episodes.disk.part_reader import ArrayCache, StepsFile
from gridarium.episodes.disk.parts import INDEX, checksum, find_parts, has_only_parts, steps_kind
from gridarium.episodes.errors import DatasetError, EpisodeError
from gridarium.episodes.multi_agent import MultiAgentEpisode
from gridarium.episodes.recording.episode_block import EpisodeMetadata, make_episode
from gridarium.episodes.recording.schema import EpisodeSchema
from gridarium.episodes.single_agent_episode import SingleAgentEpisode


@dataclass(frozen=True)
class CatalogEntry:
    """A row of the catalog: what is known of one episode; see `gridarium.episodes.disk.index.TYPES`.

    Attributes:
        catalog_row: its row in the catalog.
        part: the number of its part.
    """

    catalog_row: int
    part: int
    id: str
    kind: int
    steps: int
    return_: float
    terminated: bool
    truncated: bool
    t_started: int
    lookback: int
    agent: Any
    module: str | None
    group: Any
    stream: int
    row: int
    replay: int
    custom: dict[str, Any]
    state: str | None

    @property
    def rows(self) -> int:
        """The number of rows: one for each observation."""
        return self.lookback + self.steps + 1

    @property
    def is_multi_agent(self) -> bool:
        """True if it is an episode of several agents."""
        return self.kind == RowKind.MULTI_AGENT


@dataclass(frozen=True, eq=False)
class Catalog:
    """All rows of all indices.

    Attributes:
        table: the rows, as an Arrow table.
        part: int64[rows]: the number of the part of each.
        episode_rows: int64[n]: the rows that are episodes, and not an agent's part of one.
    """

    table: Any
    part: npt.NDArray[np.int64]
    episode_rows: npt.NDArray[np.int64]

    @staticmethod
    def read(folder: Path, stems: Sequence[str]) -> Catalog:
        """Read all indices.

        Raises:
            DatasetError: one is damaged.
        """
        tables = []
        for stem in stems:
            table = part_reader.index_of(folder, stem)
            _check(table, folder / (stem + INDEX))
            tables.append(table)
        part = np.repeat(np.arange(len(tables)), np.array([len(table) for table in tables], np.int64))
        table = pa.concat_tables([SCHEMA.empty_table(), *tables]).combine_chunks()
        return Catalog(table, part, np.flatnonzero(numbers(table, "kind") != RowKind.MEMBER))

    def numbers(self, name: str) -> npt.NDArray[Any]:
        """Return a column of numbers of the episodes."""
        return numbers(self.table, name)[self.episode_rows]

    def texts(self, name: str) -> list[Any]:
        """Return a column of texts of the episodes; None where there is none."""
        texts: list[Any] = self.table.column(name).take(self.episode_rows).to_pylist()
        return texts

    def members(self, entry: CatalogEntry) -> list[CatalogEntry]:
        """Return the agents' own episodes of an episode of several agents."""
        owners, places = self._owned
        first, end = np.searchsorted(owners, [entry.catalog_row, entry.catalog_row + 1])
        return [self.entry(place) for place in places[first:end].tolist()]

    @cached_property
    def named(self) -> dict[str, list[int]]:
        """The numbers of the episodes with each id: those of its chunks, in the order in which they were written."""
        found: dict[str, list[int]] = {}
        for i, id_ in enumerate(self.texts("id")):
            found.setdefault(id_, []).append(i)
        return found

    @cached_property
    def _firsts(self) -> npt.NDArray[np.int64]:
        """int64[parts]: the row with which each part begins."""
        return np.searchsorted(self.part, np.arange(int(self.part.max(initial=-1)) + 1))

    @cached_property
    def _owned(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """int64[members] twice, sorted: the row of the episode that each belongs to, and its own."""
        parents = numbers(self.table, "parent")
        places = np.flatnonzero(parents >= 0)
        owners = parents[places] + self._firsts[self.part[places]]
        order = np.argsort(owners, kind="stable")
        return owners[order], places[order]

    def entry(self, row_number: int) -> CatalogEntry:
        """Return the entry in a row."""
        row = self.table.slice(row_number, 1).to_pylist()[0]
        part = int(self.part[row_number])
        return CatalogEntry(
            catalog_row=row_number,
            part=part,
            agent=None if row["agent"] is None else from_json(row["agent"]),
            group=None if row["group"] is None else from_json(row["group"]),
            custom=from_json(row["custom"] or ""),
            return_=row["return"],
            **{name: row[name] for name in _TAKEN},
        )


_TAKEN = (
    "id", "kind", "steps", "terminated", "truncated", "t_started", "lookback", "module", "stream", "row", "replay",
    "state",
)  # fmt: skip


def _check(table: Any, path: Path) -> None:
    """Check that the numbers of an index are valid."""
    columns = {
        name: numbers(table, name) for name in ("kind", "steps", "lookback", "row", "parent", "stream")
    }
    kinds = np.isin(columns["kind"], [*RowKind])
    wrong = ~kinds | (columns["steps"] < 0) | (columns["lookback"] < 0) | (columns["row"] < 0)
    wrong |= (columns["parent"] >= len(table)) | (
        (columns["kind"] == RowKind.MEMBER) != (columns["parent"] >= 0)
    )
    if wrong.any():
        raise DatasetError(f"{path}: row {int(np.flatnonzero(wrong)[0])} of the index cannot be right")


class DatasetFiles:
    """A folder of episodes: a catalog, and files of rows. What was read once is cached.

    Args:
        path: the folder.
        allow_imports: whether recorded runs may import modules that their worlds name, which runs their code.

    Raises:
        DatasetError: no such folder, other files than episodes in it, or a format that this version does not read. A folder
            to which nothing was written yet has no episodes.

    Attributes:
        stems: the beginning of the names of the files of each part.
    """

    def __init__(self, path: str | Path, *, allow_imports: bool = False) -> None:
        self.path, self.allow_imports = Path(path), allow_imports
        if not self.path.is_dir():
            exists = self.path.exists()
            reason = "this is a file; episodes lie in a folder" if exists else "there is no such folder"
            raise DatasetError(f"{path}: {reason}")
        self.stems = find_parts(self.path)
        if not self.stems and not has_only_parts(self.path):
            raise DatasetError(f"{path}: there are no episodes in this folder, but other files")
        self._clear_caches()

    def _clear_caches(self) -> None:
        self._cache = ArrayCache()
        self._files: dict[tuple[int, int], StepsFile] = {}
        self._headers: dict[int, Header] = {}
        self._read: dict[Path, Any] = {}
        self.__dict__.pop("catalog", None)

    def cached(self, path: Path, read: Callable[[Path], Any]) -> Any:
        """Return the result of `read` for a file; it is called once."""
        if path not in self._read:
            self._read[path] = read(path)
        return self._read[path]

    def refresh(self) -> None:
        """Read the list of parts again, to see what has been added."""
        self.stems = find_parts(self.path)
        self._clear_caches()

    def __reduce__(self) -> Any:
        return _reopen, (self.path, self.allow_imports, self.stems)

    @cached_property
    def catalog(self) -> Catalog:
        """The indices of all parts: what is known of episodes without reading their steps."""
        return Catalog.read(self.path, self.stems)

    @property
    def header(self) -> Header:
        """The header of the latest part."""
        return self._header(len(self.stems) - 1) if self.stems else Header(())

    def read_episode(
        self, entry: CatalogEntry, start: int = 0, rows: int | None = None, lookback: int | None = None
    ) -> SingleAgentEpisode:
        """Return the episode of one agent, or some of its rows, of which the first `lookback` are history."""
        stream = self._stream(entry.part, entry.stream)
        file = self.steps_file(entry.part, entry.stream)
        first = entry.row + start
        read = file.rows(first, first + (entry.rows if rows is None else rows))
        texts = read.pop(INFOS, None)
        infos = None if texts is None else [from_json(text) for text in texts]
        history = entry.lookback if lookback is None else lookback
        last = start + len(read["rewards"]) == entry.rows
        metadata = EpisodeMetadata(
            ids=[entry.id],
            t_started=np.array([entry.t_started - entry.lookback + start + history]),
            lookback=np.array([history]),
            terminated=np.array([entry.terminated and last]),
            truncated=np.array([entry.truncated and last]),
            agents=[entry.agent],
            modules=[entry.module],
            groups=[entry.group],
            custom=[entry.custom],
        )
        return make_episode(stream.schema, metadata, 0, read, infos, stream.spaces)

    def steps_file(self, part: int, stream: int) -> StepsFile:
        """Return the file of rows of a part and a stream."""
        key = part, stream
        if key not in self._files:
            schema = self._stream(part, stream).schema
            file = StepsFile(self.path_of(part, steps_kind(stream)), schema, self._cache)
            self.check_file(part, steps_kind(stream))
            self._files[key] = file
        return self._files[key]

    def path_of(self, part: int, kind: str) -> Path:
        """Return a file of a part; `kind` is the end of its name."""
        return self.path / (self.stems[part] + kind)

    def check_file(self, part: int, kind: str) -> None:
        """Check that a file is the one that the part was written with.

        Raises:
            DatasetError: it is not.
        """
        known, path = self._header(part).files, self.path_of(part, kind)
        with part_reader.reading(path):
            if known is not None and known.get(kind) != checksum(path):
                raise DatasetError(
                    "another file than the one that its index was written with; put that one back in its place"
                )

    def schema_of(self, part: int, stream: int) -> EpisodeSchema:
        """Return the schema of a file of rows."""
        return self._stream(part, stream).schema

    def _header(self, part: int) -> Header:
        if part not in self._headers:
            self._headers[part] = part_reader.header_of(self.path, self.stems[part])
        return self._headers[part]

    def _stream(self, part: int, stream: int) -> Stream:
        streams = self._header(part).streams
        if not 0 <= stream < len(streams):
            raise DatasetError(f"{self.path}: part {self.stems[part]} has no stream {stream}")
        return streams[stream]


def _reopen(path: Path, allow_imports: bool, stems: list[str]) -> DatasetFiles:
    files = DatasetFiles(path, allow_imports=allow_imports)
    files.stems = stems
    return files


def load_multi_agent(files: DatasetFiles, entry: CatalogEntry) -> MultiAgentEpisode:
    """Return the episode of several agents of a row.

    Raises:
        DatasetError: something about it is damaged.
    """
    state = from_json(entry.state or "")
    try:
        members = {entry.agent: files.read_episode(entry) for entry in files.catalog.members(entry)}
        frame = {key: dict(value) if isinstance(value, list) else value for key, value in state.items()}
        steps = {}
        for agent, (lookback, runs, *base) in frame[STEPS].items():
            if agent not in members and any(first >= 0 for first, _ in runs):
                raise EpisodeError(f"the part of agent {agent!r} is missing")
            steps[agent] = InfiniteLookbackBuffer(list(steps_of_runs(runs, *base)), lookback)
        episode = MultiAgentEpisode.from_frame(
            frame,
            members,
            steps,
            observation_space={a: e.observation_space for a, e in members.items() if e.observation_space},
            action_space={a: e.action_space for a, e in members.items() if e.action_space},
        )
        episode.custom_data.update(entry.custom)
        return episode
    except (AttributeError, LookupError, TypeError, ValueError, EpisodeError) as error:
        raise DatasetError(f"{files.path}: episode {entry.id} is damaged: {error}") from error
