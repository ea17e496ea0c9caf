"""The indices of all parts of a dataset, as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.episodes.disk import part_reader
from gridarium.episodes.disk.arrow_tables import pa
from gridarium.episodes.disk.index import SCHEMA, RowKind, numbers
from gridarium.episodes.disk.json_values import from_json
from gridarium.episodes.disk.parts import INDEX
from gridarium.episodes.errors import DatasetError


@dataclass(frozen=True)
class CatalogEntry:
    """A row of the catalog: what is known of one episode; see `gridarium.episodes.disk.index.TYPES`.

    Attributes:
        catalog_row: its row in the catalog.
        part: the number of its part.
    """

    catalog_row: int
    part: int
    id: str
    kind: int
    steps: int
    return_: float
    terminated: bool
    truncated: bool
    t_started: int
    lookback: int
    agent: Any
    module: str | None
    group: Any
    stream: int
    row: int
    replay: int
    custom: dict[str, Any]
    state: str | None

    @property
    def rows(self) -> int:
        """How many rows it has: one for each observation."""
        return self.lookback + self.steps + 1

    @property
    def is_multi_agent(self) -> bool:
        """Whether it is an episode of several agents."""
        return self.kind == RowKind.MULTI_AGENT


@dataclass(frozen=True, eq=False)
class Catalog:
    """All rows of all indices.

    Attributes:
        table: the rows, as an Arrow table.
        part: int64[rows]: the number of the part of each.
        episode_rows: int64[n]: the rows that are episodes, and not an agent's part of one.
    """

    table: Any
    part: npt.NDArray[np.int64]
    episode_rows: npt.NDArray[np.int64]

    @staticmethod
    def read(folder: Path, stems: Sequence[str]) -> Catalog:
        """Read all indices.

        Raises:
            DatasetError: one is damaged.
        """
        tables = []
        for stem in stems:
            table = part_reader.index_of(folder, stem)
            _check(table, folder / (stem + INDEX))
            tables.append(table)
        part = np.repeat(np.arange(len(tables)), np.array([len(table) for table in tables], np.int64))
        table = pa.concat_tables([SCHEMA.empty_table(), *tables]).combine_chunks()
        return Catalog(table, part, np.flatnonzero(numbers(table, "kind") != RowKind.MEMBER))

    def numbers(self, name: str) -> npt.NDArray[Any]:
        """A column of numbers of the episodes."""
        return numbers(self.table, name)[self.episode_rows]

    def texts(self, name: str) -> list[Any]:
        """A column of texts of the episodes; None where there is none."""
        texts: list[Any] = self.table.column(name).take(self.episode_rows).to_pylist()
        return texts

    def members(self, entry: CatalogEntry) -> list[CatalogEntry]:
        """The agents' own episodes of an episode of several agents."""
        owners, places = self._owned
        first, end = np.searchsorted(owners, [entry.catalog_row, entry.catalog_row + 1])
        return [self.entry(place) for place in places[first:end].tolist()]

    @cached_property
    def named(self) -> dict[str, list[int]]:
        """The numbers of the episodes with each id: those of its chunks, in the order in which they were written."""
        found: dict[str, list[int]] = {}
        for i, id_ in enumerate(self.texts("id")):
            found.setdefault(id_, []).append(i)
        return found

    @cached_property
    def _firsts(self) -> npt.NDArray[np.int64]:
        """int64[parts]: the row with which each part begins."""
        return np.searchsorted(self.part, np.arange(int(self.part.max(initial=-1)) + 1))

    @cached_property
    def _owned(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """int64[members] twice, sorted: the row of the episode that each belongs to, and its own."""
        parents = numbers(self.table, "parent")
        places = np.flatnonzero(parents >= 0)
        owners = parents[places] + self._firsts[self.part[places]]
        order = np.argsort(owners, kind="stable")
        return owners[order], places[order]

    def entry(self, row_number: int) -> CatalogEntry:
        """What is known of the episode in a row."""
        row = self.table.slice(row_number, 1).to_pylist()[0]
        part = int(self.part[row_number])
        return CatalogEntry(
            catalog_row=row_number,
            part=part,
            agent=None if row["agent"] is None else from_json(row["agent"]),
            group=None if row["group"] is None else from_json(row["group"]),
            custom=from_json(row["custom"] or ""),
            return_=row["return"],
            **{name: row[name] for name in _TAKEN},
        )


_TAKEN = (
    "id", "kind", "steps", "terminated", "truncated", "t_started", "lookback", "module", "stream", "row", "replay",
    "state",
)  # fmt: skip


def _check(table: Any, path: Path) -> None:
    """Check that the numbers of an index are valid."""
    columns = {
        name: numbers(table, name) for name in ("kind", "steps", "lookback", "row", "parent", "stream")
    }
    kinds = np.isin(columns["kind"], [*RowKind])
    wrong = ~kinds | (columns["steps"] < 0) | (columns["lookback"] < 0) | (columns["row"] < 0)
    wrong |= (columns["parent"] >= len(table)) | (
        (columns["kind"] == RowKind.MEMBER) != (columns["parent"] >= 0)
    )
    if wrong.any():
        raise DatasetError(f"{path}: row {int(np.flatnonzero(wrong)[0])} of the index cannot be right")
