"""A program that answers messages: JSON lines over pipes, with deadlines and limits."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gridarium.arena.players.player import PlayerFault, PlayerStatus

LIMITED = 'ulimit -v "$1" 2>/dev/null; ulimit -t "$2" 2>/dev/null; shift 2; exec "$@"'
"""A shell script that sets limits before a program runs, so that all of its own processes have them too."""
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "PYTHONPATH")
"""The variables of the environment that programs see; others may be secrets."""
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
RUNNING: set[int] = set()
"""The processes that this one has started and not ended, each with its group."""
STARTING = threading.Lock()
"""Held while a process is started, until it is among those that are running."""
PIECE = 1 << 16
QUOTED = 200
"""The number of characters of the last line of standard error that a reason quotes."""


@dataclass(frozen=True)
class Limits:
    """The limits of a program, for each of its processes.

    Attributes:
        memory: of the address space, in MiB.
        cpu: the processor time in seconds until it is killed.
        message: the maximum size of a message from it, in bytes.
        output: the part of its standard error that is kept, in bytes.
        start: the seconds until it has to be ready for a game.
        grace: the seconds that it has to end by itself when its standard input is closed.
    """

    memory: int = 1024
    cpu: int = 3600
    message: int = 1 << 16
    output: int = 1 << 14
    start: float = 10.0
    grace: float = 0.5


class AgentProcess:
    """A running program.

    Args:
        command: the program and its arguments.
        folder: where it runs.
        limits: see `Limits`.

    Raises:
        PlayerFault: it cannot be started.
    """

    def __init__(self, command: Sequence[str], folder: Path, limits: Limits) -> None:
        if not hasattr(select, "poll"):
            raise OSError(
                "programs as players need pipes that can be polled, which this system does not have"
            )
        self._limits = limits
        self._incoming, self._kept, self._last, self._left_out = bytearray(), bytearray(), b"", 0
        environment = {key: os.environ[key] for key in PASSED_ON if key in os.environ} | ONE_THREAD
        sizes = [str(limits.memory * 1024), str(limits.cpu)]
        try:
            with STARTING:
                self._process = subprocess.Popen(
                    ["/bin/sh", "-c", LIMITED, "sh", *sizes, *command],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    cwd=folder,
                    env=environment,
                    bufsize=0,
                    start_new_session=True,
                )
                RUNNING.add(self._process.pid)
        except OSError as error:
            raise PlayerFault(PlayerStatus.ERROR, f"it cannot be started: {error}") from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdin, self._stdout, self._stderr = (
            pipe.fileno() for pipe in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._poll = select.poll()
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe, False)
        for pipe in (self._stdout, self._stderr):
            self._poll.register(pipe, select.POLLIN)
        self._closed = False

    def send(self, message: Mapping[str, Any], deadline: float | None) -> None:
        """Send a message.

        Args:
            message: plain data.
            deadline: by `time.perf_counter`; None for no limit.

        Raises:
            PlayerFault: it has ended, or does not read in time.
        """
        rest = memoryview(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        writing = False
        try:
            while rest:
                try:
                    rest = rest[os.write(self._stdin, rest) :]
                except BlockingIOError:
                    if not writing:
                        self._poll.register(self._stdin, select.POLLOUT)
                    writing = True
                    self._wait(deadline)
                except BrokenPipeError:
                    raise self._ended("input") from None
        finally:
            if writing:
                self._poll.unregister(self._stdin)

    def receive(self, deadline: float | None) -> dict[str, Any]:
        """The next message.

        Raises:
            PlayerFault: it has ended, is too slow, or has written something else.
        """
        while (end := self._incoming.find(b"\n")) < 0:
            self._wait(deadline)
        line = bytes(self._incoming[:end])
        del self._incoming[: end + 1]
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise PlayerFault(
                PlayerStatus.INVALID, f"it wrote {line[:80]!r}, which is not a JSON object in one line"
            )
        return message

    def expect_silence(self) -> None:
        """Check that it has not written more than it was asked for.

        Raises:
            PlayerFault: it has.
        """
        self._read_ready(0)
        if self._incoming:
            raise PlayerFault(
                PlayerStatus.INVALID,
                f"it wrote {bytes(self._incoming[:80])!r} without being asked for anything",
            )

    @property
    def output(self) -> str:
        """The beginning of what it has written to standard error, since it was started or `forget_output` was called."""
        if not self._closed:
            self._read_output()
        text = self._kept.decode(errors="replace")
        return text + (f"\n[{self._left_out} bytes more]" if self._left_out else "")

    def forget_output(self) -> None:
        """Keep only what it writes to standard error from now on."""
        self._read_output()
        self._kept.clear()
        self._last, self._left_out = b"", 0

    def close(self) -> None:
        """Close its standard input, wait for its end, and kill it, with all processes that it has started."""
        if self._closed:
            return
        self._closed = True
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        deadline = time.perf_counter() + self._limits.grace
        pause = 0.0005
        while self._is_running() and time.perf_counter() < deadline:
            time.sleep(pause)
            pause = min(2 * pause, 0.02)
        self._kill()
        self._read_output()
        for pipe in (self._process.stdout, self._process.stderr):
            assert pipe is not None
            pipe.close()

    def kill(self) -> None:
        """End it at once."""
        self._limits = dataclasses.replace(self._limits, grace=0.0)
        self.close()

    def _is_running(self) -> bool:
        """Whether it runs; where it does not, it stays a zombie, so that nobody else gets its number."""
        if self._process.returncode is not None:
            return False
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None

    def _kill(self) -> None:
        if self._process.returncode is not None:
            return
        _kill_group(self._process.pid)
        RUNNING.discard(self._process.pid)
        self._process.wait()

    def _wait(self, deadline: float | None) -> None:
        """Wait until something can be read or written, and read it.

        Raises:
            PlayerFault: the deadline has passed, its standard output is closed, or its message is too long.
        """
        timeout = None
        if deadline is not None:
            timeout = 1000 * (deadline - time.perf_counter())
            if timeout <= 0:
                raise PlayerFault(PlayerStatus.TIMEOUT, "it did not answer in time")
        self._read_ready(timeout)

    def _read_ready(self, timeout: float | None) -> None:
        """Wait for some milliseconds, or None for ever, and read what there is; errors as of `_wait`."""
        for pipe, _ in self._poll.poll(timeout):
            if pipe == self._stderr:
                self._read_stderr()
            elif pipe == self._stdout:
                piece = os.read(self._stdout, PIECE)
                if not piece:
                    raise self._ended("output")
                self._incoming += piece
                if len(self._incoming) > self._limits.message:
                    raise PlayerFault(
                        PlayerStatus.INVALID, f"it wrote a message of more than {self._limits.message} bytes"
                    )

    def _read_stderr(self) -> bool:
        """Keep the beginning of what it writes; whether there may be more."""
        try:
            piece = os.read(self._stderr, PIECE)
        except BlockingIOError:
            return False
        if not piece:
            with contextlib.suppress(KeyError):
                self._poll.unregister(self._stderr)
            return False
        room = self._limits.output - len(self._kept)
        self._kept += piece[:room]
        self._left_out += len(piece) - len(piece[:room])
        self._last = piece
        return True

    def _read_output(self) -> None:
        """Read what is left of its standard error, up to a limit."""
        for _ in range(64):
            if not self._read_stderr():
                return

    def _ended(self, closed: str) -> PlayerFault:
        """The fault of a process that has closed its standard input or output, mostly since it has ended."""
        deadline = time.perf_counter() + self._limits.grace
        while self._is_running() and time.perf_counter() < deadline:
            time.sleep(0.002)
        self._read_output()
        running = self._is_running()
        self._kill()
        code = self._process.returncode
        if running:
            how = f"it closed its standard {closed}"
        elif code < 0:
            how = f"its process was ended by {_signal_name(-code)}"
        else:
            how = f"its process ended with exit status {code}"
        lines = self._last.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")[:QUOTED]
        said = "".join(c if c.isprintable() else "?" for c in last)  # nothing that a terminal would obey
        return PlayerFault(PlayerStatus.ERROR, f"{how}: {said}" if said else how)


def kill_running() -> None:
    """Kill all programs that this process has started and not ended; it can start no more."""
    STARTING.acquire()
    for process in list(RUNNING):
        _kill_group(process)


def _kill_group(process: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process, signal.SIGKILL)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
