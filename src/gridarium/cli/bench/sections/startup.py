"""Start-up times, each measured in a fresh process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

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
        _add(report, "import gridarium", IMPORT, plan.trials, folder)
        _add(report, "import to first step, interpreted", interpreted, plan.trials, folder)
        cold = []
        for i in range(plan.trials):
            cold.append(_seconds(compiled, f"{folder}/{i}"))
        report.add(Row(SECTION, "import to first step, compiled, empty cache", "s", tuple(cold)))
        _add(report, "import to first step, compiled, full cache", compiled, plan.trials, f"{folder}/0")
        _add(report, "the same through Gymnasium", environment, plan.trials, f"{folder}/0")


def _add(report: Report, case: str, code: str, trials: int, folder: str) -> None:
    _seconds(code, folder)  # files from disk
    report.add(Row(SECTION, case, "s", tuple(_seconds(code, folder) for _ in range(trials))))


def _seconds(code: str, cache: str) -> float:
    environment = {**os.environ, "GRIDARIUM_CACHE_DIR": cache}
    command = [sys.executable, "-c", TIMED.format(code=code)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])
