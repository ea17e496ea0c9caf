"""Memory of a world, and its growth while worlds are stepped."""

from __future__ import annotations

import gc
from pathlib import Path

from gridarium.cli.bench.loops import batch_loop, gym_loop, made
from gridarium.cli.bench.meter import Measurement, Report, Row

SECTION = "memory"
WORLD = "KeyDoor-9x9"


def measure(report: Report, plan: Measurement) -> None:
    """State per world; resident memory before and after many steps, in a batch and one by one."""
    from gridarium.env.gym_env import GridariumEnv

    world = made(WORLD, plan.parameters)
    snapshot = world.batch(1).snapshot()
    state = sum(a.nbytes for a in (snapshot.cells, snapshot.layers, snapshot.data, snapshot.agent_rows))
    report.add(Row(SECTION, f"state of one world ({WORLD})", "bytes", (float(state),)))
    loops = {"a batch of 1,024": (batch_loop(world, 1024, 1), plan.steps)}
    loops["one environment"] = (gym_loop(GridariumEnv(world)), plan.steps // 10)
    for case, (chunk, steps) in loops.items():
        for _ in range(8):
            chunk()
        before, done = _resident(), 0
        while done < steps:
            done += chunk()
        grown = (_resident() - before) / 2**20
        report.add(Row(SECTION, f"growth over {done:,} steps of {case}", "MiB", (grown,)))


def _resident() -> int:
    """Return the bytes of resident memory of this process (or their maximum, if the system does not report the current number)."""
    gc.collect()
    place = Path("/proc/self/statm")
    if place.exists():
        import resource

        return int(place.read_text().split()[1]) * resource.getpagesize()
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
