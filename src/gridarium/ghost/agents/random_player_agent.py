"""An agent that moves at random."""

from __future__ import annotations

from typing import Any

from gridarium.ghost.agents.base_agent import BaseAgent


class RandomPlayerAgent(BaseAgent):
    """Chooses any action, also into walls."""

    def get_action(self, observation: dict[str, Any]) -> int:
        """A random action."""
        return self.random_action()
