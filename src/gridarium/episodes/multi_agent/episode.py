"""The trajectories of several agents in one environment, or a chunk of them."""

from __future__ import annotations

import builtins
import uuid
from collections import defaultdict
from collections.abc import Mapping
from time import perf_counter
from typing import Any, ClassVar, Literal

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.errors import EpisodeError, MultiAgentEnvError
from gridarium.episodes.multi_agent import chunks, states
from gridarium.episodes.multi_agent.access import MultiAgentAccess, first_step
from gridarium.episodes.multi_agent.adding import add_step, begin_all
from gridarium.episodes.multi_agent.building import PerStep, build, by_agent, steps_of
from gridarium.episodes.multi_agent.env_step import NOTHING, PARTS, EnvStep
from gridarium.episodes.multi_agent.facts import (
    ALL_AGENTS,
    SKIPPED,
    ModuleOf,
    one_module_for_all,
)
from gridarium.episodes.multi_agent.hanging import AgentID
from gridarium.episodes.multi_agent.refusing import check_by_agent
from gridarium.episodes.validation import check_dict, lookback_of, step_of


class MultiAgentEpisode(MultiAgentAccess):
    """What happened to several agents, who need not all observe and act at every step of the environment.

    Each agent has an episode of its own, a `SingleAgentEpisode`, in which only its own steps count. A mapping tells which
    of them belongs to which step of the environment. An action that no observation of its agent has followed yet *hangs*,
    with its rewards, until one does.

    Args:
        id_: by default 32 hexadecimal digits drawn at random; chunks of one episode have the same.
        observations: T + 1 dicts from agents to observations, one for each of the environment's steps.
        observation_space: a dict, or anything with `get`, from agents to spaces.
        infos: T + 1 dicts from agents to infos.
        actions: T dicts from agents to actions.
        action_space: as observation_space.
        rewards: T dicts from agents to rewards.
        terminateds: which agents' episodes ended in a terminal state; under "__all__", or as a bool, whether all did.
        truncateds: which were broken off, likewise.
        extra_model_outputs: T dicts from agents to dicts from keys to outputs.
        env_t_started: the environment's step at which this chunk begins (after the lookback); 0 by default.
        agent_t_started: for each agent its own step at which this chunk begins; 0 by default.
        len_lookback_buffer: how much of the data is lookback; "auto" (or any number above T) for all of it.
        agent_episode_ids: ids of agents' episodes; drawn at random by default.
        agent_module_ids: which modules act for agents; asked of the mapping function by default.
        agent_to_module_mapping_fn: gives the module for an agent and this episode; "default_policy" by default.

    Attributes:
        agent_episodes: agent -> `SingleAgentEpisode`.
        env_t_started, env_t: the environment's steps at which this chunk begins, and ends so far.
        env_t_to_agent_t: agent -> buffer that gives, at each of the environment's steps, the agent's step (counted over
            all chunks), or `SKIP_ENV_TS_TAG` where the agent got no observation.
        agent_t_started: agent -> its own step at which this chunk begins.
        is_terminated, is_truncated: how the episode ended for all, if it has.

    Raises:
        EpisodeError: lists whose lengths do not fit together, or data of an agent that does not (telling the step).

    The interface is that of `ray.rllib.env.multi_agent_episode` (Apache 2.0); docs/episodes.md tells where it differs.
    """

    __slots__ = ()

    SKIP_ENV_TS_TAG: ClassVar[str] = SKIPPED

    def __init__(
        self,
        id_: str | None = None,
        *,
        observations: PerStep | None = None,
        observation_space: Any = None,
        infos: PerStep | None = None,
        actions: PerStep | None = None,
        action_space: Any = None,
        rewards: PerStep | None = None,
        terminateds: Mapping[AgentID, bool] | bool = False,
        truncateds: Mapping[AgentID, bool] | bool = False,
        extra_model_outputs: PerStep | None = None,
        env_t_started: int | None = None,
        agent_t_started: Mapping[AgentID, int] | None = None,
        len_lookback_buffer: int | Literal["auto"] = "auto",
        agent_episode_ids: Mapping[AgentID, str] | None = None,
        agent_module_ids: Mapping[AgentID, str] | None = None,
        agent_to_module_mapping_fn: ModuleOf | None = None,
    ) -> None:
        self.id_ = id_ or uuid.uuid4().hex
        self.agent_to_module_mapping_fn = agent_to_module_mapping_fn or one_module_for_all
        self._agent_to_module_mapping = dict(agent_module_ids or {})
        self.observation_space = {} if observation_space is None else observation_space
        self.action_space = {} if action_space is None else action_space
        total = len(rewards or ())
        lookback = lookback_of(len_lookback_buffer, total)
        self._len_lookback_buffers = lookback
        self.env_t_started = step_of(env_t_started, "env_t_started")
        self.env_t = self.env_t_started + total - lookback
        begins = (agent_t_started or {}).items()
        self.agent_t_started = defaultdict(
            int, {agent: step_of(t, f"agent_t_started[{agent!r}]") for agent, t in begins}
        )
        self.env_t_to_agent_t = defaultdict(InfiniteLookbackBuffer)
        self.agent_episodes = {}
        self._forget_all()
        terminateds, truncateds = by_agent(terminateds), by_agent(truncateds)
        self.is_terminated = bool(terminateds.get(ALL_AGENTS))
        self.is_truncated = bool(truncateds.get(ALL_AGENTS))
        self._start_time = self._last_step_time = None
        self._custom_data, self._done_before = {}, {}
        columns = {
            "observations": observations,
            "actions": actions,
            "rewards": rewards,
            "infos": infos,
            "extra_model_outputs": extra_model_outputs,
        }
        if any(columns.values()):
            steps = steps_of(columns, terminateds, truncateds)
            build(self, steps, lookback, agent_episode_ids or {})
        self.validate()

    # adding

    def add_env_reset(
        self, *, observations: Mapping[AgentID, Any], infos: Mapping[AgentID, Any] | None = None
    ) -> None:
        """Begin with what the environment's `reset` returned.

        Raises:
            EpisodeError: the episode has begun or ended already, or is a later chunk; or something is no dict. Nothing has
                changed then.
        """
        if self.is_done or self.env_t or self.agent_episodes:
            raise EpisodeError(f"{self!r} cannot be reset: it has begun already, at step {self.env_t}")
        infos = infos or NOTHING
        check_by_agent(self, "observations", observations)
        check_by_agent(self, "infos", infos)
        for agent in observations:
            check_dict(self, f"the infos of agent {agent!r}", infos.get(agent))
        begin_all(self, observations, infos)
        self._start_time = perf_counter()
        for episode in self.agent_episodes.values():
            episode._start_time = self._start_time

    def add_env_step(
        self,
        observations: Mapping[AgentID, Any],
        actions: Mapping[AgentID, Any],
        rewards: Mapping[AgentID, Any],
        infos: Mapping[AgentID, Any] | None = None,
        *,
        terminateds: Mapping[AgentID, bool] | None = None,
        truncateds: Mapping[AgentID, bool] | None = None,
        extra_model_outputs: Mapping[AgentID, Any] | None = None,
    ) -> None:
        """Add what the agents did, and what the environment's `step` returned for it.

        - An agent that acted and got an observation has made a step; it needs a reward.
        - An action without an observation hangs until an observation comes. Rewards in between are added up. If the agent
          terminates before that, its last observation stands in for the final one; it cannot be truncated then.
        - Rewards of an agent that did not act are added to its next step's; those from before its first observation
          belong to no step, and are dropped when it is done.
        - An agent begins with its first observation. It is done once it is flagged, or all are ("__all__"). When all are
          done, the episode has terminated, or, if the last of them were all truncated, is truncated. An agent that is
          flagged while it waits, without having acted on its last observation, ends with the others of this step; its own
          episode has no step that could tell, and is not flagged.

        Raises:
            MultiAgentEnvError: the episode or an agent with data is done, or an agent acted when it could not, got an
                observation without having acted, or acted without a reward; or something is no dict where there should be
                one, a reward is no number, or an agent's episode gives arrays and the step does not fit into them. Nothing
                has changed then.
        """
        if self.is_terminated or self.is_truncated:
            raise MultiAgentEnvError(f"{self!r} is over: no step can be added")
        terminateds, truncateds = terminateds or NOTHING, truncateds or NOTHING
        extra_model_outputs, infos = extra_model_outputs or NOTHING, infos or NOTHING
        given = observations, actions, rewards, infos, terminateds, truncateds, extra_model_outputs
        for name, part in zip(PARTS, given):  # noqa: B905  # as long, and this is called often
            if part.__class__ is not dict:
                check_by_agent(self, name, part)
        ends = any(terminateds.values()) or any(truncateds.values())
        if not ends:
            terminateds = truncateds = NOTHING
        step = EnvStep(observations, actions, rewards, infos, terminateds, truncateds, extra_model_outputs)
        alive = [agent for agent, e in self.agent_episodes.items() if not e.is_done] if ends else []
        add_step(self, step)
        self._last_step_time = perf_counter()
        if ends:
            self.is_terminated = bool(terminateds.get(ALL_AGENTS))
            self.is_truncated = bool(truncateds.get(ALL_AGENTS))
            if alive and not self.is_done and self._all_end(step):
                self.is_terminated = any(step.flags(agent)[0] for agent in alive)
                self.is_truncated = not self.is_terminated

    def _all_end(self, step: EnvStep) -> bool:
        """Whether all agents are done after a step; one that only waits has no step that could tell."""
        return all(e.is_done or any(step.flags(agent)) for agent, e in self.agent_episodes.items())

    def validate(self) -> None:
        """Check that the data of all agents belongs together.

        Raises:
            EpisodeError: telling which agent's data does not, and why.
        """
        for agent, episode in self.agent_episodes.items():
            episode.validate()
            steps = self.env_t_to_agent_t[agent]
            if len(steps) != len(self) + 1:
                raise EpisodeError(
                    f"episode {self.id_}: agent {agent!r} has entries for {len(steps)} of the environment's "
                    f"{len(self) + 1} observations"
                )
            first = first_step(episode)
            stored = range(first, first + episode.observations.len_incl_lookback())
            if [step for step in steps.data if step != SKIPPED] != list(stored):
                raise EpisodeError(
                    f"episode {self.id_}: agent {agent!r} has observations at other steps than {stored}"
                )

    # chunks and forms

    def to_numpy(self) -> MultiAgentEpisode:
        """From now on give arrays. Infos stay lists, and so does what holds nothing yet. Steps can still be added.

        Raises:
            EpisodeError: items of an agent that differ in form.
        """
        for episode in self.agent_episodes.values():
            episode.to_numpy()
        return self

    def cut(self, len_lookback_buffer: int = 0) -> MultiAgentEpisode:
        """The chunk with which an episode goes on from here: of length 0, with this one's end as its lookback.

        Agents that are done are not in the chunk, nor are their observations in its lookback: nothing can follow for them.

        What hangs at the end hangs in the chunk, too; the lookback is longer than asked for where it must be, to hold the
        observations that agents wait on. With 0, agents that wait and have observed at the first step of this chunk are
        left out, so that they begin anew, as in RLlib; `concat_episode` puts them together again, unless they end before
        they act again: ask for a lookback of 1 where every chunk shall be what it would be uncut.

        Args:
            len_lookback_buffer: how many of the environment's steps of lookback. Where there are not so many, they count
                as skipped.

        Raises:
            EpisodeOverError: the episode is over.
            EpisodeError: a negative number.
        """
        return chunks.cut(self, len_lookback_buffer)

    def slice(self, slice_: builtins.slice, *, len_lookback_buffer: int | None = None) -> MultiAgentEpisode:
        """The environment's steps in a range, as an episode; `episode[a:b]` is the same.

        Actions whose next observation lies after the range hang, with all that they were rewarded.

        Args:
            slice_: of steps, as for a list; its step is 1.
            len_lookback_buffer: how many steps before the range to keep as lookback, if they are there; by default as many
                as this episode has.

        Raises:
            NotImplementedError: a step other than 1.
        """
        return chunks.part(self, slice_, len_lookback_buffer)

    def __getitem__(self, item: builtins.slice) -> MultiAgentEpisode:
        if not isinstance(item, builtins.slice):
            raise NotImplementedError(f"an episode is cut with slices, as in episode[2:5], got {item!r}")
        return chunks.part(self, item, None)

    def concat_episode(self, other: MultiAgentEpisode) -> None:
        """Add the chunk that follows this one at the end.

        Raises:
            EpisodeError: the other does not go on where this one ends, for all agents; nothing has changed then.
        """
        chunks.concat(self, other)

    def get_state(self) -> dict[str, Any]:
        """What `from_state` makes the episode of: plain data, and the items and arrays themselves.

        The mapping function is there as it is, unless it is the default one; set it to None to keep plain data only.
        """
        return states.state_of(self)

    @staticmethod
    def from_state(state: dict[str, Any]) -> MultiAgentEpisode:
        """The episode that `get_state` described.

        Raises:
            EpisodeError: data that does not belong together, or a state that lacks something.
        """
        return states.episode_of(state, MultiAgentEpisode)
