"""Processes that are forked while a thread compiles."""

import os
import signal
import threading
import time

import pytest

from gridarium.compiled.background import Compilable
from gridarium.compiled.forks import compiling

PATIENCE = 60
"""Seconds after which a child that waits for a lock is ended by a signal."""


def exit_status(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_uses_the_program_that_another_thread_was_compiling():
    begun, entry = threading.Event(), lambda *numbers: sum(numbers)

    def find():
        begun.set()
        time.sleep(0.3)
        return entry

    program = Compilable("a program", lambda: None, find)
    thread = threading.Thread(target=program.get)
    thread.start()
    begun.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(PATIENCE)
        os._exit(0 if program.get() is entry else 1)
    assert exit_status(child) == 0
    thread.join()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_who_compiles_may_fork_and_both_may_compile_afterwards():
    with compiling():
        child = os.fork()
        if child == 0:
            signal.alarm(PATIENCE)
    with compiling():
        grandchild = os.fork()
    if grandchild == 0:
        os._exit(0)
    status = exit_status(grandchild)
    if child == 0:
        os._exit(status)
    assert (exit_status(child), status) == (0, 0)


def test_a_fork_waits_until_no_other_thread_compiles():
    inside, done, seen = threading.Event(), threading.Event(), []

    def work():
        with compiling(), compiling():
            inside.set()
            done.wait()
            seen.append("compiled")

    thread = threading.Thread(target=work)
    thread.start()
    inside.wait()
    threading.Timer(0.2, done.set).start()
    child = os.fork()
    if child == 0:
        os._exit(len(seen))
    thread.join()
    assert exit_status(child) == 1, "the child was forked before the thread was done"
