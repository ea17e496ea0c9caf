"""An earlier prototype: the same world, stepped by our meter. Runs as a process of its own, under our Python.

    python benchmarks/peers/run_prototype.py FOLDER WORLDS SECONDS WINDOWS

FOLDER holds a `keydoor.py` with `batch(n)` and `step(...)`. Prints one JSON object, as the drivers of peers do.
"""

from __future__ import annotations

import importlib
import json
import sys
from itertools import cycle, islice
from typing import Any

import numpy as np

from gridarium.cli.bench.loops import DRAWN, SEED
from gridarium.cli.bench.meter import Chunk, window


def loop(module: Any, worlds: int) -> Chunk:
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


def main(arguments: list[str]) -> None:
    folder, worlds, seconds, windows = arguments[0], int(arguments[1]), float(arguments[2]), int(arguments[3])
    sys.path.insert(0, folder)
    chunk = loop(importlib.import_module("keydoor"), worlds)
    chunk()
    window(chunk, seconds / 2)
    measured = [window(chunk, seconds) for _ in range(windows)]
    row = {"case": "keydoor", "worlds": worlds, "threads": 1}
    row |= {"wall": [wall for wall, _ in measured], "cpu": [cpu for _, cpu in measured]}
    print(json.dumps({"peer": "prototype", "version": "", "rows": [row]}))


if __name__ == "__main__":
    main(sys.argv[1:])
