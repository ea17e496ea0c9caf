"""ini/multigrid (NumPy and Numba): one environment with one agent, stepped through `gym.make`."""

from importlib.metadata import version
from itertools import cycle, islice

import gymnasium
import meter
import multigrid.envs  # noqa: F401  (registers the environments)

CASES = ("MultiGrid-Empty-8x8-v0", "MultiGrid-RedBlueDoors-8x8-v0")
ACTIONS = 7
STEPS = 256


def stepping(env: gymnasium.Env) -> meter.Chunk:
    actions = cycle([{0: action} for batch in meter.draw(ACTIONS, 16) for action in batch])
    env.reset(seed=meter.SEED)

    def chunk() -> int:
        seen = 0
        for action in islice(actions, STEPS):
            observations, _, terminations, truncations, _ = env.step(action)
            seen += int(observations[0]["image"][3, 5, 0])
            if terminations[0] or truncations[0]:
                env.reset()
        return STEPS

    return chunk


def main() -> None:
    options = meter.arguments()
    rows = [
        meter.row(case, stepping(gymnasium.make(case, agents=1, disable_env_checker=True)), options)
        for case in CASES
        if options.only in case
    ]
    meter.report("multigrid", version("multigrid"), rows)


if __name__ == "__main__":
    main()
