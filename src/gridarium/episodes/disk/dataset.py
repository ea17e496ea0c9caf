"""Reading episodes from disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from gridarium.episodes.disk import part_reader
from gridarium.episodes.disk.catalog import Catalog, Entry
from gridarium.episodes.disk.errors import DatasetError
from gridarium.episodes.disk.header import Header, Stream
from gridarium.episodes.disk.part_reader import Cache, StepsFile
from gridarium.episodes.disk.parts import RUN, stems, steps_file
from gridarium.episodes.disk.sampling import Batches
from gridarium.episodes.disk.tables import INFOS, typed
from gridarium.episodes.disk.values import from_json
from gridarium.episodes.recording.block import episode_of, numbers_of
from gridarium.episodes.recording.forms import EpisodeForm
from gridarium.episodes.recording.pieces import Facts
from gridarium.episodes.single_agent_episode import SingleAgentEpisode


class EpisodeDataset(Sequence[Any]):
    """The episodes in a folder, as a sequence; what is not asked for is not read.

    It can be pickled and sent to other processes, which read by themselves: they see the same episodes, whatever has been
    added meanwhile (`refresh` shows that).

    Args:
        path: the folder.
        allow_imports: whether recorded runs may import modules that their worlds name, which runs their code.

    Raises:
        DatasetError: no such folder, no episodes in it, or a format that this version does not read.

    Example:
        >>> data = EpisodeDataset("data")
        >>> len(data), data.returns.mean()
        >>> episode = data[17]
        >>> for batch in data.batches(256, seed=0):
        ...     train(batch["observations"], batch["actions"])
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
        if not self._stems:
            raise DatasetError(f"{path}: there are no episodes in this folder")
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

    # what there is

    @cached_property
    def catalog(self) -> Catalog:
        """What is known of all episodes without reading their steps."""
        return Catalog.read(self.path, self._stems)

    def __len__(self) -> int:
        return len(self.catalog.shown)

    def __repr__(self) -> str:
        return f"<EpisodeDataset of {self.path}: {len(self)} episodes, {self.steps} steps>"

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """int64[n]: how many steps each episode has."""
        return self.catalog.numbers("steps")

    @property
    def returns(self) -> npt.NDArray[np.float64]:
        """float64[n]: the sum of rewards of each, of all agents."""
        return self.catalog.numbers("return")

    @property
    def terminated(self) -> npt.NDArray[np.bool_]:
        """bool[n]: which have reached a terminal state."""
        return self.catalog.numbers("terminated")

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """bool[n]: which were broken off."""
        return self.catalog.numbers("truncated")

    @property
    def ids(self) -> list[str]:
        """The id of each; chunks of one episode share it."""
        return self.catalog.texts("id")

    @property
    def steps(self) -> int:
        """How many steps there are in all."""
        return int(self.lengths.sum())

    @property
    def header(self) -> Header:
        """What the latest part says of itself."""
        return self._header(len(self._stems) - 1)

    @property
    def world(self) -> dict[str, Any]:
        """The description of the world, as plain data; empty if it is not known."""
        return dict(self.header.world)

    @property
    def metadata(self) -> dict[str, Any]:
        """What was kept with the dataset."""
        return dict(self.header.metadata)

    @property
    def observation_space(self) -> gym.Space[Any] | None:
        """The space of observations, if all agents have one and it is known."""
        return self._space(0)

    @property
    def action_space(self) -> gym.Space[Any] | None:
        """The space of actions, if all agents have one and it is known."""
        return self._space(1)

    def index_table(self) -> Any:
        """The catalog as an Arrow table: ids, lengths, returns, ends, agents, policies, where the rows lie."""
        return self.catalog.table.take(self.catalog.shown)

    # reading

    def __getitem__(self, i: Any) -> Any:
        found = numbers_of(i, len(self))
        return self.read(found) if isinstance(found, int) else [self.read(k) for k in found]

    def __iter__(self) -> Iterator[Any]:
        return map(self.read, range(len(self)))

    def read(
        self, i: int, start: int | None = None, stop: int | None = None, *, lookback: int | None = None
    ) -> Any:
        """An episode, or some of its steps.

        Args:
            i: which, from 0; negative counts from the end.
            start: the first step of a range, as for a list. Only what is needed is read.
            stop: the end of the range.
            lookback: how many steps before the range to keep as lookback, if they are there; by default as many as the
                episode was written with.

        Returns:
            A `SingleAgentEpisode` or `MultiAgentEpisode` that gives arrays.

        Raises:
            IndexError: no such episode.
            DatasetError: damaged files; or it was recorded as a run, and that does not give the same episode any more.
        """
        if not -len(self) <= i < len(self):
            raise IndexError(f"there are {len(self)} episodes, got {i}")
        entry = self.catalog.entry(int(self.catalog.shown[i]))
        whole = start is None and stop is None and lookback is None
        if entry.replay >= 0 or entry.several:
            from gridarium.episodes.disk.replays import replayed
            from gridarium.episodes.disk.several import assembled

            episode = replayed(self, entry) if entry.replay >= 0 else assembled(self, entry)
            return episode if whole else episode.slice(slice(start, stop), len_lookback_buffer=lookback)
        return self.part_of(entry) if whole else self._window(entry, slice(start, stop), lookback)

    def find(self, id_: str) -> Any:
        """The episode with an id; if it was written in chunks, all of them joined.

        Raises:
            KeyError: there is none.
            EpisodeError: chunks that do not follow each other.
        """
        found = self.catalog.named.get(id_)
        if not found:
            raise KeyError(f"there is no episode {id_!r}")
        chunks = sorted((self.read(i) for i in found), key=lambda e: getattr(e, "t_started", 0))
        for chunk in chunks[1:]:
            chunks[0].concat_episode(chunk)
        return chunks[0]

    def batches(self, size: int, **options: Any) -> Batches:
        """All steps, in shuffled batches of arrays. See `Batches`."""
        return Batches(self, size, **options)

    def table(self, part: int = 0, stream: int = 0) -> Any:
        """The rows of one file as an Arrow table, arrays as fixed-size lists.

        Raises:
            DatasetError: a damaged file, or a part that is a recorded run.
        """
        if (self.path / (self._stems[part] + RUN)).exists():
            raise DatasetError(f"{self.path}: part {part} is a recorded run, which has no rows")
        file = self.steps_file(part, stream)
        with part_reader.reading(file.path):
            return typed(file.read_all(), self._stream(part, stream).form.columns())

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

    # inside

    def _window(self, entry: Entry, steps: slice, lookback: int | None) -> Any:
        start, stop, _ = steps.indices(entry.steps)
        stop = max(start, stop)
        history = min(entry.lookback if lookback is None else lookback, entry.lookback + start)
        begin = entry.lookback + start - history
        return self.part_of(entry, begin, history + stop - start + 1, history)

    def steps_file(self, part: int, stream: int) -> StepsFile:
        """A file of rows."""
        key = part, stream
        if key not in self._files:
            form = self._stream(part, stream).form
            path = steps_file(self.path, self._stems[part], stream)
            self._files[key] = StepsFile(path, form, self._cache)
        return self._files[key]

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

    def _space(self, which: int) -> gym.Space[Any] | None:
        spaces = [stream.spaces[which] for stream in self.header.streams]
        return spaces[0] if spaces and all(space == spaces[0] for space in spaces) else None


def _opened(kind: type[EpisodeDataset], path: Path, allow_imports: bool, known: list[str]) -> EpisodeDataset:
    made = kind(path, allow_imports=allow_imports)
    made._stems = known
    return made
