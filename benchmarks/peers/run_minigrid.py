"""MiniGrid: one environment stepped through `gym.make`, its pictures, and Gymnasium's own `benchmark_step`."""

import time
from importlib.metadata import version
from itertools import cycle, islice

import gymnasium
import meter
import minigrid  # noqa: F401  (registers the environments)
from gymnasium.utils.performance import benchmark_step

CASES = ("MiniGrid-DoorKey-8x8-v0", "MiniGrid-Empty-8x8-v0")
RENDERED = "MiniGrid-LavaCrossingS9N2-v0"
STEPS, PICTURES = 256, 64


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


def rendering(env: gymnasium.Env) -> meter.Chunk:
    """Pictures of 32 pixels a cell, a step before each few of them."""
    env.reset(seed=meter.SEED)

    def chunk() -> int:
        if any(env.step(0)[2:4]):
            env.reset()
        for _ in range(PICTURES):
            env.render()
        return PICTURES

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
    name = f"render {RENDERED}"
    if options.only in name:
        pictures = gymnasium.make(RENDERED, render_mode="rgb_array", tile_size=32)
        rows.append(meter.row(name, rendering(pictures), options))
    for case in CASES:
        name = f"benchmark_step {case}"
        if options.only in name:
            env = gymnasium.make(case)
            windows = [gymnasium_meter(env, options.seconds) for _ in range(options.windows)]
            rows.append(meter.rates(name, windows, options))
    meter.report("minigrid", version("minigrid"), rows)


if __name__ == "__main__":
    main()
