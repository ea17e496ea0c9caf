"""Episodes of several agents."""

from gridarium.episodes.multi_agent.episode import MultiAgentEpisode

__all__ = ["MultiAgentEpisode"]
