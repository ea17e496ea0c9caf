"""Adding steps of the environment, one by one or as lists, to the episodes of its agents.

Everything about a step is checked before anything of it is added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn

from gridarium.episodes import errors
from gridarium.episodes.errors import EpisodeError, MultiAgentEnvError
from gridarium.episodes.multi_agent.agent_data import ALL_AGENTS, NOTHING, SKIPPED, AgentID, ByAgent
from gridarium.episodes.multi_agent.agent_tables import AgentTables
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

PerStep = list[dict[AgentID, Any]]
"""What happened at each of the environment's steps, by agent."""

NewEpisodes = Callable[[list[AgentID], ByAgent, ByAgent], list[SingleAgentEpisode]]
"""Makes episodes of agents of their first observations and infos."""


@dataclass(slots=True)
class EnvStep:
    """One step of the environment, each part by agent."""

    observations: ByAgent
    actions: ByAgent
    rewards: ByAgent
    infos: ByAgent
    terminateds: ByAgent
    truncateds: ByAgent
    extra_model_outputs: ByAgent

    def flags(self, agent: AgentID) -> tuple[bool, bool]:
        """Return if the step terminates and if it truncates an agent's episode, by the agent's flags or those of all."""
        if not self.terminateds and not self.truncateds:
            return False, False
        terminated = self.terminateds.get(agent) or self.terminateds.get(ALL_AGENTS)
        truncated = self.truncateds.get(agent) or self.truncateds.get(ALL_AGENTS)
        return bool(terminated), bool(truncated)

    def without_observation(self, known: ByAgent) -> list[AgentID]:
        """Return the agents without an observation: among those that are known, and all others that the step mentions."""
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


