"""Writing episodes to disk."""

from __future__ import annotations

import errno
import itertools
import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import gymnasium as gym
import numpy as np

from gridarium.engine import Run
from gridarium.episodes.disk import part_reader
from gridarium.episodes.disk.header import Header, Stream
from gridarium.episodes.disk.index import RowKind, index_row_of
from gridarium.episodes.disk.json_values import to_json
from gridarium.episodes.disk.parts import PartNames, find_parts, remove_leftovers
from gridarium.episodes.disk.replays import single_agent_block, write_run
from gridarium.episodes.disk.write_buffer import StreamRegistry, WriteBuffer
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.multi_agent import MultiAgentEpisode
from gridarium.episodes.recording.batch_recorder import episodes_of_run
from gridarium.episodes.recording.episode_block import EpisodeBlock, block_of
from gridarium.episodes.recording.multi_agent_block import MultiAgentBlock
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

FLUSH_BYTES = 64 << 20


class EpisodeWriter:
    """Writes episodes to a folder of Parquet files.

    What is added is written once there is enough of it, on `flush()`, and on `close()`. A process that is killed loses what it
    has not flushed yet, and nothing else; the next writer removes unfinished files. Several writers may add to one folder.

    Args:
        path: the folder; it is created if it is missing. Episodes that are there already stay.
        world: the description of the world, as plain data (`Description.to_dict()`), or None.
        metadata: anything that JSON can hold. It is added to the metadata of earlier writers; where they differ, the latest
            counts, and there is a warning.
        observation_space, action_space: of the episodes that are added; by default those of the first one.
        check_spaces: refuse observations and actions that lie outside their spaces.
        flush_bytes: how much is buffered before it is written, in bytes before compression.
        level: of compression (zstd), 1 to 22.
        sync: wait for the disk at each flush, so that a power failure loses no more than killing the process.

    Raises:
        DatasetError: the folder holds episodes of another format.
        EpisodeError: it holds episodes of another world.
        NotADirectoryError, PermissionError: it cannot be a folder, or not be written to.

    Example:
        >>> with EpisodeWriter("data", metadata={"policy": "random"}) as writer:
        ...     writer.add(episode)
    """

    def __init__(
        self,
        path: str | Path,
        *,
        world: Mapping[str, Any] | None = None,
        metadata: Mapping[str, Any] | None = None,
        observation_space: gym.Space[Any] | None = None,
        action_space: gym.Space[Any] | None = None,
        check_spaces: bool = True,
        flush_bytes: int = FLUSH_BYTES,
        level: int = 1,
        sync: bool = False,
    ) -> None:
        if flush_bytes < 1 or not 1 <= level <= 22:
            raise ValueError(f"flush_bytes is 1 or more, level 1 to 22; got {flush_bytes} and {level}")
        self.path = Path(path)
        if self.path.is_file():
            raise NotADirectoryError(f"{path} is a file; episodes are written to a folder")
        self.path.mkdir(parents=True, exist_ok=True)
        if not os.access(self.path, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, "episodes cannot be written to this folder", str(self.path))
        self._check_spaces = check_spaces
        self._flush_bytes, self._level, self._sync = flush_bytes, level, sync
        before = _last_header(self.path)
        self._streams = StreamRegistry(before, (observation_space, action_space))
        self.world = dict(world or (before.world if before else {}))
        if before and before.world and self.world != before.world:
            raise EpisodeError(_another_world(path, before.world, self.world))
        self.metadata = _merge_metadata(path, before.metadata if before else {}, metadata or {})
        Header((), {}, self.world, self.metadata).write()  # raises now rather than at the first flush
        remove_leftovers(self.path)
        self._part_names = PartNames(self.path)
        self._buffer = WriteBuffer()
        self._closed = False
        self.episodes = self.steps = 0

    def add(self, episodes: Any) -> None:
        """Add an episode, a list of them, or a block. They are copied: they may change afterwards.

        Args:
            episodes: a `SingleAgentEpisode`, a `MultiAgentEpisode`, a block of either, or several of them. Chunks with a
                lookback and episodes that are not over can be added too. Adding many at once is faster.

        Raises:
            EpisodeError: the writer is closed, or items that do not fit into the columns or lie outside their space
                (naming the episode, the leaf, the step and the value); nothing of this call has been added then.
            OSError: as `flush`; what was added is kept.
        """
        if self._closed:
            raise EpisodeError("the writer is closed")
        one = isinstance(episodes, (*_ONE, Mapping, str)) or not isinstance(episodes, Iterable)
        given = [episodes] if one else list(episodes)
        buffered, streams = self._buffer.checkpoint(), self._streams.checkpoint()
        try:
            for add, group in itertools.groupby(given, _adder_of):
                add(self, list(group))
        except BaseException:
            self._buffer.restore(buffered)
            self._streams.restore(streams)
            raise
        if self._buffer.nbytes >= self._flush_bytes:
            self.flush()

    def add_run(self, run: Run | str | Path, *, world: Any = None, allow_imports: bool = False) -> None:
        """Add the episodes of a recorded run, not as data but as the run itself: a few bytes a step.

        They are replayed now, for their lengths and returns, and again whenever they are read.

        Args:
            run: the run, or the file to which it was saved.
            world: the `World` to replay in; by default that of the run's own description.
            allow_imports: whether that description may import modules, which runs their code.

        Raises:
            ReplayError: it does not replay as it was recorded.
            EpisodeError: the writer is closed, or the run is of another world than the dataset.
            OSError, ValueError: the file cannot be read, or holds no run.
            OSError: it cannot be written.
        """
        if self._closed:
            raise EpisodeError("the writer is closed")
        run = run if isinstance(run, Run) else Run.load(run)
        if self.world and dict(run.description) != self.world:
            raise EpisodeError(f"the run is of another world ({run.name}) than the dataset")
        block = episodes_of_run(run, world, allow_imports=allow_imports)
        self.flush()
        self.world = self.world or dict(run.description)
        own = single_agent_block(block)
        self._streams.number(Stream(own.schema, own.spaces))
        written = write_run(self.path, self._part_names.next(), self._header(), run, block, sync=self._sync)
        self.steps += written.steps
        self.episodes += written.episodes

    def flush(self) -> None:
        """Write what has been added.

        Raises:
            OSError: it cannot be written, for instance because the disk is full. What was added is kept, and no
                incomplete file stays: free some space and flush again.
        """
        if not self._buffer:
            return
        try:
            written = self._buffer.write(
                self.path, self._part_names.next(), self._header(), level=self._level, sync=self._sync
            )
        except OSError as error:
            text = f"{self._buffer.episodes} episodes are not written yet; they are kept, flush again"
            raise OSError(error.errno, f"{error.strerror or error} ({text})", str(self.path)) from error
        self.steps += written.steps
        self.episodes += written.episodes
        self._buffer = WriteBuffer()

    def close(self) -> None:
        """Write what has been added, and add no more.

        Raises:
            OSError: as `flush`.
        """
        self.flush()
        self._closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<EpisodeWriter of {self.path}: {self.episodes} episodes, {self.steps} steps written>"

    # inside

    def _header(self) -> Header:
        return Header(tuple(self._streams.known), self._streams.agents, self.world, self.metadata)

    def _add_singles(self, episodes: list[SingleAgentEpisode]) -> None:
        typical = next((e for e in episodes if e.rewards.len_incl_lookback()), episodes[0])
        stream = self._streams.of_episode("", typical)
        self._add_block(self._block(episodes, stream), stream)

    def _add_blocks(self, blocks: list[EpisodeBlock]) -> None:
        for block in blocks:
            if len(block):
                self._add_block(block, self._streams.of_block(block, [""]))

    def _add_multi_agent_blocks(self, blocks: list[MultiAgentBlock]) -> None:
        for block in blocks:
            if len(block):
                agents = dict.fromkeys(block.parts.metadata.agents or ())
                stream = self._streams.of_block(block.parts, [to_json(agent, "agent_id") for agent in agents])
                frames = zip(map(block.frame, range(len(block))), block.returns.tolist(), strict=True)
                parents = [
                    self._buffer.add_multi_agent(index_row_of(f, earned), len(f)) for f, earned in frames
                ]
                self._add_block(block.parts, stream, RowKind.MEMBER, np.repeat(parents, block.counts))

    def _add_multi_agent_episodes(self, episodes: list[MultiAgentEpisode]) -> None:
        for episode in episodes:
            parent = self._buffer.add_multi_agent(index_row_of(episode), len(episode))
            for agent, member in episode.agent_episodes.items():
                stream = self._streams.of_episode(to_json(agent, "agent_id"), member)
                self._add_block(self._block([member], stream), stream, RowKind.MEMBER, parent)

    def _add_block(self, block: EpisodeBlock, stream: int, *part: Any) -> None:
        bounds = self._streams.known[stream].bounds if self._check_spaces else None
        self._buffer.add(block, stream, bounds, *part)

    def _block(self, episodes: list[SingleAgentEpisode], stream: int) -> EpisodeBlock:
        known = self._streams.known[stream]
        return block_of(episodes, known.schema, known.spaces)


