"""A ghost that chases the agent."""

from __future__ import annotations

from typing import Any

from gridarium.ghost.agents.base_agent import BaseAgent
from gridarium.ghost.world.paths import greedy_move


class ChaseGhostAgent(BaseAgent):
    """Takes a shortest path to the agent if it has an environment; of equal actions the lowest.

    Without an environment, or where there is no path, it only uses its observation: it moves along the longer of both
    distances if that side is open, else along the other, else to any open side.
    """

    def get_action(self, observation: dict[str, Any]) -> int:
        """The next step."""
        dy, dx = (int(part) for part in observation["agent_relative_pos"])
        if self.env is not None:
            paths, agent = self.env.paths, self.positions()[0]
            ghost = (agent[0] - dy, agent[1] - dx)
            if paths.contains(ghost):
                action = paths.first_move(paths.cell(ghost), paths.cell(agent))
                if action is not None:
                    return int(action)
        seen = observation["neighbors"]
        return greedy_move(
            dy, dx, *(bool(seen[name]["accessible"]) for name in ("up", "right", "down", "left"))
        )
