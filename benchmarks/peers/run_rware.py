"""RWARE: one environment, stepped with an action for each robot."""

from importlib.metadata import version

import gymnasium
import meter
import rware  # noqa: F401  (registers the environments)
from teams import stepping

CASES = ("rware-tiny-2ag-v2", "rware-tiny-4ag-v2", "rware-small-4ag-v2")
ACTIONS = 5


def main() -> None:
    options = meter.arguments()
    rows = [
        meter.row(case, stepping(gymnasium.make(case, disable_env_checker=True).unwrapped, ACTIONS), options)
        for case in CASES
        if options.only in case
    ]
    meter.report("rware", version("rware"), rows)


if __name__ == "__main__":
    main()
