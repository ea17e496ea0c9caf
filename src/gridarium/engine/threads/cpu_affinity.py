"""Keeps a batch's worker threads off the core of the leading thread.

A woken thread often starts on the core of the thread that woke it and displaces it: the two would share one core while
another is idle. On Linux, worker threads therefore may run on every core of the process except the leader's; on other
systems nothing is done.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable


def _find_getcpu() -> Callable[[], int] | None:
    if not hasattr(os, "sched_setaffinity"):
        return None
    try:
        found: Callable[[], int] = ctypes.CDLL(None).sched_getcpu
    except (OSError, AttributeError):
        return None
    return found if found() >= 0 else None


_current_core = _find_getcpu()


class CpuAffinity:
    """The allowed cores of the worker threads of one pool."""

    def __init__(self) -> None:
        self._leader = -1

    def keep_apart(self, serving: list[int]) -> None:
        """Keep the threads with these native ids off the core of the calling (leading) thread."""
        if _current_core is None or (here := _current_core()) == self._leader:
            return
        self._leader = here
        others = os.sched_getaffinity(0) - {here}
        if not others:
            return
        for thread in serving:
            try:
                os.sched_setaffinity(thread, others)
            except OSError:  # it has ended, or the system does not permit it
                return
