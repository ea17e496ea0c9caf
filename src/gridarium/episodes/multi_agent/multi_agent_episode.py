"""The trajectories of several agents in one environment, or a chunk of them."""

from __future__ import annotations

import builtins
import copy
import html
import uuid
from collections import deque
from collections.abc import Callable, Collection, Hashable, Mapping
from functools import partial
from time import perf_counter
from typing import Any, ClassVar, Literal

import gymnasium as gym

from gridarium.episodes import errors
from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.buffer.infinite_lookback_buffer import Indices
from gridarium.episodes.buffer.spaces import space_from_state, space_to_state
from gridarium.episodes.episode_base import EpisodeBase, method_like
from gridarium.episodes.errors import EpisodeError, MultiAgentEpisodeOverError
from gridarium.episodes.multi_agent import chunks
from gridarium.episodes.multi_agent.adding import (
    EnvStep,
    PerStep,
    StepAdder,
    add_lists,
    begin_agent,
    check_by_agent,
)
from gridarium.episodes.multi_agent.agent_data import (
    ALL_AGENTS,
    NOTHING,
    SKIPPED,
    AgentID,
    ByAgent,
    Query,
    query_of,
    read_agents,
)
from gridarium.episodes.multi_agent.agent_tables import AgentTables
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

AgentIDs = AgentID | Collection[AgentID] | None
ModuleOf = Callable[[AgentID, Any], str]

STATE_NAMES = ("id_", "env_t_started", "env_t", "is_terminated", "is_truncated")


def one_module_for_all(agent_id: AgentID, episode: Any) -> str:
    """Return the default mapping from agents to modules."""
    return "default_policy"


