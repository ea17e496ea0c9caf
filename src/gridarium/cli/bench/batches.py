"""Batches of many sizes, on one thread and on all."""

from __future__ import annotations

import subprocess
import sys

from gridarium.cli.bench.meter import Plan, Ratio, Report, in_turn, rates
from gridarium.cli.bench.worlds import PLAIN_VIEW, PROTOTYPE_LIKE, batch_loop, made
from gridarium.engine.crew import default_threads

SECTION = "batches"
SIZES = (1, 64, 1024, 8192)
WORLD = "KeyDoor-9x9"
FURTHER = ("DoorKey-8x8", "EmptyRandom-8x8", PLAIN_VIEW, "TwoAgents-DoorKey-8x8")
SPIN = "import os, time\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(100_000))"


def measure(report: Report, plan: Plan) -> None:
    """A world with many rewards at each size, others at one size."""
    world, every = made(WORLD), default_threads()
    for size in SIZES:
        counts = [1] if every == 1 or size < 64 else [1, every]
        loops = [batch_loop(world, size, threads) for threads in counts]
        for threads, windows in zip(counts, in_turn(loops, plan), strict=True):
            row = rates(SECTION, WORLD, windows, worlds=size, threads=threads)
            report.rows.append(row)
        if len(counts) == 2 and size >= 1024:
            one, all_threads = report.rows[-2:]
            name = f"{every} threads against one, {size:,} worlds"
            report.ratios.append(Ratio(name, all_threads.median / one.median, 0.9 * every))
    for given in FURTHER:
        loop = batch_loop(made(given), 1024, 1)
        name = given if isinstance(given, str) else given["name"]
        report.rows.append(rates(SECTION, name, in_turn([loop], plan)[0], worlds=1024, threads=1))
    _beside_a_busy_process(report, plan, every)


def _beside_a_busy_process(report: Report, plan: Plan, every: int) -> None:
    """All threads against one while another process holds a core."""
    if every == 1:
        return
    world = made(PROTOTYPE_LIKE)
    loops = [batch_loop(world, 1024, threads) for threads in (1, every)]
    busy = subprocess.Popen([sys.executable, "-c", SPIN])
    try:
        windows = in_turn(loops, plan)
    finally:
        busy.kill()
        busy.wait()
    rows = [
        rates(SECTION, "beside a busy process", own, worlds=1024, threads=threads)
        for threads, own in zip((1, every), windows, strict=True)
    ]
    report.rows += rows
    report.ratios.append(
        Ratio("all threads against one beside a busy process", rows[1].median / rows[0].median, 0.9)
    )
