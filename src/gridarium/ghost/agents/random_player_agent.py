"""An agent that does anything."""

from __future__ import annotations

from typing import Any

from gridarium.ghost.agents.base_agent import BaseAgent


class RandomPlayerAgent(BaseAgent):
    """Does anything, walls or not."""

    def get_action(self, observation: dict[str, Any]) -> int:
        """Any action."""
        return int(self.rng.integers(self.action_space.n))
