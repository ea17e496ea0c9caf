"""Batches of steps, or of windows of steps, in random order, without holding all of a dataset in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from gridarium.episodes.buffer.structs import map_structs
from gridarium.episodes.disk.dataset_files import DatasetFiles
from gridarium.episodes.disk.index import RowKind, numbers
from gridarium.episodes.disk.part_reader import StepsFile
from gridarium.episodes.disk.replays import ReplayedSteps
from gridarium.episodes.errors import DatasetError
from gridarium.episodes.recording.schema import Columns, EpisodeSchema, build_struct

RowSource = StepsFile | ReplayedSteps
RowSources = dict[tuple[int, int], Any]
"""`StepsFile` or, where the number of the stream is -1, `ReplayedSteps`, by the numbers of part and stream."""

Integers = npt.NDArray[np.int64]
POOL_BYTES = 256 << 20


@dataclass(frozen=True, eq=False)
class StepWindows:
    """Windows of consecutive steps.

    Attributes:
        file: int64[n]: which file of rows each is in.
        row: int64[n]: its first row.
        count: int64[n]: how many steps it has.
        terminated, truncated: bool[n]: how the episode ended, if it ended with the window.
    """

    file: Integers
    row: Integers
    count: Integers
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]


class HasFiles(Protocol):
    """An `EpisodeDataset`."""

    files: DatasetFiles


class Batches:
    """All steps of a dataset, each once, in batches. Each iteration has another order.

    Args:
        dataset: the episodes. Those of several agents give the steps of each agent.
        size: how many steps or windows a batch has.
        window: None for single steps; else the number of consecutive steps in a window. Episodes are cut into windows from
            their beginning; the last one is padded with zeros, as `mask` says.
        seed: of the order; None for the order on disk.
        pool_bytes: how much is held in memory at a time, and shuffled. If the dataset is smaller, all orders are equally likely;
            else groups of rows are drawn at random, and steps among those in the pool.
        drop_last: leave out the last batch if it is not full.
        shard: (k, n): every n-th group of rows only, from the k-th on, for n processes that share the work.
        epoch: the number of the first iteration; each has its own order.

    Raises:
        DatasetError: episodes of different forms. While iterating also: damaged files, and recorded runs that do not
            replay to the same episodes any more.

    Episodes that were recorded as runs are replayed when it is their turn.

    A batch is a dict: `observations`, `actions`, `rewards`, `next_observations`, `terminated`, `truncated`, and `extras`
    where there are any, with a leading axis of windows (left out are axes of steps for single ones). With windows,
    `observations` are [size, window + 1, ...], `mask` is bool[size, window], and there are no `next_observations`.
    """

    def __init__(
        self,
        dataset: HasFiles,
        size: int,
        *,
        window: int | None = None,
        seed: int | None = None,
        pool_bytes: int = POOL_BYTES,
        drop_last: bool = False,
        shard: tuple[int, int] = (0, 1),
        epoch: int = 0,
    ) -> None:
        if size < 1 or (window is not None and window < 1):
            raise ValueError(f"size and window are 1 or more, got {size} and {window}")
        if not 0 <= shard[0] < shard[1]:
            raise ValueError(f"a shard is (k, n) with k from 0 to n - 1, got {shard}")
        self._size, self._window, self._seed, self._drop_last = size, window, seed, drop_last
        self._files, self._schema = _row_sources(dataset.files)
        self._windows = _windows(dataset.files, self._files, window or 1)
        self._pool_bytes, self._shard, self._epoch = pool_bytes, shard, epoch

    def __len__(self) -> int:
        """Return the number of batches, if the work is not shared."""
        n = len(self._windows.row)
        return n // self._size if self._drop_last else -(-n // self._size)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        rng = None if self._seed is None else np.random.default_rng([self._seed, self._epoch, *self._shard])
        order = None if self._seed is None else np.random.default_rng([self._seed, self._epoch])
        self._epoch += 1
        left: list[dict[str, Any]] = []
        waiting = 0
        for chosen, columns, first in self._pools(order):
            drawn = np.arange(len(chosen)) if rng is None else rng.permutation(len(chosen))
            for begin in range(0, len(drawn), self._size):
                part = drawn[begin : begin + self._size]
                made = self._batch(columns, chosen[part], first[part])
                if not left and len(part) == self._size:
                    yield made
                    continue
                left.append(made)
                waiting += len(part)
                if waiting >= self._size:
                    whole = _joined(left)
                    yield _part(whole, 0, self._size)
                    left, waiting = [_part(whole, self._size, waiting)], waiting - self._size
                    if not waiting:
                        left = []
        if waiting and not self._drop_last:
            yield _joined(left)

    def _pools(self, order: np.random.Generator | None) -> Iterator[tuple[Integers, Columns, Integers]]:
        """Pools: the numbers of their windows, rows in memory, and where in these each window begins."""
        files = list(self._files.values())
        begins = np.cumsum([0, *(file.groups for file in files)])
        group = np.zeros(len(self._windows.row), np.int64)
        for k, file in enumerate(files):
            mine = self._windows.file == k
            group[mine] = begins[k] + file.group_of(self._windows.row[mine])
        groups = np.unique(group)
        if order is not None:
            groups = order.permutation(groups)
        groups = groups[self._shard[0] :: self._shard[1]]
        by_group = np.argsort(group, kind="stable")
        edges = np.searchsorted(group[by_group], np.arange(int(begins[-1]) + 1))
        most = max(1, self._pool_bytes // self._schema.row_bytes)
        held: list[tuple[Integers, Columns, Integers]] = []
        rows = 0
        for g in groups.tolist():
            k = int(np.searchsorted(begins, g, side="right")) - 1
            chosen = by_group[edges[g] : edges[g + 1]]
            columns, begin = self._read(files[k], chosen)
            held.append((chosen, columns, self._windows.row[chosen] - begin + rows))
            rows += len(columns["rewards"])
            if rows >= most:
                yield _pooled(held)
                held, rows = [], 0
        if held:
            yield _pooled(held)

    def _read(self, file: RowSource, chosen: Integers) -> tuple[Columns, int]:
        """Return the rows of some windows of one file, and the number of the first row."""
        rows, counts = self._windows.row[chosen], self._windows.count[chosen]
        begin, end = int(rows.min()), int((rows + counts).max()) + 1
        return file.rows(begin, end, list(self._schema.columns())), begin

    def _batch(self, columns: Columns, chosen: Integers, first: Integers) -> dict[str, Any]:
        windows, width = self._windows, self._window or 1
        count = windows.count[chosen]
        steps = np.arange(width + 1)
        rows = first[:, None] + np.minimum(steps, count[:, None])
        inside = steps[:-1] < count[:, None]
        last = steps[:-1] == count[:, None] - 1

        def taken(name: str, part: Any, at: Integers, mask: Any = None) -> Any:
            def leaf(path: str) -> Any:
                values = columns[path][at]
                if mask is not None:
                    values[~mask] = np.zeros((), values.dtype)
                return values

            return build_struct(name, part, leaf)

        schema, single = self._schema, self._window is None
        where, mask = (rows[:, 0], None) if single else (rows[:, :-1], inside)
        ends = {"terminated": windows.terminated[chosen], "truncated": windows.truncated[chosen]}
        made = {
            "observations": taken("observations", schema.observations, rows[:, 0] if single else rows),
            "actions": taken("actions", schema.actions, where, mask),
            "rewards": taken("rewards", schema.parts()["rewards"], where, mask),
            **{name: end if single else end[:, None] & last for name, end in ends.items()},
        }
        if single:
            made["next_observations"] = taken("observations", schema.observations, rows[:, 1])
        else:
            made["mask"] = inside
        if schema.extras:
            made["extras"] = taken("extras", dict(schema.extras), where, mask)
        return made


def _row_sources(dataset: DatasetFiles) -> tuple[RowSources, EpisodeSchema]:
    """Return the sources of rows, and their common schema."""
    catalog = dataset.catalog
    with_rows = numbers(catalog.table, "kind") != RowKind.MULTI_AGENT
    pairs = np.stack([catalog.part, numbers(catalog.table, "stream")], axis=1)[with_rows]
    keys = [(int(part), int(stream)) for part, stream in np.unique(pairs, axis=0)]
    files: RowSources = {}
    schemas = []
    for part, stream in keys:
        if stream < 0:
            files[part, stream] = replays = ReplayedSteps(dataset, part)
            schemas.append(replays.schema)
        else:
            files[part, stream] = dataset.steps_file(part, stream)
            schemas.append(dataset.schema_of(part, stream))
    if not schemas:
        raise DatasetError(f"{dataset.path}: there are no steps")
    if any(schema != schemas[0] for schema in schemas):
        raise DatasetError(f"{dataset.path}: the episodes have different forms: they make no common batches")
    return files, schemas[0]


def _windows(dataset: DatasetFiles, files: RowSources, width: int) -> StepWindows:
    """Return all episodes, cut into windows."""
    catalog = dataset.catalog
    chosen = np.flatnonzero(numbers(catalog.table, "kind") != RowKind.MULTI_AGENT)

    def column(name: str) -> npt.NDArray[Any]:
        return numbers(catalog.table, name)[chosen]

    place = {key: k for k, key in enumerate(files)}
    pairs = zip(catalog.part[chosen].tolist(), column("stream").tolist(), strict=True)
    file = np.array([place[pair] for pair in pairs], np.int64)
    row = column("row").copy()
    for (_, stream), replays in files.items():
        if stream < 0:  # there, `row` is the world
            row[np.isin(chosen, replays.catalog_rows)] = replays.begins[:-1]
    steps, first = column("steps"), row + column("lookback")
    each = -(-steps // width)
    episode = np.repeat(np.arange(len(chosen)), each)
    nth = np.arange(len(episode)) - np.repeat(np.cumsum(each) - each, each)
    count = np.minimum(steps[episode] - nth * width, width)
    ends = nth == each[episode] - 1
    return StepWindows(
        file[episode],
        first[episode] + nth * width,
        count,
        column("terminated")[episode] & ends,
        column("truncated")[episode] & ends,
    )


def _pooled(held: list[tuple[Integers, Columns, Integers]]) -> tuple[Integers, Columns, Integers]:
    chosen = np.concatenate([part[0] for part in held])
    first = np.concatenate([part[2] for part in held])
    columns = {name: np.concatenate([part[1][name] for part in held]) for name in held[0][1]}
    return chosen, columns, first


def _joined(parts: list[dict[str, Any]]) -> dict[str, Any]:
    return map_structs(lambda _, *arrays: np.concatenate(arrays), parts[0], *parts[1:])


def _part(batch: dict[str, Any], start: int, stop: int) -> dict[str, Any]:
    return map_structs(lambda _, array: array[start:stop], batch)
