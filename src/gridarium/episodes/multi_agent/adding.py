"""Adding a step of the environment: everything is checked before anything is added."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.errors import MultiAgentEnvError
from gridarium.episodes.multi_agent.facts import ALL_AGENTS, SKIPPED, MultiAgentFacts
from gridarium.episodes.multi_agent.hanging import AgentID
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

ByAgent = Mapping[AgentID, Any]

NOTHING: ByAgent = {}
NEITHER = False, False


class EnvStep(NamedTuple):
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


def add_step(episode: MultiAgentFacts, step: EnvStep) -> None:
    """Add a step to all agents' episodes, or to what hangs for them; see `MultiAgentEpisode.add_env_step`."""
    others = step.others(episode) if _some_without_observation(episode, step) else ()
    regular, waited, rest = _observing(episode, step)
    for agent in rest:
        _check_observing(episode, step, agent)
    for agent in others:
        _check_unobserving(episode, step, agent)

    episode.env_t += 1
    outputs_of, info_of = step.extra_model_outputs.get, step.infos.get
    flagged, flags = step.terminateds or step.truncateds, NEITHER
    for agent, agent_episode in regular.items():
        if flagged:
            flags = step.flags(agent)
        reward = step.rewards[agent]
        if agent in episode._hanging_rewards_end:
            reward = reward + episode._hanging_rewards_end.pop(agent)
        agent_episode.add_env_step(
            step.observations[agent],
            step.actions[agent],
            reward,
            info_of(agent),
            terminated=flags[0],
            truncated=flags[1],
            extra_model_outputs=outputs_of(agent),
        )
        episode.env_t_to_agent_t[agent].append(agent_episode.t)
    for agent in waited:
        _complete(episode, step, agent, step.observations[agent], info_of(agent))
    for agent in rest:
        _begin_in_step(episode, step, agent)
    for agent in others:
        _do_without_observation(episode, step, agent)
    if flagged:
        for agent in [a for a in episode._hanging_rewards_begin if a in episode.agent_episodes]:
            if any(step.flags(agent)):
                del episode._hanging_rewards_begin[agent]


def _some_without_observation(episode: MultiAgentFacts, step: EnvStep) -> bool:
    observing = step.observations.keys()
    return not (
        observing == episode.env_t_to_agent_t.keys()
        and all(agents.keys() <= observing for agents in step[1:4])
        and all(agents.keys() <= {*observing, ALL_AGENTS} for agents in step[4:] if agents)
    )


def _observing(
    episode: MultiAgentFacts, step: EnvStep
) -> tuple[dict[AgentID, SingleAgentEpisode], list[AgentID], list[AgentID]]:
    """The agents with an observation.

    Returns:
        regular, waited, rest: those that acted on their last observation, the usual case, with their episodes; those
        that acted in an earlier step; and those of which neither is true.
    """
    known, hanging = episode.agent_episodes, episode._hanging_actions_end
    actions, rewards = step.actions, step.rewards
    regular: dict[AgentID, SingleAgentEpisode] = {}
    waited: list[AgentID] = []
    rest: list[AgentID] = []
    for agent in step.observations:
        agent_episode = known.get(agent)
        if agent_episode is None or agent_episode.is_terminated or agent_episode.is_truncated:
            rest.append(agent)
        elif agent in hanging:
            (rest if agent in actions else waited).append(agent)
        elif agent in actions and agent in rewards:
            regular[agent] = agent_episode
        else:
            rest.append(agent)
    return regular, waited, rest


# agents with an observation that neither make a step nor complete one


def _check_observing(episode: MultiAgentFacts, step: EnvStep, agent: AgentID) -> None:
    agent_episode = episode.agent_episodes.get(agent)
    if agent_episode is None:
        if agent in step.actions:
            _refuse(episode, agent, "acted before its first observation")
    elif agent_episode.is_done:
        _refuse(episode, agent, "is done, but got data again")
    elif agent not in step.actions:
        _refuse(episode, agent, "got an observation without having acted on its last one")
    elif agent in episode._hanging_actions_end:
        _refuse(episode, agent, "acted again before an observation followed its last action")
    else:
        _refuse(episode, agent, "acted and got an observation, but no reward")


