"""Declared fields of the world and of an agent as an array."""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.primitives import float64_at, get_float
from gridarium.world.state import State
from gridarium.world.vocabulary import AGENT_FIELDS, DATA_FIELDS, Vocabulary

FLOAT, AGENTS = 1, 2


def field_column(vocabulary: Vocabulary, name: str) -> int:
    """The location of a declared field: its column times four, plus 2 for an agent field, plus 1 for a float."""
    for fields, first, whose in (
        (vocabulary.world_fields, DATA_FIELDS, 0),
        (vocabulary.agent_fields, AGENT_FIELDS, AGENTS),
    ):
        for i, field in enumerate(fields):
            if field.name == name:
                return 4 * (first + i) + whose + (FLOAT if field.type == "float" else 0)
    raise ValueError(f"there is no field {name!r}")


def write_fields(frame: Any, output_index: int, index: int, state: State, *, columns: Any) -> None:
    """Write declared fields of the world and of the agent in focus as `fields`."""
    out = float64_at(frame[output_index] + index * len(columns) * 8, (len(columns),))
    for i in range(len(columns)):
        column = columns[i]
        row = state.agent.agent_row if column & AGENTS else state.data
        if column & FLOAT:
            out[i] = get_float(row, column >> 2)
        else:
            out[i] = float(row[column >> 2])
