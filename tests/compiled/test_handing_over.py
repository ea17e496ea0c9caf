"""Ctrl-C while LLVM gets a module does not end the process later."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from gridarium.compiled.signals import signals_wait

pytestmark = pytest.mark.usefixtures("keyboard")

INTERRUPTED = """
    import gc, os, signal
    import llvmlite.binding.ffi as ffi
    from gridarium import World

    name, count = "{call}", 0
    call = getattr(ffi.lib, name)

    def interrupted(*given):
        global count
        result, count = call(*given), count + 1
        if count == {number}:
            os.kill(os.getpid(), signal.SIGINT)
        return result

    ffi.lib._fntab[name] = interrupted
    try:
        World("Empty-4x4").batch(1).reset(0)
    except KeyboardInterrupt:
        print("interrupted")
    gc.collect()
    world = World("Empty-4x4")
    batch = world.batch(1)
    batch.reset(0)
    batch.step([0])
    gc.collect()
    print("goes on", world.composed.compiled)
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize(("call", "number"), [("LLVMPY_LinkModules", 1), ("LLVMPY_AddModule", 2)])
def test_a_process_goes_on_after_ctrl_c_at_any_moment(call: str, number: int, tmp_path: Path) -> None:
    assert "Error" not in _goes_on(INTERRUPTED.format(call=call, number=number), tmp_path)


IMPORTING = """
    import os, signal, sys
    from gridarium import World

    class Interrupt:
        def find_spec(self, name, *more):
            if name == "{module}":
                sys.meta_path.remove(self)
                os.kill(os.getpid(), signal.SIGINT)

    sys.meta_path.insert(0, Interrupt())
    try:
        World("Empty-4x4").batch(1).reset(0)
    except KeyboardInterrupt:
        print("interrupted")
    world = World("Empty-4x4")
    world.batch(1).reset(0)
    print("goes on", world.composed.compiled)
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "module",
    ["numba.core.typeinfer", "llvmlite.binding.module", "gridarium.world.compiled.state"],
)
def test_a_process_goes_on_after_ctrl_c_while_numba_is_imported(module: str, tmp_path: Path) -> None:
    _goes_on(IMPORTING.format(module=module), tmp_path)


def _goes_on(text: str, folder: Path) -> str:
    """Run a text that is interrupted and goes on; return what it writes to its error stream."""
    environment = os.environ | {"GRIDARIUM_CACHE_DIR": str(folder)}
    command = [sys.executable, "-c", textwrap.dedent(text)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:2] == ["interrupted", "goes on True"]
    return done.stderr


def test_signals_wait_and_none_is_lost() -> None:
    heard: list[str] = []
    before = signal.signal(signal.SIGTERM, lambda *_: heard.append("terminated"))
    try:
        with pytest.raises(KeyboardInterrupt), signals_wait():
            os.kill(os.getpid(), signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGINT)
            heard.append("done")
        assert sorted(heard) == ["done", "terminated"]
        assert heard[0] == "done"
    finally:
        signal.signal(signal.SIGTERM, before)
