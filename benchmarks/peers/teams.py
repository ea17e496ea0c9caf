"""The loop that steps a Gymnasium environment of several agents: tuples of actions and of observations."""

from itertools import cycle, islice
from typing import Any

import meter

STEPS = 256


def stepping(env: Any, actions: int) -> meter.Chunk:
    """Step and reset an environment, with actions drawn before; read a number of each observation."""
    drawn = cycle(meter.draw(actions, env.unwrapped.n_agents))
    env.reset(seed=meter.SEED)

    def chunk() -> int:
        seen = 0.0
        for joint in islice(drawn, STEPS):
            observations, _, terminated, truncated, _ = env.step(joint)
            seen += sum(float(observation[0]) for observation in observations)
            if terminated or truncated:
                env.reset()
        return STEPS

    return chunk
