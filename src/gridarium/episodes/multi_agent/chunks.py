"""Cutting episodes of several agents into chunks, and joining chunks."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from gridarium.episodes import chunks as single
from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.errors import EpisodeError, EpisodeOverError
from gridarium.episodes.multi_agent.access import first_step
from gridarium.episodes.multi_agent.facts import SKIPPED
from gridarium.episodes.multi_agent.hanging import AgentID
from gridarium.episodes.multi_agent.joining import Join
from gridarium.episodes.multi_agent.undoing import all_or_nothing
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

if TYPE_CHECKING:
    from gridarium.episodes.multi_agent.episode import MultiAgentEpisode


def cut(episode: MultiAgentEpisode, lookback: int) -> MultiAgentEpisode:
    """See `MultiAgentEpisode.cut`."""
    if episode.is_done:
        raise EpisodeOverError(f"{episode!r} is over: nothing can follow")
    if lookback < 0:
        raise EpisodeError(f"len_lookback_buffer is 0 or more, got {lookback}")
    total = _end(episode)
    lookback = max(lookback, *_waiting(episode, lookback), 0)
    new = _like(episode, episode.env_t, lookback)
    for agent, agent_episode in episode.agent_episodes.items():
        if agent_episode.is_done:
            new._done_before[agent] = True
            continue
        missing = [SKIPPED] * max(lookback - total, 0)
        steps = missing + _entries(episode, agent, max(total - lookback, 0), total + 1)
        observed = len(steps) - steps.count(SKIPPED)
        if observed:
            _add_agent(new, agent, agent_episode.cut(observed - 1), steps, lookback)
            new._copy_hanging(agent, episode)
        elif agent in episode._hanging_rewards_end:
            new._hanging_rewards_begin[agent] = episode._hanging_rewards_end[agent]
            new._hanging_rewards_end[agent] = 0.0
    return new


def _waiting(episode: MultiAgentEpisode, lookback: int) -> list[int]:
    """For each agent with something to come, how many steps ago its last observation was.

    With no lookback wanted, agents that wait and have observed at the chunk's first step are left out: so it is in RLlib,
    whose tests ask for it.
    """
    ages = []
    for agent, agent_episode in episode.agent_episodes.items():
        steps = episode.env_t_to_agent_t[agent]
        left_out = lookback == 0 and agent in episode._hanging_actions_end and steps.get(0) != SKIPPED
        if agent_episode.is_done or left_out:
            continue
        entries = _entries(episode, agent, 0, steps.len_incl_lookback())
        ages.append(next(age for age, step in enumerate(reversed(entries)) if step != SKIPPED))
    return ages


def part(episode: MultiAgentEpisode, steps: slice, lookback: int | None) -> MultiAgentEpisode:
    """See `MultiAgentEpisode.slice`."""
    start, stop, step = steps.indices(len(episode))
    if step != 1:
        raise NotImplementedError(
            f"steps of an episode follow each other: the step of a slice is 1, got {step}"
        )
    stop = max(start, stop)
    begin = episode._len_lookback_buffers + start
    lookback = min(episode._len_lookback_buffers if lookback is None else lookback, begin)
    new = _like(episode, episode.env_t_started + start, lookback)
    new.env_t += stop - start
    for agent in episode.agent_episodes:
        entries = _entries(episode, agent, begin - lookback, begin + stop - start + 1)
        _add_part(new, episode, agent, entries, lookback)
        if (
            agent not in new.agent_episodes
            and episode._over(agent)
            and _observed(episode, agent)[-1] <= begin
        ):
            new._done_before[agent] = True
    if stop == len(episode):
        new.is_terminated, new.is_truncated = episode.is_terminated, episode.is_truncated
    for agent, reward in episode._hanging_rewards_begin.items():
        if _begins_within(episode, agent, start, stop):
            new._hanging_rewards_begin[agent] = reward
    return new


def _begins_within(episode: MultiAgentEpisode, agent: AgentID, start: int, stop: int) -> bool:
    """Whether an agent's first observation lies in a range of steps, so that what came before it is kept with the range.

    Of ranges that follow each other it lies in one. An agent without observations begins with the last step.
    """
    first = (_observed(episode, agent) or [_end(episode)])[0] - episode._len_lookback_buffers
    return (start == 0 and stop == len(episode)) or start < min(max(first, 1), len(episode)) <= stop


def _observed(episode: MultiAgentEpisode, agent: AgentID) -> list[int]:
    """The places, counted with the lookback, at which an agent got observations."""
    entries = _entries(episode, agent, 0, _end(episode) + 1) if agent in episode.agent_episodes else []
    return [place for place, step in enumerate(entries) if step != SKIPPED]


def _end(episode: MultiAgentEpisode) -> int:
    return episode._len_lookback_buffers + len(episode)


def _add_part(
    new: MultiAgentEpisode, episode: MultiAgentEpisode, agent: AgentID, entries: list[Any], lookback: int
) -> None:
    """Add an agent to a part of an episode, if it has observations there that something can follow."""
    agent_episode = episode.agent_episodes[agent]
    observed = [step for step in entries if step != SKIPPED]
    before = sum(step != SKIPPED for step in entries[:lookback])
    if not observed or (
        before == len(observed) and agent_episode.is_done and observed[-1] == agent_episode.t
    ):
        return
    before = min(before, len(observed) - 1)
    first = observed[0] - first_step(agent_episode)
    last = first + len(observed) - 1

    def within(buffer: InfiniteLookbackBuffer, current: int) -> InfiniteLookbackBuffer:
        missing = 0 if current else agent_episode.actions.len_incl_lookback() - buffer.len_incl_lookback()
        return buffer.part(max(first - missing, 0), max(last - missing, 0) + current, before)

    chunk = single.like(agent_episode, within, observed[before])
    if observed[-1] == agent_episode.t:
        chunk.is_terminated, chunk.is_truncated = agent_episode.is_terminated, agent_episode.is_truncated
    _add_agent(new, agent, chunk, entries, lookback)
    if entries[-1] != SKIPPED:
        return
    if observed[-1] == agent_episode.t:
        new._copy_hanging(agent, episode)
    else:
        outputs = {key: buffer.stored(last) for key, buffer in agent_episode.extra_model_outputs.items()}
        new._hang(agent, agent_episode.actions.stored(last), agent_episode.rewards.stored(last), outputs)


def concat(episode: MultiAgentEpisode, other: MultiAgentEpisode) -> None:
    """See `MultiAgentEpisode.concat_episode`."""
    if episode.id_ != other.id_:
        raise EpisodeError(f"chunks of different episodes: {episode.id_} and {other.id_}")
    if episode.is_done:
        raise EpisodeOverError(f"{episode!r} is over: nothing can follow")
    if episode.env_t != other.env_t_started:
        raise EpisodeError(f"the chunk begins at step {other.env_t_started}, expected {episode.env_t}")
    joins = [Join(episode, other, agent) for agent in {**episode.agent_episodes, **other.agent_episodes}]
    for join in joins:
        join.check()
    known = set(episode.agent_episodes)  # for whom the chunk began with what hung when it was cut, if it did
    with all_or_nothing(episode):
        for join in joins:
            join.run()
    for agent, reward in other._hanging_rewards_begin.items():
        if agent not in known:
            episode._hanging_rewards_begin[agent] += reward
    episode._drop_begins()
    episode.env_t = other.env_t
    episode.is_terminated, episode.is_truncated = other.is_terminated, other.is_truncated
    episode._last_step_time = other._last_step_time or episode._last_step_time
    episode.custom_data.update(other.custom_data)


def _like(episode: MultiAgentEpisode, env_t: int, lookback: int) -> MultiAgentEpisode:
    """An episode with the same names and spaces, and without agents, that begins at a step."""
    new = type(episode)(
        episode.id_,
        observation_space=episode.observation_space,
        action_space=episode.action_space,
        env_t_started=env_t,
        agent_module_ids=episode._agent_to_module_mapping,
        agent_to_module_mapping_fn=episode.agent_to_module_mapping_fn,
    )
    new._len_lookback_buffers = lookback
    new._done_before.update(episode._done_before)
    new.custom_data.update(copy.deepcopy(episode.custom_data))
    return new


def _add_agent(
    new: MultiAgentEpisode, agent: AgentID, agent_episode: SingleAgentEpisode, steps: list[Any], lookback: int
) -> None:
    new.agent_episodes[agent] = agent_episode
    new.agent_t_started[agent] = agent_episode.t_started
    new.env_t_to_agent_t[agent] = InfiniteLookbackBuffer(steps, lookback)


def _entries(episode: MultiAgentEpisode, agent: AgentID, start: int, stop: int) -> list[Any]:
    """What the mapping of an agent holds at places counted with the lookback."""
    return episode.env_t_to_agent_t[agent].stored_range(start, stop)  # type: ignore[no-any-return]
