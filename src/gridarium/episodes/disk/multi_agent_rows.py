"""Episodes of several agents on disk: what is not in their agents' own episodes, as a row of the index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.disk.catalog import CatalogEntry
from gridarium.episodes.disk.dataset_files import DatasetFiles
from gridarium.episodes.disk.index import IndexRows, RowKind
from gridarium.episodes.disk.json_values import from_json, text_of, to_json
from gridarium.episodes.errors import DatasetError, EpisodeError
from gridarium.episodes.multi_agent import MultiAgentEpisode

STEPS = "env_t_to_agent_t"
SKIPPED = MultiAgentEpisode.SKIP_ENV_TS_TAG
EARLIEST = -1
"""The base of the first steps of runs, unless there are earlier ones."""


def index_row_of(episode: MultiAgentEpisode, returned: float | None = None) -> IndexRows:
    """The row of the index for an episode, without its agents' own episodes.

    Args:
        episode: its agents' own episodes may be missing.
        returned: the return of all agents; by default that of their episodes.

    Raises:
        EpisodeError: ids of the episode or of modules that are not texts; agents' ids, hanging actions or custom data that
            cannot be written as JSON.
    """
    episode.validate()
    steps = {agent: [kept.lookback, *_runs(kept.data)] for agent, kept in episode.env_t_to_agent_t.items()}
    plain = {
        key: list(value.items()) if isinstance(value, dict) else value
        for key, value in (episode.get_frame() | {STEPS: steps}).items()
    }
    where = f"episode {episode.id_}: a module's id"
    modules = {None if name is None else text_of(name, where) for name in episode.agent_module_ids.values()}
    return {
        "id": [text_of(episode.id_, "an episode's id")],
        "kind": [RowKind.MULTI_AGENT],
        "steps": [len(episode)],
        "return": [float(episode.get_return()) if returned is None else returned],
        "terminated": np.array([episode.is_terminated], np.bool_),
        "truncated": np.array([episode.is_truncated], np.bool_),
        "t_started": np.array([episode.env_t_started], np.int64),
        "lookback": [0],
        "agent": [None],
        "module": [modules.pop() if len(modules) == 1 else None],
        "group": [None],
        "parent": [-1],
        "stream": [-1],
        "row": [0],
        "replay": [-1],
        "custom": [to_json(episode.custom_data, "custom_data") or None],
        "state": [to_json(plain, "state")],
    }


def load_multi_agent(files: DatasetFiles, entry: CatalogEntry) -> MultiAgentEpisode:
    """The episode of several agents of a row.

    Raises:
        DatasetError: something about it is damaged.
    """
    state = from_json(entry.state or "")
    try:
        members = {entry.agent: files.read_episode(entry) for entry in files.catalog.members(entry)}
        frame = {key: dict(value) if isinstance(value, list) else value for key, value in state.items()}
        steps = {}
        for agent, (lookback, runs, *base) in frame[STEPS].items():
            if agent not in members and any(first >= 0 for first, _ in runs):
                raise EpisodeError(f"the part of agent {agent!r} is missing")
            steps[agent] = InfiniteLookbackBuffer(list(_steps(runs, *base)), lookback)
        episode = MultiAgentEpisode.from_frame(
            frame,
            members,
            steps,
            observation_space={a: e.observation_space for a, e in members.items() if e.observation_space},
            action_space={a: e.action_space for a, e in members.items() if e.action_space},
        )
        episode.custom_data.update(entry.custom)
        return episode
    except (AttributeError, LookupError, TypeError, ValueError, EpisodeError) as error:
        raise DatasetError(f"{files.path}: episode {entry.id} is damaged: {error}") from error


def _runs(steps: list[Any]) -> list[Any]:
    """Steps of an agent as runs [first, count]; a first of -1 stands for steps that it skipped.

    First steps are relative to `EARLIEST`, or, if a lookback begins earlier, to a base that follows the runs.
    """
    base = min([EARLIEST, *(step for step in steps if step != SKIPPED)])
    numbers = np.array([-1 if step == SKIPPED else step - base for step in steps], np.int64)
    follows = np.diff(numbers) == (numbers[1:] > 0)
    begins = np.flatnonzero(np.concatenate([[True], ~follows]))[: len(numbers)].tolist()
    ends = [*begins[1:], len(numbers)]
    runs = [[int(numbers[begin]), end - begin] for begin, end in zip(begins, ends, strict=False)]
    return [runs] if base == EARLIEST else [runs, base]


def _steps(runs: list[list[int]], base: int = EARLIEST) -> Iterator[Any]:
    """The steps of which `_runs` returned the runs."""
    for first, count in runs:
        yield from ([SKIPPED] * count if first < 0 else range(base + first, base + first + count))
