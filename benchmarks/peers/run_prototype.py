"""An earlier prototype: the same world, stepped by our meter. Runs as a process of its own, under our Python.

    python benchmarks/peers/run_prototype.py FOLDER

FOLDER holds a `keydoor.py` with `batch(n)` and `step(...)`. Options and report are those of the other drivers.
"""

from __future__ import annotations

import importlib
import sys
from itertools import cycle, islice
from typing import Any

import meter
import numpy as np

from gridarium.cli.bench.loops import DRAWN, SEED


def loop(module: Any, worlds: int) -> meter.Chunk:
    """The prototype's serial step; its arrays are shared between steps."""
    arrays, out = module.batch(worlds)
    drawn = np.random.default_rng(SEED).integers(8, size=(DRAWN, worlds))
    actions = cycle(drawn)
    repeats = max(1, min(DRAWN, 65_536 // worlds))

    def chunk() -> int:
        seen = 0
        for row in islice(actions, repeats):
            module.step(*arrays, row, *out, 0, worlds)
            seen += int(out[0][:, 3, 5, 0].sum())
        return repeats * worlds

    return chunk


def main() -> None:
    sys.path.insert(0, sys.argv.pop(1))
    options = meter.arguments(worlds=(1024,))
    prototype = importlib.import_module("keydoor")
    rows = [
        meter.row("keydoor", loop(prototype, worlds), options, worlds=worlds) for worlds in options.worlds
    ]
    meter.report("prototype", "", rows)


if __name__ == "__main__":
    main()
