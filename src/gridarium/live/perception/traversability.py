"""Where an agent can go, as arrays."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.live.perception.state import WORLD, State

ObjectGrid: TypeAlias = "list[list[list[str]]]"
"""The ids of what is in each cell, by x and y."""


def get_traversability_map(state: State, inverted: bool = True) -> tuple[npt.NDArray[np.int64], ObjectGrid]:
    """Where an agent can go, as far as it knows.

    Args:
        state: what the agent knows.
        inverted: whether 1 is a blocked cell and 0 a free one, or the other way round.

    Returns:
        int64[width, height], and the ids of what is in each cell.

    Source: MATRX, `matrx.agents.agent_utils.state_tracker`.
    """
    blocked = state.blocked
    return (blocked if inverted else ~blocked).astype(np.int64), _object_grid(state)


def get_weighted_traversability_map(state: State) -> tuple[npt.NDArray[np.float64], ObjectGrid]:
    """Where an agent can go, and where it would rather not.

    Args:
        state: what the agent knows.

    Returns:
        float64[width, height], and the ids of what is in each cell. 1 is a blocked cell, 0 a free one; in between lies the
        largest `traversability_penalty` of the traversable objects in the cell.

    Raises:
        ValueError: a penalty that is not from 0 to 1.

    Source: MATRX, `matrx.agents.agent_utils.state_tracker`.
    """
    return weighted_map(state), _object_grid(state)


def blocked_map(state: State) -> npt.NDArray[np.bool_]:
    """The map of `get_traversability_map` without the ids, bool[width, height]; read only."""
    found: npt.NDArray[np.bool_] = state.blocked
    return found


def weighted_map(state: State) -> npt.NDArray[np.float64]:
    """The map of `get_weighted_traversability_map` without the ids."""
    found: npt.NDArray[np.float64] = state.blocked.astype(np.float64)
    for p in state.get_with_property("traversability_penalty") or ():
        penalty: Any = p["traversability_penalty"]
        if not 0 <= penalty <= 1:
            raise ValueError(f"traversability_penalty of {p['obj_id']} is from 0 to 1, not {penalty!r}")
        found[p["location"]] = max(found[p["location"]], penalty)
    return found


def _object_grid(state: State) -> ObjectGrid:
    width, height = state.get_world_info()["grid_shape"]
    found: ObjectGrid = [[[] for _ in range(height)] for _ in range(width)]
    for i, p in state.items():
        if i != WORLD and "location" in p:
            x, y = p["location"]
            found[x][y].append(i)
    return found
