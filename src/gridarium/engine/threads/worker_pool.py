"""A pool of threads that share the work of a batch.

The leading thread distributes chunks of worlds through a counter in the frame and takes part in the work; worker
threads poll in compiled code for a while and then sleep. A worker that is late, or does not run because another process
has its core, only costs its share of the work. Results do not depend on the distribution: worlds share no state.
"""

from __future__ import annotations

import math
import os
import queue
import threading
import time
import weakref
from collections.abc import Callable

from gridarium.engine.kernel_args import Mode
from gridarium.engine.threads.cpu_affinity import CpuAffinity

A_MOMENT = 2e-5
"""Seconds that a thread sleeps where yielding is not available."""

Work = Callable[[int, Mode], None]
"""`work(slot, mode)`: run chunks as thread number `slot`."""

_pools: weakref.WeakSet[WorkerPool] = weakref.WeakSet()


class WorkerPool:
    """Threads 1 to `threads - 1`, started when first needed; thread 0 is the caller of `lead`.

    Args:
        threads: the number of threads, including the caller's.
        work: the function that each thread runs; held by a weak reference.

    Attributes:
        work: returns that function; None if it is gone, or the threads are to stop.
    """

    def __init__(self, threads: int, work: Work) -> None:
        self.threads = threads
        self.work: Callable[[], Work | None] = weakref.WeakMethod(work)
        self._gates: list[queue.SimpleQueue[None]] = []
        self._asleep: list[bool] = []
        self._serving: list[int] = []
        self._cores = CpuAffinity()
        _pools.add(self)

    def lead(self, work: Work) -> None:
        """Wake sleeping threads, and work until everything is done; `work` is the function of the pool."""
        if not self._gates:
            self._start()
        if True in self._asleep:
            self._wake()
        try:
            work(0, Mode.LEAD)
        except BaseException:  # such as Ctrl-C: no work of this step may be left over for the next one
            while not self._has_ended(work):
                pass
            raise

    def _has_ended(self, work: Work) -> bool:
        """Do what is left of a step, and wait for the other threads; False if Ctrl-C was pressed again."""
        try:
            work(0, Mode.SERVE)
            self.rest()
        except KeyboardInterrupt:
            return False
        return True

    def rest(self) -> None:
        """Wait until all threads sleep, so that none of them is running compiled code."""
        while not all(self._asleep):
            yield_core()

    def _wake(self) -> None:
        self._cores.keep_apart(self._serving)
        for slot, asleep in enumerate(self._asleep):
            if asleep:
                self._asleep[slot] = False
                self._gates[slot].put(None)  # at once: of a semaphore, Ctrl-C could come between the two

    def _start(self) -> None:
        for slot in range(1, self.threads):
            gate: queue.SimpleQueue[None] = queue.SimpleQueue()
            gate.put(None)
            self._gates.append(gate)
            self._asleep.append(False)
            arguments = (weakref.ref(self), gate, slot)
            thread = threading.Thread(target=_serve, args=arguments, daemon=True, name=f"gridarium-{slot}")
            try:
                thread.start()
            except BaseException:  # as where the system allows no more threads
                self._gates.pop()
                self._asleep.pop()
                raise
            self._serving.append(thread.native_id or 0)
        self._cores.keep_apart(self._serving)

    def fall_asleep(self, slot: int) -> None:
        """Note that a thread waits to be woken."""
        self._asleep[slot - 1] = True

    def dismiss(self) -> None:
        """Stop all threads except the caller's."""
        self.rest()  # else one that was woken would end without a word
        self.work, self.threads = lambda: None, 1
        for gate in self._gates:
            gate.put(None)
        self._gates, self._asleep, self._serving = [], [], []

    def forget_threads(self) -> None:
        """Reset after a fork: threads do not exist in the child process."""
        self._gates, self._asleep, self._serving = [], [], []
        self.threads = 1

    def __del__(self) -> None:
        for gate in self._gates:
            gate.put(None)


class ParallelismTuner:
    """Decides whether using several threads is faster at the moment: other processes may be using the cores.

    Results are the same, only time differs: the faster alternative is used, and the other one is measured now and then.
    """

    TRIAL, WARM = 10, 5
    """The number of consecutive steps to measure the alternative, and of those to ignore first while threads wake
    up."""
    SOONEST, LATEST = 256, 8192
    """The number of steps until the alternative is measured again; doubled each time that the current choice was
    better."""
    LATE, HURRY = 5, 256
    """A step this many times slower than the alternative (a thread has lost its core) gets a high weight."""
    WORTH = 0.9
    """The relative gain that is required to use several threads."""

    def __init__(self) -> None:
        self._mean: dict[bool, float] = {}
        self._wait, self._before, self._warming = self.SOONEST, True, True
        self._begin(True, self.TRIAL, trying=True)

    def shares(self) -> bool:
        """Whether to use several threads for the next step."""
        return self._chosen

    def took(self, seconds: float) -> None:
        """Record the duration of a step."""
        self._total += seconds
        self._counted += 1
        self._left -= self.HURRY if seconds > self._late else 1
        if self._left <= 0:
            self._go_on()

    def _go_on(self) -> None:
        """Continue ignoring or measuring steps, then choose the faster alternative or measure the other one."""
        if self._warming:
            self._warming = False
            self._count(self._steps - self.WARM)
            return
        self._mean[self._chosen] = self._total / self._counted
        if not self._trying or len(self._mean) < 2:
            self._begin(not self._chosen, self.TRIAL, trying=True)
            return
        better = self._mean[True] < self.WORTH * self._mean[False]
        self._wait = min(2 * self._wait, self.LATEST) if better is self._before else self.SOONEST
        self._before = better
        self._begin(better, self._wait, trying=False)

    def _begin(self, way: bool, steps: int, *, trying: bool) -> None:
        self._chosen, self._steps, self._trying = way, steps, trying
        self._late = self.LATE * self._mean.get(not way, math.inf)
        self._warming = True
        self._count(self.WARM)

    def _count(self, steps: int) -> None:
        self._left, self._counted, self._total = steps, 0, 0.0


def _serve(pool: weakref.ref[WorkerPool], gate: queue.SimpleQueue[None], slot: int) -> None:
    """The loop of a thread; between two turns it holds no reference to the pool, so that the pool can be freed."""
    while True:
        gate.get()
        working = pool()
        work = None if working is None else working.work()
        del working
        if work is None:
            return
        work(slot, Mode.SERVE)
        del work
        working = pool()
        if working is None:
            return
        working.fall_asleep(slot)
        del working


def yield_core() -> None:
    """Yield the core to another waiting thread."""
    if hasattr(os, "sched_yield"):
        os.sched_yield()
    else:
        time.sleep(A_MOMENT)


def default_threads() -> int:
    """The number of threads of a large batch: the processors available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _after_fork_in_child() -> None:
    for pool in list(_pools):
        pool.forget_threads()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
