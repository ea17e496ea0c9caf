"""lb-foraging: one environment, stepped with an action for each agent."""

import lbforaging  # noqa: F401  (registers the environments)
import teams

if __name__ == "__main__":
    teams.measure("lbforaging", ("Foraging-8x8-2p-3f-v3", "Foraging-10x10-3p-3f-v3"), actions=6)
