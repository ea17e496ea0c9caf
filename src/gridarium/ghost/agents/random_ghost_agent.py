"""A ghost that does anything."""

from __future__ import annotations

from gridarium.ghost.agents.random_player_agent import RandomPlayerAgent


class RandomGhostAgent(RandomPlayerAgent):
    """Does anything, walls or not."""
