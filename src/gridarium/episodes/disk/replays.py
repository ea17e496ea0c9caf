"""Episodes that are stored as recorded runs: seeds and actions, replayed when they are read."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gridarium.engine import ReplayError, Run, World
from gridarium.episodes.disk import index
from gridarium.episodes.disk.arrow_tables import pq
from gridarium.episodes.disk.dataset_files import CatalogEntry, DatasetFiles
from gridarium.episodes.disk.header import Header
from gridarium.episodes.disk.index import RowKind
from gridarium.episodes.disk.parts import RUN, PartFiles
from gridarium.episodes.disk.write_buffer import COMMON, WriteCounts, with_header
from gridarium.episodes.errors import DatasetError
from gridarium.episodes.multi_agent import MultiAgentEpisode
from gridarium.episodes.recording.batch_recorder import episodes_of_run, world_of
from gridarium.episodes.recording.episode_block import EpisodeBlock
from gridarium.episodes.recording.episode_boundaries import parse_episode_id
from gridarium.episodes.recording.multi_agent_block import MultiAgentBlock
from gridarium.episodes.recording.schema import Columns
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

CHANGED = "Its world, a rule or the library has changed since"


def write_run(folder: Path, stem: str, header: Header, run: Run, block: Any, *, sync: bool) -> WriteCounts:
    """Write a run as a part of a dataset.

    Args:
        folder: of the dataset.
        stem: the name of the part.
        header: of the part.
        run: what was recorded.
        block: its episodes.
        sync: as for `EpisodeWriter`.

    Raises:
        OSError: it cannot be written; there are no files of it then.
    """
    if isinstance(block, MultiAgentBlock):
        whole = index.multi_agent_rows(block)
        parents = np.repeat(np.arange(len(block)), block.counts)
        own = index.rows_of(block.parts, stream=-1, first=0, kind=RowKind.MEMBER, parent=parents)
        parts = [whole, own]
    else:
        parts = [index.rows_of(block, stream=-1, first=0)]
    for rows in parts:
        places = np.array([parse_episode_id(id_) for id_ in rows["id"]], np.int64).reshape(-1, 2)
        rows |= {"row": places[:, 0], "replay": places[:, 1]}
    with PartFiles(folder, stem, sync=sync) as files:
        files.write(RUN, run.save)
        table = with_header(index.to_table(parts), header, files.checksums)
        files.finish(functools.partial(pq.write_table, table, **COMMON))
    return WriteCounts(len(block), block.steps)


def replay_episode(files: DatasetFiles, entry: CatalogEntry) -> SingleAgentEpisode | MultiAgentEpisode:
    """Replay and check an episode, with the ids that it had when it was recorded.

    Raises:
        DatasetError: the run is damaged, or does not give the same episode any more.
    """
    block = _replay(files, entry)
    if not entry.is_multi_agent:
        return _with_recorded_ids(
            single_agent_block(block).episode(_find_checked(files, block, entry)), entry, entry.group
        )
    _check(files, entry, int(block.lengths[0]), float(block.returns[0]))
    episode: MultiAgentEpisode = block.episode(0)
    for member in files.catalog.members(entry):
        _find_checked(files, block, member)
        _with_recorded_ids(episode.agent_episodes[member.agent], member, entry.id)
    episode.id_ = entry.id
    episode.is_terminated, episode.is_truncated = entry.terminated, entry.truncated
    return episode


class ReplayedSteps:
    """The rows of a part's replayed episodes, one episode after another, with the interface of `StepsFile`.

    Each episode, of one agent or of all of a world's agents, is a group of rows, which is replayed when it is read.

    Attributes:
        catalog_rows: int64[n]: the rows of the catalog with the agents' episodes.
        begins: int64[n + 1]: the first row of each of these.
        groups: how many groups of rows there are.
        schema: of the first of them, which is replayed for it.

    Raises:
        DatasetError: as for `replay_episode`.
    """

    def __init__(self, files: DatasetFiles, part: int) -> None:
        self._files, catalog = files, files.catalog

        def column(name: str) -> Any:
            return index.numbers(catalog.table, name)

        mine = (catalog.part == part) & (column("replay") >= 0) & (column("kind") != RowKind.MULTI_AGENT)
        self.catalog_rows = np.flatnonzero(mine)
        rows = (column("steps") + column("lookback"))[self.catalog_rows] + 1
        self.begins = np.concatenate([[0], np.cumsum(rows)])
        same = [np.diff(column(name)[self.catalog_rows]) == 0 for name in ("row", "replay")]
        self._first = np.flatnonzero(np.concatenate([[True], ~(same[0] & same[1]), [True]]))
        self._edges = self.begins[self._first]
        self.groups = len(self._first) - 1
        self.schema = single_agent_block(_replay(files, self._entries(0)[0])).schema

    def group_of(self, rows: Any) -> Any:
        """Return int64[n]: the groups that some rows lie in."""
        return np.searchsorted(self._edges, rows, side="right") - 1

    def rows(self, start: int, stop: int, names: Sequence[str]) -> Columns:
        """Return some rows of one group, some columns of them.

        Raises:
            DatasetError: as for `replay_episode`.
        """
        group = int(self.group_of(start))
        entries = self._entries(group)
        block = _replay(self._files, entries[0])
        own = single_agent_block(block)
        first = np.cumsum(own.rows) - own.rows
        found = [_find_checked(self._files, block, entry) for entry in entries]
        rows = np.concatenate([np.arange(first[i], first[i] + own.rows[i]) for i in found])
        rows = rows[start - self._edges[group] : stop - self._edges[group]]
        columns = own.columns()
        return {name: columns[name][rows] for name in names}

    def _entries(self, group: int) -> list[CatalogEntry]:
        rows = self.catalog_rows[self._first[group] : self._first[group + 1]]
        return [self._files.catalog.entry(row) for row in rows.tolist()]


def single_agent_block(block: Any) -> EpisodeBlock:
    """Return the block of the agents' own episodes."""
    parts: EpisodeBlock = block.parts if isinstance(block, MultiAgentBlock) else block
    return parts