class MultiAgentEpisode(EpisodeBase):
    """The trajectories of several agents, who need not all observe and act at every step of the environment.

    Each agent has an episode of its own, a `SingleAgentEpisode`, in which only its own steps count. A mapping tells which
    of them belongs to which step of the environment. An action that no observation of its agent has followed yet *hangs*,
    with its rewards, until one does.

    Getters return a dict from agents to what the getters of `SingleAgentEpisode` would return. Their arguments:

    - `indices`: an int, a list of ints, a slice, or None for everything after the lookback.
    - `agent_ids`: one agent, or a list, tuple, set or deque of agents; all by default. Unknown agents are left out.
    - `env_steps`: indices count the environment's steps. Steps at which an agent has nothing are left out, and so are agents
      that have nothing at all; with `fill`, they are filled in, so that all agents return equally many items. Otherwise
      indices count each agent's own steps.
    - `neg_index_as_lookback`, `fill`, `one_hot_discrete`: as for one agent.
    - `return_list`: return a list with a dict for each of the environment's steps instead, empty where there is nothing. Not
      for a single index.

    An action that hangs, and what belongs to it, is the last item of its agent. All getters raise an `IndexError` if a single
    index or one in a list is outside of what there is for an agent and there is no `fill`, and an `EpisodeError` for
    arguments that do not go together. Indices of setters count each agent's own steps.

    Args:
        id_: by default 32 random hexadecimal digits; chunks of one episode have the same id.
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
        agent_episode_ids: ids of agents' episodes; random by default.
        agent_module_ids: which modules act for agents; by default those of the mapping function.
        agent_to_module_mapping_fn: returns the module for an agent and this episode; "default_policy" by default.

    Attributes:
        env_t_started, env_t: the environment's steps at which this chunk begins, and ends so far.
        is_terminated, is_truncated: how the episode ended for all, if it has.

    Raises:
        EpisodeError: lists whose lengths do not match, or data of an agent that does not (naming the step).

    The interface is that of `ray.rllib.env.multi_agent_episode` (Apache 2.0); docs/episodes.md describes the differences.
    """

    __slots__ = (
        "_agent_to_module_mapping",
        "action_space",
        "agent_to_module_mapping_fn",
        "env_t",
        "env_t_started",
        "observation_space",
        "tables",
    )

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
        lookback = errors.check_lookback(len_lookback_buffer, total)
        self.env_t_started = errors.check_step_number(env_t_started, "env_t_started")
        self.env_t = self.env_t_started + total - lookback
        self.tables = AgentTables(lookback)
        for agent, t in (agent_t_started or {}).items():
            self.tables.t_started[agent] = errors.check_step_number(t, f"agent_t_started[{agent!r}]")
        terminateds, truncateds = _flags_by_agent(terminateds), _flags_by_agent(truncateds)
        self.is_terminated = bool(terminateds.get(ALL_AGENTS))
        self.is_truncated = bool(truncateds.get(ALL_AGENTS))
        self.start_time: float | None = None
        self.last_step_time: float | None = None
        self._custom_data: dict[str, Any] = {}
        columns = {
            "observations": observations,
            "actions": actions,
            "rewards": rewards,
            "infos": infos,
            "extra_model_outputs": extra_model_outputs,
        }
        if any(columns.values()):
            new_episodes = partial(self._new_episodes, ids=agent_episode_ids or {})
            add_lists(self.tables, columns, terminateds, truncateds, self.id_, new_episodes)
        self.validate()

    # what the episode is

    @property
    def agent_episodes(self) -> dict[AgentID, SingleAgentEpisode]:
        """Agent -> its own episode."""
        return self.tables.episodes

    @property
    def env_t_to_agent_t(self) -> dict[AgentID, InfiniteLookbackBuffer]:
        """Agent -> buffer with the agent's step at each of the environment's steps.

        It counts over all chunks, and is `SKIP_ENV_TS_TAG` where the agent got no observation.
        """
        return self.tables.env_t_to_agent_t

    @property
    def agent_t_started(self) -> dict[AgentID, int]:
        """Agent -> its own step at which this chunk begins."""
        return self.tables.t_started

    @property
    def agent_ids(self) -> set[Hashable]:
        """All agents that got an observation."""
        return set(self.agent_episodes)

    @property
    def agent_episode_ids(self) -> dict[AgentID, str]:
        """The id of each agent's episode."""
        return {agent: episode.id_ for agent, episode in self.agent_episodes.items()}

    @property
    def agent_module_ids(self) -> dict[AgentID, str]:
        """The modules that act for agents, as far as they have been asked for."""
        return dict(self._agent_to_module_mapping)

    def module_for(self, agent_id: AgentID) -> str:
        """Return the module that acts for an agent; the mapping function is called once for each agent."""
        if agent_id not in self._agent_to_module_mapping:
            self._agent_to_module_mapping[agent_id] = self.agent_to_module_mapping_fn(agent_id, self)
        return self._agent_to_module_mapping[agent_id]

    @property
    def is_reset(self) -> bool:
        """True if there is an observation of any agent."""
        return any(episode.is_reset for episode in self.agent_episodes.values())

    @property
    def is_numpy(self) -> bool:
        """True if getters return arrays, for any agent (there are no arrays for one that has not stepped)."""
        return any(episode.is_numpy for episode in self.agent_episodes.values())

    def __len__(self) -> int:
        return self.env_t - self.env_t_started

    def agent_steps(self) -> int:
        """Return the number of steps of all agents together."""
        return sum(map(len, self.agent_episodes.values()))

    def get_terminateds(self) -> dict[AgentID, bool]:
        """Return the flags of agents' episodes that have terminated, and under "__all__" that of the whole episode."""
        flags: dict[AgentID, bool] = {a: e.is_terminated for a, e in self.agent_episodes.items()}
        return flags | {ALL_AGENTS: self.is_terminated}

    def get_truncateds(self) -> dict[AgentID, bool]:
        """Return the flags of agents' episodes that were truncated, and under "__all__" that of the whole episode."""
        flags: dict[AgentID, bool] = {a: e.is_truncated for a, e in self.agent_episodes.items()}
        return flags | {ALL_AGENTS: self.is_truncated}

    def get_agents_that_stepped(self) -> set[AgentID]:
        """Return the agents with an observation at the last step of the environment."""
        return {
            agent
            for agent, steps in self.env_t_to_agent_t.items()
            if steps.len_incl_lookback() and steps.get(-1) != SKIPPED
        }

    def get_agents_to_act(self) -> set[AgentID]:
        """Return the agents whose actions are due: they have an observation at the last step and are not done."""
        return {a for a in self.get_agents_that_stepped() if not self.agent_episodes[a].is_done}

    def get_return(self, include_hanging_rewards: bool = False) -> float:
        """Return the sum of all agents' rewards after the lookback, a Python number.

        Args:
            include_hanging_rewards: count also those that belong to no finished step of their agent.
        """
        total = sum(episode.get_return() for episode in self.agent_episodes.values())
        if include_hanging_rewards:
            total += sum(self.tables.hanging_rewards.values()) + sum(self.tables.begin_rewards.values())
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
        agents = "".join(episode._repr_html_() for episode in self.agent_episodes.values())
        return f"<h4>{html.escape(repr(self))}</h4>{agents}"

    def __repr__(self) -> str:
        returns = {agent: episode.get_return() for agent, episode in self.agent_episodes.items()}
        return f"MAEps(len={len(self)} done={self.is_done} Rs={returns} id_={self.id_})"

    def validate(self) -> None:
        """Check that the data of all agents matches.

        Raises:
            EpisodeError: naming the agent whose data does not, and why.
        """
        self.tables.validate(self.id_, len(self))

    # adding

    def add_env_reset(
        self, *, observations: Mapping[AgentID, Any], infos: Mapping[AgentID, Any] | None = None
    ) -> None:
        """Begin with the result of the environment's `reset`.

        Raises:
            EpisodeError: the episode has begun or ended already, or is a later chunk; or something is not a dict. Nothing
                has changed then.
        """
        if self.is_done or self.env_t or self.agent_episodes:
            raise EpisodeError(f"{self!r} cannot be reset: it has begun already, at step {self.env_t}")
        infos = infos or NOTHING
        check_by_agent(self.id_, "observations", observations)
        check_by_agent(self.id_, "infos", infos)
        for agent in observations:
            errors.check_dict(self.id_, f"the infos of agent {agent!r}", infos.get(agent))
        for episode in self._new_episodes(list(observations), observations, infos):
            begin_agent(self.tables, episode, 0)
        self.start_time = perf_counter()
        for episode in self.agent_episodes.values():
            episode.start_time = self.start_time

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
        """Add what the agents did, and the result of the environment's `step` for it.

        - An agent that acted and got an observation has made a step; it needs a reward.
        - An action without an observation hangs until an observation comes. Rewards in between are added up. If the agent
          terminates before that, its last observation stands in for the final one; it cannot be truncated then.
        - Rewards of an agent that did not act are added to its next step's; those from before its first observation
          belong to no step, and are dropped when it is done.
        - An agent begins with its first observation. It is done once it is flagged, or all are ("__all__"). When all are
          done, the episode has terminated, or, if the last of them were all truncated, is truncated. An agent that is
          flagged while it waits, without having acted on its last observation, ends with the others of this step; its own
          episode has no step for the flag, and is not flagged.

        Raises:
            MultiAgentEpisodeOverError: the episode is done (a `MultiAgentEnvError` and an `EpisodeOverError`).
            MultiAgentEnvError: an agent with data is done, or an agent acted when it could not, got an
                observation without having acted, or acted without a reward; or something is not a dict where it has to be,
                a reward is not a number, or an agent's episode returns arrays and the step does not fit into them. Nothing
                has changed then.
        """
        if self.is_terminated or self.is_truncated:
            raise MultiAgentEpisodeOverError(f"{self!r} is over: no step can be added")
        terminateds, truncateds = terminateds or NOTHING, truncateds or NOTHING
        extra_model_outputs, infos = extra_model_outputs or NOTHING, infos or NOTHING
        parts = observations, actions, rewards, infos, terminateds, truncateds, extra_model_outputs
        for name, part in zip(EnvStep.__slots__, parts):  # noqa: B905  # as long, and this is called often
            if part.__class__ is not dict:
                check_by_agent(self.id_, name, part)
        step = EnvStep(*parts)
        ends = any(terminateds.values()) or any(truncateds.values())
        if not ends:
            step.terminateds = step.truncateds = NOTHING
        alive = [agent for agent, e in self.agent_episodes.items() if not e.is_done] if ends else []
        t = self.env_t + 1
        StepAdder(self.tables, step, self.id_, t, t - self.env_t_started).add(self._new_episodes)
        self.env_t = t
        self.last_step_time = perf_counter()
        if ends:
            self.is_terminated = bool(step.terminateds.get(ALL_AGENTS))
            self.is_truncated = bool(step.truncateds.get(ALL_AGENTS))
            all_end = all(e.is_done or any(step.flags(agent)) for agent, e in self.agent_episodes.items())
            if alive and not self.is_done and all_end:
                self.is_terminated = any(step.flags(agent)[0] for agent in alive)
                self.is_truncated = not self.is_terminated

    def _new_episodes(
        self,
        agents: list[AgentID],
        observations: ByAgent,
        infos: ByAgent,
        ids: Mapping[AgentID, str] = NOTHING,
    ) -> list[SingleAgentEpisode]:
        """Return episodes of agents with their first observations, not yet in the tables."""
        modules = dict(self._agent_to_module_mapping)
        try:
            episodes = [
                SingleAgentEpisode(
                    ids.get(agent),
                    observations=[observations[agent]],
                    observation_space=self.observation_space.get(agent),
                    infos=[infos.get(agent) or {}],
                    action_space=self.action_space.get(agent),
                    t_started=self.agent_t_started.get(agent, 0),
                    agent_id=agent,
                    module_id=self.module_for(agent),
                    multi_agent_episode_id=self.id_,
                )
                for agent in agents
            ]
        except Exception:  # of the mapping from agents to modules, or of a table of spaces
            self._agent_to_module_mapping = modules
            raise
        for episode in episodes:
            episode.start_time = self.last_step_time or self.start_time
        return episodes

    # getters and setters

    def get_observations(
        self,
        indices: Indices = None,
        agent_ids: AgentIDs = None,
        *,
        env_steps: bool = True,
        neg_index_as_lookback: bool = False,
        fill: Any = None,
        one_hot_discrete: bool = False,
        return_list: bool = False,
    ) -> Any:
        """Return observations; the first is the one of the reset."""
        query = query_of(indices, neg_index_as_lookback, fill, one_hot_discrete, env_steps, return_list)
        return self._read("observations", query, agent_ids)

    def get_infos(
        self,
        indices: Indices = None,
        agent_ids: AgentIDs = None,
        *,
        env_steps: bool = True,
        neg_index_as_lookback: bool = False,
        fill: Any = None,
        return_list: bool = False,
    ) -> Any:
        """Return infos, always as lists; they come with the observations."""
        query = query_of(indices, neg_index_as_lookback, fill, False, env_steps, return_list)
        return self._read("infos", query, agent_ids)

    get_actions = method_like(
        get_observations,
        "actions",
        "Return actions, each at the step of the observation that it was taken on.",
    )
    get_rewards = method_like(
        get_infos,
        "rewards",
        "Return rewards, each at the step of the observation that the action for it was taken on.",
    )

    def get_extra_model_outputs(
        self,
        key: str | None = None,
        indices: Indices = None,
        agent_ids: AgentIDs = None,
        *,
        env_steps: bool = True,
        neg_index_as_lookback: bool = False,
        fill: Any = None,
        return_list: bool = False,
    ) -> Any:
        """Return model outputs other than actions under a key; by default under all keys: a dict from keys for each agent.

        If no agent has any, that is an empty dict, or with `return_list` one for each step.

        Raises:
            KeyError: no agent has anything under this key.
        """
        query = query_of(indices, neg_index_as_lookback, fill, False, env_steps, return_list)
        keys = self.tables.output_keys()
        if key is not None:
            if key not in keys and self.agent_episodes:
                raise KeyError(f"no extra model output {key!r}, there are {sorted(map(str, keys))}")
            return self._read("extra_model_outputs", query, agent_ids, key)
        if not keys:  # rewards are as many, and accept this fill
            steps = self._read("rewards", query._replace(fill=None if fill is None else 0.0), agent_ids)
            return [{} for _ in steps] if return_list else {}
        found = {k: self._read("extra_model_outputs", query, agent_ids, k) for k in keys}
        if return_list:
            per_step = [dict(zip(found, step, strict=True)) for step in zip(*found.values(), strict=True)]
            return [_agents_first(step) for step in per_step]
        return _agents_first(found)

    def _read(self, name: str, query: Query, agent_ids: AgentIDs, key: str = "") -> Any:
        data_of, known = self.tables.data_of, self.tables.episodes
        agents = agent_ids if isinstance(agent_ids, (list, tuple, set, deque)) else [agent_ids]
        chosen = known if agent_ids is None or not agents else [a for a in agents if a in known]
        return read_agents({agent: data_of(agent, name, key) for agent in chosen}, query)

    def set_observations(
        self, *, new_data: ByAgent, at_indices: Indices = None, neg_index_as_lookback: bool = False
    ) -> None:
        """Overwrite observations of some agents."""
        self._set("observations", new_data, at_indices, neg_index_as_lookback)

    set_actions = method_like(set_observations, "actions", "Overwrite actions of some agents.")
    set_rewards = method_like(set_observations, "rewards", "Overwrite rewards of some agents.")

    def set_extra_model_outputs(
        self, *, key: str, new_data: ByAgent, at_indices: Indices = None, neg_index_as_lookback: bool = False
    ) -> None:
        """Overwrite model outputs of some agents under a key."""
        self._set("extra_model_outputs", new_data, at_indices, neg_index_as_lookback, key=key)

    def _set(
        self,
        name: str,
        new_data: ByAgent,
        at_indices: Indices,
        neg_index_as_lookback: bool,
        **options: Any,
    ) -> None:
        unknown = [agent for agent in new_data if agent not in self.agent_episodes]
        if unknown:
            raise KeyError(f"no agent {unknown[0]!r}, there are {list(self.agent_episodes)}")
        options |= {"at_indices": at_indices, "neg_index_as_lookback": neg_index_as_lookback}
        for agent, data in new_data.items():
            getattr(self.agent_episodes[agent], f"set_{name}")(new_data=data, **options)

    def to_numpy(self) -> MultiAgentEpisode:
        """Return arrays from now on. Infos stay lists, and so does what is empty. Steps can still be added.

        Raises:
            EpisodeError: items of an agent that differ in form.
        """
        for episode in self.agent_episodes.values():
            episode.to_numpy()
        return self

    # chunks

    def cut(self, len_lookback_buffer: int = 0) -> MultiAgentEpisode:
        """Return the chunk with which the episode continues from here: of length 0, with the end of this one as its lookback.

        Agents that are done are not in the chunk, nor are their observations in its lookback: nothing can follow for them.

        What hangs at the end hangs in the chunk, too; the lookback is longer than asked for where it must be, to hold the
        observations that agents wait on. With 0, agents that wait and have observed at the first step of this chunk are
        left out, so that they begin anew, as in RLlib; `concat_episode` joins them again, unless they end before they act
        again: ask for a lookback of 1 where every chunk has to be what it would be uncut.

        Args:
            len_lookback_buffer: how many of the environment's steps of lookback. If there are fewer, the others count as
                skipped.

        Raises:
            EpisodeOverError: the episode is over.
            EpisodeError: a negative number.
        """
        self._check_cut(len_lookback_buffer)
        return self._with_tables(chunks.cut(self.tables, len(self), len_lookback_buffer), self.env_t, 0)

    def slice(self, slice_: builtins.slice, *, len_lookback_buffer: int | None = None) -> MultiAgentEpisode:
        """Return the environment's steps in a range, as an episode; `episode[a:b]` is the same.

        Actions whose next observation comes after the range hang, with all of their rewards.

        Args:
            slice_: of steps, as for a list; its step is 1.
            len_lookback_buffer: how many steps before the range to keep as lookback, if there are so many; by default as many
                as this episode has.

        Raises:
            NotImplementedError: a step other than 1.
            EpisodeError: a negative lookback.
        """
        start, stop, step = slice_.indices(len(self))
        if step != 1:
            raise NotImplementedError(
                f"steps of an episode follow each other: the step of a slice is 1, got {step}"
            )
        if len_lookback_buffer is not None:
            len_lookback_buffer = errors.check_lookback(len_lookback_buffer, 1 << 62)
        stop = max(start, stop)
        kept = self.tables.lookback if len_lookback_buffer is None else len_lookback_buffer
        kept = min(kept, self.tables.lookback + start)
        tables = chunks.slice_steps(self.tables, len(self), start, stop, kept)
        new = self._with_tables(tables, self.env_t_started + start, stop - start)
        if stop == len(self):
            new.is_terminated, new.is_truncated = self.is_terminated, self.is_truncated
        return new

    def _with_tables(self, tables: AgentTables, env_t_started: int, length: int) -> MultiAgentEpisode:
        """Return an episode with the same names and spaces, and other tables."""
        new = type(self)(
            self.id_,
            observation_space=self.observation_space,
            action_space=self.action_space,
            env_t_started=env_t_started,
            agent_module_ids=self._agent_to_module_mapping,
            agent_to_module_mapping_fn=self.agent_to_module_mapping_fn,
        )
        new.tables, new.env_t = tables, env_t_started + length
        new.custom_data.update(copy.deepcopy(self.custom_data))
        return new

    def concat_episode(self, other: MultiAgentEpisode) -> None:
        """Add the chunk that follows this one at the end.

        Raises:
            EpisodeError: the other does not continue where this one ends, for all agents; nothing has changed then.
        """
        self._check_next(other, self.env_t, other.env_t_started)
        chunks.concat(self.tables, len(self), other.tables, len(other))
        self.env_t = other.env_t
        self._end_as(other)

    # states

    def get_state(self) -> dict[str, Any]:
        """Return the episode as data for `from_state`: plain data, and the items and arrays themselves.

        The mapping function is included as it is, unless it is the default one; set it to None to keep plain data only.
        """
        function = self.agent_to_module_mapping_fn
        return {
            **self.get_frame(),
            "observation_space": self._spaces_to_state(self.observation_space),
            "action_space": self._spaces_to_state(self.action_space),
            "agent_episodes": [(agent, e.get_state()) for agent, e in self.agent_episodes.items()],
            "agent_to_module_mapping_fn": None if function is one_module_for_all else function,
            "custom_data": self.custom_data,
            "env_t_to_agent_t": {a: steps.get_state() for a, steps in self.env_t_to_agent_t.items()},
        }

    def get_frame(self) -> dict[str, Any]:
        """Return the state without agents' episodes, their places in the environment's steps, spaces, functions and custom data."""
        return {
            **{name: getattr(self, name) for name in STATE_NAMES},
            "_start_time": self.start_time,
            "_last_step_time": self.last_step_time,
            "_agent_to_module_mapping": dict(self._agent_to_module_mapping),
            **self.tables.get_state(),
        }

    @staticmethod
    def from_state(state: dict[str, Any]) -> MultiAgentEpisode:
        """Restore an episode from what `get_state` returned.

        Raises:
            EpisodeError: data that does not match, or a state that lacks something.
        """
        try:
            episode = MultiAgentEpisode.from_frame(
                state,
                {agent: SingleAgentEpisode.from_state(kept) for agent, kept in state["agent_episodes"]},
                {a: InfiniteLookbackBuffer.from_state(kept) for a, kept in state["env_t_to_agent_t"].items()},
                observation_space=_spaces_from_state(state["observation_space"]),
                action_space=_spaces_from_state(state["action_space"]),
                agent_to_module_mapping_fn=state["agent_to_module_mapping_fn"],
            )
            episode.custom_data.update(state["custom_data"])
        except KeyError as error:
            raise EpisodeError(f"the state of an episode of several agents lacks {error}") from error
        return episode

    @staticmethod
    def from_frame(
        frame: Mapping[str, Any],
        episodes: Mapping[AgentID, SingleAgentEpisode],
        env_t_to_agent_t: Mapping[AgentID, InfiniteLookbackBuffer],
        *,
        observation_space: Any = None,
        action_space: Any = None,
        agent_to_module_mapping_fn: ModuleOf | None = None,
    ) -> MultiAgentEpisode:
        """Make an episode of its parts.

        Args:
            frame: as of `get_frame`.
            episodes: the agents' own episodes.
            env_t_to_agent_t: their steps at each of the environment's.
            observation_space: as for the class.
            action_space: as for the class.
            agent_to_module_mapping_fn: as for the class.

        Raises:
            EpisodeError: these do not match.
            KeyError: the frame lacks something.
        """
        made = MultiAgentEpisode(
            observation_space=observation_space,
            action_space=action_space,
            agent_module_ids=frame["_agent_to_module_mapping"],
            agent_to_module_mapping_fn=agent_to_module_mapping_fn,
        )
        for name in STATE_NAMES:
            setattr(made, name, frame[name])
        made.start_time, made.last_step_time = frame["_start_time"], frame["_last_step_time"]
        made.tables = AgentTables.from_state(frame, episodes, env_t_to_agent_t)
        made.validate()
        return made

    def _spaces_to_state(self, spaces: Any) -> Any:
        """Spaces by agent: of a `Dict` space, of all agents in a mapping, or of those that are in the episode."""
        if isinstance(spaces, gym.Space):
            return space_to_state(spaces)
        agents = spaces if isinstance(spaces, Mapping) else self.agent_episodes
        known = {agent: spaces.get(agent) for agent in agents}
        return [(agent, space_to_state(space)) for agent, space in known.items() if space is not None]


def _flags_by_agent(flags: Mapping[AgentID, bool] | bool) -> Mapping[AgentID, bool]:
    """Flags by agent; a bool stands for all agents."""
    return {ALL_AGENTS: bool(flags)} if isinstance(flags, (bool, int)) else flags


def _spaces_from_state(state: Any) -> Any:
    if isinstance(state, dict):
        return space_from_state(state)
    return {agent: space_from_state(kept) for agent, kept in state}


def _agents_first(by_key: Mapping[str, Mapping[AgentID, Any]]) -> dict[AgentID, dict[str, Any]]:
    turned: dict[AgentID, dict[str, Any]] = {}
    for key, by_agent in by_key.items():
        for agent, data in by_agent.items():
            turned.setdefault(agent, {})[key] = data
    return turned
