"""MiniGrid: one environment stepped through `gym.make`, and Gymnasium's own `benchmark_step`."""

import time
from importlib.metadata import version
from itertools import cycle, islice

import gymnasium
import meter
import minigrid  # noqa: F401  (registers the environments)
from gymnasium.utils.performance import benchmark_step

CASES = ("MiniGrid-DoorKey-8x8-v0", "MiniGrid-Empty-8x8-v0")
STEPS = 256


def stepping(env: gymnasium.Env) -> meter.Chunk:
    actions = cycle([action for batch in meter.draw(int(env.action_space.n), 16) for action in batch])
    env.reset(seed=meter.SEED)

    def chunk() -> int:
        seen = 0
        for action in islice(actions, STEPS):
            observation, _, terminated, truncated, _ = env.step(action)
            seen += int(observation["image"][3, 5, 0])
            if terminated or truncated:
                env.reset()
        return STEPS

    return chunk


def gymnasium_meter(env: gymnasium.Env, seconds: float) -> tuple[float, float]:
    """`benchmark_step` draws its actions inside the clock; the second rate scales it by processor time."""
    start, processor = time.perf_counter(), time.process_time()
    rate = benchmark_step(env, target_duration=seconds, seed=meter.SEED)
    return rate, rate * (time.perf_counter() - start) / (time.process_time() - processor)


def main() -> None:
    options = meter.arguments()
    rows = [
        meter.row(case, stepping(gymnasium.make(case)), options) for case in CASES if options.only in case
    ]
    for case in CASES:
        name = f"benchmark_step {case}"
        if options.only in name:
            env = gymnasium.make(case)
            windows = [gymnasium_meter(env, options.seconds) for _ in range(options.windows)]
            rows.append(meter.rates(name, windows, options))
    meter.report("minigrid", version("minigrid"), rows)


if __name__ == "__main__":
    main()
