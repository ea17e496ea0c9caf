"""Measures Gymnasium environments of several agents: tuples of actions and of observations."""

from collections.abc import Sequence
from importlib.metadata import version
from itertools import cycle, islice
from typing import Any

import gymnasium
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


def measure(package: str, cases: Sequence[str], actions: int) -> None:
    """Report a package's environments, each stepped with one of so many actions for each agent."""
    options = meter.arguments()
    rows = [
        meter.row(case, stepping(gymnasium.make(case, disable_env_checker=True).unwrapped, actions), options)
        for case in cases
        if options.only in case
    ]
    meter.report(package, version(package), rows)
