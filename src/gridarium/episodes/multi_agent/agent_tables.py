"""Tables of an episode of several agents, by agent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.multi_agent.agent_data import ABSENT, SKIPPED, AgentData, AgentID
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

STATE_NAMES = {
    "_hanging_actions_end": "hanging_actions",
    "_hanging_extra_model_outputs_end": "hanging_outputs",
    "_hanging_rewards_end": "hanging_rewards",
    "_hanging_rewards_begin": "begin_rewards",
    "agent_t_started": "t_started",
    "_done_before": "done_before",
}
"""The names of tables in states of episodes, which are those of RLlib where it has them."""


@dataclass(slots=True)
class HangingStep:
    """An action that no observation has followed yet, with its rewards so far and its model outputs."""

    action: Any
    reward: Any
    extra_model_outputs: dict[str, Any]


class AgentTables:
    """The agents' own episodes, their places in the environment's steps, and what hangs.

    Args:
        lookback: how many of the environment's steps are history.

    Attributes:
        episodes: agent -> its own episode.
        env_t_to_agent_t: agent -> buffer with the agent's step, or `SKIPPED`, at each of the environment's steps.
        t_started: agent -> its own step at which this chunk begins.
        hanging_actions, hanging_outputs: agent -> the action that no observation has followed yet, and the model outputs
            that belong to it.
        hanging_rewards: agent -> the sum of rewards since the agent's last observation.
        begin_rewards: agent -> the sum of rewards from before its first observation.
        done_before: the agents that were done and left out when this chunk was cut.
    """

    __slots__ = (
        "begin_rewards",
        "done_before",
        "env_t_to_agent_t",
        "episodes",
        "hanging_actions",
        "hanging_outputs",
        "hanging_rewards",
        "lookback",
        "t_started",
    )

    def __init__(self, lookback: int = 0) -> None:
        self.lookback = lookback
        self.episodes: dict[AgentID, SingleAgentEpisode] = {}
        self.env_t_to_agent_t: dict[AgentID, InfiniteLookbackBuffer] = defaultdict(InfiniteLookbackBuffer)
        self.t_started: dict[AgentID, int] = defaultdict(int)
        self.hanging_actions: dict[AgentID, Any] = {}
        self.hanging_outputs: dict[AgentID, dict[str, Any]] = {}
        self.hanging_rewards: dict[AgentID, Any] = defaultdict(float)
        self.begin_rewards: dict[AgentID, Any] = defaultdict(float)
        self.done_before: dict[AgentID, bool] = {}

    def is_done(self, agent: AgentID) -> bool:
        """Return whether nothing can follow for an agent, also if it was done before this chunk."""
        episode = self.episodes.get(agent)
        return agent in self.done_before if episode is None else episode.is_done

    def add_agent(self, agent: AgentID, episode: SingleAgentEpisode, env_steps: list[Any]) -> None:
        """Add an agent.

        Args:
            agent: its id.
            episode: its own.
            env_steps: its step, or `SKIPPED`, at each of the environment's steps, including the lookback.
        """
        self.episodes[agent] = episode
        self.t_started[agent] = episode.t_started
        self.env_t_to_agent_t[agent] = InfiniteLookbackBuffer(env_steps, self.lookback)

    def env_steps(self, agent: AgentID, start: int = 0, stop: int | None = None) -> list[Any]:
        """Return an agent's steps, or `SKIPPED`, from one of the environment's steps to another, counted from the lookback's start."""
        steps = self.env_t_to_agent_t[agent]
        return steps.items_at(start, steps.len_incl_lookback() if stop is None else stop)  # type: ignore[no-any-return]

    def data_of(self, agent: AgentID, name: str, key: str = "") -> AgentData:
        """Return one kind of data of an agent.

        Args:
            agent: its id.
            name: "observations", "infos", "actions", "rewards" or "extra_model_outputs".
            key: of the extra model output.
        """
        episode, steps = self.episodes[agent], self.env_t_to_agent_t[agent]
        total, first = len(steps.storage), episode.t_started - episode.observations.lookback
        if name == "observations":
            return AgentData(episode.observations, ABSENT, first, steps, total)
        if name == "infos":
            return AgentData(episode.infos, ABSENT, first, steps, total)
        if name == "actions":
            buffer, hanging = episode.actions, self.hanging_actions.get(agent, ABSENT)
        elif name == "rewards":
            buffer, hanging = episode.rewards, self.hanging_rewards.get(agent, ABSENT)
        else:
            found = episode.extra_model_outputs.get(key)
            buffer = InfiniteLookbackBuffer() if found is None else found
            hanging = (self.hanging_outputs.get(agent) or {}).get(key, ABSENT)
        missing = episode.actions.len_incl_lookback() - buffer.len_incl_lookback()  # outputs that began later
        return AgentData(buffer, hanging, first + missing, steps, total - 1)

    def output_keys(self) -> list[str]:
        """Return the keys of extra model outputs of all agents."""
        agents = self.episodes.items()
        keys = [
            key
            for agent, e in agents
            for key in (*e.extra_model_outputs, *(self.hanging_outputs.get(agent) or {}))
        ]
        return list(dict.fromkeys(keys))

    # what hangs

    def hang(self, agent: AgentID, action: Any, reward: Any, outputs: dict[str, Any]) -> None:
        """Let an action hang; its reward is added to those that hang already."""
        self.hanging_actions[agent] = action
        self.hanging_outputs[agent] = outputs
        self.hanging_rewards[agent] += reward

    def release(self, agent: AgentID, reward: Any = 0.0) -> HangingStep:
        """Remove and return a hanging action, with the sum of its rewards and a last one.

        Raises:
            KeyError: no action hangs.
        """
        action = self.hanging_actions.pop(agent)
        outputs = self.hanging_outputs.pop(agent, {})
        return HangingStep(action, self.hanging_rewards.pop(agent, 0.0) + reward, outputs)

    def forget_hanging(self, agent: AgentID) -> None:
        """Drop what hangs for an agent, except for the rewards from before its first observation."""
        self.hanging_actions.pop(agent, None)
        self.hanging_outputs.pop(agent, None)
        self.hanging_rewards.pop(agent, None)

    def copy_hanging(self, agent: AgentID, other: AgentTables) -> None:
        """Let hang for an agent what hangs for it in other tables, and nothing else."""
        self.forget_hanging(agent)
        pairs = (
            (self.hanging_actions, other.hanging_actions),
            (self.hanging_outputs, other.hanging_outputs),
            (self.hanging_rewards, other.hanging_rewards),
        )
        for mine, theirs in pairs:
            if agent in theirs:
                mine[agent] = theirs[agent]

    def drop_begin_rewards(self) -> None:
        """Drop the rewards from before their first observation of agents that are done."""
        for agent in [agent for agent in self.begin_rewards if self.is_done(agent)]:
            del self.begin_rewards[agent]

    # as a whole

    def validate(self, id_: str, length: int) -> None:
        """Check that the data of all agents matches an episode of `length` steps.

        Raises:
            EpisodeError: naming the agent whose data does not, and why.
        """
        for agent, episode in self.episodes.items():
            episode.validate()
            steps = self.env_t_to_agent_t[agent]
            if len(steps) != length + 1:
                raise EpisodeError(
                    f"episode {id_}: agent {agent!r} has entries for {len(steps)} of the environment's "
                    f"{length + 1} observations"
                )
            first = first_step(episode)
            stored = range(first, first + episode.observations.len_incl_lookback())
            if [step for step in steps.data if step != SKIPPED] != list(stored):
                raise EpisodeError(
                    f"episode {id_}: agent {agent!r} has observations at other steps than {stored}"
                )

    def get_state(self) -> dict[str, Any]:
        """Plain data of everything but the episodes and their places in the environment's steps."""
        tables = {name: dict(getattr(self, table)) for name, table in STATE_NAMES.items()}
        return {"_len_lookback_buffers": self.lookback, **tables}

    @staticmethod
    def from_state(
        state: Mapping[str, Any],
        episodes: Mapping[AgentID, SingleAgentEpisode],
        env_t_to_agent_t: Mapping[AgentID, InfiniteLookbackBuffer],
    ) -> AgentTables:
        """Restore tables from what `get_state` returned.

        Raises:
            KeyError: the state lacks something.
        """
        tables = AgentTables(state["_len_lookback_buffers"])
        for name, table in STATE_NAMES.items():
            # states of older versions have no "_done_before"
            getattr(tables, table).update(state.get(name, {}) if name == "_done_before" else state[name])
        tables.episodes.update(episodes)
        tables.env_t_to_agent_t.update(env_t_to_agent_t)
        return tables

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """Undo what was added to agents' episodes within the context if an error leaves it."""
        episodes = {agent: _Checkpoint(episode) for agent, episode in self.episodes.items()}
        totals = {agent: steps.len_incl_lookback() for agent, steps in self.env_t_to_agent_t.items()}
        hanging = self.hanging_actions, self.hanging_outputs, self.hanging_rewards
        copies = [dict(table) for table in hanging]
        try:
            yield
        except Exception:
            for agent in set(self.episodes) - set(episodes):
                del self.episodes[agent], self.env_t_to_agent_t[agent]
            for checkpoint in episodes.values():
                checkpoint.restore()
            for agent, total in totals.items():
                self.env_t_to_agent_t[agent].truncate(total)
            for table, items in zip(hanging, copies, strict=True):
                table.clear()
                table.update(items)
            raise


class _Checkpoint:
    """The state of an episode before steps are added to it."""

    NAMES = ("t", "is_terminated", "is_truncated", "last_step_time")

    def __init__(self, episode: SingleAgentEpisode) -> None:
        self.episode = episode
        self.outputs = dict(episode.extra_model_outputs)
        self.totals = {name: buffer.len_incl_lookback() for name, buffer in episode.buffers().items()}
        self.last_info = episode.infos.get(-1)  # joining replaces it
        self.values = {name: getattr(episode, name) for name in self.NAMES}
        self.custom_data = dict(episode.custom_data)

    def restore(self) -> None:
        self.episode.extra_model_outputs = self.outputs
        buffers = self.episode.buffers()  # again: infos that were only counted are in their buffer now
        for name, total in self.totals.items():
            buffers[name].truncate(total)
        self.episode.infos.set(self.last_info, at_indices=-1)
        for name, value in self.values.items():
            setattr(self.episode, name, value)
        self.episode.custom_data.clear()
        self.episode.custom_data.update(self.custom_data)


def first_step(episode: SingleAgentEpisode) -> int:
    """Return the agent's step of the first observation that is stored, including the lookback."""
    return episode.t_started - episode.observations.lookback
