"""Filling an episode of several agents from lists of what happened at each of the environment's steps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.multi_agent.agent_tables import AgentTables
from gridarium.episodes.multi_agent.env_step import ALL_AGENTS, SKIPPED, AgentID, EnvStep, HangingStep
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

PerStep = list[dict[AgentID, Any]]


def flags_by_agent(flags: Mapping[AgentID, bool] | bool) -> Mapping[AgentID, bool]:
    """Flags by agent; a bool stands for all agents."""
    return {ALL_AGENTS: bool(flags)} if isinstance(flags, (bool, int)) else flags


def steps_of(
    columns: dict[str, PerStep | None],
    terminateds: Mapping[AgentID, bool],
    truncateds: Mapping[AgentID, bool],
) -> list[EnvStep]:
    """The lists, step by step; what is not given is empty. The last step has observations and infos only.

    Raises:
        EpisodeError: lists whose lengths do not match.
    """
    total = len(columns["rewards"] or ())
    read: dict[str, PerStep] = {}
    for name, column in columns.items():
        of_observations = name in ("observations", "infos")
        needed = total + of_observations
        items = column or ([] if name in ("observations", "actions") else [{}] * needed)
        if len(items) != needed:
            raise EpisodeError(f"{total} rewards need {needed} {name}, there are {len(items)}")
        read[name] = items if of_observations else [*items, {}]
    rows = [dict(zip(read, row, strict=True)) for row in zip(*read.values(), strict=True)]
    return [EnvStep(terminateds=terminateds, truncateds=truncateds, **row) for row in rows]


class AgentHistory:
    """What one agent has experienced so far."""

    def __init__(self) -> None:
        self.observations: list[Any] = []
        self.infos: list[Any] = []
        self.transitions: list[HangingStep] = []
        self.env_steps: list[
            Any
        ] = []  # for each of the environment's, the number of the observation or SKIPPED
        self.terminated = self.truncated = False

    @property
    def done(self) -> bool:
        """Whether nothing can follow."""
        return self.terminated or self.truncated


class Builder:
    """Reads steps of the environment into empty tables.

    Args:
        tables: with a lookback and the agents' first steps.
        steps: at least one; the last has observations only. The flags are the same in all of them.
    """

    def __init__(self, tables: AgentTables, steps: list[EnvStep]) -> None:
        self._tables, self._steps = tables, steps

    def build(self, new_episode: Callable[..., SingleAgentEpisode], ids: Mapping[AgentID, str]) -> None:
        """Fill the tables.

        Args:
            new_episode: makes the episode of an agent of its id and data.
            ids: ids of agents' episodes, for some of them.

        Raises:
            EpisodeError: an agent acted before its first observation, or acted and got an observation without a reward, or
                got an observation without having acted on its last one.
        """
        histories: dict[AgentID, AgentHistory] = defaultdict(AgentHistory)
        for t, step in enumerate(self._steps):
            for agent in step.observations:
                self._read_observation(histories[agent], agent, t)
            for agent in {**step.actions, **step.rewards}:
                if agent not in step.observations:
                    self._read_without_observation(histories.get(agent), agent, t)
            for history in histories.values():
                history.env_steps += [SKIPPED] * (t + 1 - len(history.env_steps))
        for agent, history in histories.items():
            if len(history.observations) > 1 or not history.done:
                self._add_agent(agent, history, new_episode, ids.get(agent))
        self._tables.drop_begin_rewards()

    def _read_observation(self, history: AgentHistory, agent: AgentID, t: int) -> None:
        """An observation, with the action that was taken on it; it completes the step that hangs."""
        step = self._steps[t]
        if history.done:
            raise EpisodeError(f"step {t}: agent {agent!r} is done, but got an observation again")
        if history.observations:
            if agent not in self._tables.hanging_actions:
                raise EpisodeError(
                    f"step {t}: agent {agent!r} got an observation without having acted on its last one"
                )
            history.transitions.append(self._tables.release(agent))
        history.env_steps += [SKIPPED] * (t - len(history.env_steps))
        history.env_steps.append(len(history.observations))
        history.observations.append(step.observations[agent])
        history.infos.append(step.infos.get(agent) or {})
        if agent in step.actions:
            self._read_action(agent, t)
        elif t == len(self._steps) - 1:
            history.terminated, history.truncated = step.flags(agent)
        else:
            history.terminated, history.truncated = step.own_flags(agent)
            history.terminated |= not history.truncated

    def _read_action(self, agent: AgentID, t: int) -> None:
        step = self._steps[t]
        if agent not in step.rewards and agent in self._steps[t + 1].observations:
            raise EpisodeError(f"step {t}: agent {agent!r} acted and got an observation, but no reward")
        outputs = step.extra_model_outputs.get(agent) or {}
        self._tables.hang(agent, step.actions[agent], step.rewards.get(agent, 0.0), outputs)

    def _read_without_observation(self, history: AgentHistory | None, agent: AgentID, t: int) -> None:
        """An action or a reward of an agent that got no observation."""
        tables, step = self._tables, self._steps[t]
        if history is None and agent in step.actions:
            raise EpisodeError(f"step {t}: agent {agent!r} acted before its first observation")
        if history is None:
            tables.begin_rewards[agent] += step.rewards[agent]
        elif history.done:
            return
        elif agent not in step.actions:
            tables.hanging_rewards[agent] += step.rewards[agent]
        elif agent in tables.hanging_actions:
            raise EpisodeError(
                f"step {t}: agent {agent!r} acted again before an observation followed its last action"
            )
        else:
            self._read_action(agent, t)

    def _add_agent(
        self,
        agent: AgentID,
        history: AgentHistory,
        new_episode: Callable[..., SingleAgentEpisode],
        id_: str | None,
    ) -> None:
        before = sum(step != SKIPPED for step in history.env_steps[: self._tables.lookback])
        keys = history.transitions[0].extra_model_outputs if history.transitions else {}
        episode = new_episode(
            agent,
            id_=id_,
            observations=history.observations,
            infos=history.infos,
            actions=[transition.action for transition in history.transitions],
            rewards=[transition.reward for transition in history.transitions],
            terminated=history.terminated,
            truncated=history.truncated,
            extra_model_outputs={
                key: [transition.extra_model_outputs[key] for transition in history.transitions]
                for key in keys
            },
            len_lookback_buffer=before,
        )
        first = episode.t_started - episode.observations.lookback
        steps = [step if step == SKIPPED else first + step for step in history.env_steps]
        self._tables.add_agent(agent, episode, steps)
