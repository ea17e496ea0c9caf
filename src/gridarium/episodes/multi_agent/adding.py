"""Adding a step of the environment: everything is checked before anything is added."""

from __future__ import annotations

from typing import Any

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.multi_agent.env_step import NEITHER, ByAgent, EnvStep
from gridarium.episodes.multi_agent.facts import ALL_AGENTS, SKIPPED, MultiAgentFacts
from gridarium.episodes.multi_agent.hanging import AgentID
from gridarium.episodes.multi_agent.refusing import check_observing, check_unobserving, check_values
from gridarium.episodes.single_agent_episode import SingleAgentEpisode


def begin_all(episode: MultiAgentFacts, observations: ByAgent, infos: ByAgent) -> None:
    """Add the first observations of agents, at the present step of the environment."""
    for begun in _new_episodes(episode, list(observations), observations, infos):
        _begin(episode, begun)


def add_step(episode: MultiAgentFacts, step: EnvStep) -> None:
    """Add a step to all agents' episodes, or to what hangs for them; see `MultiAgentEpisode.add_env_step`."""
    others = step.others(episode) if _some_without_observation(episode, step) else ()
    regular, waited, rest = _observing(episode, step)
    for agent in rest:
        check_observing(episode, step, agent)
    for agent in others:
        check_unobserving(episode, step, agent)
    check_values(episode, step)
    beginning = [agent for agent in rest if not any(step.flags(agent))]
    begun = _new_episodes(episode, beginning, step.observations, step.infos) if beginning else ()

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
        if agent in step.rewards:
            episode._hanging_rewards_begin[agent] += step.rewards[agent]
    for agent_episode in begun:
        _begin(episode, agent_episode)
    for agent in others:
        _do_without_observation(episode, step, agent)
    if flagged:
        episode._drop_begins()


def _some_without_observation(episode: MultiAgentFacts, step: EnvStep) -> bool:
    observing = step.observations.keys()
    return not (
        observing == episode.env_t_to_agent_t.keys()
        and step.actions.keys() <= observing
        and step.rewards.keys() <= observing
        and step.infos.keys() <= observing
        and step.extra_model_outputs.keys() <= observing
        and all(flags.keys() <= {*observing, ALL_AGENTS} for flags in step.all_flags())
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


def _new_episodes(
    episode: MultiAgentFacts, agents: list[AgentID], observations: ByAgent, infos: ByAgent
) -> list[SingleAgentEpisode]:
    """Episodes of agents with their first observations, which are not in the whole one yet."""
    modules = dict(episode._agent_to_module_mapping)
    try:
        return [
            SingleAgentEpisode(
                agent_id=agent,
                module_id=episode.module_for(agent),
                multi_agent_episode_id=episode.id_,
                observations=[observations[agent]],
                observation_space=episode.observation_space.get(agent),
                infos=[infos.get(agent) or {}],
                action_space=episode.action_space.get(agent),
                t_started=episode.agent_t_started.get(agent, 0),
            )
            for agent in agents
        ]
    except Exception:  # of the mapping from agents to modules, or of a table of spaces
        episode._agent_to_module_mapping = modules
        raise


def _begin(episode: MultiAgentFacts, begun: SingleAgentEpisode) -> None:
    agent, t_started = begun.agent_id, begun.t_started
    begun._start_time = episode._last_step_time or episode._start_time
    episode.agent_episodes[agent] = begun
    episode.agent_t_started[agent] = t_started
    lookback = episode._len_lookback_buffers
    skipped = [SKIPPED] * (lookback + len(episode))
    episode.env_t_to_agent_t[agent] = InfiniteLookbackBuffer([*skipped, t_started], lookback)


# agents without an observation


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
    transition = episode._release(agent, reward)
    terminated, truncated = step.flags(agent)
    agent_episode.add_env_step(
        observation,
        transition.action,
        transition.reward,
        info,
        terminated=terminated,
        truncated=truncated,
        extra_model_outputs=transition.extra_model_outputs,
    )
    episode.env_t_to_agent_t[agent].append(agent_episode.t)
