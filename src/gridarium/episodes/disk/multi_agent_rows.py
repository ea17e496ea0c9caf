"""Episodes of several agents on disk: what their agents' parts do not tell, as a row of the index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.disk.catalog import Entry
from gridarium.episodes.disk.errors import DatasetError
from gridarium.episodes.disk.index import Kind, Rows
from gridarium.episodes.disk.stored import StoredEpisodes
from gridarium.episodes.disk.values import from_json, text_of, to_json
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.multi_agent import MultiAgentEpisode
from gridarium.episodes.multi_agent.states import SPACES, frame_of, framed

STEPS = "env_t_to_agent_t"
SKIPPED = MultiAgentEpisode.SKIP_ENV_TS_TAG
EARLIEST = -1
"""The step from which runs are counted, unless there are earlier ones."""


def row_of(episode: MultiAgentEpisode, returned: float | None = None) -> Rows:
    """The row of the index for an episode, without its agents' parts.

    Args:
        episode: its agents' own episodes may be missing.
        returned: what all agents were rewarded; by default what their episodes say.

    Raises:
        EpisodeError: ids of the episode or of modules that are no texts; agents' ids, hanging actions or custom data that
            cannot be written as JSON.
    """
    episode.validate()
    steps = {agent: [kept.lookback, *_runs(kept.data)] for agent, kept in episode.env_t_to_agent_t.items()}
    plain = {
        key: list(value.items()) if isinstance(value, dict) else value
        for key, value in (frame_of(episode) | {STEPS: steps}).items()
    }
    where = f"episode {episode.id_}: a module's id"
    named = episode._agent_to_module_mapping.values()
    modules = {None if name is None else text_of(name, where) for name in named}
    return {
        "id": [text_of(episode.id_, "an episode's id")],
        "kind": [Kind.SEVERAL],
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


def assembled(dataset: StoredEpisodes, entry: Entry) -> MultiAgentEpisode:
    """The episode of a row, and the parts of its agents.

    Raises:
        DatasetError: something about it is damaged.
    """
    state = from_json(entry.state or "")
    try:
        members = {entry.agent: dataset.part_of(entry) for entry in dataset.catalog.members(entry)}
        frame = {key: dict(value) if isinstance(value, list) else value for key, value in state.items()}
        steps = {}
        for agent, (lookback, runs, *base) in frame[STEPS].items():
            if agent not in members and any(first >= 0 for first, _ in runs):
                raise EpisodeError(f"the part of agent {agent!r} is missing")
            steps[agent] = InfiniteLookbackBuffer(list(_steps(runs, *base)), lookback)
        spaces: dict[str, Any] = {
            name: {
                agent: space for agent, own in members.items() if (space := getattr(own, name)) is not None
            }
            for name in SPACES
        }
        episode = framed(MultiAgentEpisode(entry.id, **spaces), frame, members, steps)
        episode.custom_data.update(entry.custom)
        return episode
    except (AttributeError, LookupError, TypeError, ValueError, EpisodeError) as error:
        raise DatasetError(f"{dataset.path}: episode {entry.id} is damaged: {error}") from error


def _runs(steps: list[Any]) -> list[Any]:
    """Steps of an agent as runs [first, how many]; a first of -1 stands for those that it skipped.

    Firsts count from `EARLIEST`; where a lookback goes back further, from a base that is given after the runs.
    """
    base = min([EARLIEST, *(step for step in steps if step != SKIPPED)])
    numbers = np.array([-1 if step == SKIPPED else step - base for step in steps], np.int64)
    follows = np.diff(numbers) == (numbers[1:] > 0)
    begins = np.flatnonzero(np.concatenate([[True], ~follows]))[: len(numbers)].tolist()
    ends = [*begins[1:], len(numbers)]
    runs = [[int(numbers[begin]), end - begin] for begin, end in zip(begins, ends, strict=False)]
    return [runs] if base == EARLIEST else [runs, base]


def _steps(runs: list[list[int]], base: int = EARLIEST) -> Iterator[Any]:
    """The steps that `_runs` was given."""
    for first, count in runs:
        yield from ([SKIPPED] * count if first < 0 else range(base + first, base + first + count))
