"""Declared fields of the world and of an agent as an array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.data_types.primitives import fixed, float64_at, get_float, int64_at
from gridarium.world.state import State
from gridarium.world.vocabulary import AGENT_FIELDS, DATA_FIELDS, Vocabulary, find_field

FLOAT, AGENTS = 1, 2


def field_columns(vocabulary: Vocabulary, name: str) -> list[int]:
    """The location of each item of a declared field: its column times four, plus 2 if an agent's, plus 1 if a float."""
    for fields, first, whose in (
        (vocabulary.world_fields, DATA_FIELDS, 0),
        (vocabulary.agent_fields, AGENT_FIELDS, AGENTS),
    ):
        if (found := find_field(fields, name, first)) is not None:
            column, field = found
            flags = whose + (FLOAT if field.type == "float" else 0)
            return [4 * (column + i) + flags for i in range(field.size)]
    raise ValueError(f"there is no field {name!r}")


def field_table(vocabulary: Vocabulary, names: Sequence[str]) -> npt.NDArray[np.int64]:
    """int64[1 + numbers]: how many numbers are written, and their columns, see `field_columns`."""
    columns = [column for name in names for column in field_columns(vocabulary, name)]
    return np.array([len(columns), *columns], np.int64)


def field_bounds(vocabulary: Vocabulary, names: Sequence[str]) -> npt.NDArray[np.float64]:
    """float64[2, numbers]: the lowest and the highest possible values of what `field_table` lists."""
    fields = {f.name: f for f in (*vocabulary.world_fields, *vocabulary.agent_fields)}
    bounds = [BOUNDS[fields[name].type] for name in names for _ in range(fields[name].size)]
    return np.array(bounds, np.float64).reshape(-1, 2).T


BOUNDS = {"bool": (0, 1), "int": (-(1 << 63), 1 << 63), "float": (-np.inf, np.inf)}
"""The lowest and the highest values of the types of fields."""


def write_fields(frame: Any, output_index: int, index: int, state: State, *, table: int) -> None:
    """Write the declared fields of a table, of the world and of the agent in focus, as `fields`."""
    count = int64_at(fixed(frame, table), (1,))[0]
    columns = int64_at(fixed(frame, table) + 8, (count,))
    out = float64_at(frame[output_index] + index * count * 8, (count,))
    for i in range(count):
        column = int(columns[i])
        row = state.agent.agent_row if column & AGENTS else state.data
        if column & FLOAT:
            out[i] = get_float(row, column >> 2)
        else:
            out[i] = float(row[column >> 2])
