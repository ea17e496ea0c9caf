"""Why what is asked of a batch cannot be."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.engine.memory import Memory
from gridarium.world.state import State


class OneAtATime:
    """Refuses whoever wants to do something to a batch while something is being done to it: `with one_at_a_time:`.

    Where a tenth of a microsecond counts, `begin` and `end` do the same by hand.

    Attributes:
        begin: `begin(False)` tells whether nobody is at it; then `end` has to follow.
        end: lets others in again.

    Raises:
        RuntimeError: another thread is at it, or a rule that the batch runs.
    """

    __slots__ = ("begin", "end")

    def __init__(self) -> None:
        lock = threading.Lock()
        self.begin, self.end = lock.acquire, lock.release

    def __enter__(self) -> None:
        if not self.begin(False):
            raise self.refusal()

    def __exit__(self, *_: object) -> None:
        self.end()

    @staticmethod
    def refusal() -> RuntimeError:
        """What whoever comes second is told."""
        return RuntimeError("somebody else is stepping this batch now; give each thread a batch of its own")


def refuse(memory: Memory) -> None:
    """Say what is wrong with what is asked of the agents (see `asking`).

    Raises:
        ValueError: which action of which agent in which world is none.
    """
    table = memory.machine.action_table
    for e, row in enumerate(memory.asked.tolist()):
        for a, index in enumerate(row):
            if not 0 <= index < table.shape[1] or table[a, index] < 0:
                raise ValueError(
                    f"action {index} of agent {a} in world {e} is none of its {int((table[a] >= 0).sum())} actions"
                )


def check_state(given: Any) -> None:
    """Refuse what is no state.

    Raises:
        TypeError: what it is instead.
    """
    if not isinstance(given, State):
        raise TypeError(f"a state is needed, as World.reset or Batch.state gives it, not {given!r}")


def checked_mask(mask: Any, n: int) -> npt.NDArray[np.bool_]:
    """Which of `n` worlds are meant: bool[n].

    Raises:
        ValueError: a mask of another shape or type.
    """
    chosen = np.asarray(mask)
    if chosen.shape != (n,) or chosen.dtype != np.bool_:
        raise ValueError(f"a mask is bool[{n}], got {chosen.dtype}{list(chosen.shape)}")
    return chosen
