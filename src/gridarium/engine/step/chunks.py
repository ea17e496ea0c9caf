"""Work sharing between the threads of a batch; part of the kernel, plain Python like it."""

from __future__ import annotations

from typing import Any

from gridarium.compiled.data_types.primitives import atomic_add, atomic_get, atomic_set, fixed, int64_at
from gridarium.engine.kernel_args import DONE, PROGRESS_LENGTH, KernelArg

GLANCES = 8
"""The number of polls of its own counter by an idle thread before it polls others', which slows down their owners."""
FEW, HESITATION = 64, 40
"""The number of worlds reserved for the thread that owns a part, until another has polled this often for work."""


def share_out(frame: Any) -> None:
    """Start a step: set every thread's counter to the first world of its part, the caller's last."""
    for i in range(fixed(frame, KernelArg.THREAD_COUNT)):
        slot = fixed(frame, KernelArg.THREAD_COUNT) - 1 - i
        atomic_set(
            next_at(frame, slot),
            0,
            slot * fixed(frame, KernelArg.WORLD_COUNT) // fixed(frame, KernelArg.THREAD_COUNT),
        )


def report_done(frame: Any, progress: Any) -> None:
    """Add a thread's progress to the shared count; rarely, since its cache line moves between cores."""
    if progress[DONE] != 0:
        atomic_add(frame, KernelArg.FINISHED_COUNT, progress[DONE])
        progress[DONE] = 0


def next_chunk(frame: Any, slot: int, idle: int) -> tuple[int, int]:
    """Take the next chunk of the thread's own part or, if that is done, of another thread's part.

    A part stays with its thread, whose cache holds its worlds from the previous step; so the last few worlds of a part
    are left to its owner, unless it has not taken them after a moment. Chunks shrink towards the end of a part (guided
    self-scheduling, Polychronopoulos and Kuck 1987): few chunks are needed, and all threads finish together.

    `idle` is the number of polls without work since the thread's last chunk.
    """
    worlds, threads = fixed(frame, KernelArg.WORLD_COUNT), fixed(frame, KernelArg.THREAD_COUNT)
    for k in range(threads if idle % GLANCES == 0 else 1):
        owner = (slot + k) % threads
        counter = next_at(frame, owner)
        stop = (owner + 1) * worlds // threads
        left = stop - atomic_get(counter, 0)
        if left > 0 and (k == 0 or left > FEW or idle > HESITATION):
            # without max and min, which every program would compile for this alone
            half, least = left // 2, fixed(frame, KernelArg.LEAST_CHUNK)
            size = half if half > least else least
            begin = atomic_add(counter, 0, size)
            if begin < stop:
                end = begin + size
                return begin, (end if end < stop else stop)
    return worlds, worlds


def progress_at(frame: Any, slot: int) -> Any:
    """The progress row of a thread (see `kernel_args`)."""
    return int64_at(
        fixed(frame, KernelArg.PROGRESS_ARRAY) + slot * fixed(frame, KernelArg.THREAD_STRIDE),
        (PROGRESS_LENGTH,),
    )


def next_at(frame: Any, slot: int) -> Any:
    """The counter of the next world of a thread's part, on its own cache line."""
    return int64_at(
        fixed(frame, KernelArg.NEXT_WORLD_ARRAY) + slot * fixed(frame, KernelArg.THREAD_STRIDE), (1,)
    )
