"""Files with a table to which rows are appended; columns may be added later on."""

from __future__ import annotations

import csv
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

Scalar: TypeAlias = bool | int | float | str | None
"""What a cell of a table holds; None is an empty one."""
LONGEST = 2**31 - 1
"""So many characters of a field are read back."""
TableRow: TypeAlias = Mapping[str, Scalar]


class TableFile(ABC):
    """A file with a table. Nothing is written before the first rows.

    Args:
        path: the file, which is made together with its folder.
        columns: the first columns; more are added when rows have more, and are empty in the rows before.
    """

    def __init__(self, path: Path, columns: Sequence[str] = ()) -> None:
        self.path, self.columns = path, list(columns)
        self._begun = False

    def append(self, rows: Sequence[TableRow]) -> None:
        """Write rows."""
        if not rows:
            return
        before = self.columns
        new = list(dict.fromkeys(key for row in rows for key in row if key not in before))
        self.columns = [*before, *new]
        try:
            if not self._begun:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._begin()
                self._begun = True
            elif new:
                self._add_columns()
        except BaseException:
            self.columns = before
            raise
        self._write(rows)

    @abstractmethod
    def close(self) -> None:
        """Complete the file."""

    @abstractmethod
    def _begin(self) -> None: ...

    @abstractmethod
    def _add_columns(self) -> None: ...

    @abstractmethod
    def _write(self, rows: Sequence[TableRow]) -> None: ...


class CsvFile(TableFile):
    """A CSV file in UTF-8, complete after every `append`."""

    def __init__(self, path: Path, columns: Sequence[str] = (), delimiter: str = ";") -> None:
        super().__init__(path, columns)
        self.delimiter = delimiter

    def close(self) -> None:
        """Nothing: it is complete."""

    def _begin(self) -> None:
        with self.path.open("x", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter=self.delimiter).writerow(self.columns)

    def _add_columns(self) -> None:
        with self.path.open(encoding="utf-8", newline="") as file:
            usual = csv.field_size_limit(LONGEST)
            try:
                rows = list(csv.reader(file, delimiter=self.delimiter))[1:]
            finally:
                csv.field_size_limit(usual)
        width = len(self.columns)
        complete = self.path.with_suffix(self.path.suffix + ".new")
        with complete.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=self.delimiter)
            writer.writerow(self.columns)
            writer.writerows([*row, *[""] * (width - len(row))] for row in rows)
        complete.replace(self.path)

    def _write(self, rows: Sequence[TableRow]) -> None:
        with self.path.open("a", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, self.columns, restval="", delimiter=self.delimiter)
            writer.writerows(rows)


class ParquetFile(TableFile):
    """A Parquet file, which can be read once it is closed.

    Each append is a group of rows. A column has the type of its first values; where later ones do not fit (a text after
    numbers, or a new column), the table is written anew, with texts for what has no common type.

    Raises:
        ImportError: pyarrow is not installed.
    """

    def __init__(self, path: Path, columns: Sequence[str] = ()) -> None:
        super().__init__(path, columns)
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise ImportError("logs as Parquet need pyarrow; install gridarium[storage]") from None
        self._pa: Any = pyarrow
        self._kinds: dict[str, type] = {}
        self._writer: Any = None

    def close(self) -> None:
        """Complete the file."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _begin(self) -> None:
        """Nothing: the file is opened when the types of the columns are known."""

    def _add_columns(self) -> None:
        """Nothing: a new column is a new type, see `_write`."""

    def _write(self, rows: Sequence[TableRow]) -> None:
        kinds = {key: _kind((row.get(key) for row in rows), self._kinds.get(key)) for key in self.columns}
        before = []
        if kinds != self._kinds or self._writer is None:
            if self.path.exists():
                self.close()
                before = self._pa.parquet.read_table(self.path).to_pylist()
            self._kinds = kinds
            schema = self._pa.schema([(key, self._type(kind)) for key, kind in kinds.items()])
            self._writer = self._pa.parquet.ParquetWriter(self.path, schema)
        columns = {
            key: [_as_kind(row.get(key), kind) for row in (*before, *rows)] for key, kind in kinds.items()
        }
        self._writer.write_table(self._pa.table(columns, schema=self._writer.schema))

    def _type(self, kind: type) -> Any:
        types = {bool: self._pa.bool_, int: self._pa.int64, float: self._pa.float64, str: self._pa.string}
        return types.get(kind, self._pa.null)()


def _kind(values: Any, kind: type | None) -> type:
    """The type that a column needs: NoneType for an empty one, float for integers and floats, str for a mixture."""
    kind = kind or type(None)
    for value in values:
        found = type(value)
        if found is kind or value is None:
            continue
        if kind is type(None):
            kind = found
        elif {found, kind} == {int, float}:
            kind = float
        else:
            return str
    return kind


def _as_kind(value: Scalar, kind: type) -> Scalar:
    if value is None or type(value) is kind:
        return value
    return float(value) if kind is float else str(value)
