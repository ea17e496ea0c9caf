"""Declared fields of the world and of an agent, and the agent's pose, as an array."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.data_types.primitives import float64_at, get_float
from gridarium.world.agent import ORIENTATION, X, Y
from gridarium.world.state import State
from gridarium.world.vocabulary import AGENT_FIELDS, DATA_FIELDS, Vocabulary, find_field
from gridarium.worlds.entries.entry_types import MOST_SIDE

POSE = {"position": (Y, X), "orientation": (ORIENTATION,)}
"""What may be listed like declared fields: the columns of every agent's row."""
TOGETHER = 64
"""The number of functions that one function calls in turn, as its loop over them is unrolled."""
POSE_BOUNDS = {"position": (-1, MOST_SIDE - 1), "orientation": (0, 3)}


def field_columns(vocabulary: Vocabulary, name: str) -> list[tuple[int, bool, bool]]:
    """Where each item of a field or of the pose lies: its column, whether in an agent's row, and whether it is a float."""
    if name in POSE:
        return [(column, True, False) for column in POSE[name]]
    for fields, first, of_agent in (
        (vocabulary.world_fields, DATA_FIELDS, False),
        (vocabulary.agent_fields, AGENT_FIELDS, True),
    ):
        if (found := find_field(fields, name, first)) is not None:
            column, field = found
            return [(column + i, of_agent, field.type == "float") for i in range(field.size)]
    raise ValueError(f"there is no field {name!r}")


def field_writers(vocabulary: Vocabulary, names: Sequence[str]) -> tuple[int, tuple[Any, ...]]:
    """How many numbers `names` are, and the functions that write them, one for all that lie side by side."""
    columns = [column for name in names for column in field_columns(vocabulary, name)]
    starts = [i for i, column in enumerate(columns) if i == 0 or not _follows(columns[i - 1], column)]
    writers = []
    for start, end in zip(starts, [*starts[1:], len(columns)], strict=True):
        first, of_agent, is_float = columns[start]
        writers.append(
            functools.partial(
                write_columns,
                start=start,
                count=end - start,
                first=first,
                of_agent=of_agent,
                is_float=is_float,
            )
        )
    groups = range(0, len(writers), TOGETHER)
    if len(groups) > 1:
        writers = [functools.partial(write_all, writers=tuple(writers[i : i + TOGETHER])) for i in groups]
    return len(columns), tuple(writers)


def _follows(column: tuple[int, bool, bool], other: tuple[int, bool, bool]) -> bool:
    return other == (column[0] + 1, *column[1:])


def field_bounds(vocabulary: Vocabulary, names: Sequence[str]) -> npt.NDArray[np.float64]:
    """float64[2, numbers]: the lowest and the highest possible values of what `field_writers` write."""
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


def write_fields(
    frame: Any, output_index: int, index: int, state: State, *, writers: Any, count: int
) -> None:
    """Write `count` numbers of the world and of the agent in focus as `fields`."""
    out = float64_at(frame[output_index] + index * count * 8, (count,))
    write_all(out, state, writers=writers)


def write_all(out: Any, state: State, *, writers: Any) -> None:
    """Write by several functions."""
    for write in writers:
        write(out, state)


def write_columns(
    out: Any, state: State, *, start: int, count: int, first: int, of_agent: bool, is_float: bool
) -> None:
    """Write numbers that lie side by side in the world's data or in the agent's row, from index `start` of `out` on."""
    row = state.agent.agent_row if of_agent else state.data
    for i in range(count):
        out[start + i] = get_float(row, first + i) if is_float else float(row[first + i])
