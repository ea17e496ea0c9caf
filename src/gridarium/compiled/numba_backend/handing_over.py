"""Signals that arrive while llvmlite hands over memory to LLVM wait until it has.

A handler that raises in between, as that of Ctrl-C does, would let memory be freed twice, which ends the process later.
"""

from __future__ import annotations

import contextlib
import functools
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

from llvmlite.binding import linker, module
from numba.core import codegen


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


def _undisturbed(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*given: Any) -> Any:
        with signals_wait():
            return function(*given)

    return call


EXCHANGED = (
    (module, {"link_modules": _undisturbed(linker.link_modules)}),
    (
        codegen.CPUCodeLibrary,
        {"_finalize_final_module": _undisturbed(codegen.CPUCodeLibrary._finalize_final_module)},
    ),
)
"""The functions of llvmlite and numba that hand over modules, by what holds them, as they are while a world compiles."""
