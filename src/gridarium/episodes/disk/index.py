"""The index of a part: a row for each episode, with all that is known of it without reading its steps."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.episodes.disk.arrow import pa
from gridarium.episodes.disk.values import text_of, to_json
from gridarium.episodes.recording.block import EpisodeBlock
from gridarium.episodes.recording.pieces import Facts
from gridarium.episodes.recording.together import MultiAgentBlock


class Kind(IntEnum):
    """What a row of the index is."""

    SINGLE = 0
    MEMBER = 1  # one agent's part of an episode of several
    SEVERAL = 2  # an episode of several agents, whose parts are the rows that name it


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
    "state": pa.string(),  # of an episode of several agents: what its parts do not tell
}
SCHEMA: Any = pa.schema(list(TYPES.items()))
NUMBERS = [name for name, kind in TYPES.items() if not pa.types.is_string(kind)]
TEXTS = [name for name in TYPES if name not in NUMBERS]

Rows = dict[str, Any]
"""Columns of the index: arrays of numbers, lists of texts or None."""


def rows_of(
    block: EpisodeBlock,
    *,
    stream: int,
    first: int,
    kind: Kind = Kind.SINGLE,
    parent: int | npt.NDArray[np.int64] = -1,
) -> Rows:
    """The rows of the episodes of a block.

    Args:
        block: the episodes.
        stream: the number of the file with their rows.
        first: where in it they begin.
        kind: what they are.
        parent: the episode of several agents that they are parts of, or int64[n] for those of several.

    Raises:
        EpisodeError: ids of episodes or modules that are no texts, custom data or an agent's id that cannot be written
            as JSON.
    """
    n, facts = len(block), block.facts
    rows = block.rows
    return {
        "id": [text_of(name, "an episode's id") for name in facts.ids[:]],
        "kind": np.full(n, kind),
        "steps": block.lengths,
        "return": block.returns,
        "terminated": facts.terminated,
        "truncated": facts.truncated,
        "t_started": facts.t_started,
        "lookback": facts.lookback,
        **texts_of(facts),
        "parent": np.broadcast_to(parent, n),
        "stream": np.full(n, stream),
        "row": first + np.cumsum(rows) - rows,
        "replay": np.full(n, -1),
        "state": [None] * n,
    }


def rows_of_several(block: MultiAgentBlock) -> Rows:
    """The rows of episodes of several agents that were recorded as a run, without their agents' parts."""
    n = len(block)
    known = {
        "id": block.ids,
        "kind": np.full(n, Kind.SEVERAL),
        "steps": block.lengths,
        "return": block.returns,
        "terminated": block.terminated,
        "truncated": block.truncated,
        "t_started": block.t_started,
        "lookback": np.zeros(n, np.int64),
        **dict.fromkeys(("parent", "stream"), np.full(n, -1)),
    }
    return dict.fromkeys(TEXTS, [None] * n) | known


def texts_of(facts: Facts) -> Rows:
    """Ids of agents, modules and groups, and custom data, as texts."""
    n = len(facts)
    modules: Sequence[Any] = [None] * n if facts.modules is None else facts.modules

    def jsons(values: Sequence[Any] | None, name: str) -> list[str | None]:
        given = [None] * n if values is None else values
        return [None if value in (None, {}) else to_json(value, name) for value in given]

    return {
        "agent": jsons(facts.agents, "agent_id"),
        "module": [
            None if name is None else text_of(name, f"episode {id_}: a module's id")
            for id_, name in zip(facts.ids[:], modules, strict=True)
        ],
        "group": jsons(None if facts.groups is None else facts.groups[:], "multi_agent_episode_id"),
        "custom": jsons(facts.custom, "custom_data"),
    }


def to_table(parts: Sequence[Rows]) -> Any:
    """All rows as an Arrow table."""
    columns = {}
    for name, kind in TYPES.items():
        if name in NUMBERS:
            columns[name] = pa.array(np.concatenate([np.asarray(part[name]) for part in parts]), kind)
        else:
            columns[name] = pa.array([text for part in parts for text in part[name]], kind)
    return pa.table(columns, schema=SCHEMA)


def numbers(table: Any, name: str) -> npt.NDArray[Any]:
    """A column of numbers."""
    array: npt.NDArray[Any] = table.column(name).to_numpy()
    return array
