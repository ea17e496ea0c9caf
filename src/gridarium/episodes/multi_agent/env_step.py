"""One step of an environment with several agents, as it is passed in, and what of it hangs."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Final

AgentID = Hashable
ByAgent = Mapping[AgentID, Any]

SKIPPED: Final = "S"
"""In the mapping from environment steps to agent steps: the agent got no observation."""

ALL_AGENTS: Final = "__all__"

NOTHING: ByAgent = {}


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
        """Whether the step terminates and whether it truncates an agent's episode, by the agent's flags or those of all."""
        if not self.terminateds and not self.truncateds:
            return False, False
        terminated = self.terminateds.get(agent) or self.terminateds.get(ALL_AGENTS)
        truncated = self.truncateds.get(agent) or self.truncateds.get(ALL_AGENTS)
        return bool(terminated), bool(truncated)

    def own_flags(self, agent: AgentID) -> tuple[bool, bool]:
        """As `flags`, but by the agent's own flags only."""
        return bool(self.terminateds.get(agent)), bool(self.truncateds.get(agent))

    def without_observation(self, known: ByAgent) -> list[AgentID]:
        """The agents without an observation: among those that are known, and all others that the step mentions."""
        agents: dict[AgentID, Any] = {
            **known,
            **self.actions,
            **self.rewards,
            **self.infos,
            **self.terminateds,
            **self.truncateds,
            **self.extra_model_outputs,
        }
        return [agent for agent in agents if agent not in self.observations and agent != ALL_AGENTS]


@dataclass(slots=True)
class HangingStep:
    """An action that no observation has followed yet, with its rewards so far and its model outputs."""

    action: Any
    reward: Any
    extra_model_outputs: dict[str, Any]
