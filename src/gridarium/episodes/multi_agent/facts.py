"""What an episode of several agents tells about itself."""

from __future__ import annotations

import html
from collections.abc import Callable, Hashable
from typing import Any, Final

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.multi_agent.hanging import AgentID, Hanging
from gridarium.episodes.showing import of_episode
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

SKIPPED: Final = "S"
"""Stands in the mapping from environment steps to agent steps where an agent got no observation."""

ALL_AGENTS: Final = "__all__"

ModuleOf = Callable[[AgentID, Any], str]


def one_module_for_all(agent_id: AgentID, episode: Any) -> str:
    """The mapping from agents to modules that is used if none is given."""
    return "default_policy"


class MultiAgentFacts(Hanging):
    """An episode of several agents, as far as it can be asked about itself."""

    __slots__ = (
        "_agent_to_module_mapping",
        "_custom_data",
        "_done_before",
        "_last_step_time",
        "_len_lookback_buffers",
        "_start_time",
        "action_space",
        "agent_episodes",
        "agent_t_started",
        "agent_to_module_mapping_fn",
        "env_t",
        "env_t_started",
        "env_t_to_agent_t",
        "id_",
        "is_terminated",
        "is_truncated",
        "observation_space",
    )

    id_: str
    observation_space: Any
    action_space: Any
    agent_episodes: dict[AgentID, SingleAgentEpisode]
    agent_t_started: dict[AgentID, int]
    agent_to_module_mapping_fn: ModuleOf
    env_t: int
    env_t_started: int
    env_t_to_agent_t: dict[AgentID, InfiniteLookbackBuffer]
    is_terminated: bool
    is_truncated: bool
    _agent_to_module_mapping: dict[AgentID, str]
    _custom_data: dict[str, Any]
    _done_before: dict[AgentID, bool]  # the agents that are over and were left out when this chunk was cut
    _len_lookback_buffers: int
    _start_time: float | None
    _last_step_time: float | None

    def module_for(self, agent_id: AgentID) -> str:
        """The module that acts for an agent; asked of the mapping once, and remembered."""
        if agent_id not in self._agent_to_module_mapping:
            self._agent_to_module_mapping[agent_id] = self.agent_to_module_mapping_fn(agent_id, self)
        return self._agent_to_module_mapping[agent_id]

    def _over(self, agent: AgentID) -> bool:
        """Whether nothing can follow for an agent, also if it was over before this chunk."""
        episode = self.agent_episodes.get(agent)
        return agent in self._done_before if episode is None else episode.is_done

    def _drop_begins(self) -> None:
        """Drop the rewards from before their first observations of agents that are done."""
        for agent in [agent for agent in self._hanging_rewards_begin if self._over(agent)]:
            del self._hanging_rewards_begin[agent]

    @property
    def agent_ids(self) -> set[Hashable]:
        """All agents that got an observation."""
        return set(self.agent_episodes)

    @property
    def agent_episode_ids(self) -> dict[AgentID, str]:
        """The id of each agent's episode."""
        return {agent: episode.id_ for agent, episode in self.agent_episodes.items()}

    @property
    def custom_data(self) -> dict[str, Any]:
        """Whatever its users want to keep with the episode."""
        return self._custom_data

    @property
    def is_reset(self) -> bool:
        """Whether there is an observation of any agent."""
        return any(episode.is_reset for episode in self.agent_episodes.values())

    @property
    def is_done(self) -> bool:
        """Whether the episode is over for all agents."""
        return self.is_terminated or self.is_truncated

    @property
    def is_numpy(self) -> bool:
        """Whether getters give arrays, for any agent (there are no arrays for one that has not stepped)."""
        return any(episode.is_numpy for episode in self.agent_episodes.values())

    def __len__(self) -> int:
        return self.env_t - self.env_t_started

    def env_steps(self) -> int:
        """The number of the environment's steps."""
        return len(self)

    def agent_steps(self) -> int:
        """The number of all agents' own steps together."""
        return sum(map(len, self.agent_episodes.values()))

    def get_duration_s(self) -> float:
        """Seconds from the reset to the last step."""
        if self._start_time is None or self._last_step_time is None:
            return 0.0
        return self._last_step_time - self._start_time

    def get_terminateds(self) -> dict[AgentID, bool]:
        """Which agents' episodes have terminated, and under "__all__" whether the whole episode has."""
        flags: dict[AgentID, bool] = {a: e.is_terminated for a, e in self.agent_episodes.items()}
        return flags | {ALL_AGENTS: self.is_terminated}

    def get_truncateds(self) -> dict[AgentID, bool]:
        """Which agents' episodes were broken off, and under "__all__" whether the whole episode was."""
        flags: dict[AgentID, bool] = {a: e.is_truncated for a, e in self.agent_episodes.items()}
        return flags | {ALL_AGENTS: self.is_truncated}

    def get_agents_that_stepped(self) -> set[AgentID]:
        """The agents with an observation at the last step of the environment."""
        return {
            agent
            for agent, steps in self.env_t_to_agent_t.items()
            if steps.len_incl_lookback() and steps.get(-1) != SKIPPED
        }

    def get_agents_to_act(self) -> set[AgentID]:
        """The agents whose actions are due: they have an observation at the last step and are not done."""
        return {a for a in self.get_agents_that_stepped() if not self.agent_episodes[a].is_done}

    def get_return(self, include_hanging_rewards: bool = False) -> float:
        """The sum of all agents' rewards after the lookback: a number of Python, of arrays too.

        Args:
            include_hanging_rewards: count also those that belong to no finished step of their agent.
        """
        total = sum(episode.get_return() for episode in self.agent_episodes.values())
        if include_hanging_rewards:
            total += sum(self._hanging_rewards_end.values()) + sum(self._hanging_rewards_begin.values())
        return total

    def print(self) -> None:
        """Print at which steps of the environment which agents got observations, the lookback at negative ones."""
        first = -max((steps.lookback for steps in self.env_t_to_agent_t.values()), default=0)
        rows = {"step": [str(t) for t in range(first, len(self) + 1)]} | {
            str(agent): ["." if step == SKIPPED else "x" for step in steps.data]
            for agent, steps in self.env_t_to_agent_t.items()
        }
        name, width = max(map(len, rows)), max(map(len, rows["step"]))
        for label, cells in rows.items():
            print(f"{label:{name}}", *(f"{cell:>{width}}" for cell in cells))

    def _repr_html_(self) -> str:
        shown = "".join(of_episode(episode) for episode in self.agent_episodes.values())
        return f"<h4>{html.escape(repr(self))}</h4>{shown}"

    def __repr__(self) -> str:
        returns = {agent: episode.get_return() for agent, episode in self.agent_episodes.items()}
        return f"MAEps(len={len(self)} done={self.is_done} Rs={returns} id_={self.id_})"
