"""Declared fields of the world and of an agent, and the agent's pose, as an array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.data_types.primitives import fixed, float64_at, get_float, int64_at
from gridarium.world.agent import ORIENTATION, X, Y
from gridarium.world.state import State
from gridarium.world.vocabulary import AGENT_FIELDS, DATA_FIELDS, Vocabulary, find_field
from gridarium.worlds.entries.entry_types import MOST_SIDE

FLOAT, AGENTS = 1, 2
POSE = {"position": (Y, X), "orientation": (ORIENTATION,)}
"""What may be listed like declared fields: the columns of every agent's row."""
POSE_BOUNDS = {"position": (-1, MOST_SIDE - 1), "orientation": (0, 3)}


def field_columns(vocabulary: Vocabulary, name: str) -> list[int]:
    """The location of each item of a field or of the pose: its column times four, plus 2 if an agent's, plus 1 if a float."""
    if name in POSE:
        return [4 * column + AGENTS for column in POSE[name]]
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
    bounds: list[tuple[float, float]] = []
    for name in names:
        if name in POSE:
            bounds += [POSE_BOUNDS[name]] * len(POSE[name])
        else:
            bounds += [BOUNDS[fields[name].type]] * fields[name].size
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