class StepAdder:
    """Adds one step of the environment to the agents' episodes, or to what hangs for them.

    Args:
        tables: of the episode.
        step: what the environment's step brought.
        id_: of the episode, for errors.
        t: the number of the step, for errors.
        length: how many of the environment's steps the episode has, this one included.
    """

    __slots__ = ("_id", "_length", "_step", "_t", "_tables")

    def __init__(self, tables: AgentTables, step: EnvStep, id_: str, t: int, length: int) -> None:
        self._tables, self._step = tables, step
        self._id, self._t, self._length = id_, t, length

    def add(self, new_episodes: NewEpisodes) -> None:
        """Add the step; see `MultiAgentEpisode.add_env_step`.

        Raises:
            MultiAgentEnvError: the step cannot be added; nothing has changed then.
        """
        tables, step = self._tables, self._step
        known = tables.env_t_to_agent_t
        unobserving = step.without_observation(known) if self._some_without_observation() else ()
        acting, waiting, others = self._observing()
        for agent in others:
            self._check_observing(agent)
        for agent in unobserving:
            self._check_unobserving(agent)
        self._check_values()
        beginning = [agent for agent in others if not any(step.flags(agent))]
        begun = new_episodes(beginning, step.observations, step.infos) if beginning else ()

        outputs_of, info_of = step.extra_model_outputs.get, step.infos.get
        flagged, flags = step.terminateds or step.truncateds, (False, False)
        for agent, episode in acting.items():
            if flagged:
                flags = step.flags(agent)
            reward = step.rewards[agent]
            if agent in tables.hanging_rewards:
                reward = reward + tables.hanging_rewards.pop(agent)
            episode.add_env_step(
                step.observations[agent],
                step.actions[agent],
                reward,
                info_of(agent),
                terminated=flags[0],
                truncated=flags[1],
                extra_model_outputs=outputs_of(agent),
            )
            known[agent].append(episode.t)
        for agent in waiting:
            self._complete(agent, step.observations[agent], info_of(agent), step.rewards.get(agent, 0.0))
        for agent in others:
            if agent in step.rewards:
                tables.begin_rewards[agent] += step.rewards[agent]
        for episode in begun:
            begin_agent(tables, episode, self._length)
        for agent in unobserving:
            self._add_without_observation(agent)
        if flagged:
            tables.drop_begin_rewards()

    # sorting agents

    def _some_without_observation(self) -> bool:
        step, observing = self._step, self._step.observations.keys()
        return not (
            observing == self._tables.env_t_to_agent_t.keys()
            and step.actions.keys() <= observing
            and step.rewards.keys() <= observing
            and step.infos.keys() <= observing
            and step.extra_model_outputs.keys() <= observing
            and (not step.terminateds or step.terminateds.keys() <= {*observing, ALL_AGENTS})
            and (not step.truncateds or step.truncateds.keys() <= {*observing, ALL_AGENTS})
        )

    def _observing(self) -> tuple[dict[AgentID, SingleAgentEpisode], list[AgentID], list[AgentID]]:
        """Return the agents with an observation.

        Returns:
            acting, waiting, others: those that acted on their last observation, the usual case, with their episodes; those
            that acted in an earlier step; and all others.
        """
        known, hanging = self._tables.episodes, self._tables.hanging_actions
        actions, rewards = self._step.actions, self._step.rewards
        acting: dict[AgentID, SingleAgentEpisode] = {}
        waiting: list[AgentID] = []
        others: list[AgentID] = []
        for agent in self._step.observations:
            episode = known.get(agent)
            if episode is None or episode.is_terminated or episode.is_truncated:
                others.append(agent)
            elif agent in hanging:
                (others if agent in actions else waiting).append(agent)
            elif agent in actions and agent in rewards:
                acting[agent] = episode
            else:
                others.append(agent)
        return acting, waiting, others

    # checks

    def _check_observing(self, agent: AgentID) -> None:
        """Check an agent with an observation that neither makes a step nor completes one: it has to begin.

        Raises:
            MultiAgentEnvError: it does not.
        """
        if self._tables.is_done(agent):
            self._refuse(agent, "is done, but got data again")
        if agent not in self._tables.episodes:
            if agent in self._step.actions:
                self._refuse(agent, "acted before its first observation")
        elif agent not in self._step.actions:
            self._refuse(agent, "got an observation without having acted on its last one")
        elif agent in self._tables.hanging_actions:
            self._refuse(agent, "acted again before an observation followed its last action")
        else:
            self._refuse(agent, "acted and got an observation, but no reward")

    def _check_unobserving(self, agent: AgentID) -> None:
        """Check an agent without an observation.

        Raises:
            MultiAgentEnvError: it cannot do what the step says.
        """
        tables, step = self._tables, self._step
        episode = tables.episodes.get(agent)
        acts, hangs = agent in step.actions, agent in tables.hanging_actions
        if agent in tables.done_before if episode is None else episode.is_done:
            if any(
                agent in data for data in (step.actions, step.rewards, step.infos, step.extra_model_outputs)
            ):
                self._refuse(agent, "is done, but got data again")
        elif episode is None:
            if acts:
                self._refuse(agent, "acted before its first observation")
        elif acts and hangs:
            self._refuse(agent, "acted again before an observation followed its last action")
        elif step.truncateds and (acts or hangs) and step.flags(agent) == (False, True):
            self._refuse(agent, "was truncated after it acted, but there is no observation to go on from")

    def _check_values(self) -> None:
        """Check that rewards are numbers, infos and model outputs dicts, and that all fits into episodes that return arrays.

        Raises:
            MultiAgentEnvError: something is not so.
        """
        step = self._step
        for agent, reward in step.rewards.items():
            if reward.__class__ is not float:
                with self._naming(agent):
                    errors.check_reward(self._id, reward)
        for name, part in (("infos", step.infos), ("extra_model_outputs", step.extra_model_outputs)):
            for agent, value in part.items():
                if value.__class__ is not dict:
                    with self._naming(agent):
                        errors.check_dict(self._id, name, value)
        for agent, episode in self._tables.episodes.items():
            if episode.observations.finalized and (agent in step.observations or agent in step.actions):
                with self._naming(agent):
                    self._check_fits(agent, episode)

    def _check_fits(self, agent: AgentID, episode: SingleAgentEpisode) -> None:
        step = self._step
        observation = step.observations.get(agent, episode.get_observations(-1))
        if agent in step.actions:
            action, outputs = step.actions[agent], step.extra_model_outputs.get(agent)
        else:
            action = self._tables.hanging_actions[agent]
            outputs = self._tables.hanging_outputs.get(agent)
        episode.check_step(observation, action, step.rewards.get(agent, 0.0), outputs)

    @contextmanager
    def _naming(self, agent: AgentID) -> Iterator[None]:
        try:
            yield
        except EpisodeError as error:
            text = f"step {self._t}: agent {agent!r}: {error}; the step was not added"
            raise MultiAgentEnvError(text) from error

    def _refuse(self, agent: AgentID, reason: str) -> NoReturn:
        raise MultiAgentEnvError(
            f"episode {self._id}, step {self._t}: agent {agent!r} {reason}; the step was not added"
        )

    # adding

    def _add_without_observation(self, agent: AgentID) -> None:
        """Let things hang; or, if an agent terminated, complete its last step with its last observation."""
        tables, step = self._tables, self._step
        episode = tables.episodes.get(agent)
        reward = step.rewards.get(agent)
        if episode is None:
            if reward is not None:
                tables.begin_rewards[agent] += reward
            return
        if agent in step.actions:
            outputs = step.extra_model_outputs.get(agent) or {}
            tables.hang(agent, step.actions[agent], reward or 0.0, outputs)
        elif reward is not None:
            tables.hanging_rewards[agent] += reward
        if any(step.flags(agent)):
            if agent in tables.hanging_actions:
                self._complete(agent, episode.get_observations(-1), episode.get_infos(-1), 0.0)
                return
            tables.forget_hanging(agent)
        tables.env_t_to_agent_t[agent].append(SKIPPED)

    def _complete(self, agent: AgentID, observation: Any, info: Any, reward: Any) -> None:
        """Add the step that hangs, with a last reward."""
        episode = self._tables.episodes[agent]
        hanging = self._tables.release(agent, reward)
        terminated, truncated = self._step.flags(agent)
        episode.add_env_step(
            observation,
            hanging.action,
            hanging.reward,
            info,
            terminated=terminated,
            truncated=truncated,
            extra_model_outputs=hanging.extra_model_outputs,
        )
        self._tables.env_t_to_agent_t[agent].append(episode.t)


