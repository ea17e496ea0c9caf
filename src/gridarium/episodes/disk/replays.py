"""Episodes that are kept as recorded runs: seeds and actions, done again when somebody wants to see them."""

from __future__ import annotations

import functools
import math
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
    block = episodes_of_run(run, world, allow_imports=allow_imports)
    rows = index.rows_of(block, stream=-1, first=0)
    places = np.array([place_of(id_) for id_ in rows["id"]], np.int64).reshape(-1, 2)
    rows |= {"row": places[:, 0], "replay": places[:, 1]}
    with Files(sync=sync) as files:
        files.write(folder / (stem + RUN), run.save)
        table = with_header(index.to_table([rows]), header)
        files.finish(folder / (stem + INDEX), functools.partial(pq.write_table, table, **COMMON))
    return Written(len(block), block.steps)


def replayed(dataset: EpisodeDataset, entry: Entry) -> SingleAgentEpisode:
    """An episode, done again and checked.

    Raises:
        DatasetError: the run is damaged, or does not give the same episode any more.
    """
    path = dataset.path / (dataset.stems[entry.part] + RUN)
    try:
        run, world = dataset.cached(path, lambda path: _opened(path, allow_imports=dataset.allow_imports))
        again = episodes_of_run(run.episodes(entry.row)[entry.replay], world)
    except ReplayError as error:
        raise DatasetError(
            f"{path}: episode {entry.id} cannot be done again as it was recorded: {error}. "
            "Its world, a rule or the library has changed since"
        ) from error
    except (OSError, ValueError, IndexError) as error:
        raise DatasetError(f"{path}: episode {entry.id} cannot be done again: {error}") from error
    for episode in again:
        if episode.agent_id == entry.agent:
            return _named(episode, entry, path)
    raise DatasetError(f"{path}: the run has no agent {entry.agent!r}")


def _opened(path: Path, *, allow_imports: bool) -> tuple[Run, World]:
    run = Run.load(path)
    return run, world_of(run, allow_imports=allow_imports)


def _named(episode: SingleAgentEpisode, entry: Entry, path: Path) -> SingleAgentEpisode:
    """The episode with the names that it had when it was recorded.

    Raises:
        DatasetError: it is another one.
    """
    if len(episode) != entry.steps or not math.isclose(episode.get_return(), entry.return_, abs_tol=1e-9):
        raise DatasetError(
            f"{path}: episode {entry.id} had {entry.steps} steps and a return of {entry.return_}; done again, it has "
            f"{len(episode)} and {episode.get_return()}. Its world, a rule or the library has changed since"
        )
    episode.id_, episode.multi_agent_episode_id = entry.id, entry.group
    episode.is_terminated, episode.is_truncated = entry.terminated, entry.truncated
    episode.custom_data.update(entry.custom)
    return episode
