"""Handlers of signals, as that of Ctrl-C, wait while an exception would leave something half done."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def signals_wait() -> Iterator[None]:
    """Context in which handlers of signals are called at its end only."""
    handlers: dict[int, Any] = {}
    came: list[tuple[int, Any]] = []
    if threading.current_thread() is threading.main_thread():  # handlers run in no other
        found = ((number, signal.getsignal(number)) for number in signal.valid_signals())
        handlers = {number: handler for number, handler in found if callable(handler)}
    try:
        for number in handlers:
            signal.signal(number, lambda *given: came.append(given))
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number, frame in came:
            handlers[number](number, frame)