_ONE = SingleAgentEpisode, MultiAgentEpisode, EpisodeBlock, MultiAgentBlock


def _adder_of(item: Any) -> Callable[[EpisodeWriter, list[Any]], None]:
    """Return the method that adds an item."""
    if isinstance(item, SingleAgentEpisode):
        return EpisodeWriter._add_singles
    if isinstance(item, EpisodeBlock):
        return EpisodeWriter._add_blocks
    if isinstance(item, MultiAgentBlock):
        return EpisodeWriter._add_multi_agent_blocks
    if isinstance(item, MultiAgentEpisode):
        return EpisodeWriter._add_multi_agent_episodes
    raise EpisodeError(
        f"episodes or blocks of them can be added, not {type(item).__name__} (recorded runs: add_run)"
    )


def _merge_metadata(path: str | Path, before: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata of a dataset, updated by those of a further writer."""
    for key in before.keys() & given.keys():
        if to_json(before[key], key) != to_json(given[key], key):
            text = f"{path}: the metadata {key!r} was {before[key]!r} and is {given[key]!r} from now on"
            warnings.warn(text, UserWarning, stacklevel=3)
    return {**before, **given}


def _another_world(path: str | Path, before: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    """Return the message that a folder holds episodes of another world, and in what it differs."""
    name = before.get("name", "unnamed")
    if name == given.get("name", "unnamed"):
        differing = sorted(key for key in before.keys() | given.keys() if before.get(key) != given.get(key))
        name = f"{name} too, but not the same in {', '.join(differing)}"
    return f"{path} holds episodes of another world ({name}): choose another folder"


def _last_header(folder: Path) -> Header | None:
    found = find_parts(folder)
    return part_reader.header_of(folder, found[-1]) if found else None
