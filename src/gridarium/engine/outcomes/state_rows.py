"""Stacks states of a world as arrays with a leading axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.engine.world import World
from gridarium.world import State
from gridarium.world.agent import ACTION, RESULT
from gridarium.world.state import ENDED, TURN
from gridarium.world.vocabulary import DATA_FIELDS

Rows: TypeAlias = tuple[npt.NDArray[Any], ...]
"""Cells, layers, data and agent rows of several states, each with a leading axis."""


def rows_of(state: State) -> Rows:
    """Convert one state to rows."""
    return tuple(a[None] for a in (state.cells, state.layers, state.data, state.agent_rows))


def state_at(world: World, rows: Rows, i: int, focus: int = 0) -> State:
    """Return a copy of the i-th of several states, from an agent's point of view."""
    cells, layers, data, agent_rows = (a[i].copy() for a in rows)
    blank = State.blank((1, 1), world.spec.vocabulary, world.spec.agents)
    return State(cells, layers, data, agent_rows, blank.scratch, focus, blank.vocabulary)


def joined(parts: Sequence[Rows]) -> Rows:
    """Concatenate rows."""
    return tuple(np.concatenate(same) for same in zip(*parts, strict=True))


def canonical_rows(rows: Rows) -> Rows:
    """States with irrelevant parts cleared: random keys, time, and the last actions."""
    cells, layers, data, agent_rows = rows
    plain, still = data.copy(), agent_rows.copy()
    plain[:, :TURN] = 0
    plain[:, ENDED + 1 : DATA_FIELDS] = 0
    still[:, :, RESULT] = 0
    still[:, :, ACTION] = 0
    return cells, layers, plain, still


def row_keys(rows: Rows) -> list[bytes]:
    """Each complete state as bytes."""
    count = len(rows[0])
    if count == 0:
        return []
    table = [np.ascontiguousarray(a).reshape(count, -1).view(np.uint8) for a in rows if a[0].size]
    whole = np.concatenate(table, axis=1)
    keys: list[bytes] = whole.view(f"V{whole.shape[1]}").ravel().tolist()
    return keys
