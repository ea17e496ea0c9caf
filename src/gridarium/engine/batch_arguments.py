"""Checks of what a batch is given, and that it is not in use."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.world.state import State


def free(used: threading.Lock, name: str = "batch", doing: str = "stepped") -> threading.Lock:
    """The lock of a batch (or the like), for `with`, unless another thread or a rule of the batch is using it.

    Python enters and leaves `with` without a moment in which Ctrl-C would leave the lock behind.

    Raises:
        RuntimeError: it is in use.
    """
    if used.locked():
        raise RuntimeError(f"this {name} is being {doing} already; use a separate {name} for each thread")
    return used


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
