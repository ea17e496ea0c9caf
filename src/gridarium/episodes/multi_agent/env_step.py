"""A step of the environment, as it is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from gridarium.episodes.multi_agent.facts import ALL_AGENTS, MultiAgentFacts
from gridarium.episodes.multi_agent.hanging import AgentID

ByAgent = Mapping[AgentID, Any]

NOTHING: ByAgent = {}
NEITHER = False, False


@dataclass(slots=True)
class EnvStep:
    """What one step of the environment brings, each by agent."""

    observations: ByAgent
    actions: ByAgent
    rewards: ByAgent
    infos: ByAgent
    terminateds: ByAgent
    truncateds: ByAgent
    extra_model_outputs: ByAgent

    def flags(self, agent: AgentID) -> tuple[bool, bool]:
        """Whether the step ends an agent's episode, or all, in a terminal state; and whether it breaks it off."""
        if not self.terminateds and not self.truncateds:
            return NEITHER
        terminated = self.terminateds.get(agent) or self.terminateds.get(ALL_AGENTS)
        truncated = self.truncateds.get(agent) or self.truncateds.get(ALL_AGENTS)
        return bool(terminated), bool(truncated)

    def own_flags(self, agent: AgentID) -> tuple[bool, bool]:
        """Whether the step ends an agent's episode in a terminal state, or breaks it off, by the agent's own flags."""
        return bool(self.terminateds.get(agent)), bool(self.truncateds.get(agent))

    def all_flags(self) -> list[ByAgent]:
        """The flags of both kinds, as far as there are any."""
        return [flags for flags in (self.terminateds, self.truncateds) if flags]

    def others(self, episode: MultiAgentFacts) -> list[AgentID]:
        """The agents without an observation of which there is something to say, or that skip the step."""
        agents: dict[AgentID, Any] = {
            **episode.env_t_to_agent_t,
            **self.actions,
            **self.rewards,
            **self.infos,
        }
        agents |= {**self.terminateds, **self.truncateds, **self.extra_model_outputs}
        return [agent for agent in agents if agent not in self.observations and agent != ALL_AGENTS]


PARTS = tuple(field.name for field in fields(EnvStep))
"""What a step consists of, in order."""
