"""Seconds from a command to its first line or picture, and to the answer to a key, with an empty cache and with one's own.

python benchmarks/starting/measure.py --times 5

Commands run in a terminal of their own (a pseudo-terminal, so not on Windows). `serve` is asked for its page.
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import re
import select
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

UP = "\x1b[A"
LONGEST = 60


@dataclass(frozen=True)
class Case:
    """A command with what its output shows, as patterns by name, in this order, and a key that it answers."""

    name: str
    arguments: tuple[str, ...]
    shows: dict[str, str]
    key: str = ""


CASES = (
    Case("run", ("run", "KeyDoor-9x9", "--episodes", "20"), {"progress": r"\d", "table": r"mean return"}),
    Case("play", ("play", "KeyDoor-9x9", "--terminal"), {"picture": r"step"}, UP),
    Case("ghost", ("ghost", "maze-8x10"), {"picture": r"start", "first round": r"round 1"}),
    Case("serve", ("serve", "KeyDoor-9x9", "--port", "0"), {"address": r"http://\S+"}),
)


def seconds(case: Case, cache: str) -> dict[str, float]:
    """Start the command and read what it writes until something has moved."""
    controller, terminal = pty.openpty()
    environment = {
        **os.environ,
        "GRIDARIUM_CACHE_DIR": cache,
        "TERM": "xterm-256color",
        "LINES": "40",
        "COLUMNS": "120",
    }
    begun = time.perf_counter()
    command = [sys.executable, "-m", "gridarium", *case.arguments]
    process = subprocess.Popen(
        command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment, start_new_session=True
    )
    found: dict[str, float] = {}
    try:
        for name, pattern in case.shows.items():
            text = _read_until(pattern, controller, begun)
            found[name] = time.perf_counter() - begun
        if case.key:
            while select.select([controller], [], [], 0.3)[0]:
                os.read(controller, 65536)
            pressed = time.perf_counter()
            os.write(controller, case.key.encode())
            os.read(controller, 65536)
            found["answer to a key after"] = time.perf_counter() - pressed
        if address := re.search(r"http://\S+", text):
            with urllib.request.urlopen(address.group()) as page:
                page.read()
            found["page"] = time.perf_counter() - begun
        return found
    finally:
        process.kill()
        process.wait()
        os.close(controller)
        os.close(terminal)


def _read_until(pattern: str, terminal: int, begun: float) -> str:
    """Read until a pattern is found in what is written, without control sequences."""
    written = ""
    while time.perf_counter() - begun < LONGEST:
        if select.select([terminal], [], [], 1)[0]:
            written += os.read(terminal, 65536).decode(errors="replace")
            shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b\(B", "", written)
            if re.search(pattern, shown, re.DOTALL):
                return shown
    raise SystemExit(f"nothing that matches {pattern!r} was written within {LONGEST} s: {written[-500:]!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--times", type=int, default=3, help="runs of each command")
    parser.add_argument("--json", type=Path, help="the file that figures are written to")
    given = parser.parse_args()
    rows = []
    for case in CASES:
        for cache in ("empty", "own"):
            runs = []
            for _ in range(given.times):
                with tempfile.TemporaryDirectory() as empty:
                    runs.append(seconds(case, empty if cache == "empty" else ""))
            row = {name: sorted(run[name] for run in runs) for name in runs[0]}
            rows.append({"command": case.name, "cache": cache, **row})
            shown = ", ".join(f"{name} {statistics.median(times):.2f} s" for name, times in row.items())
            print(f"{case.name:6} {cache:6} cache: {shown}", flush=True)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
