"""PettingZoo's pursuit: one parallel environment, stepped with an action for each of eight pursuers."""

from importlib.metadata import version
from itertools import cycle, islice

import meter
from pettingzoo.sisl.pursuit.pursuit import parallel_env

CASES = {"pursuit surround": True, "pursuit catch2": False}
PURSUERS = 8
STEPS = 64


def stepping(*, surround: bool) -> meter.Chunk:
    env = parallel_env(surround=surround)
    drawn = cycle(meter.draw(5, PURSUERS))
    env.reset(seed=meter.SEED)

    def chunk() -> int:
        seen = 0.0
        for joint in islice(drawn, STEPS):
            observations, *_ = env.step(dict(zip(env.agents, joint, strict=True)))
            seen += sum(float(observation[0, 0, 0]) for observation in observations.values())
            if not env.agents:
                env.reset()
        return STEPS

    return chunk


def main() -> None:
    options = meter.arguments()
    rows = [
        meter.row(case, stepping(surround=surround), options)
        for case, surround in CASES.items()
        if options.only in case
    ]
    meter.report("pursuit", version("pettingzoo"), rows)


if __name__ == "__main__":
    main()
