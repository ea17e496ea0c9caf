"""Episodes of several agents."""

from gridarium.episodes.multi_agent.multi_agent_episode import MultiAgentEpisode

__all__ = ["MultiAgentEpisode"]
