"""The files of a folder of episodes, opened when something of them is wanted."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from gridarium.episodes.disk import part_reader
from gridarium.episodes.disk.catalog import Catalog, Entry
from gridarium.episodes.disk.errors import DatasetError
from gridarium.episodes.disk.header import Header, Stream
from gridarium.episodes.disk.part_reader import Cache, StepsFile
from gridarium.episodes.disk.parts import checksum, stems, steps_kind, untouched
from gridarium.episodes.disk.tables import INFOS
from gridarium.episodes.disk.values import from_json
from gridarium.episodes.recording.block import episode_of
from gridarium.episodes.recording.forms import EpisodeForm
from gridarium.episodes.recording.pieces import Facts
from gridarium.episodes.single_agent_episode import SingleAgentEpisode


class StoredEpisodes:
    """What lies in a folder: a catalog of episodes, and files of rows. What was read once is kept.

    Args:
        path: the folder.
        allow_imports: whether recorded runs may import modules that their worlds name, which runs their code.

    Raises:
        DatasetError: no such folder, other files than episodes in it, or a format that this version does not read. A folder
            in which nothing was written yet has no episodes.
    """

    def __init__(self, path: str | Path, *, allow_imports: bool = False) -> None:
        self.path, self.allow_imports = Path(path), allow_imports
        if not self.path.is_dir():
            what = (
                "this is a file; episodes lie in a folder"
                if self.path.exists()
                else "there is no such folder"
            )
            raise DatasetError(f"{path}: {what}")
        self._stems = stems(self.path)
        if not self._stems and not untouched(self.path):
            raise DatasetError(f"{path}: there are no episodes in this folder, but other files")
        self._forget()

    def _forget(self) -> None:
        self._cache = Cache()
        self._files: dict[tuple[int, int], StepsFile] = {}
        self._headers: dict[int, Header] = {}
        self._read: dict[Path, Any] = {}
        self.__dict__.pop("catalog", None)

    @property
    def stems(self) -> list[str]:
        """How the files of each part are called."""
        return list(self._stems)

    def cached(self, path: Path, read: Callable[[Path], Any]) -> Any:
        """What was read from a file, or is now."""
        if path not in self._read:
            self._read[path] = read(path)
        return self._read[path]

    def refresh(self) -> None:
        """See what has been added since."""
        self._stems = stems(self.path)
        self._forget()

    def __reduce__(self) -> Any:
        return _opened, (type(self), self.path, self.allow_imports, self._stems)

    @cached_property
    def catalog(self) -> Catalog:
        """What is known of all episodes without reading their steps."""
        return Catalog.read(self.path, self._stems)

    @property
    def header(self) -> Header:
        """What the latest part says of itself."""
        return self._header(len(self._stems) - 1) if self._stems else Header(())

    def part_of(
        self, entry: Entry, start: int = 0, rows: int | None = None, lookback: int | None = None
    ) -> SingleAgentEpisode:
        """One agent's episode from its rows, or from some of them, of which the first `lookback` are history."""
        stream = self._stream(entry.part, entry.stream)
        file = self.steps_file(entry.part, entry.stream)
        first = entry.row + start
        read = file.rows(first, first + (entry.rows if rows is None else rows))
        texts = read.pop(INFOS, None)
        infos = None if texts is None else [from_json(text) for text in texts]
        history = entry.lookback if lookback is None else lookback
        last = start + len(read["rewards"]) == entry.rows
        facts = Facts(
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
        return episode_of(stream.form, facts, 0, read, infos, stream.spaces)

    def steps_file(self, part: int, stream: int) -> StepsFile:
        """A file of rows."""
        key = part, stream
        if key not in self._files:
            form = self._stream(part, stream).form
            file = StepsFile(self.path_of(part, steps_kind(stream)), form, self._cache)
            self.check_file(part, steps_kind(stream))
            self._files[key] = file
        return self._files[key]

    def path_of(self, part: int, kind: str) -> Path:
        """One of the files of a part; `kind` is how its name ends."""
        return self.path / (self._stems[part] + kind)

    def check_file(self, part: int, kind: str) -> None:
        """Refuse a file that is not the one that the part was written with.

        Raises:
            DatasetError: it is so.
        """
        known, path = self._header(part).files, self.path_of(part, kind)
        with part_reader.reading(path):
            if known is not None and known.get(kind) != checksum(path):
                raise DatasetError(
                    "another file than the one that its index was written with; put that one back in its place"
                )

    def form_of(self, part: int, stream: int) -> EpisodeForm:
        """What the rows of a file hold."""
        return self._stream(part, stream).form

    def _header(self, part: int) -> Header:
        if part not in self._headers:
            self._headers[part] = part_reader.header_of(self.path, self._stems[part])
        return self._headers[part]

    def _stream(self, part: int, stream: int) -> Stream:
        streams = self._header(part).streams
        if not 0 <= stream < len(streams):
            raise DatasetError(f"{self.path}: part {self._stems[part]} has no stream {stream}")
        return streams[stream]


def _opened(kind: type[StoredEpisodes], path: Path, allow_imports: bool, known: list[str]) -> StoredEpisodes:
    made = kind(path, allow_imports=allow_imports)
    made._stems = known
    return made
