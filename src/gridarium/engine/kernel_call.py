"""Calls of a kernel by the thread that holds Python's lock: in C (_kernel_call.c) if that was built, else by the entry."""

from __future__ import annotations

import functools
from collections.abc import Callable

from gridarium.compiled.compile import CompiledProgram

try:
    from gridarium.engine._kernel_call import KernelCall
except ImportError:  # no compiler where this was installed
    KernelCall = None  # type: ignore[assignment,misc]


def kernel_call(entry: CompiledProgram, frame_address: int) -> Callable[[int, int, int], int]:
    """A compiled kernel with its frame and the first thread's memory: `call(first, last, mode)`, see `kernel.run`.

    In C a call takes some 0.2 us less. Other threads of Python wait meanwhile: for steps of one world, not for batches.

    Raises:
        RuntimeError: (the call, in C) a rule has raised an exception.
    """
    if KernelCall is None:
        return functools.partial(entry, frame_address, 0)
    return KernelCall(entry, entry.address, frame_address)