def add_lists(
    tables: AgentTables,
    columns: Mapping[str, PerStep | None],
    terminateds: ByAgent,
    truncateds: ByAgent,
    id_: str,
    new_episodes: NewEpisodes,
) -> None:
    """Fill empty tables from lists of what happened at each of the environment's steps.

    Args:
        tables: with a lookback and the agents' first steps.
        columns: observations, infos, actions, rewards and extra model outputs; None or empty for what is not given.
        terminateds: the flags of the last step, by agent.
        truncateds: likewise.
        id_: of the episode, for errors.
        new_episodes: makes episodes of agents of their first observations and infos.

    Raises:
        EpisodeError: lists whose lengths do not match, or a step that cannot be added.
    """
    for t, step in enumerate(_steps_of(columns, terminateds, truncateds)):
        StepAdder(tables, step, id_, t - 1, t - tables.lookback).add(new_episodes)
    for agent, episode in tables.episodes.items():
        steps = tables.env_steps(agent)
        before = sum(step != SKIPPED for step in steps[: tables.lookback])
        lookback = min(before, len(episode))
        for buffer in episode.buffers().values():
            buffer.lookback = lookback
        episode.t -= lookback
        episode.last_step_time = None
        tables.add_agent(agent, episode, [s if s == SKIPPED else s - lookback for s in steps])
    tables.drop_begin_rewards()


def _steps_of(
    columns: Mapping[str, PerStep | None], terminateds: ByAgent, truncateds: ByAgent
) -> Iterator[EnvStep]:
    """Return the reset, as a step with nothing but observations and infos, and the steps after it.

    In lists, an agent that does not act on an observation is done with it; what else they hold of it is left out.

    Raises:
        EpisodeError: lists whose lengths do not match, or an observation of an agent that is done.
    """
    total = len(columns["rewards"] or ())
    read: dict[str, list[ByAgent]] = {}
    for name, column in columns.items():
        of_observations = name in ("observations", "infos")
        needed = total + of_observations
        items: list[ByAgent] = (
            [*column] if column else [] if name in ("observations", "actions") else [{}] * needed
        )
        if len(items) != needed:
            raise EpisodeError(f"{total} rewards need {needed} {name}, there are {len(items)}")
        read[name] = items if of_observations else [NOTHING, *items]
    done: set[AgentID] = set()
    for t, observations in enumerate(read["observations"]):
        for agent in observations.keys() & done:
            raise EpisodeError(f"step {t}: agent {agent!r} is done, but got an observation again")
        actions, rewards = (
            _only(data, data.keys() - done) for data in (read["actions"][t], read["rewards"][t])
        )
        step = EnvStep(
            observations,
            actions,
            rewards,
            _only(read["infos"][t], observations.keys()),
            terminateds,
            truncateds,
            _only(read["extra_model_outputs"][t], actions.keys()),
        )
        if t < total:
            ending = observations.keys() - read["actions"][t + 1].keys()
            cut_off = {agent: bool(truncateds.get(agent)) for agent in ending}
            ended = {agent: bool(terminateds.get(agent)) or not cut_off[agent] for agent in ending}
            done |= ending
        else:
            flags = {agent: step.flags(agent) for agent in observations}
            ended, cut_off = ({agent: both[k] for agent, both in flags.items()} for k in (0, 1))
        step.terminateds, step.truncateds = ended, cut_off
        yield step


def _only(data: ByAgent, agents: AbstractSet[AgentID]) -> ByAgent:
    """Return the data of some agents."""
    return data if data.keys() <= agents else {agent: data[agent] for agent in data if agent in agents}


def begin_agent(tables: AgentTables, episode: SingleAgentEpisode, length: int) -> None:
    """Add an agent whose first observation is the last of `length` steps of the environment."""
    env_steps = [*[SKIPPED] * (tables.lookback + length), episode.t_started]
    tables.add_agent(episode.agent_id, episode, env_steps)


def check_by_agent(id_: str, name: str, data: Any) -> None:
    """Check that data is a mapping from agents.

    Raises:
        MultiAgentEnvError: it is not.
    """
    if not isinstance(data, Mapping):
        raise MultiAgentEnvError(f"episode {id_}: {name}: expected a dict from agents, got {data!r}")
