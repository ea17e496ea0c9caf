"""Reading episodes from disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from gridarium.episodes.disk import part_reader
from gridarium.episodes.disk.arrow_tables import typed
from gridarium.episodes.disk.batches import Batches
from gridarium.episodes.disk.dataset_files import Catalog, CatalogEntry, DatasetFiles, load_multi_agent
from gridarium.episodes.disk.header import Header
from gridarium.episodes.disk.parts import RUN
from gridarium.episodes.disk.replays import replay_episode
from gridarium.episodes.errors import DatasetError
from gridarium.episodes.multi_agent import MultiAgentEpisode
from gridarium.episodes.recording.episode_block import resolve_indices
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

if TYPE_CHECKING:
    import pyarrow as pa

Episode: TypeAlias = SingleAgentEpisode | MultiAgentEpisode


class EpisodeDataset(Sequence[Episode]):
    """The episodes in a folder, as a sequence; only what is needed is read.

    It can be pickled and sent to other processes, which read by themselves: they see the same episodes, whatever has been
    added meanwhile (until `refresh`).

    Args:
        path: the folder.
        allow_imports: whether recorded runs may import modules that their worlds name, which runs their code.

    Attributes:
        files: the files of the folder.

    Raises:
        DatasetError: no such folder, other files than episodes in it, or a format that this version does not read. A folder
            to which nothing was written yet has no episodes.

    Example:
        >>> data = EpisodeDataset("data")
        >>> len(data), data.returns.mean()
        >>> episode = data[17]
        >>> for batch in data.batches(256, seed=0):
        ...     train(batch["observations"], batch["actions"])
    """

    def __init__(self, path: str | Path, *, allow_imports: bool = False) -> None:
        self.files = DatasetFiles(path, allow_imports=allow_imports)

    # what there is

    @property
    def path(self) -> Path:
        """The folder."""
        return self.files.path

    @property
    def stems(self) -> list[str]:
        """The beginning of the names of the files of each part."""
        return list(self.files.stems)

    @property
    def catalog(self) -> Catalog:
        """The catalog of all episodes, which needs no reading of steps."""
        return self.files.catalog

    @property
    def header(self) -> Header:
        """The header of the latest part."""
        return self.files.header

    def refresh(self) -> None:
        """Read the list of parts again, to see what has been added."""
        self.files.refresh()

    def __len__(self) -> int:
        return len(self.catalog.episode_rows)

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
        """The total number of steps."""
        return int(self.lengths.sum())

    @property
    def world(self) -> dict[str, Any]:
        """The description of the world, as plain data; empty if it is not known."""
        return dict(self.header.world)

    @property
    def metadata(self) -> dict[str, Any]:
        """The metadata of the dataset."""
        return dict(self.header.metadata)

    @property
    def observation_space(self) -> gym.Space[Any] | None:
        """The space of observations, if it is known and the same for all agents."""
        return self._space(0)

    @property
    def action_space(self) -> gym.Space[Any] | None:
        """The space of actions, if it is known and the same for all agents."""
        return self._space(1)

    def index_table(self) -> pa.Table:
        """Return the catalog as an Arrow table: ids, lengths, returns, ends, agents, policies, where the rows are."""
        return self.catalog.table.take(self.catalog.episode_rows)

    # reading

    @overload
    def __getitem__(self, i: int) -> Episode: ...
    @overload
    def __getitem__(self, i: slice | list[int] | npt.NDArray[Any]) -> list[Episode]: ...
    def __getitem__(self, i: Any) -> Episode | list[Episode]:
        found = resolve_indices(i, len(self))
        return self.read(found) if isinstance(found, int) else [self.read(k) for k in found]

    def __iter__(self) -> Iterator[Episode]:
        return map(self.read, range(len(self)))

    def read(
        self, i: int, start: int | None = None, stop: int | None = None, *, lookback: int | None = None
    ) -> Episode:
        """Read an episode, or some of its steps.

        Args:
            i: which, from 0; negative counts from the end.
            start: the first step of a range, as for a list. Only what is needed is read.
            stop: the end of the range.
            lookback: how many steps before the range to keep as lookback, if there are so many; by default as many as the
                episode was written with.

        Returns:
            A `SingleAgentEpisode` or `MultiAgentEpisode` that returns arrays.

        Raises:
            IndexError: no such episode.
            DatasetError: damaged files; or a recorded run does not replay to the same episode any more.
        """
        if not -len(self) <= i < len(self):
            raise IndexError(f"there are {len(self)} episodes, got {i}")
        entry = self.catalog.entry(int(self.catalog.episode_rows[i]))
        whole = start is None and stop is None and lookback is None
        if entry.replay >= 0 or entry.is_multi_agent:
            load = replay_episode if entry.replay >= 0 else load_multi_agent
            episode = load(self.files, entry)
            return episode if whole else episode.slice(slice(start, stop), len_lookback_buffer=lookback)
        return self.files.read_episode(entry) if whole else self._window(entry, slice(start, stop), lookback)

    def find(self, id_: str) -> Episode:
        """Read the episode with an id; if it was written in chunks, all of them joined.

        Raises:
            KeyError: there is none.
            EpisodeError: chunks that do not follow each other.
        """
        found = self.catalog.named.get(id_)
        if not found:
            raise KeyError(f"there is no episode {id_!r}")
        chunks: list[Any] = sorted((self.read(i) for i in found), key=_first_step)
        for chunk in chunks[1:]:
            chunks[0].concat_episode(chunk)
        first: Episode = chunks[0]
        return first

    def batches(self, size: int, **options: Any) -> Batches:
        """Return all steps, in shuffled batches of arrays. See `Batches`."""
        return Batches(self, size, **options)

    def table(self, part: int = 0, stream: int = 0) -> pa.Table:
        """Read the rows of one file as an Arrow table, arrays as fixed-size lists.

        Raises:
            DatasetError: a damaged file, or a part that is a recorded run.
        """
        if self.files.path_of(part, RUN).exists():
            raise DatasetError(f"{self.path}: part {part} is a recorded run, which has no rows")
        file = self.files.steps_file(part, stream)
        with part_reader.reading(file.path):
            return typed(file.read_all(), self.files.schema_of(part, stream).columns())

    def _window(self, entry: CatalogEntry, steps: slice, lookback: int | None) -> SingleAgentEpisode:
        start, stop, _ = steps.indices(entry.steps)
        stop = max(start, stop)
        history = min(entry.lookback if lookback is None else lookback, entry.lookback + start)
        begin = entry.lookback + start - history
        return self.files.read_episode(entry, begin, history + stop - start + 1, history)

    def _space(self, which: int) -> gym.Space[Any] | None:
        spaces = [stream.spaces[which] for stream in self.header.streams]
        return spaces[0] if spaces and all(space == spaces[0] for space in spaces) else None


def _first_step(chunk: Episode) -> int:
    """Return the step at which a chunk begins."""
    return chunk.env_t_started if isinstance(chunk, MultiAgentEpisode) else chunk.t_started
