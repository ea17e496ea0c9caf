"""Reading and overwriting what an episode of several agents holds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.indices import PLAIN, plain_indices
from gridarium.episodes.multi_agent.agent_steps import ABSENT, AgentData, Asked
from gridarium.episodes.multi_agent.facts import MultiAgentFacts
from gridarium.episodes.multi_agent.hanging import AgentID
from gridarium.episodes.reading import Indices
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

AgentIDs = AgentID | Collection[AgentID] | None


class MultiAgentAccess(MultiAgentFacts):
    """Getters and setters of an episode of several agents.

    All getters give a dict from agents to what `SingleAgentEpisode`'s getters would give. Arguments of all of them:

    - `indices`: an int, a list of ints, a slice, or None for everything after the lookback.
    - `agent_ids`: one agent, or a list, tuple, set or deque of agents; all by default. Unknown agents are left out.
    - `env_steps`: indices count the environment's steps. Steps at which an agent has nothing are left out, and agents
      that have nothing at all; with `fill`, they are filled in, so that all agents give equally many. Otherwise
      indices count each agent's own steps.
    - `neg_index_as_lookback`, `fill`, `one_hot_discrete`: as for one agent.
    - `return_list`: give a list with a dict for each of the environment's steps instead, empty where there is nothing. Not for a
      single index.

    An action that no observation has followed yet, and what belongs to it, is the last item of its agent.

    Raises (all getters):
        IndexError: a single index or one in a list lies outside of what there is for an agent, and there is no `fill`.
        EpisodeError: arguments that do not go together.
    """

    __slots__ = ()

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
        """Observations: the first is the one of the reset."""
        asked = Asked(indices, neg_index_as_lookback, fill, one_hot_discrete)
        return self._get(self._observations_of, asked, agent_ids, env_steps, return_list)

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
        """Infos: they come with the observations. Always lists."""
        asked = Asked(indices, neg_index_as_lookback, fill)
        return self._get(self._infos_of, asked, agent_ids, env_steps, return_list)

    def get_actions(
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
        """Actions: each at the step of the observation that it was taken on."""
        asked = Asked(indices, neg_index_as_lookback, fill, one_hot_discrete)
        return self._get(self._actions_of, asked, agent_ids, env_steps, return_list)

    def get_rewards(
        self,
        indices: Indices = None,
        agent_ids: AgentIDs = None,
        *,
        env_steps: bool = True,
        neg_index_as_lookback: bool = False,
        fill: Any = None,
        return_list: bool = False,
    ) -> Any:
        """Rewards: each at the step of the observation that the action for it was taken on."""
        asked = Asked(indices, neg_index_as_lookback, fill)
        return self._get(self._rewards_of, asked, agent_ids, env_steps, return_list)

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
        """What the models gave besides actions under a key; by default under all keys: a dict from keys for each agent.

        Where nobody has any, that is an empty dict, or with `return_list` one for each step.

        Raises:
            KeyError: no agent has anything under this key.
        """
        asked = Asked(indices, neg_index_as_lookback, fill)
        keys = {k: None for agent in self.agent_episodes for k in self._output_keys(agent)}
        if key is not None:
            if key not in keys and self.agent_episodes:
                raise KeyError(f"no extra model output {key!r}, there are {sorted(map(str, keys))}")
            return self._get(self._outputs_of(key), asked, agent_ids, env_steps, return_list)
        if not keys:
            asked = asked._replace(
                fill=None if fill is None else 0.0
            )  # rewards are as many, and take this fill
            steps = self._get(self._rewards_of, asked, agent_ids, env_steps, return_list)
            return [{} for _ in steps] if return_list else {}
        found = {k: self._get(self._outputs_of(k), asked, agent_ids, env_steps, return_list) for k in keys}
        if return_list:
            per_step = [dict(zip(found, step, strict=True)) for step in zip(*found.values(), strict=True)]
            return [_agents_first(step) for step in per_step]
        return _agents_first(found)

    def set_observations(
        self,
        *,
        new_data: Mapping[AgentID, Any],
        at_indices: Indices = None,
        neg_index_as_lookback: bool = False,
    ) -> None:
        """Overwrite observations of some agents; indices count each agent's own steps."""
        self._set(SingleAgentEpisode.set_observations, new_data, at_indices, neg_index_as_lookback)

    def set_actions(
        self,
        *,
        new_data: Mapping[AgentID, Any],
        at_indices: Indices = None,
        neg_index_as_lookback: bool = False,
    ) -> None:
        """Overwrite actions of some agents; indices count each agent's own steps."""
        self._set(SingleAgentEpisode.set_actions, new_data, at_indices, neg_index_as_lookback)

    def set_rewards(
        self,
        *,
        new_data: Mapping[AgentID, Any],
        at_indices: Indices = None,
        neg_index_as_lookback: bool = False,
    ) -> None:
        """Overwrite rewards of some agents; indices count each agent's own steps."""
        self._set(SingleAgentEpisode.set_rewards, new_data, at_indices, neg_index_as_lookback)

    def set_extra_model_outputs(
        self,
        *,
        key: str,
        new_data: Mapping[AgentID, Any],
        at_indices: Indices = None,
        neg_index_as_lookback: bool = False,
    ) -> None:
        """Overwrite what the models gave under a key; indices count each agent's own steps."""
        setter = partial(SingleAgentEpisode.set_extra_model_outputs, key=key)
        self._set(setter, new_data, at_indices, neg_index_as_lookback)

    # how they do it

    def _get(
        self,
        data_of: Callable[[AgentID], AgentData],
        asked: Asked,
        agent_ids: AgentIDs,
        env_steps: bool,
        return_list: bool,
    ) -> Any:
        if not isinstance(asked.indices, PLAIN):
            asked = asked._replace(indices=plain_indices(asked.indices))
        if return_list:
            if not env_steps or asked.single:
                raise EpisodeError(
                    "return_list gives a dict for each of the environment's steps: not with env_steps=False, and not "
                    "for a single index"
                )
            return self._steps(data_of, asked, agent_ids)
        read = AgentData.by_env_steps if env_steps else AgentData.by_agent_steps
        found = {agent: read(data_of(agent), asked) for agent in self._chosen(agent_ids)}
        return {agent: data for agent, data in found.items() if data is not ABSENT}

    def _steps(
        self, data_of: Callable[[AgentID], AgentData], asked: Asked, agent_ids: AgentIDs
    ) -> list[dict[AgentID, Any]]:
        columns = {agent: data_of(agent).items_by_env_steps(asked) for agent in self._chosen(agent_ids)}
        return [
            {agent: item for agent, item in zip(columns, row, strict=True) if item is not ABSENT}
            for row in zip(*columns.values(), strict=True)
        ]

    def _chosen(self, agent_ids: AgentIDs) -> list[AgentID]:
        wanted = list(agent_ids) if isinstance(agent_ids, (list, tuple, set, deque)) else [agent_ids]
        if agent_ids is None or not wanted:
            return list(self.agent_episodes)
        return [agent for agent in wanted if agent in self.agent_episodes]

    def _set(
        self,
        setter: Callable[..., None],
        new_data: Mapping[AgentID, Any],
        at_indices: Indices,
        neg_index_as_lookback: bool,
    ) -> None:
        unknown = [agent for agent in new_data if agent not in self.agent_episodes]
        if unknown:
            raise KeyError(f"no agent {unknown[0]!r}, there are {list(self.agent_episodes)}")
        for agent, data in new_data.items():
            setter(
                self.agent_episodes[agent],
                new_data=data,
                at_indices=at_indices,
                neg_index_as_lookback=neg_index_as_lookback,
            )

    def _observations_of(self, agent: AgentID) -> AgentData:
        return self._at_steps(agent, self.agent_episodes[agent].observations)

    def _infos_of(self, agent: AgentID) -> AgentData:
        return self._at_steps(agent, self.agent_episodes[agent].infos)

    def _actions_of(self, agent: AgentID) -> AgentData:
        hanging = self._hanging_actions_end.get(agent, ABSENT)
        return self._between_steps(agent, self.agent_episodes[agent].actions, hanging)

    def _rewards_of(self, agent: AgentID) -> AgentData:
        hanging = self._hanging_rewards_end.get(agent, ABSENT)
        return self._between_steps(agent, self.agent_episodes[agent].rewards, hanging)

    def _outputs_of(self, key: str) -> Callable[[AgentID], AgentData]:
        def data_of(agent: AgentID) -> AgentData:
            episode = self.agent_episodes[agent]
            buffer = episode.extra_model_outputs.get(key)
            if buffer is None:
                buffer = InfiniteLookbackBuffer()
            hanging = (self._hanging_extra_model_outputs_end.get(agent) or {}).get(key, ABSENT)
            return self._between_steps(agent, buffer, hanging)

        return data_of

    def _output_keys(self, agent: AgentID) -> list[str]:
        return [
            *self.agent_episodes[agent].extra_model_outputs,
            *(self._hanging_extra_model_outputs_end.get(agent) or {}),
        ]

    def _at_steps(self, agent: AgentID, buffer: InfiniteLookbackBuffer) -> AgentData:
        steps = self.env_t_to_agent_t[agent]
        first = first_step(self.agent_episodes[agent])
        return AgentData(buffer, ABSENT, first, steps, steps.len_incl_lookback())

    def _between_steps(self, agent: AgentID, buffer: InfiniteLookbackBuffer, hanging: Any) -> AgentData:
        steps, episode = self.env_t_to_agent_t[agent], self.agent_episodes[agent]
        missing = (
            episode.actions.len_incl_lookback() - buffer.len_incl_lookback()
        )  # of outputs that came later
        return AgentData(buffer, hanging, first_step(episode) + missing, steps, steps.len_incl_lookback() - 1)


def first_step(episode: SingleAgentEpisode) -> int:
    """The agent's step of the first observation that is stored, with the lookback."""
    return episode.t_started - episode.observations.lookback


def _agents_first(by_key: Mapping[str, Mapping[AgentID, Any]]) -> dict[AgentID, dict[str, Any]]:
    turned: dict[AgentID, dict[str, Any]] = {}
    for key, by_agent in by_key.items():
        for agent, data in by_agent.items():
            turned.setdefault(agent, {})[key] = data
    return turned
