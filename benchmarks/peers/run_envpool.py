"""EnvPool's C++ MiniGrid family: one batch of worlds through its Gymnasium interface."""

from importlib.metadata import version
from itertools import cycle, islice

import envpool
import meter
import numpy as np

CASES = ("MiniGrid-DoorKey-8x8-v0", "MiniGrid-Empty-8x8-v0")
BATCHES = 8


def stepping(case: str, worlds: int, threads: int) -> meter.Chunk:
    env = envpool.make(case, env_type="gymnasium", num_envs=worlds, num_threads=threads, seed=meter.SEED)
    actions = cycle(np.array(meter.draw(int(env.action_space.n), worlds), np.int32))
    env.reset()

    def chunk() -> int:
        seen = 0
        for batch in islice(actions, BATCHES):
            observation, *_ = env.step(batch)  # a finished world is reset by its next step
            seen += int(observation["image"][:, 3, 5, 0].sum())
        return BATCHES * worlds

    return chunk


def main() -> None:
    options = meter.arguments(worlds=(1024,))
    rows = [
        meter.row(case, stepping(case, worlds, options.threads), options, worlds=worlds)
        for case in CASES
        if options.only in case
        for worlds in options.worlds
    ]
    meter.report("envpool", version("envpool"), rows)


if __name__ == "__main__":
    main()
