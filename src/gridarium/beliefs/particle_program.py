"""The particle filter's loops, compiled when they are first used, once for all worlds."""

from __future__ import annotations

import functools
import hashlib
import inspect
from collections.abc import Callable
from typing import Any

from gridarium.beliefs import particle_kernel
from gridarium.compiled.entry import CompileError, compile_program
from gridarium.compiled.resolver import Resolver

Program = Callable[[int, int, int, int, int], int]


class _OwnSource(Resolver):
    """Names mean what they mean; a compiled program depends on the loops' source."""

    def __fingerprint__(self) -> list[Any]:
        return [hashlib.blake2b(inspect.getsource(particle_kernel).encode()).hexdigest()]


@functools.cache
def compiled_loops() -> Program:
    """`run` of `gridarium.beliefs.particle_kernel`, taking the address of the frame."""
    return compile_program(
        particle_kernel.run,
        _OwnSource(),
        name="the particle filter",
        text=inspect.getsource(particle_kernel),
        frame_length=particle_kernel.FRAME_LENGTH,
    )


__all__ = ["CompileError", "Program", "compiled_loops"]
