"""Why what is asked of the agents of a batch cannot be (see `asking`)."""

from __future__ import annotations

from gridarium.engine.memory import Memory
from gridarium.world.state import ENDED


def refuse(memory: Memory) -> None:
    """Say what is wrong with what is asked.

    Raises:
        ValueError: which action of which agent in which world is none.
        RuntimeError: in which world the episode is over.
    """
    table = memory.machine.action_table
    for e, row in enumerate(memory.asked.tolist()):
        for a, index in enumerate(row):
            if not 0 <= index < table.shape[1] or table[a, index] < 0:
                raise ValueError(
                    f"action {index} of agent {a} in world {e} is none of its {int((table[a] >= 0).sum())} actions"
                )
    for e in memory.data[:, ENDED].nonzero()[0].tolist():
        raise RuntimeError(f"the episode of world {e} is over: reset it (with a mask) before the next step")
