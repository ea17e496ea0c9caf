"""What a step of the environment may not bring. It is asked before anything is added: all of a step is, or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

from gridarium.episodes.errors import EpisodeError, MultiAgentEnvError
from gridarium.episodes.multi_agent.env_step import EnvStep
from gridarium.episodes.multi_agent.facts import MultiAgentFacts
from gridarium.episodes.multi_agent.hanging import AgentID
from gridarium.episodes.validation import check_dict, check_reward


def check_by_agent(episode: MultiAgentFacts, name: str, given: Any) -> None:
    """Check that something is given by agent.

    Raises:
        MultiAgentEnvError: it is not a dict.
    """
    if not isinstance(given, Mapping):
        raise MultiAgentEnvError(f"episode {episode.id_}: {name}: expected a dict from agents, got {given!r}")


def check_values(episode: MultiAgentFacts, step: EnvStep) -> None:
    """Check that rewards are numbers, infos and model outputs dicts, and that episodes that give arrays can take theirs.

    Raises:
        MultiAgentEnvError: something is not.
    """
    for agent, reward in step.rewards.items():
        if reward.__class__ is not float:
            with _refused(episode, agent):
                check_reward(episode, reward)
    for name, part in (("infos", step.infos), ("extra_model_outputs", step.extra_model_outputs)):
        for agent, given in part.items():
            if given.__class__ is not dict:
                with _refused(episode, agent):
                    check_dict(episode, name, given)
    for agent, agent_episode in episode.agent_episodes.items():
        if agent_episode.observations.finalized and (agent in step.observations or agent in step.actions):
            with _refused(episode, agent):
                _check_fits(episode, step, agent)


def _check_fits(episode: MultiAgentFacts, step: EnvStep, agent: AgentID) -> None:
    agent_episode = episode.agent_episodes[agent]
    observation = step.observations.get(agent, agent_episode.get_observations(-1))
    if agent in step.actions:
        action, outputs = step.actions[agent], step.extra_model_outputs.get(agent)
    else:
        action = episode._hanging_actions_end[agent]
        outputs = episode._hanging_extra_model_outputs_end.get(agent)
    agent_episode._check_fits(observation, action, step.rewards.get(agent, 0.0), outputs)


@contextmanager
def _refused(episode: MultiAgentFacts, agent: AgentID) -> Iterator[None]:
    try:
        yield
    except EpisodeError as error:
        raise MultiAgentEnvError(
            f"step {episode.env_t + 1}: agent {agent!r}: {error}; the step was not added"
        ) from error


def check_observing(episode: MultiAgentFacts, step: EnvStep, agent: AgentID) -> None:
    """Check what is told of an agent with an observation that neither makes a step nor completes one.

    Raises:
        MultiAgentEnvError: it does not begin with it either.
    """
    agent_episode = episode.agent_episodes.get(agent)
    if episode._over(agent):
        _refuse(episode, agent, "is done, but got data again")
    if agent_episode is None:
        if agent in step.actions:
            _refuse(episode, agent, "acted before its first observation")
    elif agent not in step.actions:
        _refuse(episode, agent, "got an observation without having acted on its last one")
    elif agent in episode._hanging_actions_end:
        _refuse(episode, agent, "acted again before an observation followed its last action")
    else:
        _refuse(episode, agent, "acted and got an observation, but no reward")


def check_unobserving(episode: MultiAgentFacts, step: EnvStep, agent: AgentID) -> None:
    """Check what is told of an agent without an observation.

    Raises:
        MultiAgentEnvError: it cannot be.
    """
    agent_episode = episode.agent_episodes.get(agent)
    acts, hangs = agent in step.actions, agent in episode._hanging_actions_end
    if agent in episode._done_before if agent_episode is None else agent_episode.is_done:
        if any(
            agent in given for given in (step.actions, step.rewards, step.infos, step.extra_model_outputs)
        ):
            _refuse(episode, agent, "is done, but got data again")
    elif agent_episode is None:
        if acts:
            _refuse(episode, agent, "acted before its first observation")
    elif acts and hangs:
        _refuse(episode, agent, "acted again before an observation followed its last action")
    elif step.truncateds and (acts or hangs) and step.flags(agent) == (False, True):
        _refuse(episode, agent, "was truncated after it acted, but there is no observation to go on from")


def _refuse(episode: MultiAgentFacts, agent: AgentID, what: str) -> NoReturn:
    raise MultiAgentEnvError(
        f"episode {episode.id_}, step {episode.env_t + 1}: agent {agent!r} {what}; the step was not added"
    )
