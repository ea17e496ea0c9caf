"""Checks of what a batch is given, and that one thread at a time uses it."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.world.state import State


class ExclusiveUse:
    """Detects concurrent use of a batch: `with exclusive_use:`.

    Where a tenth of a microsecond matters, `begin` and `end` do the same explicitly.

    Attributes:
        begin: `begin(False)` returns whether the batch was free; if so, `end` must follow.
        end: releases the batch.

    Raises:
        RuntimeError: another thread, or a rule of the batch, is using it.
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
        """The error for the second user."""
        return RuntimeError("this batch is being stepped already; use a separate batch for each thread")


def check_is_state(given: Any) -> None:
    """Check that something is a state.

    Raises:
        TypeError: it is not.
    """
    if not isinstance(given, State):
        raise TypeError(f"a state is needed, as returned by World.reset or Batch.state, not {given!r}")


def checked_mask(mask: Any, n: int) -> npt.NDArray[np.bool_]:
    """Check a mask of `n` worlds: bool[n].

    Raises:
        ValueError: a mask of another shape or type.
    """
    chosen = np.asarray(mask)
    if chosen.shape != (n,) or chosen.dtype != np.bool_:
        raise ValueError(f"a mask must be bool[{n}], got {chosen.dtype}{list(chosen.shape)}")
    return chosen
