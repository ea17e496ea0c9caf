"""Checks of what a batch is given, and that it is not in use."""

from __future__ import annotations

import sys
import threading
import types
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.world.state import State


def free(used: threading.Lock, name: str = "batch", doing: str = "stepped") -> threading.Lock:
    """The lock of a batch (or the like), for `with`, unless another thread or a rule of the batch is using it.

    Raises:
        RuntimeError: it is in use.
    """
    if used.locked():
        if _is_held(used, sys._getframe(1)):
            raise RuntimeError(f"this {name} is being {doing} already; use a separate {name} for each thread")
        used.release()
    return used


def _is_held(used: threading.Lock, asking: types.FrameType) -> bool:
    """Whether a running method, but the one that asks, has taken a lock by `free`.

    Since Python 3.14, Ctrl-C may come when `with` has taken a lock and does not know yet that it has to give it back.
    """
    for frame in sys._current_frames().values():
        while frame is not None:
            takes = frame is not asking and free.__name__ in frame.f_code.co_names
            if takes and getattr(frame.f_locals.get("self"), "_used", None) is used:
                return True
            frame = frame.f_back  # type: ignore[assignment]  # noqa: PLW2901
    return False


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
