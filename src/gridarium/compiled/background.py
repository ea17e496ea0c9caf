"""Background compilation in other processes: programs run interpreted until compiled code is ready."""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gridarium.compiled.cache import store
from gridarium.compiled.compile import CompileError, cached_program, compile_program
from gridarium.compiled.compiled_program import CompiledProgram
from gridarium.compiled.forks import compiling
from gridarium.compiled.source_pass.resolver import Resolver

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

LOAD_DELAY = 0.3
"""Seconds from the first use of a program until a cached one is loaded, so that something is shown before."""
START_DELAY = 1.0
"""Seconds from the first use of a program to the start of a process that compiles it: what takes less compiles nothing."""


@dataclass(frozen=True)
class _Mode:
    allowed: bool = False
    quiet: bool = False
    compiling: list[Compilable] = field(default_factory=list)

    def say(self, text: str) -> None:
        if not self.quiet:
            print(f"gridarium: {text}", file=sys.stderr, flush=True)


_mode = _Mode()


@contextlib.contextmanager
def compiling_in_background(*, quiet: bool = False) -> Iterator[None]:
    """Context in which worlds that are used for longer than a second are compiled by other processes.

    Their rules run interpreted until then, with the same results. A process that is not done when this one ends is
    stopped. Scripts need the guard `if __name__ == "__main__"`, as for `multiprocessing`.

    Args:
        quiet: do not print a line when a process starts, when its program is used, and where that never happened.
    """
    global _mode  # noqa: PLW0603
    before, mode = _mode, _Mode(True, quiet)
    _mode = mode
    try:
        yield
    finally:
        _mode = before
        for unfinished in mode.compiling:
            mode.say(f"{unfinished.name} ran interpreted to the end: compiling it takes longer")


class Compilable:
    """A program that is loaded or compiled on first use, meanwhile and by another process where that is allowed.

    Args:
        name: its name in messages.
        load_cached: loads it if it is cached on disk.
        find: loads or compiles it; None if it cannot be compiled.
        elsewhere: the function that another process runs instead of `find`; None for `find` itself.
    """

    def __init__(
        self,
        name: str,
        load_cached: Callable[[], CompiledProgram | None],
        find: Callable[[], CompiledProgram | None],
        elsewhere: Callable[[], object] | None = None,
    ) -> None:
        self.name, self._load_cached, self._find, self._elsewhere = name, load_cached, find, elsewhere or find
        self.entry: CompiledProgram | None = None
        self._settled = self._looked = False
        self._process: _Process | None = None
        self._first_use: float | None = None
        self._lock = threading.Lock()

    def get(self, *, wait: bool = False) -> CompiledProgram | None:
        """Return the compiled program; None if it cannot be compiled, or is not compiled yet.

        Args:
            wait: whether to wait for the other process, if there is one.
        """
        if not self._settled:
            with compiling(), self._lock:
                if not self._settled:
                    self._look(wait)
        return self.entry

    def _look(self, wait: bool) -> None:
        if not wait and self._too_early():
            return
        if self._process is not None:
            self._process.join()
        self.entry = self.entry or self._find()
        self._settled = True
        if self in _mode.compiling:
            _mode.compiling.remove(self)
            if self.entry is not None:
                _mode.say(f"{self.name} runs compiled from now on")

    def _too_early(self) -> bool:
        """Whether to go on interpreted: something is to be shown first, or another process is compiling (begun here)."""
        if self._process is None:
            if not _mode.allowed or store.usable() is not None:
                return False
            now = time.monotonic()
            self._first_use = now if self._first_use is None else self._first_use
            if now - self._first_use < LOAD_DELAY:
                return True
            if not self._looked:
                self._looked, self.entry = True, self._load_cached()
            if self.entry is None and now - self._first_use < START_DELAY:
                return True
            self._process = self._begun() if self.entry is None else None
            if self._process is None:
                return False
        return not self._process.ended.poll()

    def _begun(self) -> _Process | None:
        try:
            made = _Process(self._elsewhere)
        except (pickle.PicklingError, AttributeError, TypeError, OSError):
            return None  # rules that another process cannot import, such as lambdas; or no more processes
        _mode.say(f"compiling {self.name} meanwhile; interpreted until then")
        _mode.compiling.append(self)
        return made


def library_loops(run: Callable[..., int], *, name: str, frame_length: int) -> Compilable:
    """The library's own loops over arrays, which depend on no world's vocabulary.

    Args:
        run: `run(frame, slot, first, last, mode)`, a function of a module of their own.
        name: their name in messages.
        frame_length: the number of words of the frame.
    """
    return Compilable(
        name,
        functools.partial(_cached_loops, run, frame_length),
        functools.partial(_compiled_loops, run, name, frame_length),
    )


def _cached_loops(run: Callable[..., int], frame_length: int) -> CompiledProgram | None:
    return cached_program(run, Resolver(), frame_length)


def _compiled_loops(run: Callable[..., int], name: str, frame_length: int) -> CompiledProgram | None:
    text = inspect.getsource(sys.modules[run.__module__])
    try:
        return compile_program(run, Resolver(), name=name, text=text, frame_length=frame_length)
    except CompileError:
        return None


class _Process:
    """A process that runs a function; `ended` becomes readable when it ends."""

    def __init__(self, work: Callable[[], object]) -> None:
        import multiprocessing  # only here, for it takes some 20 ms

        context = multiprocessing.get_context("spawn")
        self.ended, other = context.Pipe(duplex=False)
        process = context.Process(target=_do, args=(work, other), daemon=True)
        process.start()
        other.close()
        self.join = process.join


def _do(work: Callable[[], object], end: Connection) -> None:
    """Run in the other process. Errors in rules are reported by the main process, which then compiles itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent process
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for output in (1, 2):
        os.dup2(nowhere, output)
    try:
        work()
    finally:
        end.close()
