"""Episodes that are kept as recorded runs: seeds and actions, done again when somebody wants to see them."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gridarium.engine import ReplayError, Run, World
from gridarium.episodes.disk import index
from gridarium.episodes.disk.arrow import pq
from gridarium.episodes.disk.catalog import Entry
from gridarium.episodes.disk.errors import DatasetError
from gridarium.episodes.disk.header import Header
from gridarium.episodes.disk.index import Kind
from gridarium.episodes.disk.parts import RUN, Files
from gridarium.episodes.disk.pending import COMMON, Written, with_header
from gridarium.episodes.disk.stored import StoredEpisodes
from gridarium.episodes.multi_agent import MultiAgentEpisode
from gridarium.episodes.recording.block import EpisodeBlock
from gridarium.episodes.recording.forms import Columns
from gridarium.episodes.recording.names import place_of
from gridarium.episodes.recording.replaying import episodes_of_run, world_of
from gridarium.episodes.recording.together import MultiAgentBlock
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

CHANGED = "Its world, a rule or the library has changed since"


def write_run(folder: Path, stem: str, header: Header, run: Run, block: Any, *, sync: bool) -> Written:
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
        whole = index.rows_of_several(block)
        parents = np.repeat(np.arange(len(block)), block.counts)
        own = index.rows_of(block.parts, stream=-1, first=0, kind=Kind.MEMBER, parent=parents)
        parts = [whole, own]
    else:
        parts = [index.rows_of(block, stream=-1, first=0)]
    for rows in parts:
        places = np.array([place_of(id_) for id_ in rows["id"]], np.int64).reshape(-1, 2)
        rows |= {"row": places[:, 0], "replay": places[:, 1]}
    with Files(folder, stem, sync=sync) as files:
        files.write(RUN, run.save)
        table = with_header(index.to_table(parts), header, files.checksums)
        files.finish(functools.partial(pq.write_table, table, **COMMON))
    return Written(len(block), block.steps)


def replayed(dataset: StoredEpisodes, entry: Entry) -> SingleAgentEpisode | MultiAgentEpisode:
    """An episode, done again and checked, with the names that it had when it was recorded.

    Raises:
        DatasetError: the run is damaged, or does not give the same episode any more.
    """
    block = _again(dataset, entry)
    if not entry.several:
        return _named(parts_of(block).episode(_checked(dataset, block, entry)), entry, entry.group)
    _check(dataset, entry, int(block.lengths[0]), float(block.returns[0]))
    episode: MultiAgentEpisode = block.episode(0)
    for member in dataset.catalog.members(entry):
        _checked(dataset, block, member)
        _named(episode.agent_episodes[member.agent], member, entry.id)
    episode.id_ = entry.id
    episode.is_terminated, episode.is_truncated = entry.terminated, entry.truncated
    return episode


class ReplayedSteps:
    """The rows that a part's replayed episodes have, one episode after another, as `StepsFile` gives those of a file.

    Each episode, that of one agent or those of all of a world's agents, is a group of rows, done again when it is read.

    Attributes:
        places: int64[n]: the rows of the catalog with the agents' episodes.
        begins: int64[n + 1]: the first row of each of these.
        groups: how many groups of rows there are.
        form: of the first of them, which is done again for it.

    Raises:
        DatasetError: as for `replayed`.
    """

    def __init__(self, dataset: StoredEpisodes, part: int) -> None:
        self._dataset, catalog = dataset, dataset.catalog

        def column(name: str) -> Any:
            return index.numbers(catalog.table, name)

        mine = (catalog.part == part) & (column("replay") >= 0) & (column("kind") != Kind.SEVERAL)
        self.places = np.flatnonzero(mine)
        rows = (column("steps") + column("lookback"))[self.places] + 1
        self.begins = np.concatenate([[0], np.cumsum(rows)])
        same = [np.diff(column(name)[self.places]) == 0 for name in ("row", "replay")]
        self._first = np.flatnonzero(np.concatenate([[True], ~(same[0] & same[1]), [True]]))
        self._edges = self.begins[self._first]
        self.groups = len(self._first) - 1
        self.form = parts_of(_again(dataset, self._entries(0)[0])).form

    def group_of(self, rows: Any) -> Any:
        """int64[n]: the groups that some rows lie in."""
        return np.searchsorted(self._edges, rows, side="right") - 1

    def rows(self, start: int, stop: int, names: Sequence[str]) -> Columns:
        """Some rows of one group, some columns of them.

        Raises:
            DatasetError: as for `replayed`.
        """
        group = int(self.group_of(start))
        entries = self._entries(group)
        block = _again(self._dataset, entries[0])
        own = parts_of(block)
        first = np.cumsum(own.rows) - own.rows
        found = [_checked(self._dataset, block, entry) for entry in entries]
        rows = np.concatenate([np.arange(first[i], first[i] + own.rows[i]) for i in found])
        rows = rows[start - self._edges[group] : stop - self._edges[group]]
        columns = own.columns()
        return {name: columns[name][rows] for name in names}

    def _entries(self, group: int) -> list[Entry]:
        places = self.places[self._first[group] : self._first[group + 1]]
        return [self._dataset.catalog.entry(place) for place in places.tolist()]


def parts_of(block: Any) -> EpisodeBlock:
    """The agents' own episodes of a block."""
    parts: EpisodeBlock = block.parts if isinstance(block, MultiAgentBlock) else block
    return parts


