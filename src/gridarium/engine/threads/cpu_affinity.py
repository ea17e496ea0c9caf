"""Keeping a batch's serving threads off the core of the leading one.

A thread that is woken up often starts on the core of whoever woke it, and takes its place there: the two would take
turns on one core while another is idle. On Linux the serving threads therefore may run on every core of the process
but the leader's; elsewhere nothing is done.
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


class Cores:
    """Which cores the serving threads of one crew may run on."""

    def __init__(self) -> None:
        self._leader = -1

    def keep_apart(self, serving: list[int]) -> None:
        """Called by the leader: from now on the threads with these native identifiers run on other cores than its."""
        if _current_core is None or (here := _current_core()) == self._leader:
            return
        self._leader = here
        others = os.sched_getaffinity(0) - {here}
        if not others:
            return
        for thread in serving:
            try:
                os.sched_setaffinity(thread, others)
            except OSError:  # it has ended, or the system does not let us
                return
