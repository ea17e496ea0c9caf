"""The index of a part: a row for each episode, with what is known of it without reading its steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.episodes.disk.arrow_tables import pa
from gridarium.episodes.disk.json_values import text_of, to_json
from gridarium.episodes.multi_agent import MultiAgentEpisode
from gridarium.episodes.recording.episode_block import EpisodeBlock, EpisodeMetadata, all_items
from gridarium.episodes.recording.multi_agent_block import MultiAgentBlock

STEPS = "env_t_to_agent_t"
SKIPPED = MultiAgentEpisode.SKIP_ENV_TS_TAG
EARLIEST = -1
"""The base of the first steps of runs, unless there are earlier ones."""


class RowKind(IntEnum):
    """The kind of a row of the index."""

    SINGLE = 0
    MEMBER = 1  # one agent's part of an episode of several
    MULTI_AGENT = 2  # an episode of several agents, whose parts are the rows that name it


TYPES: dict[str, Any] = {
    "id": pa.string(),
    "kind": pa.int8(),
    "steps": pa.int64(),
    "return": pa.float64(),
    "terminated": pa.bool_(),
    "truncated": pa.bool_(),
    "t_started": pa.int64(),
    "lookback": pa.int64(),
    "agent": pa.string(),
    "module": pa.string(),
    "group": pa.string(),
    "parent": pa.int64(),  # the row of this part that a member belongs to, else -1
    "stream": pa.int64(),  # which file of rows; -1 for none
    "row": pa.int64(),  # its first row there; or, replayed, its world
    "replay": pa.int64(),  # the number of the episode in that world of the part's run; -1 where there are rows
    "custom": pa.string(),
    "state": pa.string(),  # of an episode of several agents: what is not in the agents' own episodes
}
SCHEMA: Any = pa.schema(list(TYPES.items()))
NUMBERS = [name for name, kind in TYPES.items() if not pa.types.is_string(kind)]
TEXTS = [name for name in TYPES if name not in NUMBERS]

IndexRows = dict[str, Any]
"""Columns of the index: arrays of numbers, lists of texts or None."""


def rows_of(
    block: EpisodeBlock,
    *,
    stream: int,
    first: int,
    kind: RowKind = RowKind.SINGLE,
    parent: int | npt.NDArray[np.int64] = -1,
) -> IndexRows:
    """Return the rows of the episodes of a block.

    Args:
        block: the episodes.
        stream: the number of the file with their rows.
        first: the row with which they begin there.
        kind: of the rows.
        parent: the episode of several agents that they are parts of, or int64[n] for those of several.

    Raises:
        EpisodeError: ids of episodes or modules that are not texts, custom data or an agent's id that cannot be written
            as JSON.
    """
    n, metadata = len(block), block.metadata
    rows = block.rows
    return {
        "id": [text_of(name, "an episode's id") for name in metadata.ids[:]],
        "kind": np.full(n, kind),
        "steps": block.lengths,
        "return": block.returns,
        "terminated": metadata.terminated,
        "truncated": metadata.truncated,
        "t_started": metadata.t_started,
        "lookback": metadata.lookback,
        **texts_of(metadata),
        "parent": np.broadcast_to(parent, n),
        "stream": np.full(n, stream),
        "row": first + np.cumsum(rows) - rows,
        "replay": np.full(n, -1),
        "state": [None] * n,
    }


def multi_agent_rows(block: MultiAgentBlock) -> IndexRows:
    """Return the rows of episodes of several agents that were recorded as a run, without their agents' own episodes."""
    n = len(block)
    known = {
        "id": block.ids,
        "kind": np.full(n, RowKind.MULTI_AGENT),
        "steps": block.lengths,
        "return": block.returns,
        "terminated": block.terminated,
        "truncated": block.truncated,
        "t_started": block.t_started,
        "lookback": np.zeros(n, np.int64),
        **dict.fromkeys(("parent", "stream"), np.full(n, -1)),
    }
    return dict.fromkeys(TEXTS, [None] * n) | known


def texts_of(metadata: EpisodeMetadata) -> IndexRows:
    """Return ids of agents, modules and groups, and custom data, as texts."""
    n = len(metadata)
    modules: Sequence[Any] = [None] * n if metadata.modules is None else metadata.modules

    def jsons(values: Sequence[Any] | None, name: str) -> list[str | None]:
        given = [None] * n if values is None else values
        return [None if value in (None, {}) else to_json(value, name) for value in given]

    return {
        "agent": jsons(metadata.agents, "agent_id"),
        "module": [
            None if name is None else text_of(name, f"episode {id_}: a module's id")
            for id_, name in zip(metadata.ids[:], modules, strict=True)
        ],
        "group": jsons(None if metadata.groups is None else metadata.groups[:], "multi_agent_episode_id"),
        "custom": jsons(metadata.custom, "custom_data"),
    }


def to_table(parts: Sequence[IndexRows]) -> Any:
    """Return all rows as an Arrow table."""
    columns = {}
    for name, kind in TYPES.items():
        if name in NUMBERS:
            columns[name] = pa.array(np.concatenate([np.asarray(part[name]) for part in parts]), kind)
        else:
            columns[name] = pa.array([text for part in parts for text in part[name]], kind)
    return pa.table(columns, schema=SCHEMA)


def numbers(table: Any, name: str) -> npt.NDArray[Any]:
    """Return a column of numbers."""
    array: npt.NDArray[Any] = table.column(name).to_numpy()
    return array


def index_row_of(episode: MultiAgentEpisode, returned: float | None = None) -> IndexRows:
    """Return the row of the index for an episode, without its agents' own episodes.

    Args:
        episode: its agents' own episodes may be missing.
        returned: the return of all agents; by default that of their episodes.

    Raises:
        EpisodeError: ids of the episode or of modules that are not texts; agents' ids, hanging actions or custom data that
            cannot be written as JSON.
    """
    episode.validate()
    steps = {
        agent: [kept.lookback, *runs_of_steps(all_items(kept))]
        for agent, kept in episode.env_t_to_agent_t.items()
    }
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


def runs_of_steps(steps: list[Any]) -> list[Any]:
    """Encode steps of an agent as runs [first, count]; a first of -1 stands for steps that it skipped.

    First steps are relative to `EARLIEST`, or, if a lookback begins earlier, to a base that follows the runs.
    """
    base = min([EARLIEST, *(step for step in steps if step != SKIPPED)])
    numbers = np.array([-1 if step == SKIPPED else step - base for step in steps], np.int64)
    follows = np.diff(numbers) == (numbers[1:] > 0)
    begins = np.flatnonzero(np.concatenate([[True], ~follows]))[: len(numbers)].tolist()
    ends = [*begins[1:], len(numbers)]
    runs = [[int(numbers[begin]), end - begin] for begin, end in zip(begins, ends, strict=False)]
    return [runs] if base == EARLIEST else [runs, base]


def steps_of_runs(runs: list[list[int]], base: int = EARLIEST) -> Iterator[Any]:
    """Decode the runs that `runs_of_steps` returned."""
    for first, count in runs:
        yield from ([SKIPPED] * count if first < 0 else range(base + first, base + first + count))
