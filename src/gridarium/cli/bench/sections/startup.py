"""Start-up times, each measured in a fresh process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from gridarium.cli.bench.meter import Measurement, Report, Row

SECTION = "starting, in fresh processes"
WORLD = "KeyDoor-9x9"
IMPORT = "import gridarium"
STEP = "from gridarium.engine import World\nw = World({given})\nw.step(w.reset(0), 0)"
ENVIRONMENT = (
    "from gridarium.env.gym_env import GridariumEnv\ne = GridariumEnv({given})\ne.reset(seed=0)\ne.step(0)"
)
TIMED = "import time\nstart = time.perf_counter()\n{code}\nprint(time.perf_counter() - start)"


def measure(report: Report, plan: Measurement) -> None:
    """Importing, the first step interpreted, compiled with an empty cache, and compiled with a full one."""
    given = f"{WORLD!r}, **{dict(plan.parameters)!r}"
    interpreted, compiled, environment = (
        code.format(given=text)
        for code, text in ((STEP, f"{given}, compiled=False"), (STEP, given), (ENVIRONMENT, given))
    )
    with tempfile.TemporaryDirectory(prefix="gridarium-bench-") as folder:
        _seconds(interpreted, folder)  # files from disk
        _add(report, "import gridarium", IMPORT, plan, [folder] * plan.trials)
        _add(report, "import to first step, interpreted", interpreted, plan, [folder] * plan.trials)
        empty = [f"{folder}/{i}" for i in range(plan.trials)]
        _add(report, "import to first step, compiled, empty cache", compiled, plan, empty)
        _add(report, "import to first step, compiled, full cache", compiled, plan, empty[:1] * plan.trials)
        _seconds(environment, empty[0])
        _add(report, "the same through Gymnasium", environment, plan, empty[:1] * plan.trials)


def _add(report: Report, case: str, code: str, plan: Measurement, caches: Sequence[str]) -> None:
    seconds = []
    for cache in caches:
        seconds.append(_seconds(code, cache))
        plan.after_window()
    report.add(Row(SECTION, case, "s", tuple(seconds)))


def _seconds(code: str, cache: str) -> float:
    environment = {**os.environ, "GRIDARIUM_CACHE_DIR": cache}
    command = [sys.executable, "-c", TIMED.format(code=code)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])
