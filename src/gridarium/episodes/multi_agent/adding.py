"""Adding a step of the environment: everything is checked before anything is added."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.errors import MultiAgentEnvError
from gridarium.episodes.multi_agent.facts import ALL_AGENTS, SKIPPED
from gridarium.episodes.multi_agent.hanging import AgentID, Transition
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

if TYPE_CHECKING:
    from gridarium.episodes.multi_agent.episode import MultiAgentEpisode

ByAgent = Mapping[AgentID, Any]

NOTHING: ByAgent = {}


class EnvStep(NamedTuple):
    """What one step of the environment brings, each by agent."""

    observations: ByAgent
    actions: ByAgent
    rewards: ByAgent
    infos: ByAgent
    terminateds: ByAgent
    truncateds: ByAgent
    extra_model_outputs: ByAgent

    def terminated(self, agent: AgentID) -> bool:
        """Whether the step ends an agent's episode, or all, in a terminal state."""
        return bool(self.terminateds.get(agent) or self.terminateds.get(ALL_AGENTS))

    def truncated(self, agent: AgentID) -> bool:
        """Whether the step breaks an agent's episode off, or all."""
        return bool(self.truncateds.get(agent) or self.truncateds.get(ALL_AGENTS))

    def others(self, episode: MultiAgentEpisode) -> list[AgentID]:
        """The agents without an observation of which there is something to say, or that skip the step."""
        agents: dict[AgentID, Any] = {
            **episode.env_t_to_agent_t,
            **self.actions,
            **self.rewards,
            **self.infos,
        }
        agents |= {**self.terminateds, **self.truncateds, **self.extra_model_outputs}
        return [agent for agent in agents if agent not in self.observations and agent != ALL_AGENTS]


def add_step(episode: MultiAgentEpisode, step: EnvStep) -> None:
    """Add a step to all agents' episodes, or to what hangs for them; see `MultiAgentEpisode.add_env_step`."""
    others = step.others(episode) if _some_without_observation(episode, step) else ()
    regular = _regular(episode, step)
    irregular = (
        [a for a in step.observations if a not in regular] if len(regular) < len(step.observations) else ()
    )
    for agent in irregular:
        _check_observing(episode, step, agent)
    for agent in others:
        _check_unobserving(episode, step, agent)

    episode.env_t += 1
    flagged = step.terminateds or step.truncateds
    outputs_of, info_of, flags = step.extra_model_outputs.get, step.infos.get, (False, False)
    for agent, agent_episode in regular.items():
        if flagged:
            flags = step.terminated(agent), step.truncated(agent)
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
    for agent in irregular:
        _observe(episode, step, agent)
    for agent in others:
        _do_without_observation(episode, step, agent)
    if flagged:
        for agent in [a for a in episode._hanging_rewards_begin if a in episode.agent_episodes]:
            if step.terminated(agent) or step.truncated(agent):
                del episode._hanging_rewards_begin[agent]


def _some_without_observation(episode: MultiAgentEpisode, step: EnvStep) -> bool:
    observing = step.observations.keys()
    return not (
        observing == episode.env_t_to_agent_t.keys()
        and all(agents.keys() <= observing for agents in step[1:4])
        and all(agents.keys() <= {*observing, ALL_AGENTS} for agents in step[4:] if agents)
    )


def _regular(episode: MultiAgentEpisode, step: EnvStep) -> dict[AgentID, SingleAgentEpisode]:
    """The agents that acted on their last observation and got the next one: the usual case."""
    known, hanging = episode.agent_episodes, episode._hanging_actions_end
    regular = {}
    for agent in step.observations:
        if agent in step.actions and agent in step.rewards and agent in known and agent not in hanging:
            agent_episode = known[agent]
            if not (agent_episode.is_terminated or agent_episode.is_truncated):
                regular[agent] = agent_episode
    return regular


# agents with an observation, but not both an action and a reward of this step


def _check_observing(episode: MultiAgentEpisode, step: EnvStep, agent: AgentID) -> None:
    agent_episode = episode.agent_episodes.get(agent)
    hangs = agent in episode._hanging_actions_end
    if agent_episode is not None and agent_episode.is_done:
        _refuse(episode, agent, "is done, but got data again")
    if agent not in step.actions:
        if agent_episode is not None and not hangs:
            _refuse(episode, agent, "got an observation without having acted on its last one")
    elif agent_episode is None:
        _refuse(episode, agent, "acted before its first observation")
    elif hangs:
        _refuse(episode, agent, "acted again before an observation followed its last action")
    else:
        _refuse(episode, agent, "acted and got an observation, but no reward")


def _observe(episode: MultiAgentEpisode, step: EnvStep, agent: AgentID) -> None:
    """A hanging action is completed, or the agent begins."""
    reward = step.rewards.get(agent, 0.0)
    if agent in episode.agent_episodes:
        _complete(episode, step, agent, episode._release(agent, reward))
        return
    if agent in step.rewards:
        episode._hanging_rewards_begin[agent] += reward
    if not (step.terminated(agent) or step.truncated(agent)):
        begin(episode, agent, step.observations[agent], step.infos.get(agent))


def begin(episode: MultiAgentEpisode, agent: AgentID, observation: Any, info: Any) -> None:
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


def _check_unobserving(episode: MultiAgentEpisode, step: EnvStep, agent: AgentID) -> None:
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
    elif (acts or hangs) and step.truncated(agent) and not step.terminated(agent):
        _refuse(episode, agent, "was truncated after it acted, but there is no observation to go on from")


def _do_without_observation(episode: MultiAgentEpisode, step: EnvStep, agent: AgentID) -> None:
    """Let things hang; or, where an agent terminated, complete its last step with its last observation."""
    agent_episode = episode.agent_episodes.get(agent)
    reward = step.rewards.get(agent)
    if agent_episode is None:
        if reward is not None:
            episode._hanging_rewards_begin[agent] += reward
        return
    if agent in step.actions:
        outputs = step.extra_model_outputs.get(agent) or {}
        episode._hang(agent, Transition(step.actions[agent], reward or 0.0, outputs))
    elif reward is not None:
        episode._hanging_rewards_end[agent] += reward
    if step.terminated(agent) or step.truncated(agent):
        if agent in episode._hanging_actions_end:
            _complete(episode, step, agent, episode._release(agent))
            return
        episode._forget(agent)
    episode.env_t_to_agent_t[agent].append(SKIPPED)


def _complete(episode: MultiAgentEpisode, step: EnvStep, agent: AgentID, transition: Transition) -> None:
    agent_episode = episode.agent_episodes[agent]
    if agent in step.observations:
        observation, info = step.observations[agent], step.infos.get(agent)
    else:
        observation, info = agent_episode.get_observations(-1), agent_episode.get_infos(-1)
    agent_episode.add_env_step(
        observation,
        transition.action,
        transition.reward,
        info,
        terminated=step.terminated(agent),
        truncated=step.truncated(agent),
        extra_model_outputs=transition.extra_model_outputs,
    )
    episode.env_t_to_agent_t[agent].append(agent_episode.t)


def _refuse(episode: MultiAgentEpisode, agent: AgentID, what: str) -> NoReturn:
    raise MultiAgentEnvError(
        f"episode {episode.id_}, step {episode.env_t + 1}: agent {agent!r} {what}; the step was not added"
    )
