"""Several threads that share a batch's work.

The leading thread hands out chunks of worlds through a counter in the frame and works along; serving threads wait in
compiled code for a while and then sleep. A serving thread that comes late, or not at all because another process has
its core, costs nothing but its help. Results never depend on who did what: worlds share no state.
"""

from __future__ import annotations

import math
import os
import threading
import time
import weakref
from collections.abc import Callable

from gridarium.engine.cores import Cores
from gridarium.engine.frame import Mode

A_MOMENT = 2e-5
"""Seconds that a thread sleeps where it cannot just yield."""

Work = Callable[[int, Mode], None]
"""`work(slot, mode)`: do chunks as thread number `slot`."""

_crews: weakref.WeakSet[Crew] = weakref.WeakSet()


class Crew:
    """Threads 1 to `threads - 1`, started when first needed; thread 0 is whoever calls `lead`.

    Args:
        threads: how many threads work, the caller's included.
        work: what each does; not kept alive by its threads.
    """

    def __init__(self, threads: int, work: Work) -> None:
        self.threads = threads
        self._work: Callable[[], Work | None] = weakref.WeakMethod(work)
        self._gates: list[threading.Semaphore] = []
        self._asleep: list[bool] = []
        self._serving: list[int] = []
        self._cores = Cores()
        _crews.add(self)

    def lead(self, work: Work) -> None:
        """Wake whoever sleeps, and work until everything is done; `work` is what the crew was made for."""
        if not self._gates:
            self._start()
        if True in self._asleep:
            self._wake()
        try:
            work(0, Mode.LEAD)
        except BaseException:  # such as Ctrl-C: nothing of this step must be left over for the next one
            work(0, Mode.SERVE)
            self.rest()
            raise

    def rest(self) -> None:
        """Wait until all threads sleep: afterwards none of them is in the middle of compiled code."""
        while not all(self._asleep):
            yield_core()

    def _wake(self) -> None:
        self._cores.keep_apart(self._serving)
        for slot, asleep in enumerate(self._asleep):
            if asleep:
                self._asleep[slot] = False
                self._gates[slot].release()

    def _start(self) -> None:
        for slot in range(1, self.threads):
            gate = threading.Semaphore(1)
            self._gates.append(gate)
            self._asleep.append(False)
            arguments = (weakref.ref(self), gate, slot)
            thread = threading.Thread(target=_serve, args=arguments, daemon=True, name=f"gridarium-{slot}")
            thread.start()
            self._serving.append(thread.native_id or 0)
        self._cores.keep_apart(self._serving)

    def dismiss(self) -> None:
        """Let the threads end; one is left, the caller's."""
        self._work, self.threads = lambda: None, 1
        for gate in self._gates:
            gate.release()

    def forget_threads(self) -> None:
        """After a fork: the threads did not come along."""
        self._gates, self._asleep, self._serving = [], [], []
        self.threads = 1

    def __del__(self) -> None:
        for gate in self._gates:
            gate.release()


class Pace:
    """Whether sharing the work pays at the moment: other processes may be using the cores.

    Both ways give the same results, so only time is at stake: the faster one is taken, and the other one tried now
    and then.
    """

    TRIAL, WARM = 10, 5
    """How many steps in a row the other way is tried, and how many at the beginning do not count: threads wake up."""
    SOONEST, LATEST = 256, 8192
    """After how many steps the other way is tried again; doubled each time that going on as before was better."""
    LATE, HURRY = 5, 256
    """A step that takes this many times as long as one the other way (a thread has lost its core) counts for many."""
    WORTH = 0.9
    """How much less time sharing must take to be chosen."""

    def __init__(self) -> None:
        self._mean: dict[bool, float] = {}
        self._wait, self._before, self._warming = self.SOONEST, True, True
        self._begin(True, self.TRIAL, trying=True)

    def shares(self) -> bool:
        """Whether the next step is to be shared."""
        return self._chosen

    def took(self, seconds: float) -> None:
        """Note how long a step took."""
        self._total += seconds
        self._counted += 1
        self._left -= self.HURRY if seconds > self._late else 1
        if self._left <= 0:
            self._go_on()

    def _go_on(self) -> None:
        """After the steps that do not count, count; after those, take the faster way, or try the other one."""
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


def _serve(crew: weakref.ref[Crew], gate: threading.Semaphore, slot: int) -> None:
    while True:
        gate.acquire()
        working = crew()
        work = None if working is None else working._work()
        if working is None or work is None:
            return
        del working
        work(slot, Mode.SERVE)
        del work
        working = crew()
        if working is None:
            return
        working._asleep[slot - 1] = True
        del working


def yield_core() -> None:
    """Let another thread that waits for this core run on it."""
    if hasattr(os, "sched_yield"):
        os.sched_yield()
    else:
        time.sleep(A_MOMENT)


def default_threads() -> int:
    """How many threads a large batch uses: the processors that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _after_fork_in_child() -> None:
    for crew in list(_crews):
        crew.forget_threads()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
