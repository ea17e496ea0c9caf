"""What has been added to a dataset but not written yet."""

from __future__ import annotations

import dataclasses
import functools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from gridarium.episodes.disk import arrow_tables, index
from gridarium.episodes.disk.arrow import ArrowError, pq
from gridarium.episodes.disk.header import ColumnBounds, Header
from gridarium.episodes.disk.index import IndexRows, RowKind
from gridarium.episodes.disk.json_values import to_json
from gridarium.episodes.disk.parts import PartFiles, steps_kind
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording.episode_block import EpisodeBlock
from gridarium.episodes.recording.schema import EpisodeSchema

GROUP_BYTES = 2 << 20
"""The approximate size of a group of rows, before compression. Rows are read by groups."""
ENTRY_BYTES = 200
"""The approximate size of a row of the index."""
MIN_ROWS, MAX_ROWS = 256, 1 << 18
COMMON: dict[str, Any] = {"compression": "zstd", "write_statistics": False, "write_page_checksum": True}
HEADER_KEY, PART_KEY = b"gridarium.episodes", b"gridarium.part"


class WriteCounts(NamedTuple):
    """How much was written."""

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
        """The current state, for `restore`."""
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
        """The rows of a stream, and options for writing them."""
        schema, table = self._schemas[stream], arrow_tables.join_blocks(self._steps[stream])
        size = min(MAX_ROWS, max(MIN_ROWS, GROUP_BYTES // schema.row_bytes))
        return table, arrow_tables.encodings(table, schema.columns()) | {"row_group_size": size}


def with_header(table: Any, header: Header, checksums: Mapping[str, str]) -> Any:
    """An index whose metadata hold the header, with the checksums of the part's other files."""
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
