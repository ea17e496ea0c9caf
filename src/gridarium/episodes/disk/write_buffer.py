"""The episodes that have been added to a dataset but not written yet, and their streams.

Episodes with one schema are in one stream, and so are all episodes of an agent.
"""

from __future__ import annotations

import dataclasses
import functools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from gridarium.episodes.disk import arrow_tables, index
from gridarium.episodes.disk.arrow_tables import ArrowError, pq
from gridarium.episodes.disk.header import ColumnBounds, Header, Stream
from gridarium.episodes.disk.index import IndexRows, RowKind
from gridarium.episodes.disk.json_values import to_json
from gridarium.episodes.disk.parts import PartFiles, steps_kind
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording.episode_block import EpisodeBlock, Spaces, schema_of_episode
from gridarium.episodes.recording.schema import EpisodeSchema, schema_of_space
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

Checkpoint = tuple[list[Stream], dict[str, int]]


class StreamRegistry:
    """The streams of a dataset by number. The first episode of an agent determines the stream of all of them.

    Args:
        before: the header of the dataset so far.
        spaces: of episodes without an agent, instead of their own.

    Attributes:
        known: all streams.
        agents: the number of the stream of each agent, by its id as JSON; an empty text for episodes without an agent.
    """

    def __init__(self, before: Header | None, spaces: Spaces) -> None:
        self.known: list[Stream] = list(before.streams) if before else []
        self.agents: dict[str, int] = dict(before.agents) if before else {}
        self._spaces = spaces

    def checkpoint(self) -> Checkpoint:
        """Return the current state, for `restore`."""
        return list(self.known), dict(self.agents)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Drop what was added since."""
        self.known, self.agents = checkpoint

    def of_episode(self, agent: str, episode: SingleAgentEpisode) -> int:
        """Return the number of the stream of an agent's episodes.

        Raises:
            EpisodeError: the first one cannot be stored in columns.
        """
        if agent not in self.agents:
            schema, spaces = schema_of_episode(episode), (episode.observation_space, episode.action_space)
            if agent == "":
                given = zip(self._spaces, (schema.observations, schema.actions), strict=True)
                seen, done = [schema_of_space(space) if space else part for space, part in given]
                schema = EpisodeSchema(seen, done, schema.extras)
            self.agents[agent] = self._declared(agent, schema, spaces)
        return self.agents[agent]

    def of_block(self, block: EpisodeBlock, agents: Sequence[str]) -> int:
        """Return the number of the stream of a block's episodes, the same for each of these agents.

        Raises:
            EpisodeError: an agent's episodes have had another schema before.
        """
        for agent in agents:
            if agent not in self.agents:
                self.agents[agent] = self._declared(agent, block.schema, block.spaces)
            known = self.known[self.agents[agent]].schema
            if known != block.schema:
                raise EpisodeError(_difference(known, block.schema))
        return self.agents[agents[0]]

    def number(self, stream: Stream) -> int:
        """Return the number of a stream; a new one is added.

        Raises:
            EpisodeError: a column or a space that cannot be written.
        """
        for i, other in enumerate(self.known):
            if stream.same(other):
                return i
        for name, column in stream.schema.columns().items():
            arrow_tables.require_storable(name, column)
        Header((stream,)).write()  # raises now rather than at the next flush
        self.known.append(stream)
        return len(self.known) - 1

    def _declared(self, agent: str, schema: EpisodeSchema, spaces: Spaces) -> int:
        if agent == "":
            spaces = self._spaces[0] or spaces[0], self._spaces[1] or spaces[1]
        return self.number(Stream(schema, spaces))


def _difference(known: EpisodeSchema, other: EpisodeSchema) -> str:
    """Return the first column in which two schemas differ, as a message."""
    mine, theirs = known.columns(), other.columns()
    for name in {**mine, **theirs}:
        if mine.get(name) != theirs.get(name):
            return f"{name}: the block's column is {theirs.get(name)}, the dataset's is {mine.get(name)}"
    return "the block's columns are nested otherwise than the dataset's"


GROUP_BYTES = 2 << 20
"""The approximate size of a group of rows, before compression. Rows are read by groups."""
ENTRY_BYTES = 200
"""The approximate size of a row of the index."""
MIN_ROWS, MAX_ROWS = 256, 1 << 18
COMMON: dict[str, Any] = {"compression": "zstd", "write_statistics": False, "write_page_checksum": True}
HEADER_KEY, PART_KEY = b"gridarium.episodes", b"gridarium.part"


class WriteCounts(NamedTuple):
    """The numbers of episodes and steps that were written."""

    episodes: int
    steps: int


class WriteBuffer:
    """Rows of steps for each stream, as Arrow tables, and rows of the index.

    What cannot be written is refused when it is added, so that it does not keep the rest from being written.
    """

    def __init__(self) -> None:
        self._steps: dict[int, list[Any]] = defaultdict(list)
        self._schemas: dict[int, EpisodeSchema] = {}
        self._rows: dict[int, int] = defaultdict(int)
        self._index: list[IndexRows] = []
        self._entries = 0
        self.nbytes = self.episodes = self.steps = 0

    def __bool__(self) -> bool:
        return bool(self._index)

    def checkpoint(self) -> tuple[Any, ...]:
        """Return the current state, for `restore`."""
        lengths = {stream: len(found) for stream, found in self._steps.items()}
        return (
            lengths,
            dict(self._rows),
            len(self._index),
            self._entries,
            self.nbytes,
            self.episodes,
            self.steps,
        )

    def restore(self, checkpoint: tuple[Any, ...]) -> None:
        """Drop what was added since."""
        kept = {
            stream: found[: checkpoint[0][stream]]
            for stream, found in self._steps.items()
            if stream in checkpoint[0]
        }
        self._steps = defaultdict(list, kept)
        self._rows = defaultdict(int, checkpoint[1])
        del self._index[checkpoint[2] :]
        self._entries, self.nbytes, self.episodes, self.steps = checkpoint[3:]

    def add(
        self,
        block: EpisodeBlock,
        stream: int,
        bounds: ColumnBounds | None,
        kind: RowKind = RowKind.SINGLE,
        parent: Any = -1,
    ) -> None:
        """Add episodes.

        Args:
            block: all of one stream.
            stream: its number.
            bounds: of its spaces, if they are to be checked.
            kind: what they are.
            parent: the row of the index that they are parts of, or -1; or int64[n], one for each.

        Raises:
            EpisodeError: infos, custom data or ids that cannot be written, or values that are out of bounds. Nothing
                of the block is added then.
        """
        columns, infos = block.columns(), None
        if bounds is not None:
            bounds.check(block, columns)
        if block.infos is not None:
            infos = [to_json(info, "infos") for info in block.infos]
        found = index.rows_of(block, stream=stream, first=self._rows[stream], kind=kind, parent=parent)
        with _naming_episodes(block.ids):
            steps = arrow_tables.to_table(columns, block.schema.columns(), infos)
        self._schemas[stream] = block.schema
        self._steps[stream].append(steps)
        self._rows[stream] += int(block.rows.sum())
        self._index.append(found)
        self._entries += len(block)
        if kind is RowKind.SINGLE:
            self.episodes += len(block)
            self.steps += block.steps
        self.nbytes += sum(column.nbytes for column in columns.values())
        self.nbytes += sum(map(len, infos or ())) + ENTRY_BYTES * len(block)

    def add_multi_agent(self, row: IndexRows, steps: int) -> int:
        """Add an episode of several agents, without their own episodes; returns its row in the index."""
        self._index.append(row)
        self._entries += 1
        self.episodes += 1
        self.steps += steps
        self.nbytes += ENTRY_BYTES
        return self._entries - 1

    def write(self, folder: Path, stem: str, header: Header, *, level: int, sync: bool) -> WriteCounts:
        """Write all of it as a part of a dataset.

        Raises:
            OSError: it cannot be written; no file of it is left then.
        """
        with PartFiles(folder, stem, sync=sync) as files:
            for stream in self._steps:
                table, options = self._table(stream)
                named = table.replace_schema_metadata({PART_KEY: stem})
                write = functools.partial(pq.write_table, named, compression_level=level, **options, **COMMON)
                files.write(steps_kind(stream), write)
            entries = with_header(index.to_table(self._index), header, files.checksums)
            files.finish(functools.partial(pq.write_table, entries, **COMMON))
        return WriteCounts(self.episodes, self.steps)

    def _table(self, stream: int) -> tuple[Any, dict[str, Any]]:
        """Return the rows of a stream, and options for writing them."""
        schema, table = self._schemas[stream], arrow_tables.join_blocks(self._steps[stream])
        size = min(MAX_ROWS, max(MIN_ROWS, GROUP_BYTES // schema.row_bytes))
        return table, arrow_tables.encodings(table, schema.columns()) | {"row_group_size": size}


def with_header(table: Any, header: Header, checksums: Mapping[str, str]) -> Any:
    """Return an index whose metadata hold the header, with the checksums of the part's other files."""
    return table.replace_schema_metadata({HEADER_KEY: dataclasses.replace(header, files=checksums).write()})


@contextmanager
def _naming_episodes(ids: Sequence[str]) -> Iterator[None]:
    """Name the episodes that cannot be converted to Arrow.

    Raises:
        EpisodeError: instead of the library's error.
    """
    try:
        yield
    except (ArrowError, ValueError, TypeError, OverflowError) as error:
        names = ids[0] if len(ids) == 1 else f"{ids[0]} to {ids[-1]}"
        raise EpisodeError(f"episode {names} cannot be written: {error}") from error
