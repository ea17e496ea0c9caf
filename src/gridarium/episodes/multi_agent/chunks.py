"""Cutting the tables of episodes of several agents into chunks, and joining chunks."""

from __future__ import annotations

from typing import Any

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.multi_agent.agent_data import SKIPPED, AgentID
from gridarium.episodes.multi_agent.agent_tables import AgentTables, first_step
from gridarium.episodes.single_agent_episode import SingleAgentEpisode


def cut(tables: AgentTables, length: int, lookback: int) -> AgentTables:
    """Return the tables of the chunk that follows `length` steps; see `MultiAgentEpisode.cut`."""
    total = tables.lookback + length
    lookback = max(lookback, *_observation_ages(tables, lookback), 0)
    new = AgentTables(lookback)
    new.done_before.update(tables.done_before)
    for agent, episode in tables.episodes.items():
        if episode.is_done:
            new.done_before[agent] = True
            continue
        missing = [SKIPPED] * max(lookback - total, 0)
        steps = missing + tables.env_steps(agent, max(total - lookback, 0), total + 1)
        observed = len(steps) - steps.count(SKIPPED)
        if observed:
            new.add_agent(agent, episode.cut(observed - 1), steps)
            new.copy_hanging(agent, tables)
        elif agent in tables.hanging_rewards:
            new.begin_rewards[agent] = tables.hanging_rewards[agent]
            new.hanging_rewards[agent] = 0.0
    return new


def _observation_ages(tables: AgentTables, lookback: int) -> list[int]:
    """Return for each agent that is not done the number of steps since its last observation.

    With a lookback of 0, agents that wait and have observed at the chunk's first step are left out, as RLlib does, whose
    tests ask for it.
    """
    ages = []
    for agent, episode in tables.episodes.items():
        observed_first = tables.env_t_to_agent_t[agent].get(0) != SKIPPED
        left_out = lookback == 0 and agent in tables.hanging_actions and observed_first
        if episode.is_done or left_out:
            continue
        steps = tables.env_steps(agent)
        ages.append(next(age for age, step in enumerate(reversed(steps)) if step != SKIPPED))
    return ages


def slice_steps(tables: AgentTables, length: int, start: int, stop: int, lookback: int) -> AgentTables:
    """Return the tables of a range of the `length` steps of an episode; see `MultiAgentEpisode.slice`."""
    begin = tables.lookback + start
    new = AgentTables(lookback)
    new.done_before.update(tables.done_before)
    for agent in tables.episodes:
        steps = tables.env_steps(agent, begin - lookback, begin + stop - start + 1)
        _add_part(new, tables, agent, steps)
        if agent not in new.episodes and tables.is_done(agent) and _observed(tables, agent)[-1] <= begin:
            new.done_before[agent] = True
    for agent, reward in tables.begin_rewards.items():
        # An agent's first observation is in one of several ranges that follow each other, and what came before it is
        # kept with that one. An agent without observations begins with the last step.
        observed = _observed(tables, agent)
        first = observed[0] - tables.lookback if observed else length
        if (start == 0 and stop == length) or start < min(max(first, 1), length) <= stop:
            new.begin_rewards[agent] = reward
    return new


def _observed(tables: AgentTables, agent: AgentID) -> list[int]:
    """Return the positions, counted from the beginning of the lookback, at which an agent got observations."""
    steps = tables.env_steps(agent) if agent in tables.episodes else []
    return [position for position, step in enumerate(steps) if step != SKIPPED]


def _add_part(new: AgentTables, tables: AgentTables, agent: AgentID, steps: list[Any]) -> None:
    """Add an agent to a part of an episode, if it has observations there that something can follow."""
    episode = tables.episodes[agent]
    observed = [step for step in steps if step != SKIPPED]
    before = sum(step != SKIPPED for step in steps[: new.lookback])
    if not observed or (before == len(observed) and episode.is_done and observed[-1] == episode.t):
        return
    before = min(before, len(observed) - 1)
    first = observed[0] - first_step(episode)
    last = first + len(observed) - 1

    def within(buffer: InfiniteLookbackBuffer, current: int) -> InfiniteLookbackBuffer:
        missing = 0 if current else episode.actions.len_incl_lookback() - buffer.len_incl_lookback()
        return buffer.sub_buffer(max(first - missing, 0), max(last - missing, 0) + current, before)

    chunk = episode.with_buffers(within, observed[before])
    if observed[-1] == episode.t:
        chunk.is_terminated, chunk.is_truncated = episode.is_terminated, episode.is_truncated
    new.add_agent(agent, chunk, steps)
    if steps[-1] != SKIPPED:
        return
    if observed[-1] == episode.t:
        new.copy_hanging(agent, tables)
    else:
        outputs = {key: buffer.item_at(last) for key, buffer in episode.extra_model_outputs.items()}
        new.hang(agent, episode.actions.item_at(last), episode.rewards.item_at(last), outputs)


