"""A ghost that comes for the agent."""

from __future__ import annotations

from typing import Any

from gridarium.ghost.agents.base_agent import BaseAgent
from gridarium.ghost.ways import by_sight


class ChaseGhostAgent(BaseAgent):
    """Takes a shortest way to the agent where it knows the environment, the lowest action of equals.

    Without an environment, or where there is no way, it goes by its observation alone: along the longer of both
    distances if that is open, else along the other, else anywhere that is open.
    """

    def get_action(self, observation: dict[str, Any]) -> int:
        """The next step."""
        dy, dx = (int(part) for part in observation["agent_relative_pos"])
        if self.env is not None:
            ways, agent = self.env.ways, self.positions()[0]
            ghost = (agent[0] - dy, agent[1] - dx)
            if ways.contains(ghost):
                found = ways.towards(ways.cell(ghost), ways.cell(agent))
                if found is not None:
                    return int(found)
        seen = observation["neighbors"]
        return by_sight(dy, dx, *(bool(seen[name]["accessible"]) for name in ("up", "right", "down", "left")))