def _begin_in_step(episode: MultiAgentFacts, step: EnvStep, agent: AgentID) -> None:
    if agent in step.rewards:
        episode._hanging_rewards_begin[agent] += step.rewards[agent]
    if not any(step.flags(agent)):
        begin(episode, agent, step.observations[agent], step.infos.get(agent))


def begin(episode: MultiAgentFacts, agent: AgentID, observation: Any, info: Any) -> None:
    """Add the first observation of an agent, at the present step of the environment."""
    t_started = episode.agent_t_started[agent]
    new = SingleAgentEpisode(
        agent_id=agent,
        module_id=episode.module_for(agent),
        multi_agent_episode_id=episode.id_,
        observations=[observation],
        observation_space=episode.observation_space.get(agent),
        infos=[info or {}],
        action_space=episode.action_space.get(agent),
        t_started=t_started,
    )
    new._start_time = episode._last_step_time or episode._start_time
    episode.agent_episodes[agent] = new
    lookback = episode._len_lookback_buffers
    skipped = [SKIPPED] * (lookback + len(episode))
    episode.env_t_to_agent_t[agent] = InfiniteLookbackBuffer([*skipped, t_started], lookback)


# agents without an observation


def _check_unobserving(episode: MultiAgentFacts, step: EnvStep, agent: AgentID) -> None:
    agent_episode = episode.agent_episodes.get(agent)
    acts, hangs = agent in step.actions, agent in episode._hanging_actions_end
    if agent_episode is None:
        if acts:
            _refuse(episode, agent, "acted before its first observation")
    elif agent_episode.is_done:
        if any(
            agent in given for given in (step.actions, step.rewards, step.infos, step.extra_model_outputs)
        ):
            _refuse(episode, agent, "is done, but got data again")
    elif acts and hangs:
        _refuse(episode, agent, "acted again before an observation followed its last action")
    elif (acts or hangs) and step.flags(agent) == (False, True):
        _refuse(episode, agent, "was truncated after it acted, but there is no observation to go on from")


def _do_without_observation(episode: MultiAgentFacts, step: EnvStep, agent: AgentID) -> None:
    """Let things hang; or, where an agent terminated, complete its last step with its last observation."""
    agent_episode = episode.agent_episodes.get(agent)
    reward = step.rewards.get(agent)
    if agent_episode is None:
        if reward is not None:
            episode._hanging_rewards_begin[agent] += reward
        return
    if agent in step.actions:
        outputs = step.extra_model_outputs.get(agent) or {}
        episode._hang(agent, step.actions[agent], reward or 0.0, outputs)
    elif reward is not None:
        episode._hanging_rewards_end[agent] += reward
    if any(step.flags(agent)):
        if agent in episode._hanging_actions_end:
            last = agent_episode.get_observations(-1), agent_episode.get_infos(-1)
            _complete(episode, step, agent, *last, rewarded=True)
            return
        episode._forget(agent)
    episode.env_t_to_agent_t[agent].append(SKIPPED)


def _complete(
    episode: MultiAgentFacts,
    step: EnvStep,
    agent: AgentID,
    observation: Any,
    info: Any,
    *,
    rewarded: bool = False,
) -> None:
    """Add the step that hangs; unless `rewarded`, the reward of this step of the environment belongs to it."""
    agent_episode = episode.agent_episodes[agent]
    reward = 0.0 if rewarded else step.rewards.get(agent, 0.0)
    action, reward, outputs = episode._release(agent, reward)
    terminated, truncated = step.flags(agent)
    agent_episode.add_env_step(
        observation,
        action,
        reward,
        info,
        terminated=terminated,
        truncated=truncated,
        extra_model_outputs=outputs,
    )
    episode.env_t_to_agent_t[agent].append(agent_episode.t)


def _refuse(episode: MultiAgentFacts, agent: AgentID, what: str) -> NoReturn:
    raise MultiAgentEnvError(
        f"episode {episode.id_}, step {episode.env_t + 1}: agent {agent!r} {what}; the step was not added"
    )
