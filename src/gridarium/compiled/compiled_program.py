"""Compiled programs called from Python: in C (_compiled_program.c) if that was built, else by ctypes."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable

__all__ = ["CompiledProgram"]

_Code = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *(ctypes.c_int64,) * 5)


class ProgramByCtypes:
    """Machine code of a compiled program. Python's other threads run while it does.

    Args:
        owner: what keeps the machine code in memory.
        address: of the code, which is called as numba calls functions, `int32 (int64 *result, void **exception,
            int64 frame_address, ...)`, and returns 0 unless a rule has raised an exception.
    """

    def __init__(self, owner: object, address: int) -> None:
        self._owner, self._code = owner, _Code(address)

    def __call__(self, frame_address: int, slot: int, first: int, last: int, mode: int, /) -> int:
        """Run it.

        Raises:
            RuntimeError: a rule has raised an exception. Whoever wants to know which runs the rules interpreted; the message
                is shown where these do not raise any.
        """
        result, raised = ctypes.c_int64(), ctypes.c_void_p()
        if self._code(ctypes.byref(result), ctypes.byref(raised), frame_address, slot, first, last, mode):
            raise RuntimeError("a rule raised an exception, which running it again interpreted did not")
        return result.value

    def with_frame(self, frame_address: int, /) -> Callable[[int, int, int], int]:
        """The program with its frame and the first thread's memory: `call(first, last, mode)`.

        In C, a call takes some 0.2 us less, as Python's other threads wait meanwhile: for steps of one world, not for batches.
        """
        return functools.partial(self, frame_address, 0)


try:
    from gridarium.compiled._compiled_program import CompiledProgram
except ImportError:  # no compiler where this was installed
    CompiledProgram = ProgramByCtypes  # type: ignore[assignment,misc]
