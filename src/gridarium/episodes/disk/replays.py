"""Episodes that are kept as recorded runs: seeds and actions, done again when somebody wants to see them."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gridarium.engine import ReplayError, Run, World
from gridarium.episodes.disk import index
from gridarium.episodes.disk.arrow import pq
from gridarium.episodes.disk.catalog import Entry
from gridarium.episodes.disk.errors import DatasetError
from gridarium.episodes.disk.header import Header
from gridarium.episodes.disk.parts import INDEX, RUN, Files
from gridarium.episodes.disk.pending import COMMON, Written, with_header
from gridarium.episodes.recording.block import EpisodeBlock
from gridarium.episodes.recording.forms import Columns
from gridarium.episodes.recording.names import place_of
from gridarium.episodes.recording.replaying import episodes_of_run, world_of
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

if TYPE_CHECKING:
    from gridarium.episodes.disk.dataset import EpisodeDataset


def write_run(
    folder: Path, stem: str, header: Header, run: Run, world: Any, allow_imports: bool, *, sync: bool
) -> Written:
    """Write a run as a part of a dataset. It is replayed once, to learn what its episodes are like.

    Raises:
        ReplayError, ValueError: see `gridarium.episodes.recording.episodes_of_run`.
        OSError: it cannot be written; there are no files of it then.
    """
    block = episodes_of_run(run, world, allow_imports=allow_imports, agents="apart")
    rows = index.rows_of(block, stream=-1, first=0)
    places = np.array([place_of(id_) for id_ in rows["id"]], np.int64).reshape(-1, 2)
    rows |= {"row": places[:, 0], "replay": places[:, 1]}
    with Files(sync=sync) as files:
        files.write(folder / (stem + RUN), run.save)
        table = with_header(index.to_table([rows]), header)
        files.finish(folder / (stem + INDEX), functools.partial(pq.write_table, table, **COMMON))
    return Written(len(block), block.steps)


def replayed(dataset: EpisodeDataset, entry: Entry) -> SingleAgentEpisode:
    """An episode, done again and checked, with the names that it had when it was recorded.

    Raises:
        DatasetError: the run is damaged, or does not give the same episode any more.
    """
    block, i = _again(dataset, entry)
    episode = block.episode(i)
    episode.id_, episode.multi_agent_episode_id = entry.id, entry.group
    episode.is_terminated, episode.is_truncated = entry.terminated, entry.truncated
    episode.custom_data.update(entry.custom)
    return episode


class ReplayedSteps:
    """The rows that a part's replayed episodes have, one episode after another, as `StepsFile` gives those of a file.

    Each episode is a group of rows, done again when it is read.

    Attributes:
        places: int64[n]: the rows of the catalog with these episodes.
        begins: int64[n + 1]: the first row of each.
        form: of the first of them, which is done again for it.

    Raises:
        DatasetError: as for `replayed`.
    """

    def __init__(self, dataset: EpisodeDataset, part: int) -> None:
        table = dataset.catalog.table
        self._dataset = dataset
        self.places = np.flatnonzero((dataset.catalog.part == part) & (index.numbers(table, "replay") >= 0))
        rows = (index.numbers(table, "steps") + index.numbers(table, "lookback"))[self.places] + 1
        self.begins = np.concatenate([[0], np.cumsum(rows)])
        self.form = self._again(0)[0].form

    @property
    def groups(self) -> int:
        """How many episodes there are."""
        return len(self.places)

    def group_of(self, rows: Any) -> Any:
        """int64[n]: the episodes that some rows lie in."""
        return np.searchsorted(self.begins, rows, side="right") - 1

    def rows(self, start: int, stop: int, names: Sequence[str]) -> Columns:
        """Some rows of one episode, some columns of them.

        Raises:
            DatasetError: as for `replayed`.
        """
        group = int(self.group_of(start))
        block, i = self._again(group)
        columns = block.columns()
        shift = int(block.rows[:i].sum()) - int(self.begins[group])
        return {name: columns[name][start + shift : stop + shift] for name in names}

    def _again(self, group: int) -> tuple[EpisodeBlock, int]:
        return _again(self._dataset, self._dataset.catalog.entry(int(self.places[group])))


def _again(dataset: EpisodeDataset, entry: Entry) -> tuple[EpisodeBlock, int]:
    """An episode, done again and checked, in a block with those of the world's other agents, and its number there."""
    path = dataset.path / (dataset.stems[entry.part] + RUN)
    try:
        run, world = dataset.cached(path, lambda path: _opened(path, allow_imports=dataset.allow_imports))
        own = dataset.cached(path / f"world {entry.row}", lambda _: run.episodes(entry.row))
        block = episodes_of_run(own[entry.replay], world, agents="apart")
    except ReplayError as error:
        raise DatasetError(
            f"{path}: episode {entry.id} cannot be done again as it was recorded: {error}. "
            "Its world, a rule or the library has changed since"
        ) from error
    except (OSError, ValueError, IndexError) as error:
        raise DatasetError(f"{path}: episode {entry.id} cannot be done again: {error}") from error
    agents = [None] * len(block) if block.facts.agents is None else list(block.facts.agents)
    if entry.agent not in agents:
        raise DatasetError(f"{path}: the run has no agent {entry.agent!r}")
    i = agents.index(entry.agent)
    steps, returned = int(block.lengths[i]), float(block.returns[i])
    if steps != entry.steps or not math.isclose(returned, entry.return_, abs_tol=1e-9):
        raise DatasetError(
            f"{path}: episode {entry.id} had {entry.steps} steps and a return of {entry.return_}; done again, it has "
            f"{steps} and {returned}. Its world, a rule or the library has changed since"
        )
    return block, i


def _opened(path: Path, *, allow_imports: bool) -> tuple[Run, World]:
    run = Run.load(path)
    return run, world_of(run, allow_imports=allow_imports)
