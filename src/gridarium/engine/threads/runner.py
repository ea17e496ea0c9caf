"""Runs the kernel over a batch's memory with one or several threads, and handles exceptions of rules."""

from __future__ import annotations

import contextlib
import dis
import time
import warnings
from bdb import BdbQuit

import numpy as np

from gridarium.compiled.data_types.random import USED_UP
from gridarium.engine.kernel_args import KernelArg, Mode
from gridarium.engine.step.kernel import DONE_ALL, REFUSED
from gridarium.engine.step.locate_error import also_raised_in, locate_error
from gridarium.engine.threads.memory import KernelMemory
from gridarium.engine.threads.worker_pool import ParallelismTuner, WorkerPool, yield_core
from gridarium.world.action_arguments import few
from gridarium.world.state import TICK

FINISHED, MODE = int(KernelArg.FINISHED_COUNT), int(KernelArg.MODE)


class Runner:
    """Steps, resets or observes all worlds of a batch.

    A rule that raises in one world does not affect the others: its world is restored and recorded, the rest continues.
    Interpreted, its exception is raised then, with notes that name world, tick, rule and line. Compiled code only
    signals it, so the steps of these worlds are run again interpreted first. External exceptions, such as Ctrl-C, stop at
    once; the current world is restored.

    Args:
        memory: the memory of the batch, or that of another kernel over its worlds.
        threads: the number of threads.
        always: always use all threads; otherwise only while that is faster.

    Attributes:
        failures: the worlds in which a rule raised in the last call.
    """

    def __init__(self, memory: KernelMemory, threads: int, *, always: bool) -> None:
        self.memory, self.composed = memory, memory.composed
        self.pool = WorkerPool(threads, self._work)
        self._tuner = None if always or threads == 1 else ParallelismTuner()
        self.failures: list[int] = []
        self._raised: dict[int, BaseException] = {}
        self._interpreting = False

    def run(self, mode: Mode) -> None:
        """Step, reset or observe the worlds. If that raises, the masks become those of the states as they then are.

        Raises:
            ValueError, RuntimeError: the request is invalid; nothing is changed.
            BaseException: raised by a rule, in the first world where one raises.
        """
        try:
            self._run(mode)
        except BaseException:
            self._renew_masks()
            raise

    def _run(self, mode: Mode) -> None:
        self.failures.clear()
        self._raised.clear()
        self._interpreting = self.composed.prepare() is None
        several = self.pool.threads > 1 and not self._interpreting
        shared = several and (self._tuner is None or self._tuner.shares())
        started = time.perf_counter() if several else 0.0
        try:
            if shared:
                frame = self.memory.frame
                frame[MODE], frame[FINISHED] = mode._value_, 0
                self.pool.lead(self._work)
            else:
                self._chunk(0, 0, self.memory.n, mode)
        except KeyboardInterrupt:  # possibly in the middle of an interpreted rule
            self.memory.put_back(0, self.memory.progress(0)[0])
            raise
        if several and self._tuner is not None and mode is Mode.VALIDATE_AND_STEP:
            self._tuner.took(time.perf_counter() - started)
        if self.failures:
            self._raise_first(_again(mode))

    def failed_single_call(self, mode: Mode, error: Exception) -> None:
        """Handle an exception of a compiled call for a batch of one: restore the world and raise the rule's error."""
        self._interpreting = False
        self._check_inside(0, error)
        self.failures.clear()
        self._raised.clear()
        self._chunk(0, self._restore(0, 0, error), 1, _again(mode))
        if not self.failures:
            return
        try:
            self._raise_first(mode)
        except BaseException:
            self._renew_masks()
            raise

    def _renew_masks(self) -> None:
        masks = self.memory.masks
        if masks is not None:
            masks[...], failed = 0, list(self.failures)
            with contextlib.suppress(Exception):
                self._run(Mode.MASKS)
            self.failures[:] = failed

    def _call(self, slot: int, first: int, last: int, mode: Mode) -> int:
        memory = self.memory
        return self.composed.run(memory.frame, memory.frame_address, slot, first, last, mode)

    def _chunk(self, slot: int, first: int, last: int, mode: Mode) -> None:
        """Run worlds `first` to `last`; those in which a rule raises are restored and recorded."""
        while first < last:
            try:
                came = self._call(slot, first, last, mode)
            except BaseException as error:
                self._check_inside(slot, error)
                failed, _, _ = self.memory.progress(slot)
                first, mode = self._restore(slot, failed, error), _again(mode)
                if isinstance(error, BdbQuit):
                    raise
                continue
            if came == REFUSED:
                self._refuse_actions()
            return

    def _work(self, slot: int, mode: Mode) -> None:
        """Run chunks from the shared counters, as thread `slot`."""
        while True:
            try:
                came = self._call(slot, 0, 0, mode)
            except Exception as error:
                self._check_inside(slot, error)
                failed, first, last = self.memory.progress(slot)
                task = Mode(int(self.memory.frame[MODE]))
                self._chunk(slot, self._restore(slot, failed, error), last, task)
                self._call(slot, first, last, Mode.FINISH)
                mode = Mode.RESUME if mode in (Mode.LEAD, Mode.RESUME) else mode
                continue
            if came == REFUSED:
                self._refuse_actions()
            if came == DONE_ALL or mode is Mode.SERVE:
                return
            yield_core()
            mode = Mode.RESUME

    def _check_inside(self, slot: int, error: BaseException) -> None:
        """Re-raise exceptions that no rule raised: Ctrl-C, or those of signal handlers between two worlds.

        Compiled code reports every exception of a rule as an `Exception`, and system signals wait until it returns.
        """
        world, _, end = self.memory.progress(slot)
        if world == end or (_by_hand(error) if self._interpreting else not isinstance(error, Exception)):
            raise error

    def _refuse_actions(self) -> None:
        """Raise an error for the first invalid action (see `validate_actions`).

        Raises:
            ValueError: the action, agent and world.
        """
        table = self.composed.action_table
        for e, row in enumerate(self.memory.requested_actions.tolist()):
            for a, index in enumerate(row):
                if not 0 <= index < table.shape[1] or table[a, index] < 0:
                    own = np.flatnonzero(table[a] >= 0).tolist()
                    listed = few(f"{i} {self.composed.spec.actions[i].name}" for i in own)
                    raise ValueError(
                        f"action {index} of agent {a} in world {e} is not among its {len(own)} actions: {listed}"
                    )

    def _restore(self, slot: int, e: int, error: BaseException) -> int:
        """Restore world `e` after an exception, and return the index of the world to go on with.

        That is `e` itself if only the copy of its cells was missing; else it has failed.
        """
        if self.memory.put_back(slot, e):
            return e
        used_up = self.memory.scratch[slot, USED_UP]
        self._raised[e] = MemoryError("the scratch memory of a step is used up") if used_up else error
        self.memory.scratch[slot, USED_UP] = 0
        self.failures.append(e)
        return e + 1

    def _raise_first(self, mode: Mode) -> None:
        """Raise the exception of the first failing world; failing worlds keep their state before the step.

        After a compiled step, each failing world is stepped again interpreted first, which raises the actual exception.
        Where it does not, the step stands, with a warning.
        """
        standing = {} if self._interpreting else self._run_again_interpreted(mode)
        try:
            for e, error in standing.items():
                warnings.warn(
                    f"{self._describe(e)}: a rule raises compiled, but not interpreted; it was run interpreted, much "
                    f"slower{self._reason(error)}",
                    RuntimeWarning,
                    stacklevel=4,
                )
        finally:  # where warnings are errors, too
            if self._raised:
                raised, self._raised = self._raised, {}  # exceptions keep the frames of all callers alive
                first = min(raised)
                raise self._with_notes(raised.pop(first), first, mode)

    def _run_again_interpreted(self, mode: Mode) -> dict[int, BaseException]:
        """Run the failing worlds again as plain Python; those that do not raise then are no failures any more.

        Returns:
            the exceptions of compiled code in these.
        """
        compiled, self._raised, self._interpreting = self._raised, {}, True
        self.failures.clear()
        for e in sorted(compiled):
            try:
                self.composed.run_interpreted(self.memory.frame, 0, e, e + 1, mode)
            except BaseException as error:
                try:
                    self._check_inside(0, error)
                finally:
                    self.memory.put_back(0, self.memory.progress(0)[0])
                self._raised[e] = error
                self.failures.append(e)
                if isinstance(error, BdbQuit):
                    raise
        return {e: error for e, error in sorted(compiled.items()) if e not in self._raised}

    def _reason(self, error: BaseException) -> str:
        """Why compiled code raised, as far as known: it only says so."""
        if not isinstance(error, MemoryError):
            return ""
        words = self.composed.scratch_words
        return (
            f" ({error}: the grids and arrays that a rule creates in a call must fit into {words:,} words of 8 bytes; "
            "create fewer, or create them once, before a loop)"
        )

    def _with_notes(self, error: BaseException, e: int, mode: Mode) -> BaseException:
        """Add notes to an exception: world, tick, rule and line, and other affected worlds."""
        doing = "beginning an episode" if mode is Mode.RESET else f"tick {self.memory.data[e, TICK]}"
        others = also_raised_in(sorted({*self.failures} - {e}))
        notes = (
            f"in {self._describe(e)}, {doing}",
            locate_error(error, self.composed.program.rules.values()),
            others,
        )
        for note in filter(None, notes):
            error.add_note(note)
        return error

    def _describe(self, e: int) -> str:
        return f"world {e} of {self.memory.n} ({self.composed.name})"


def _by_hand(error: BaseException) -> bool:
    """Whether a KeyboardInterrupt comes from Ctrl-C and not from a `raise`."""
    if not isinstance(error, KeyboardInterrupt):
        return False
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is None or trace.tb_frame.f_code.co_code[trace.tb_lasti] != dis.opmap["RAISE_VARARGS"]


def _again(mode: Mode) -> Mode:
    """The mode to continue with after a world has failed: actions are validated only once."""
    return Mode.STEP if mode is Mode.VALIDATE_AND_STEP else mode
