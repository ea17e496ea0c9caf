"""One environment, stepped by `gymnasium.Env.step`: with our meter and with Gymnasium's."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import gymnasium
from gymnasium.utils.performance import benchmark_step

from gridarium.cli.bench.loops import SEED, gym_loop, made
from gridarium.cli.bench.meter import Measurement, Report, in_turn, rates
from gridarium.env.gym_env import GridariumEnv

SECTION = "one environment"
WORLD = "DoorKey-8x8"


class NullEnv(gymnasium.Env[Any, Any]):
    """An environment that does nothing: the upper bound of Gymnasium's meter."""

    observation_space = gymnasium.spaces.Discrete(2)
    action_space = gymnasium.spaces.Discrete(5)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Nothing."""
        return 0, {}

    def step(self, action: Any) -> tuple[int, float, bool, bool, dict[str, Any]]:
        """Nothing."""
        return 0, 0.0, False, False, {}


def measure(report: Report, plan: Measurement) -> None:
    """Our environment with fresh and with shared arrays, then `benchmark_step`."""
    cases = {"fresh arrays": False, "shared arrays": True}
    world = made(WORLD, plan.parameters)
    loops = [gym_loop(GridariumEnv(world, shared=shared)) for shared in cases.values()]
    for case, windows in zip(cases, in_turn(loops, plan), strict=True):
        report.add(rates(SECTION, f"{WORLD}, {case}", windows, worlds=1))
    meters: dict[str, Callable[[], gymnasium.Env[Any, Any]]] = {
        WORLD: lambda: GridariumEnv(world),
        "an environment that does nothing": NullEnv,
    }
    for case, make in meters.items():
        windows = []
        for _ in range(plan.windows):
            windows.append(_gymnasium_meter(make(), plan.seconds))
            plan.after_window()
        report.add(rates(SECTION, f"gymnasium's benchmark_step, {case}", windows, worlds=1))


def _gymnasium_meter(env: gymnasium.Env[Any, Any], seconds: float) -> tuple[float, float]:
    """`benchmark_step` draws its actions inside the clock; the second rate scales it by processor time."""
    start, processor = time.perf_counter(), time.process_time()
    rate = float(benchmark_step(env, target_duration=max(1, round(seconds)), seed=SEED))
    return rate, rate * (time.perf_counter() - start) / max(time.process_time() - processor, 1e-9)
