"""The particle filter's loops, compiled when they are first used, once for all worlds."""

from __future__ import annotations

import inspect

from gridarium.beliefs.places import particle_kernel
from gridarium.beliefs.places.kernel_arguments import FRAME_LENGTH
from gridarium.compiled.background import Compilable
from gridarium.compiled.compile import CompileError, Entry, cached_program, compile_program
from gridarium.compiled.source_pass.resolver import Resolver


def _load_cached() -> Entry | None:
    return cached_program(particle_kernel.run, Resolver(), FRAME_LENGTH)


def _found() -> Entry | None:
    try:
        return compile_program(
            particle_kernel.run,
            Resolver(),
            name=LOOPS.name,
            text=inspect.getsource(particle_kernel),
            frame_length=FRAME_LENGTH,
        )
    except CompileError:
        return None


LOOPS = Compilable("the particle filter", _load_cached, _found)
"""`run` of `gridarium.beliefs.places.particle_kernel`, taking the address of the frame."""
