"""A process is forked while no other thread compiles: the child would wait forever for the locks of a thread that it lacks."""

from __future__ import annotations

import contextlib
import os
import threading
from collections import Counter
from collections.abc import Iterator


class _Gate:
    """Lets threads compile side by side, and a fork wait for them; who forks while compiling waits for the others only."""

    def __init__(self) -> None:
        self._change = threading.Condition(threading.Lock())
        self._compiling: Counter[int] = Counter()

    @contextlib.contextmanager
    def held_open(self) -> Iterator[None]:
        """Context of a thread that compiles, during which no other thread forks; may be entered again."""
        thread = threading.get_ident()
        with self._change:
            self._compiling[thread] += 1
        try:
            yield
        finally:
            with self._change:
                self._compiling[thread] -= 1
                self._compiling += Counter()  # without threads that are done
                self._change.notify_all()

    def close(self) -> None:
        """Wait until no other thread compiles, and let none begin."""
        self._change.acquire()
        while self._compiling.keys() - {threading.get_ident()}:
            self._change.wait()

    def open(self) -> None:
        """Let threads compile again, in the parent as in the child process."""
        self._change.release()


_gate = _Gate()
compiling = _gate.held_open

if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_gate.close, after_in_parent=_gate.open, after_in_child=_gate.open)
