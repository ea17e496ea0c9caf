"""An episode of several agents from lists of what happened at each of the environment's steps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.multi_agent.env_step import EnvStep
from gridarium.episodes.multi_agent.facts import ALL_AGENTS, SKIPPED, MultiAgentFacts
from gridarium.episodes.multi_agent.hanging import AgentID, Transition
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

PerStep = list[dict[AgentID, Any]]


def by_agent(flags: Mapping[AgentID, bool] | bool) -> Mapping[AgentID, bool]:
    """Flags by agent, of which one may stand for all."""
    return {ALL_AGENTS: bool(flags)} if isinstance(flags, (bool, int)) else flags


def steps_of(
    columns: dict[str, PerStep | None],
    terminateds: Mapping[AgentID, bool],
    truncateds: Mapping[AgentID, bool],
) -> list[EnvStep]:
    """The lists, step by step; what is not given is empty.

    Raises:
        EpisodeError: lists of lengths that do not fit together.
    """
    total = len(columns["rewards"] or ())
    read: dict[str, PerStep] = {}
    for name, column in columns.items():
        of_observations = name in ("observations", "infos")
        wanted = total + of_observations
        given = column or ([] if name in ("observations", "actions") else [{}] * wanted)
        if len(given) != wanted:
            raise EpisodeError(f"{total} rewards need {wanted} {name}, there are {len(given)}")
        read[name] = given if of_observations else [*given, {}]
    rows = [dict(zip(read, row, strict=True)) for row in zip(*read.values(), strict=True)]
    return [EnvStep(terminateds=terminateds, truncateds=truncateds, **row) for row in rows]


class AgentRecord:
    """What is known of one agent while the lists are read."""

    def __init__(self) -> None:
        self.observations: list[Any] = []
        self.infos: list[Any] = []
        self.transitions: list[Transition] = []
        self.steps: list[Any] = []  # for each of the environment's, the number of the observation or SKIPPED
        self.terminated = self.truncated = False

    @property
    def done(self) -> bool:
        """Whether nothing can follow."""
        return self.terminated or self.truncated


def build(
    episode: MultiAgentFacts, steps: list[EnvStep], lookback: int, agent_episode_ids: Mapping[AgentID, str]
) -> None:
    """Fill an empty episode.

    Args:
        episode: has its names, spaces and times already.
        steps: at least one; the last has an observation only. The flags are the same in all of them.
        lookback: how many of them are lookback.
        agent_episode_ids: ids of agents' episodes, for some of them.

    Raises:
        EpisodeError: an agent acted before its first observation, or acted and got an observation without a reward, or
            got an observation without having acted on its last one.
    """
    records: dict[AgentID, AgentRecord] = defaultdict(AgentRecord)
    for t, step in enumerate(steps):
        for agent in step.observations:
            _read_observation(episode, records[agent], agent, steps, t)
        for agent in {**step.actions, **step.rewards}:
            if agent not in step.observations:
                _read_rest(episode, records.get(agent), agent, steps, t)
        for record in records.values():
            record.steps += [SKIPPED] * (t + 1 - len(record.steps))
    for agent, record in records.items():
        if len(record.observations) > 1 or not record.done:
            _add_agent(episode, agent, record, lookback, agent_episode_ids.get(agent))
    episode._drop_begins()


def _read_observation(
    episode: MultiAgentFacts, record: AgentRecord, agent: AgentID, steps: list[EnvStep], t: int
) -> None:
    """An observation, with the action that was taken on it; the reward of the step before completes what hung."""
    step = steps[t]
    if record.done:
        raise EpisodeError(f"step {t}: agent {agent!r} is done, but got an observation again")
    if record.observations:
        if agent not in episode._hanging_actions_end:
            raise EpisodeError(
                f"step {t}: agent {agent!r} got an observation without having acted on its last one"
            )
        record.transitions.append(episode._release(agent))
    record.steps += [SKIPPED] * (t - len(record.steps))
    record.steps.append(len(record.observations))
    record.observations.append(step.observations[agent])
    record.infos.append(step.infos.get(agent) or {})
    if agent in step.actions:
        _read_action(episode, agent, steps, t)
    elif t == len(steps) - 1:
        record.terminated, record.truncated = step.flags(agent)
    else:
        record.terminated, record.truncated = step.own_flags(agent)
        record.terminated |= not record.truncated


def _read_action(episode: MultiAgentFacts, agent: AgentID, steps: list[EnvStep], t: int) -> None:
    step = steps[t]
    if agent not in step.rewards and agent in steps[t + 1].observations:
        raise EpisodeError(f"step {t}: agent {agent!r} acted and got an observation, but no reward")
    outputs = step.extra_model_outputs.get(agent) or {}
    episode._hang(agent, step.actions[agent], step.rewards.get(agent, 0.0), outputs)


def _read_rest(
    episode: MultiAgentFacts, record: AgentRecord | None, agent: AgentID, steps: list[EnvStep], t: int
) -> None:
    """An action or a reward of an agent that got no observation."""
    step = steps[t]
    if record is None and agent in step.actions:
        raise EpisodeError(f"step {t}: agent {agent!r} acted before its first observation")
    if record is None:
        episode._hanging_rewards_begin[agent] += step.rewards[agent]
    elif record.done:
        return
    elif agent not in step.actions:
        episode._hanging_rewards_end[agent] += step.rewards[agent]
    elif agent in episode._hanging_actions_end:
        raise EpisodeError(
            f"step {t}: agent {agent!r} acted again before an observation followed its last action"
        )
    else:
        _read_action(episode, agent, steps, t)


def _add_agent(
    episode: MultiAgentFacts, agent: AgentID, record: AgentRecord, lookback: int, id_: str | None
) -> None:
    before = sum(step != SKIPPED for step in record.steps[:lookback])
    outputs = record.transitions[0].extra_model_outputs if record.transitions else {}
    t_started = episode.agent_t_started[agent]
    new = SingleAgentEpisode(
        id_,
        agent_id=agent,
        module_id=episode.module_for(agent),
        multi_agent_episode_id=episode.id_,
        observations=record.observations,
        observation_space=episode.observation_space.get(agent),
        infos=record.infos,
        actions=[transition.action for transition in record.transitions],
        action_space=episode.action_space.get(agent),
        rewards=[transition.reward for transition in record.transitions],
        terminated=record.terminated,
        truncated=record.truncated,
        extra_model_outputs={
            key: [transition.extra_model_outputs[key] for transition in record.transitions] for key in outputs
        },
        t_started=t_started,
        len_lookback_buffer=before,
    )
    episode.agent_episodes[agent] = new
    first = t_started - new.observations.lookback
    steps = [step if step == SKIPPED else first + step for step in record.steps]
    episode.env_t_to_agent_t[agent] = InfiniteLookbackBuffer(steps, lookback)
