"""The clock all peer drivers share. Standard library only: it runs under every peer's own interpreter.

A driver builds a *chunk*: a callable that takes some environment steps, reads every observation, and
returns how many steps it took. `row` warms it up, then times it over several windows.
"""

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from typing import Any

Chunk = Callable[[], int]

SEED = 0
ACTION_BATCHES = 256  # how many batches of actions are drawn before the clock; the chunk cycles through them

# A driver's stdout carries one JSON object, whatever the peer prints while it loads.
_stdout = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def arguments(*, worlds: Sequence[int] = (1,), threads: int = 1) -> argparse.Namespace:
    """Reads the command line; `worlds` and `threads` are the driver's defaults (threads 0: all cores)."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=1.0, help="length of one window")
    parser.add_argument("--windows", type=int, default=5, help="number of windows")
    parser.add_argument("--worlds", type=int, nargs="+", default=list(worlds), help="batch sizes, a row each")
    parser.add_argument("--threads", type=int, default=threads, help="cores to use; 0 means all")
    parser.add_argument("--only", default="", help="run only the cases whose name contains this")
    parser.add_argument(
        "--in-turn",
        action="store_true",
        help="before a window print a line, and wait for one on standard input",
    )
    options = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    options.threads = min(options.threads or cores, cores)
    return options


def pin(threads: int) -> None:
    """Keeps this process on its first `threads` cores; call before the peer starts its thread pool."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])


def draw(actions: int, worlds: int) -> list[list[int]]:
    """`ACTION_BATCHES` rows of `worlds` uniform actions, the same ones in every run."""
    generator = random.Random(SEED)
    return [generator.choices(range(actions), k=worlds) for _ in range(ACTION_BATCHES)]


def window(chunk: Chunk, seconds: float) -> tuple[float, float]:
    """Steps per second, and steps per processor second of all threads, over one window."""
    steps, processor, start = 0, time.process_time(), time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        steps += chunk()
    return steps / elapsed, steps / (time.process_time() - processor)


def row(case: str, chunk: Chunk, options: argparse.Namespace, *, worlds: int = 1) -> dict[str, Any]:
    """Warms `chunk` up (which compiles it where that applies), then times it."""
    chunk()
    window(chunk, options.seconds / 2)
    windows = []
    for _ in range(options.windows):
        if options.in_turn:
            print("ready", file=_stdout, flush=True)
            sys.stdin.readline()
        windows.append(window(chunk, options.seconds))
    return rates(case, windows, options, worlds=worlds)


def rates(
    case: str, windows: list[tuple[float, float]], options: argparse.Namespace, *, worlds: int = 1
) -> dict[str, Any]:
    """One row of the report, from (wall, cpu) pairs."""
    wall, cpu = ([round(rate, 1) for rate in column] for column in zip(*windows, strict=True))
    return {"case": case, "worlds": worlds, "threads": options.threads, "wall": wall, "cpu": cpu}


def measure_pinned(
    peer: str, package: str, cases: Iterable[str], stepping: Callable[[str, int], Chunk]
) -> None:
    """Reports the cases of a JAX peer in batches, on the first cores; `stepping(case, worlds)` makes a chunk."""
    options = arguments(worlds=(1024, 8192))
    pin(options.threads)
    rows = [
        row(case, stepping(case, worlds), options, worlds=worlds)
        for case in cases
        if options.only in case
        for worlds in options.worlds
    ]
    report(peer, version(package), rows)


def report(peer: str, version: str, rows: list[dict[str, Any]]) -> None:
    """Prints the one JSON object."""
    print(json.dumps({"peer": peer, "version": version, "rows": rows}), file=_stdout, flush=True)
    if not rows:
        sys.exit("no case matches --only")
