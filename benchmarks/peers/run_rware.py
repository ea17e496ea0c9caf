"""RWARE: one environment, stepped with an action for each robot."""

import rware  # noqa: F401  (registers the environments)
import teams

if __name__ == "__main__":
    teams.measure("rware", ("rware-tiny-2ag-v2", "rware-tiny-4ag-v2", "rware-small-4ag-v2"), actions=5)
