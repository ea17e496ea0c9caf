"""Processor seconds until a world has been reset, with an empty cache, for each program of the catalogue.

python benchmarks/compiling/measure.py                          # this source, each program in a fresh process
python benchmarks/compiling/measure.py --together               # all in one process, one after the other
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
NAMES = """
import json
from gridarium.worlds import catalogue
print(json.dumps(list(catalogue.names())))
"""
STEPS = """
import sys, time
from gridarium.engine import World
before = 0.0
for name in sys.argv[1:]:
    World(name).batch(1).reset(0)
    now = time.process_time()
    print(now - before)
    before = now
"""


def run(code: str, source: str, *arguments: str) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="gridarium-bench-") as cache:
        environment = {**os.environ, "GRIDARIUM_CACHE_DIR": cache, "PYTHONPATH": source}
        command = [sys.executable, "-c", code, *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("sources", nargs="*", default=[str(Path(__file__).parents[2] / "src")])
    parser.add_argument("--only", default="", help="worlds that have this in their name")
    parser.add_argument("--together", action="store_true", help="all in one process")
    parser.add_argument("--trials", type=int, default=1, help="the least of so many counts")
    given = parser.parse_args()
    known = set.intersection(*(set(json.loads(run(NAMES, source)[-1])) for source in given.sources))
    names = [n for n in json.loads(run(LIST, given.sources[-1])[-1]) if given.only in n and n in known]
    sums = [0.0] * len(given.sources)
    for group in [names] if given.together else [[name] for name in names]:
        trials = [[run(STEPS, source, *group) for source in given.sources] for _ in range(given.trials)]
        for name, *counts in zip(group, *(zip(*trial, strict=True) for trial in trials), strict=True):
            least = [min(map(float, of)) for of in zip(*counts, strict=True)]
            sums = [a + b for a, b in zip(sums, least, strict=True)]
            show(name, least)
    show(f"{len(names)} programs", sums)


def show(name: str, seconds: list[float]) -> None:
    ratio = f"  {seconds[-1] / seconds[0]:.2f}" if len(seconds) > 1 else ""
    print(f"{name:24}" + "".join(f"{s:8.2f}" for s in seconds) + ratio, flush=True)


if __name__ == "__main__":
    main()
