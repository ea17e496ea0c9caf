"""A ghost that comes for the agent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gridarium.ghost.agents.base_agent import BaseAgent
from gridarium.ghost.settings import STAY
from gridarium.ghost.ways import DOWN, LEFT, RIGHT, UP

WAYS = (("up", UP), ("right", RIGHT), ("down", DOWN), ("left", LEFT))


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
        return _greedy(dy, dx, observation["neighbors"])

    def choose(self, here: int, agent: int) -> int:
        """As `get_action`, for the cells of ghost and agent; to stay (4) where there is no way."""
        found = self.env.views.ways.towards(here, agent)
        return STAY if found is None else int(found)


def _greedy(dy: int, dx: int, neighbors: dict[str, Any]) -> int:
    vertical = [] if dy == 0 else [UP if dy < 0 else DOWN]
    horizontal = [] if dx == 0 else [LEFT if dx < 0 else RIGHT]
    wanted: Sequence[int] = vertical + horizontal if abs(dy) >= abs(dx) else horizontal + vertical
    open_ways = [way for name, way in WAYS if neighbors[name]["accessible"]]
    return next((way for way in (*wanted, *open_ways) if way in open_ways), 0)
