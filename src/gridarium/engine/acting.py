"""Who acts in the next step, of arrays of states."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.world.agent import ACTIVE
from gridarium.world.state import TURN


def acting_agents(
    turn_order: str, data: npt.NDArray[np.int64], agent_rows: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """Which agents act in the next step: those that take part, and whose turn it is.

    Args:
        turn_order: that of the world's description.
        data: int64[n, ...] of n states.
        agent_rows: int64[n, agents, ...] of these.

    Returns:
        bool[n, agents].
    """
    active: npt.NDArray[np.bool_] = agent_rows[:, :, ACTIVE] != 0
    turn, numbers = data[:, TURN, None], np.arange(active.shape[1])
    if turn_order == "chosen" and len(numbers) > 1:
        bits = np.where(turn < 0, ~turn, np.left_shift(1, np.maximum(turn, 0)))
        chosen: npt.NDArray[np.bool_] = active & (bits >> numbers & 1 != 0)
        return chosen
    if turn_order != "cycle":
        return active
    waiting: Any = (numbers - turn) % len(numbers) + np.where(active, 0, len(numbers))
    first: npt.NDArray[np.bool_] = active & (waiting == waiting.min(axis=1, keepdims=True))
    return first
