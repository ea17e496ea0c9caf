"""Running the kernel over a batch's memory: alone or with several threads, and what happens when a rule raises."""

from __future__ import annotations

import dis
import time
import warnings
from bdb import BdbQuit

from gridarium.engine.blame import also_in, blame
from gridarium.engine.crew import Crew, Pace, yield_core
from gridarium.engine.frame import At, Mode
from gridarium.engine.kernel import DONE_ALL, REFUSED
from gridarium.engine.memory import Memory
from gridarium.engine.refusing import refuse
from gridarium.world.state import TICK

FINISHED, MODE = int(At.FINISHED), int(At.MODE)


class Runner:
    """Does one thing to all worlds of a batch.

    A rule that raises in one world, whatever it raises, costs no other world anything: it is put back and noted, the rest
    goes on, and then it is run again, interpreted, for an exception that names world, tick, rule and line. What comes from
    outside, such as Ctrl-C, stops at once; the world that was being stepped is put back.

    Args:
        memory: the batch's.
        threads: how many threads share the work.
        always: share it always; otherwise only while that pays.
    """

    def __init__(self, memory: Memory, threads: int, *, always: bool) -> None:
        self.memory, self.machine = memory, memory.machine
        self.crew = Crew(threads, self._work)
        self._pace = None if always or threads == 1 else Pace()
        self.failures: list[int] = []
        self._raised: dict[int, BaseException] = {}
        self._plain = False

    def run(self, mode: Mode) -> None:
        """Step, reset or observe the worlds.

        Raises:
            ValueError, RuntimeError: what is asked cannot be done; nothing has changed then.
            BaseException: what a rule raises, in the first world where one does.
        """
        self.failures.clear()
        self._raised.clear()
        self._plain = self.machine.prepare() is None
        several = self.crew.threads > 1 and not self._plain
        shared = several and (self._pace is None or self._pace.shares())
        started = time.perf_counter() if several else 0.0
        try:
            if shared:
                frame = self.memory.frame
                frame[MODE], frame[FINISHED] = mode._value_, 0
                self.crew.lead(self._work)
            else:
                self._chunk(0, 0, self.memory.n, mode)
        except KeyboardInterrupt:  # perhaps in the middle of an interpreted rule
            self.memory.put_back(0, self.memory.progress(0)[0])
            raise
        if several and self._pace is not None and mode is Mode.TAKE_AND_STEP:
            self._pace.took(time.perf_counter() - started)
        if self.failures:
            self._raise_first(_again(mode))

    def failed_alone(self, mode: Mode, error: Exception) -> None:
        """After a compiled call for a batch of one has raised: put the world back and raise the rule's error."""
        self._check_inside(0, error)
        self.failures.clear()
        self._raised.clear()
        self._fail(0, 0, error)
        self._raise_first(mode)

    def _call(self, slot: int, first: int, last: int, mode: Mode) -> int:
        memory = self.memory
        return self.machine.run(memory.frame, memory.place, slot, first, last, mode)

    def _chunk(self, slot: int, first: int, last: int, mode: Mode) -> None:
        """Worlds `first` to `last`; those in which a rule raises are put back and noted."""
        while first < last:
            try:
                came = self._call(slot, first, last, mode)
            except BaseException as error:
                self._check_inside(slot, error)
                failed, _, _ = self.memory.progress(slot)
                self._fail(slot, failed, error)
                if isinstance(error, BdbQuit):
                    raise
                first, mode = failed + 1, _again(mode)
                continue
            if came == REFUSED:
                refuse(self.memory)
            return

    def _work(self, slot: int, mode: Mode) -> None:
        """Chunks from the shared counters, as thread `slot`."""
        while True:
            try:
                came = self._call(slot, 0, 0, mode)
            except Exception as error:
                self._check_inside(slot, error)
                failed, first, last = self.memory.progress(slot)
                task = Mode(int(self.memory.frame[MODE]))
                self._fail(slot, failed, error)
                self._chunk(slot, failed + 1, last, task)
                self._call(slot, first, last, Mode.FINISH)
                mode = Mode.RESUME if mode in (Mode.LEAD, Mode.RESUME) else mode
                continue
            if came == REFUSED:
                refuse(self.memory)
            if came == DONE_ALL or mode is Mode.SERVE:
                return
            yield_core()
            mode = Mode.RESUME

    def _check_inside(self, slot: int, error: BaseException) -> None:
        """Pass on what no rule has raised: Ctrl-C, or what a handler of signals raised between two worlds.

        Compiled code signals whatever a rule raises by an `Exception`, and signals of the system wait until it is done.
        """
        world, _, end = self.memory.progress(slot)
        if world == end or (_by_hand(error) if self._plain else not isinstance(error, Exception)):
            raise error

    def _fail(self, slot: int, e: int, error: BaseException) -> None:
        self.memory.put_back(slot, e)
        self._raised[e] = error
        self.failures.append(e)

    def _raise_first(self, mode: Mode) -> None:
        """Raise what a rule raised in the first failing world; the failing worlds stay as before the step.

        After a compiled step that is found out by running it again, interpreted.
        """
        for e in sorted(self.failures):
            if self._plain:
                raise self._told(self._raised[e], e, mode)
            kept = [a[e].copy() for a in self.memory.arrays()]
            try:
                self.machine.interpreted(self.memory.frame, 0, e, e + 1, mode)
            except BaseException as error:
                for mine, before in zip(self.memory.arrays(), kept, strict=True):
                    mine[e] = before
                self._told(error, e, mode)
                raise
            warnings.warn(
                f"{self._place(e)}: a rule raises compiled, but not interpreted, as the step was run then, much slower"
                f"{self._reason(self._raised[e])}",
                RuntimeWarning,
                stacklevel=4,
            )

    def _reason(self, error: BaseException) -> str:
        """Why compiled code raised, as far as it can tell: errors of rules have no text there."""
        if not isinstance(error, MemoryError):
            return ""
        words = self.machine.scratch_words
        return (
            f" ({error}: what one rule makes in one call, as grids and arrays, fits into {words:,} words of 8 bytes; "
            "make less, or make it once, before a loop)"
        )

    def _told(self, error: BaseException, e: int, mode: Mode) -> BaseException:
        """An exception with notes: world, tick, rule and line, and which other worlds are affected."""
        doing = "beginning an episode" if mode is Mode.RESET else f"tick {self.memory.data[e, TICK]}"
        others = also_in(sorted({*self.failures} - {e}))
        notes = (f"in {self._place(e)}, {doing}", blame(error, self.machine.program.rules.values()), others)
        for note in filter(None, notes):
            error.add_note(note)
        return error

    def _place(self, e: int) -> str:
        return f"world {e} of {self.memory.n} ({self.machine.name})"


def _by_hand(error: BaseException) -> bool:
    """Whether an exception is Python's answer to Ctrl-C, and not that of a `raise`."""
    if not isinstance(error, KeyboardInterrupt):
        return False
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is None or trace.tb_frame.f_code.co_code[trace.tb_lasti] != dis.opmap["RAISE_VARARGS"]


def _again(mode: Mode) -> Mode:
    """What is done with the worlds after one of them has failed: actions are taken only once."""
    return Mode.STEP if mode is Mode.TAKE_AND_STEP else mode
