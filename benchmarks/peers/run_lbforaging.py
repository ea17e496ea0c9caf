"""lb-foraging: one environment, stepped with an action for each agent."""

from importlib.metadata import version

import gymnasium
import lbforaging  # noqa: F401  (registers the environments)
import meter
from teams import stepping

CASES = ("Foraging-8x8-2p-3f-v3", "Foraging-10x10-3p-3f-v3")
ACTIONS = 6


def main() -> None:
    options = meter.arguments()
    rows = [
        meter.row(case, stepping(gymnasium.make(case, disable_env_checker=True).unwrapped, ACTIONS), options)
        for case in CASES
        if options.only in case
    ]
    meter.report("lbforaging", version("lbforaging"), rows)


if __name__ == "__main__":
    main()