def _again(dataset: StoredEpisodes, entry: Entry) -> Any:
    """The block of an episode, done again; of all of the world's agents."""
    path = dataset.path_of(entry.part, RUN)
    try:
        run, world = dataset.cached(path, lambda _: _opened(dataset, entry.part))
        own = dataset.cached(path / f"world {entry.row}", lambda _: run.episodes(entry.row))
        return episodes_of_run(own[entry.replay], world)
    except ReplayError as error:
        raise DatasetError(
            f"{path}: episode {entry.id} cannot be done again as it was recorded: {error}. {CHANGED}"
        ) from error
    except DatasetError:
        raise
    except (OSError, ValueError, IndexError) as error:
        raise DatasetError(f"{path}: episode {entry.id} cannot be done again: {error}") from error


def _checked(dataset: StoredEpisodes, block: Any, entry: Entry) -> int:
    """The number of an agent's episode among those that were done again, if it is the same."""
    own = parts_of(block)
    agents = [None] * len(own) if own.facts.agents is None else list(own.facts.agents)
    if entry.agent not in agents:
        raise DatasetError(f"{dataset.path_of(entry.part, RUN)}: the run has no agent {entry.agent!r}")
    i = agents.index(entry.agent)
    _check(dataset, entry, int(own.lengths[i]), float(own.returns[i]))
    return i


def _check(dataset: StoredEpisodes, entry: Entry, steps: int, returned: float) -> None:
    if steps != entry.steps or not math.isclose(returned, entry.return_, abs_tol=1e-9):
        raise DatasetError(
            f"{dataset.path_of(entry.part, RUN)}: episode {entry.id} had {entry.steps} steps and a return of {entry.return_}; "
            f"done again, it has {steps} and {returned}. {CHANGED}"
        )


def _named(episode: SingleAgentEpisode, entry: Entry, group: Any) -> SingleAgentEpisode:
    """An agent's episode with what was known of it when it was recorded."""
    episode.id_, episode.multi_agent_episode_id = entry.id, group
    episode.is_terminated, episode.is_truncated = entry.terminated, entry.truncated
    episode.custom_data.update(entry.custom)
    return episode


def _opened(dataset: StoredEpisodes, part: int) -> tuple[Run, World]:
    run = Run.load(dataset.path_of(part, RUN))
    dataset.check_file(part, RUN)
    return run, world_of(run, allow_imports=dataset.allow_imports)
