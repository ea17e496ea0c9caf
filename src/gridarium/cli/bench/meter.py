"""Timing: windows of some seconds, several in turn, medians, and ratios taken within one run."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

Chunk = Callable[[], int]
"""A function that takes some steps and returns the number of world steps."""


@dataclass(frozen=True)
class Row:
    """One line of a report.

    Attributes:
        section: the part of the benchmark.
        case: the measured case.
        unit: the unit of the values.
        values: one value for each window or trial.
        cpu: for rates, the same per second of processor time of all threads.
        worlds, threads: their number, if it matters.
        note: a remark.
    """

    section: str
    case: str
    unit: str
    values: tuple[float, ...]
    cpu: tuple[float, ...] = ()
    worlds: int | None = None
    threads: int | None = None
    note: str = ""

    @property
    def median(self) -> float:
        """The median of the values."""
        return statistics.median(self.values)

    @property
    def cpu_median(self) -> float:
        """The median of the values per processor second, or of the values if there are none."""
        return statistics.median(self.cpu or self.values)

    def plain(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        kept = {key: value for key, value in vars(self).items() if value not in (None, "", ())}
        return {**kept, "median": self.median}


@dataclass(frozen=True)
class Ratio:
    """The ratio of two measurements of the same run, and the least value that it should have."""

    name: str
    value: float
    goal: float | None = None

    def plain(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return dict(vars(self))


@dataclass
class Report:
    """The results of a run.

    Attributes:
        rows, ratios: the results so far.
        watch: called with each row that is added.
    """

    rows: list[Row] = field(default_factory=list)
    ratios: list[Ratio] = field(default_factory=list)
    watch: Callable[[Row], None] = lambda row: None

    def add(self, *rows: Row) -> None:
        """Add rows."""
        for row in rows:
            self.rows.append(row)
            self.watch(row)

    def plain(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "machine": machine(),
            "rows": [row.plain() for row in self.rows],
            "ratios": [ratio.plain() for ratio in self.ratios],
        }


@dataclass(frozen=True)
class Measurement:
    """The length of measurements.

    Attributes:
        seconds: the length of a window.
        windows: how many windows for each row.
        steps: world steps of the memory test.
        trials: fresh processes for each start-up row.
        parameters: of the worlds that are measured, in the place of their own.
        after_window: called after each window or trial.
    """

    seconds: float = 1.0
    windows: int = 7
    steps: int = 10_000_000
    trials: int = 3
    parameters: Mapping[str, Any] = field(default_factory=dict)
    after_window: Callable[[], None] = field(default=lambda: None, compare=False)

    @staticmethod
    def quick(parameters: Mapping[str, Any] | None = None) -> Measurement:
        """Return short measurements: about a minute in total."""
        return Measurement(seconds=0.3, windows=3, steps=1_000_000, trials=1, parameters=parameters or {})


def window(chunk: Chunk, seconds: float) -> tuple[float, float]:
    """Return steps per second, and per processor second of all threads."""
    steps, processor, start = 0, time.process_time(), time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        steps += chunk()
    return steps / elapsed, steps / max(time.process_time() - processor, 1e-9)


def in_turn(chunks: Sequence[Chunk], plan: Measurement) -> list[list[tuple[float, float]]]:
    """Measure several chunks in turn, so that other load of the machine affects all of them alike."""
    for chunk in chunks:
        chunk()
        window(chunk, plan.seconds / 4)
    windows: list[list[tuple[float, float]]] = [[] for _ in chunks]
    for _ in range(plan.windows):
        for own, chunk in zip(windows, chunks, strict=True):
            own.append(window(chunk, plan.seconds))
            plan.after_window()
    return windows


def rates(
    section: str, case: str, windows: Sequence[tuple[float, float]], unit: str = "steps/s", **more: Any
) -> Row:
    """Return a row of steps per second, or of another rate."""
    wall, cpu = zip(*windows, strict=True)
    return Row(section, case, unit, tuple(wall), tuple(cpu), **more)


def machine() -> dict[str, Any]:
    """Describe the machine and the versions of packages."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = os.getloadavg() if hasattr(os, "getloadavg") else ()
    packages = {
        name: version(name) for name in ("gridarium", "numpy", "numba", "gymnasium") if _installed(name)
    }
    return {
        "processor": _processor(),
        "cores": cores,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": packages,
        "load": [round(number, 2) for number in load],
    }


def _installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def _processor() -> str:
    try:
        with open("/proc/cpuinfo") as file:  # noqa: PTH123  (a device, not a path of ours)
            names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or "unknown"
