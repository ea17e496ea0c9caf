"""How threads share the worlds of a batch: part of the kernel, plain Python like it."""

from __future__ import annotations

from typing import Any

from gridarium.compiled.primitives import atomic_add, atomic_get, atomic_set, fixed, int64_at
from gridarium.engine.frame import DONE, PROGRESS_LENGTH, At

LEAST = 16
"""So many worlds a thread takes at once, at least."""
GLANCES = 8
"""So often a thread without work looks at its own counter before it looks at others', which slows down their owners."""
FEW, HESITATION = 64, 40
"""So many worlds are left to the thread whose part they are, until another has looked so often for work."""


def share_out(frame: Any) -> None:
    """Open a step: every thread's counter is set to the first world of its part, the caller's last."""
    for i in range(fixed(frame, At.THREADS)):
        slot = fixed(frame, At.THREADS) - 1 - i
        atomic_set(next_at(frame, slot), 0, slot * fixed(frame, At.WORLDS) // fixed(frame, At.THREADS))


def tell_done(frame: Any, progress: Any) -> None:
    """Add what a thread has done to the count that all threads share; seldom, for that line wanders between cores."""
    if progress[DONE] != 0:
        atomic_add(frame, At.FINISHED, progress[DONE])
        progress[DONE] = 0


def next_chunk(frame: Any, slot: int, idle: int) -> tuple[int, int]:
    """Take the next worlds of the thread's own part, or, where that is done, of another's that is behind.

    A part stays with its thread, whose cache then has the worlds from the step before; so the last few of another's
    part are left to it, unless it has not taken them after a moment. Chunks shrink towards the end of a part (guided
    self-scheduling, Polychronopoulos and Kuck 1987): few are handed out, and all threads end together.

    `idle` tells how often the thread has found nothing since it last did something.
    """
    worlds, threads = fixed(frame, At.WORLDS), fixed(frame, At.THREADS)
    for k in range(threads if idle % GLANCES == 0 else 1):
        owner = (slot + k) % threads
        counter = next_at(frame, owner)
        stop = (owner + 1) * worlds // threads
        left = stop - atomic_get(counter, 0)
        if left > 0 and (k == 0 or left > FEW or idle > HESITATION):
            size = max(LEAST, left // 2)
            begin = atomic_add(counter, 0, size)
            if begin < stop:
                return begin, min(begin + size, stop)
    return worlds, worlds


def progress_at(frame: Any, slot: int) -> Any:
    """How far a thread has come (see `frame.WORLD` and its kin)."""
    return int64_at(fixed(frame, At.PROGRESS) + slot * fixed(frame, At.THREAD_STRIDE), (PROGRESS_LENGTH,))


def next_at(frame: Any, slot: int) -> Any:
    """The counter that says which world of a thread's part is the next to be taken, by itself on a cache line."""
    return int64_at(fixed(frame, At.NEXT) + slot * fixed(frame, At.THREAD_STRIDE), (1,))
