"""The files of a folder of episodes, opened when they are read."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from gridarium.episodes.disk import part_reader
from gridarium.episodes.disk.arrow_tables import INFOS
from gridarium.episodes.disk.catalog import Catalog, CatalogEntry
from gridarium.episodes.disk.header import Header, Stream
from gridarium.episodes.disk.json_values import from_json
from gridarium.episodes.disk.part_reader import ArrayCache, StepsFile
from gridarium.episodes.disk.parts import checksum, find_parts, has_only_parts, steps_kind
from gridarium.episodes.errors import DatasetError
from gridarium.episodes.recording.episode_block import EpisodeMetadata, make_episode
from gridarium.episodes.recording.schema import EpisodeSchema
from gridarium.episodes.single_agent_episode import SingleAgentEpisode


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
        """What `read` returns for a file; it is called once."""
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
        """The episode of one agent, or some of its rows, of which the first `lookback` are history."""
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
        """The file of rows of a part and a stream."""
        key = part, stream
        if key not in self._files:
            schema = self._stream(part, stream).schema
            file = StepsFile(self.path_of(part, steps_kind(stream)), schema, self._cache)
            self.check_file(part, steps_kind(stream))
            self._files[key] = file
        return self._files[key]

    def path_of(self, part: int, kind: str) -> Path:
        """A file of a part; `kind` is the end of its name."""
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
        """The schema of a file of rows."""
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
