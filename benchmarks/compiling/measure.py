"""Processor seconds from a fresh process to a world that has been reset, with an empty cache, for each program.

python benchmarks/compiling/measure.py                          # this source
python benchmarks/compiling/measure.py OLD/src src --only Key   # two sources in turn, and their ratios
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

LIST = """
import json
from gridarium.compiled.compile import _key
from gridarium.engine.kernel_args import FRAME_LENGTH
from gridarium.engine.composed_world import ComposedWorld
from gridarium.world.compiled.resolver import WorldResolver
from gridarium.worlds import catalogue, spec
programs = {}
for name in catalogue.names():
    machine = ComposedWorld(spec(catalogue.description(name)))
    programs[_key(machine.program.run, WorldResolver(machine.vocabulary), FRAME_LENGTH)[0]] = name
print(json.dumps(list(programs.values())))
"""
STEP = """
import time
from gridarium.engine import World
World({name!r}).batch(1).reset(0)
print(time.process_time())
"""


def run(code: str, source: str) -> str:
    with tempfile.TemporaryDirectory(prefix="gridarium-bench-") as cache:
        environment = {**os.environ, "GRIDARIUM_CACHE_DIR": cache, "PYTHONPATH": source}
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("sources", nargs="*", default=[str(Path(__file__).parents[2] / "src")])
    parser.add_argument("--only", default="", help="worlds that have this in their name")
    parser.add_argument("--trials", type=int, default=1, help="the least of so many counts")
    given = parser.parse_args()
    names = [n for n in json.loads(run(LIST, given.sources[-1])) if given.only in n]
    sums = [0.0] * len(given.sources)
    for name in names:
        code = STEP.format(name=name)
        trials = [[float(run(code, source)) for source in given.sources] for _ in range(given.trials)]
        least = [min(of) for of in zip(*trials, strict=True)]
        sums = [a + b for a, b in zip(sums, least, strict=True)]
        show(name, least)
    show(f"{len(names)} programs", sums)


def show(name: str, seconds: list[float]) -> None:
    ratio = f"  {seconds[-1] / seconds[0]:.2f}" if len(seconds) > 1 else ""
    print(f"{name:24}" + "".join(f"{s:8.2f}" for s in seconds) + ratio, flush=True)


if __name__ == "__main__":
    main()