def _replay(files: DatasetFiles, entry: CatalogEntry) -> Any:
    """Return the block of an episode, replayed, of all of the world's agents."""
    path = files.path_of(entry.part, RUN)
    try:
        run, world = files.cached(path, lambda _: _open_run(files, entry.part))
        own = files.cached(path / f"world {entry.row}", lambda _: run.episodes(entry.row))
        return episodes_of_run(own[entry.replay], world)
    except ReplayError as error:
        raise DatasetError(
            f"{path}: episode {entry.id} cannot be done again as it was recorded: {error}. {CHANGED}"
        ) from error
    except DatasetError:
        raise
    except (OSError, ValueError, IndexError) as error:
        raise DatasetError(f"{path}: episode {entry.id} cannot be done again: {error}") from error


def _find_checked(files: DatasetFiles, block: Any, entry: CatalogEntry) -> int:
    """Return the index of an agent's episode among those that were replayed, if it is the same as recorded."""
    own = single_agent_block(block)
    agents = [None] * len(own) if own.metadata.agents is None else list(own.metadata.agents)
    if entry.agent not in agents:
        raise DatasetError(f"{files.path_of(entry.part, RUN)}: the run has no agent {entry.agent!r}")
    i = agents.index(entry.agent)
    _check(files, entry, int(own.lengths[i]), float(own.returns[i]))
    return i


def _check(files: DatasetFiles, entry: CatalogEntry, steps: int, returned: float) -> None:
    if steps != entry.steps or not math.isclose(returned, entry.return_, abs_tol=1e-9):
        raise DatasetError(
            f"{files.path_of(entry.part, RUN)}: episode {entry.id} had {entry.steps} steps and a return of {entry.return_}; "
            f"done again, it has {steps} and {returned}. {CHANGED}"
        )


def _with_recorded_ids(episode: SingleAgentEpisode, entry: CatalogEntry, group: Any) -> SingleAgentEpisode:
    """Return an agent's episode with the ids and flags that it had when it was recorded."""
    episode.id_, episode.multi_agent_episode_id = entry.id, group
    episode.is_terminated, episode.is_truncated = entry.terminated, entry.truncated
    episode.custom_data.update(entry.custom)
    return episode


def _open_run(files: DatasetFiles, part: int) -> tuple[Run, World]:
    run = Run.load(files.path_of(part, RUN))
    files.check_file(part, RUN)
    return run, world_of(run, allow_imports=files.allow_imports)