def concat(tables: AgentTables, length: int, other: AgentTables, other_length: int) -> None:
    """Add the tables of the chunk that follows `length` steps; see `MultiAgentEpisode.concat_episode`.

    Raises:
        EpisodeError: an agent does not continue there where it ends here; nothing has changed then.
    """
    agents = {**tables.episodes, **other.episodes}
    joins = [_Join(tables, length, other, other_length, agent) for agent in agents]
    for join in joins:
        join.check()
    known = set(tables.episodes)  # their rewards at the chunk's beginning are those that hung when it was cut
    with tables.all_or_nothing():
        for join in joins:
            join.run()
    for agent, reward in other.begin_rewards.items():
        if agent not in known:
            tables.begin_rewards[agent] += reward
    tables.drop_begin_rewards()


class _Join:
    """Adds what a later chunk holds of an agent to an earlier one.

    The agent may be in both, in the later only, or in the earlier only (or done there; then the later holds its lookback).
    In both, the later chunk continues from the observation with which the earlier ends; or its first observation follows
    the action that hangs in the earlier one.
    """

    def __init__(
        self, tables: AgentTables, length: int, other: AgentTables, other_length: int, agent: AgentID
    ) -> None:
        self._tables, self._other, self._agent = tables, other, agent
        self._length, self._other_length = length, other_length
        self._mine = tables.episodes.get(agent)
        self._theirs = other.episodes.get(agent)
        self._done = self._mine is not None and self._mine.is_done

    def check(self) -> None:
        """Raise an `EpisodeError` if it is not possible."""
        mine, theirs, agent = self._mine, self._theirs, self._agent
        if self._done and theirs is not None and len(theirs):
            raise EpisodeError(f"agent {agent!r} is done, but has steps in the chunk that follows")
        if mine is None or theirs is None or self._done:
            return
        if self._after_a_gap(theirs):
            if agent not in self._tables.hanging_actions:
                raise EpisodeError(f"agent {agent!r} begins anew in the chunk, but had not acted before it")
            if theirs.t_started not in (0, mine.t + 1):
                raise EpisodeError(
                    f"agent {agent!r} goes on at its step {theirs.t_started}, expected {mine.t + 1}"
                )
            return
        try:
            mine.check_follows(theirs)
        except EpisodeError as error:
            raise EpisodeError(f"agent {agent!r}: {error}") from error

    def run(self) -> None:
        """Do it."""
        tables, agent = self._tables, self._agent
        if self._theirs is None or self._done:
            steps = [SKIPPED] * self._other_length
            if self._done:
                tables.forget_hanging(agent)
            elif agent in self._other.begin_rewards:  # those that hung when the chunk was cut
                tables.hanging_rewards[agent] = self._other.begin_rewards[agent]
        else:
            steps = self._other.env_t_to_agent_t[agent].get(slice(1, None))
            if self._mine is None:
                steps = self._adopt(self._theirs) + steps
            elif self._after_a_gap(self._theirs):
                steps = self._bridge(self._mine, self._theirs, steps)
            else:
                self._mine.concat_episode(self._theirs)
            tables.copy_hanging(agent, self._other)
        tables.env_t_to_agent_t[agent].extend(steps)

    def _after_a_gap(self, theirs: SingleAgentEpisode) -> bool:
        """Return whether the agent's later chunk begins with an observation after the environment's first step."""
        return theirs.t_started in self._other.env_t_to_agent_t[self._agent].get()[1:]

    def _adopt(self, theirs: SingleAgentEpisode) -> list[Any]:
        """Add an agent of the later chunk. What was its lookback there stays that of its own episode."""
        skipped = [SKIPPED] * (self._tables.lookback + self._length)
        self._tables.add_agent(self._agent, theirs[:], skipped)
        return [self._other.env_t_to_agent_t[self._agent].get(0)]

    def _bridge(self, mine: SingleAgentEpisode, theirs: SingleAgentEpisode, steps: list[Any]) -> list[Any]:
        """Let the first observation of the later chunk follow the action that hangs in the earlier one."""
        begin = self._other.begin_rewards
        if self._agent in begin:  # those that hung when the chunk was cut
            self._tables.hanging_rewards[self._agent] = begin[self._agent]
        hanging = self._tables.release(self._agent)
        mine.add_env_step(
            theirs.get_observations(0),
            hanging.action,
            hanging.reward,
            theirs.get_infos(0),
            extra_model_outputs=hanging.extra_model_outputs,
        )
        theirs = theirs[:]
        shift = mine.t - theirs.t_started  # of an agent that began anew
        theirs.id_, theirs.t, theirs.t_started = mine.id_, theirs.t + shift, mine.t
        mine.concat_episode(theirs)
        return [step if step == SKIPPED else step + shift for step in steps]
