"""Reading episodes from disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from gridarium.episodes.disk import part_reader
from gridarium.episodes.disk.catalog import Entry
from gridarium.episodes.disk.errors import DatasetError
from gridarium.episodes.disk.parts import RUN
from gridarium.episodes.disk.replays import replayed
from gridarium.episodes.disk.sampling import Batches
from gridarium.episodes.disk.several import assembled
from gridarium.episodes.disk.stored import StoredEpisodes
from gridarium.episodes.disk.tables import typed
from gridarium.episodes.multi_agent import MultiAgentEpisode
from gridarium.episodes.recording.block import numbers_of


class EpisodeDataset(StoredEpisodes, Sequence[Any]):
    """The episodes in a folder, as a sequence; what is not asked for is not read.

    It can be pickled and sent to other processes, which read by themselves: they see the same episodes, whatever has been
    added meanwhile (`refresh` shows that).

    Args:
        path: the folder.
        allow_imports: whether recorded runs may import modules that their worlds name, which runs their code.

    Raises:
        DatasetError: no such folder, other files than episodes in it, or a format that this version does not read. A folder
            in which nothing was written yet has no episodes.

    Example:
        >>> data = EpisodeDataset("data")
        >>> len(data), data.returns.mean()
        >>> episode = data[17]
        >>> for batch in data.batches(256, seed=0):
        ...     train(batch["observations"], batch["actions"])
    """

    # what there is

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
        chunks = sorted((self.read(i) for i in found), key=_begin)
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
        if self.path_of(part, RUN).exists():
            raise DatasetError(f"{self.path}: part {part} is a recorded run, which has no rows")
        file = self.steps_file(part, stream)
        with part_reader.reading(file.path):
            return typed(file.read_all(), self._stream(part, stream).form.columns())

    # inside

    def _window(self, entry: Entry, steps: slice, lookback: int | None) -> Any:
        start, stop, _ = steps.indices(entry.steps)
        stop = max(start, stop)
        history = min(entry.lookback if lookback is None else lookback, entry.lookback + start)
        begin = entry.lookback + start - history
        return self.part_of(entry, begin, history + stop - start + 1, history)

    def _space(self, which: int) -> gym.Space[Any] | None:
        spaces = [stream.spaces[which] for stream in self.header.streams]
        return spaces[0] if spaces and all(space == spaces[0] for space in spaces) else None


def _begin(chunk: Any) -> int:
    """The step at which a chunk begins."""
    begin: int = chunk.env_t_started if isinstance(chunk, MultiAgentEpisode) else chunk.t_started
    return begin
