"""What has been added to a dataset and not been written yet."""

from __future__ import annotations

import dataclasses
import functools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from gridarium.episodes.disk import index, tables
from gridarium.episodes.disk.arrow import ArrowError, pq
from gridarium.episodes.disk.bounds import Bounds
from gridarium.episodes.disk.header import Header
from gridarium.episodes.disk.index import Kind, Rows
from gridarium.episodes.disk.parts import Files, steps_kind
from gridarium.episodes.disk.values import to_json
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording.block import EpisodeBlock
from gridarium.episodes.recording.forms import EpisodeForm

GROUP_BYTES = 2 << 20
"""About how large a group of rows is, before compression. To read an episode its groups are read."""
ENTRY_BYTES = 200
"""About how large a row of the index is."""
FEWEST_ROWS, MOST_ROWS = 256, 1 << 18
COMMON: dict[str, Any] = {"compression": "zstd", "write_statistics": False, "write_page_checksum": True}
HEADER_KEY, PART_KEY = b"gridarium.episodes", b"gridarium.part"


class Written(NamedTuple):
    """How much was written."""

    episodes: int
    steps: int


class Pending:
    """Rows of steps for each stream, as Arrow tables, and rows of the index.

    What has no such form is refused when it is added: nothing that is kept can keep the rest from being written.
    """

    def __init__(self) -> None:
        self._steps: dict[int, list[Any]] = defaultdict(list)
        self._forms: dict[int, EpisodeForm] = {}
        self._rows: dict[int, int] = defaultdict(int)
        self._index: list[Rows] = []
        self._entries = 0
        self.nbytes = self.episodes = self.steps = 0

    def __bool__(self) -> bool:
        return bool(self._index)

    def mark(self) -> tuple[Any, ...]:
        """How it stands, for `back_to`."""
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

    def back_to(self, mark: tuple[Any, ...]) -> None:
        """Forget what was added since."""
        kept = {
            stream: found[: mark[0][stream]] for stream, found in self._steps.items() if stream in mark[0]
        }
        self._steps = defaultdict(list, kept)
        self._rows = defaultdict(int, mark[1])
        del self._index[mark[2] :]
        self._entries, self.nbytes, self.episodes, self.steps = mark[3:]

    def add(
        self,
        block: EpisodeBlock,
        stream: int,
        bounds: Bounds | None,
        kind: Kind = Kind.SINGLE,
        parent: Any = -1,
    ) -> None:
        """Add episodes.

        Args:
            block: all of one stream.
            stream: its number.
            bounds: what its spaces allow, if that is to be checked.
            kind: what they are.
            parent: the row of the index that they are parts of, or -1; or int64[n], one for each.

        Raises:
            EpisodeError: infos, custom data or ids that cannot be written, or values that are out of bounds. Nothing
                of the block is kept then.
        """
        columns, infos = block.columns(), None
        if bounds is not None:
            bounds.check(block, columns)
        if block.infos is not None:
            infos = [to_json(info, "infos") for info in block.infos]
        found = index.rows_of(block, stream=stream, first=self._rows[stream], kind=kind, parent=parent)
        with _storing(block.ids):
            steps = tables.to_table(columns, block.form.columns(), infos)
        self._forms[stream] = block.form
        self._steps[stream].append(steps)
        self._rows[stream] += int(block.rows.sum())
        self._index.append(found)
        self._entries += len(block)
        if kind is Kind.SINGLE:
            self.episodes += len(block)
            self.steps += block.steps
        self.nbytes += sum(column.nbytes for column in columns.values())
        self.nbytes += sum(map(len, infos or ())) + ENTRY_BYTES * len(block)

    def add_several(self, row: Rows, steps: int) -> int:
        """Add an episode of several agents, without its parts; gives its row in the index."""
        self._index.append(row)
        self._entries += 1
        self.episodes += 1
        self.steps += steps
        self.nbytes += ENTRY_BYTES
        return self._entries - 1

    def write(self, folder: Path, stem: str, header: Header, *, level: int, sync: bool) -> Written:
        """Write all of it as a part of a dataset.

        Raises:
            OSError: it cannot be written; there are no files of it then.
        """
        with Files(folder, stem, sync=sync) as files:
            for stream in self._steps:
                table, options = self._table(stream)
                named = table.replace_schema_metadata({PART_KEY: stem})
                write = functools.partial(pq.write_table, named, compression_level=level, **options, **COMMON)
                files.write(steps_kind(stream), write)
            entries = with_header(index.to_table(self._index), header, files.checksums)
            files.finish(functools.partial(pq.write_table, entries, **COMMON))
        return Written(self.episodes, self.steps)

    def _table(self, stream: int) -> tuple[Any, dict[str, Any]]:
        """The rows of a stream, and how they are written."""
        form, table = self._forms[stream], tables.joined(self._steps[stream])
        size = min(MOST_ROWS, max(FEWEST_ROWS, GROUP_BYTES // form.row_bytes))
        return table, tables.encodings(table, form.columns()) | {"row_group_size": size}


def with_header(table: Any, header: Header, checksums: Mapping[str, str]) -> Any:
    """An index with the header in its metadata, and in that the checksums of the part's other files."""
    return table.replace_schema_metadata({HEADER_KEY: dataclasses.replace(header, files=checksums).write()})


@contextmanager
def _storing(ids: Sequence[str]) -> Iterator[None]:
    """Name the episodes that have no form in Arrow.

    Raises:
        EpisodeError: in the place of what the library raises.
    """
    try:
        yield
    except (ArrowError, ValueError, TypeError, OverflowError) as error:
        names = ids[0] if len(ids) == 1 else f"{ids[0]} to {ids[-1]}"
        raise EpisodeError(f"episode {names} cannot be written: {error}") from error
