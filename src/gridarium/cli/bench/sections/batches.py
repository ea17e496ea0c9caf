"""Batches of several sizes, on one thread and on the default number of threads."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

from gridarium.cli.bench.loops import PLAIN_VIEW, batch_loop, made
from gridarium.cli.bench.meter import Measurement, Ratio, Report, Row, in_turn, rates
from gridarium.engine import World
from gridarium.engine.batch import SERIAL_BELOW
from gridarium.engine.threads.worker_pool import default_threads

SECTION = "batches"
SIZES = (1, 64, 1024, 8192)
WORLD = "KeyDoor-9x9"
FURTHER = ("DoorKey-8x8", "EmptyRandom-8x8", PLAIN_VIEW, "TwoAgents-DoorKey-8x8")
SPIN = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(100_000))"


def measure(report: Report, plan: Measurement) -> None:
    """A world with many rewards at each size, others at one size."""
    world = made(WORLD, plan.parameters)
    for size in SIZES:
        report.add(*_one_and_all(world, size, WORLD, plan))
        if size >= SERIAL_BELOW and default_threads() > 1:
            one, every = _one_and_all(world, size, f"{WORLD}, not read", plan, read=False)
            report.add(one, every)
            name = f"{every.threads} threads against one, {size:,} worlds"
            report.ratios.append(Ratio(name, every.median / one.median, 0.9 * default_threads()))
    for given in FURTHER:
        loop = batch_loop(made(given, plan.parameters), 1024, 1)
        name = given if isinstance(given, str) else given["name"]
        report.add(rates(SECTION, name, in_turn([loop], plan)[0], worlds=1024, threads=1))
    _next_to_a_busy_process(report, plan)


def _next_to_a_busy_process(report: Report, plan: Measurement) -> None:
    """All threads against one while another process holds a core."""
    if default_threads() == 1:
        return
    busy = subprocess.Popen([sys.executable, "-c", SPIN])
    try:
        one, every = _one_and_all(
            made(WORLD, plan.parameters), 1024, "beside a busy process, not read", plan, read=False
        )
    finally:
        busy.kill()
        busy.wait()
    report.add(one, every)
    name = f"{every.threads} threads against one beside a busy process"
    report.ratios.append(Ratio(name, every.median / one.median, 0.9))


def _one_and_all(world: World, size: int, case: str, plan: Measurement, *, read: bool = True) -> list[Row]:
    """Return a row for one thread, and one for all threads if a batch of this size uses more.

    Each window has its own batches: the addresses of arrays change rates by some percent.
    """
    every = default_threads()
    wanted = [(1, 1)] if every == 1 or size < SERIAL_BELOW else [(1, 1), (None, every)]
    windows: list[list[tuple[float, float]]] = [[] for _ in wanted]
    for _ in range(plan.windows):
        loops = [batch_loop(world, size, threads, read=read) for threads, _ in wanted]
        for own, window in zip(windows, in_turn(loops, replace(plan, windows=1)), strict=True):
            own.extend(window)
    return [
        rates(SECTION, case, own, worlds=size, threads=count)
        for (_, count), own in zip(wanted, windows, strict=True)
    ]
