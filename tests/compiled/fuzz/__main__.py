"""Long runs: `python -m tests.compiled.fuzz --minutes 60 --workers 2`.

Random rules are run interpreted and compiled, each worker with seeds of its own. What does not give the same bytes, or
ends the process, is shrunk and kept as a file; then the status is 1.
"""

from __future__ import annotations

import argparse
import multiprocessing
import queue
import sys
import time
from collections import Counter
from typing import Any

from tests.compiled.fuzz.programs import ORDINARY, RARE
from tests.compiled.fuzz.running import BAD, work


def main() -> int:
    """Run, print what came of it; 1 if anything was found."""
    options = _options()
    without = frozenset(options.without.split(",")) - {""}
    print(f"without: {' '.join(sorted(without)) or 'nothing'}", flush=True)
    context = multiprocessing.get_context("spawn")
    reports: Any = context.Queue()
    workers = [
        context.Process(target=work, args=(i, options, without, reports)) for i in range(options.workers)
    ]
    for worker in workers:
        worker.start()
    total, refusals, groups = Counter[str](), Counter[str](), Counter[str]()
    running, shown, began = len(workers), time.monotonic(), time.monotonic()
    while running:
        try:
            counts, refused, found = reports.get(timeout=60.0)
        except queue.Empty:
            if any(worker.exitcode for worker in workers):
                raise SystemExit("a worker has failed") from None
            continue
        running -= counts is None
        total.update(counts or {})
        refusals.update(refused)
        if found is not None:
            path, features, verdict, text = found
            groups[features] += 1
            print(f"\n{verdict} ({features}): {path}\n{text}", flush=True)
        if time.monotonic() - shown > options.every or not running:
            shown = time.monotonic()
            print(_progress(total, sum(groups.values()), shown - began), flush=True)
    print("refused most often:", *(f"{n:6} {reason}" for reason, n in refusals.most_common(15)), sep="\n  ")
    if groups:
        print(
            "found, by features:", *(f"{n:6} {features}" for features, n in groups.most_common()), sep="\n  "
        )
    return 1 if groups else 0


def _progress(total: Counter[str], found: int, seconds: float) -> str:
    programs = max(1, total["programs"])
    return (
        f"{seconds:6.0f} s: {total['programs']} programs, {total['cases']} cases, "
        f"{1 - total['refused'] / programs:.0%} compiled, {total['raised']} cases raised, "
        f"{total['again']} raised compiled only, {found} found "
        f"({sum(total[verdict] for verdict in BAD)} with those alike)"
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.compiled.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--cases", type=int, default=sys.maxsize, help="stop after so many cases")
    parser.add_argument("--seed", type=int, default=time.time_ns() // 1_000_000_000)
    parser.add_argument("--out", default="build/fuzz", help="where to keep what is found")
    parser.add_argument(
        "--every", type=float, default=30.0, help="seconds from one line of progress to the next"
    )
    parser.add_argument(
        "--without", default="", help=f"features to leave out, of {','.join((*ORDINARY, *RARE))}"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
