"""The particle filter's loops, compiled when they are first used, once for all worlds."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable

from gridarium.beliefs import particle_kernel
from gridarium.beliefs.particle_frame import FRAME_LENGTH
from gridarium.compiled.entry import CompileError, compile_program
from gridarium.compiled.resolver import Resolver

Program = Callable[[int, int, int, int, int], int]


@functools.cache
def compiled_loops() -> Program:
    """`run` of `gridarium.beliefs.particle_kernel`, taking the address of the frame."""
    return compile_program(
        particle_kernel.run,
        Resolver(),
        name="the particle filter",
        text=inspect.getsource(particle_kernel),
        frame_length=FRAME_LENGTH,
    )


__all__ = ["CompileError", "Program", "compiled_loops"]
