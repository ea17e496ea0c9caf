"""Reading the files of a part."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from gridarium.episodes.disk import arrow_tables
from gridarium.episodes.disk.arrow_tables import ArrowError, pq
from gridarium.episodes.disk.header import Header
from gridarium.episodes.disk.index import NUMBERS, SCHEMA, TYPES
from gridarium.episodes.disk.parts import INDEX
from gridarium.episodes.disk.write_buffer import HEADER_KEY
from gridarium.episodes.errors import DatasetError
from gridarium.episodes.recording.schema import Columns, EpisodeSchema

CACHE_BYTES = 128 << 20


def header_of(folder: Path, stem: str) -> Header:
    """Return the header of a part.

    Raises:
        DatasetError: its index is damaged, not one of Gridarium, or of another version.
    """
    path = folder / (stem + INDEX)
    with reading(path):
        return Header.read((pq.read_metadata(path).metadata or {}).get(HEADER_KEY))


def index_of(folder: Path, stem: str) -> Any:
    """Return the index of a part, as an Arrow table.

    Raises:
        DatasetError: it is damaged, not one of Gridarium, or of another version.
    """
    path = folder / (stem + INDEX)
    header_of(folder, stem)
    with reading(path):
        table = pq.read_table(path, page_checksum_verification=True).replace_schema_metadata(None)
        table.validate(full=True)
        if table.schema != SCHEMA:
            odd = sorted({*table.schema.names} ^ {*TYPES}) or "of other types"
            raise DatasetError(f"its columns are not those of an index: {odd}")
        if any(table.column(name).null_count for name in ("id", *NUMBERS)):
            raise DatasetError("its index has gaps")
        return table


class StepsFile:
    """A file with the rows of one stream.

    Args:
        path: the file.
        schema: of the episodes in it.
        cache: for groups of rows that were read.

    Raises:
        DatasetError: it is missing, damaged, truncated, or has other columns.
    """

    def __init__(self, path: Path, schema: EpisodeSchema, cache: ArrayCache) -> None:
        self.path, self._schema, self._cache = path, schema.columns(), cache
        with reading(path):
            self._file = pq.ParquetFile(path, page_checksum_verification=True)
            meta = self._file.metadata
            arrow_schema = self._file.schema_arrow
            for name, column in self._schema.items():
                if name not in arrow_schema.names or arrow_schema.field(name).type != arrow_tables.field(
                    column
                ):
                    raise DatasetError(f"there is no column {name} of {column} in it")
        groups = [meta.row_group(i).num_rows for i in range(meta.num_row_groups)]
        self._begins = np.concatenate([[0], np.cumsum(np.array(groups, np.int64))])
        self.has_infos = arrow_tables.INFOS in arrow_schema.names
        self._texts = self.has_infos or any(c.dtype.kind == "U" for c in self._schema.values())

    def __len__(self) -> int:
        return int(self._begins[-1])

    @property
    def groups(self) -> int:
        """The number of groups of rows; a group is read as a whole."""
        return len(self._begins) - 1

    def group_of(self, rows: Any) -> Any:
        """Return int64[n]: the groups of some rows."""
        return np.searchsorted(self._begins, rows, side="right") - 1

    def read_all(self) -> Any:
        """Return all of it, as an Arrow table."""
        return self._file.read(use_threads=False)

    def rows(self, start: int, stop: int, names: Sequence[str] | None = None) -> Columns:
        """Return some rows of some columns (by default all), `infos` among them where there are any.

        Raises:
            DatasetError: the file is damaged, or has fewer rows.
        """
        if not 0 <= start <= stop <= len(self):
            raise DatasetError(f"{self.path}: rows {start} to {stop} of {len(self)} are wanted")
        wanted = (
            [*self._schema, *([arrow_tables.INFOS] if self.has_infos else [])]
            if names is None
            else list(names)
        )
        first = int(np.searchsorted(self._begins, start, side="right")) - 1
        parts: dict[str, list[Any]] = {name: [] for name in wanted}
        for group in range(min(first, self.groups - 1), self.groups):
            begin, end = int(self._begins[group]), int(self._begins[group + 1])
            if begin >= stop:
                break
            read = self._group(group, wanted)
            for name in wanted:
                parts[name].append(read[name][max(start - begin, 0) : min(stop, end) - begin])
        return {name: found[0] if len(found) == 1 else np.concatenate(found) for name, found in parts.items()}

    def _group(self, group: int, names: Sequence[str]) -> Columns:
        found = {name: self._cache.get((self.path, group, name)) for name in names}
        missing = [name for name, array in found.items() if array is None]
        if missing:
            with reading(self.path):
                table = self._file.read_row_group(group, columns=missing, use_threads=False)
                table.validate(full=self._texts)
                read = arrow_tables.to_columns(table, self._schema)
                if arrow_tables.INFOS in missing:
                    read[arrow_tables.INFOS] = np.array(table.column(arrow_tables.INFOS).to_pylist(), object)
            for name, array in read.items():
                self._cache.put((self.path, group, name), array)
            found |= read
        return found


class ArrayCache:
    """The arrays that were used last, up to a total size."""

    def __init__(self, most: int = CACHE_BYTES) -> None:
        self._arrays: OrderedDict[Any, Any] = OrderedDict()
        self._most, self._size = most, 0

    def get(self, key: Any) -> Any:
        """Return an array, or None if it is not cached."""
        if key not in self._arrays:
            return None
        self._arrays.move_to_end(key)
        return self._arrays[key]

    def put(self, key: Any, array: Any) -> None:
        """Cache an array, instead of those that were used longest ago."""
        array.flags.writeable = False
        self._arrays[key] = array
        self._size += array.nbytes
        while self._size > self._most and len(self._arrays) > 1:
            self._size -= self._arrays.popitem(last=False)[1].nbytes


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Name the file in errors of reading it.

    Raises:
        DatasetError: instead of the library's errors.
    """
    try:
        yield
    except DatasetError as error:
        raise DatasetError(f"{path}: {error}") from error
    except FileNotFoundError as error:
        raise DatasetError(f"{path}: the file is missing, though the index of its part is there") from error
    except (ArrowError, OSError, ValueError, EOFError) as error:
        if isinstance(error, PermissionError):
            raise
        raise DatasetError(f"{path}: truncated, damaged, or not a Parquet file ({error})") from error
