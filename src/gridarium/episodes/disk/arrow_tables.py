"""Conversion between columns and Arrow tables, without copying numbers.

A column of numbers has one of Arrow's own types. A column of arrays is fixed-size binary: each row has the bytes of one
array in C order, little-endian. Parquet writes and reads these several times as fast as lists of numbers, and small integers in a
quarter of the space before compression. `typed` shows them as lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.episodes.disk.json_values import text_of
from gridarium.episodes.errors import DatasetError, EpisodeError
from gridarium.episodes.recording.schema import Array, Column, Columns

try:
    import pyarrow
    import pyarrow.parquet
except ImportError:  # pragma: no cover
    raise ImportError("episodes on disk need pyarrow; install gridarium[storage]") from None

pa: Any = pyarrow
pq: Any = pyarrow.parquet
ArrowError: type[Exception] = pyarrow.lib.ArrowException

INFOS = "infos"
MAX_DISTINCT = 0.5
"""Floats of which less than this share is distinct are written as a dictionary."""
SAMPLE = 4096
MAX_SPLIT_BYTES = 1024
"""The largest size in bytes of a row of floats for which byte stream split is used."""


def field(column: Column) -> Any:
    """Return the Arrow type of a column."""
    if column.dtype.kind == "U":
        if column.shape:
            raise DatasetError(f"arrays of texts cannot be stored: {column}")
        return pa.string()
    if not column.shape:
        return pa.from_numpy_dtype(column.dtype)
    return pa.binary(column.nbytes)


def require_storable(name: str, column: Column) -> None:
    """Check that a column can be written.

    Raises:
        EpisodeError: it cannot: arrays of texts, arrays without an element, numbers for which Arrow has no type, or in
            another byte order than the machine's.
    """
    text_of(name, "the name of a column")
    if 0 in column.shape:
        raise EpisodeError(f"{name}: arrays without an element cannot be stored: {column}")
    if not column.dtype.isnative:
        raise EpisodeError(
            f"{name}: numbers in another byte order ({column.dtype.str}) cannot be stored; give "
            f"them as {column.dtype.newbyteorder('=').str}"
        )
    try:
        field(column)
    except (ArrowError, DatasetError) as error:
        raise EpisodeError(f"{name}: {column} cannot be stored ({error})") from error


def to_table(columns: Columns, schema: Mapping[str, Column], infos: list[str] | None) -> Any:
    """Return columns as an Arrow table.

    Args:
        columns: name -> array[rows, ...].
        schema: the columns there are, in order.
        infos: texts, one for each row.
    """
    arrays = {name: _to_arrow(columns[name], column) for name, column in schema.items()}
    if infos is not None:
        arrays[INFOS] = pa.array(infos, pa.string())
    return pa.table(arrays)


def to_columns(table: Any, schema: Mapping[str, Column]) -> Columns:
    """Return the columns of an Arrow table, sharing memory with it where it is in one chunk."""
    return {
        name: _from_arrow(table.column(name), schema[name]) for name in schema if name in table.column_names
    }


def join_blocks(parts: Sequence[Any]) -> Any:
    """Return tables with the rows of one stream as one; if only some have infos, the others get empty ones."""
    if any(INFOS in part.column_names for part in parts):
        parts = [part if INFOS in part.column_names else _with_infos(part) for part in parts]
    return pa.concat_tables(parts).combine_chunks()


def encodings(table: Any, schema: Mapping[str, Column]) -> dict[str, Any]:
    """Return options for writing columns to Parquet: byte stream split for floats that hardly repeat, dictionaries for other numbers."""
    split: list[str] = []
    dictionary = [INFOS] if INFOS in table.column_names else []
    for name, column in schema.items():
        floats = column.dtype.kind == "f"
        if not column.shape:
            sample = table.column(name).slice(0, SAMPLE)
            many = floats and len(np.unique(sample.to_numpy())) > MAX_DISTINCT * len(sample)
            (split if many else dictionary).append(name)
        elif floats and column.nbytes <= MAX_SPLIT_BYTES:
            split.append(name)
    return {"use_byte_stream_split": split or False, "use_dictionary": dictionary or False}


def typed(table: Any, schema: Mapping[str, Column]) -> Any:
    """Return a table whose arrays are fixed-size lists of numbers (nested by the axes of the array), sharing memory."""
    for i, name in enumerate(table.column_names):
        column = schema.get(name)
        if column is not None and column.shape:
            lists = pa.array(_from_arrow(table.column(i), column).reshape(-1))
            for side in reversed(column.shape):
                lists = pa.FixedSizeListArray.from_arrays(lists, side)
            table = table.set_column(i, name, lists)
    return table


def _with_infos(table: Any) -> Any:
    return table.append_column(INFOS, pa.array([""] * len(table), pa.string()))


def _to_arrow(array: Array, column: Column) -> Any:
    if not column.shape or column.dtype.kind == "U":
        return pa.array(array.tolist() if column.dtype.kind == "U" else np.ascontiguousarray(array))
    little = np.ascontiguousarray(array, column.dtype.newbyteorder("<"))
    buffers = [None, pa.py_buffer(little)]
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(column.nbytes), len(little), buffers)


def _from_arrow(chunks: Any, column: Column) -> npt.NDArray[Any]:
    if column.dtype.kind == "U":
        return np.array(chunks.to_pylist(), np.str_)
    if not column.shape:
        numbers: npt.NDArray[Any] = chunks.to_numpy()
        return numbers
    parts = [_bytes(chunk, column) for chunk in chunks.chunks]
    if len(parts) == 1:
        return parts[0]
    return np.concatenate([np.empty((0, *column.shape), column.dtype), *parts])


def _bytes(chunk: Any, column: Column) -> npt.NDArray[Any]:
    n, width = len(chunk), column.nbytes
    raw = np.frombuffer(chunk.buffers()[1], np.uint8, n * width, chunk.offset * width) if n * width else b""
    numbers = np.frombuffer(raw, column.dtype.newbyteorder("<")).astype(column.dtype, copy=False)
    return numbers.reshape(n, *column.shape)
