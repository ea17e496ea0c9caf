"""Joining what two chunks of an episode hold of one agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.chunks import check_follows
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.multi_agent.facts import SKIPPED
from gridarium.episodes.multi_agent.hanging import AgentID
from gridarium.episodes.single_agent_episode import SingleAgentEpisode

if TYPE_CHECKING:
    from gridarium.episodes.multi_agent.episode import MultiAgentEpisode


class Join:
    """Adds what a later chunk holds of an agent to an earlier one.

    The agent may be in both, in the later only, or in the earlier only (or done there; then what the later holds is its
    lookback). In both, the later chunk goes on from the observation with which the earlier ends; or its first one follows
    on the action that hangs in the earlier one.
    """

    def __init__(self, episode: MultiAgentEpisode, other: MultiAgentEpisode, agent: AgentID) -> None:
        self.episode, self.other, self.agent = episode, other, agent
        self.mine = episode.agent_episodes.get(agent)
        self.theirs = other.agent_episodes.get(agent)
        self.over = self.mine is not None and self.mine.is_done

    def check(self) -> None:
        """Raise an `EpisodeError` if it is not possible."""
        mine, theirs = self.mine, self.theirs
        if self.over and theirs is not None and len(theirs):
            raise EpisodeError(f"agent {self.agent!r} is done, but has steps in the chunk that follows")
        if mine is None or theirs is None or self.over:
            return
        if self._after_a_gap(theirs):
            if self.agent not in self.episode._hanging_actions_end:
                raise EpisodeError(
                    f"agent {self.agent!r} begins anew in the chunk, but had not acted before it"
                )
            if theirs.t_started not in (0, mine.t + 1):
                raise EpisodeError(
                    f"agent {self.agent!r} goes on at its step {theirs.t_started}, expected {mine.t + 1}"
                )
            return
        try:
            check_follows(mine, theirs)
        except EpisodeError as error:
            raise EpisodeError(f"agent {self.agent!r}: {error}") from error

    def run(self) -> None:
        """Do it."""
        steps = self._new_entries()
        if self.theirs is None or self.over:
            self._go_on_waiting()
        elif self.mine is None:
            steps = self._adopt(self.theirs) + steps
        else:
            if self._after_a_gap(self.theirs):
                steps = self._bridge(self.mine, self.theirs, steps)
            else:
                self.mine.concat_episode(self.theirs)
            self.episode._copy_hanging(self.agent, self.other)
        self.episode.env_t_to_agent_t[self.agent].extend(steps)

    def _after_a_gap(self, theirs: SingleAgentEpisode) -> bool:
        """Whether the agent's later chunk begins with an observation after the first step of the environment's."""
        return theirs.t_started in self.other.env_t_to_agent_t[self.agent].get()[1:]

    def _new_entries(self) -> list[Any]:
        if self.theirs is None or self.over:
            return [SKIPPED] * len(self.other)
        return self.other.env_t_to_agent_t[self.agent].get(slice(1, None))  # type: ignore[no-any-return]

    def _go_on_waiting(self) -> None:
        if self.over:
            self.episode._forget(self.agent)
        elif self.agent in self.other._hanging_rewards_begin:  # which began with what hung when it was cut
            self.episode._hanging_rewards_end[self.agent] = self.other._hanging_rewards_begin[self.agent]

    def _adopt(self, theirs: SingleAgentEpisode) -> list[Any]:
        """Take an agent over from the later chunk. What was its lookback there stays that of its own episode."""
        lookback, before = self.episode._len_lookback_buffers, len(self.episode)
        self.episode.agent_episodes[self.agent] = theirs[:]
        self.episode.agent_t_started[self.agent] = theirs.t_started
        self.episode.env_t_to_agent_t[self.agent] = InfiniteLookbackBuffer(
            [SKIPPED] * (lookback + before), lookback
        )
        self.episode._copy_hanging(self.agent, self.other)
        return [self.other.env_t_to_agent_t[self.agent].get(0)]

    def _bridge(self, mine: SingleAgentEpisode, theirs: SingleAgentEpisode, steps: list[Any]) -> list[Any]:
        """Let the first observation of the later chunk follow on the action that hangs in the earlier one."""
        begin = self.other._hanging_rewards_begin
        if self.agent in begin:  # which began with what hung when it was cut
            self.episode._hanging_rewards_end[self.agent] = begin[self.agent]
        transition = self.episode._release(self.agent)
        mine.add_env_step(
            theirs.get_observations(0),
            transition.action,
            transition.reward,
            theirs.get_infos(0),
            extra_model_outputs=transition.extra_model_outputs,
        )
        theirs = theirs[:]
        shift = mine.t - theirs.t_started  # of an agent that began anew
        theirs.id_, theirs.t, theirs.t_started = mine.id_, theirs.t + shift, mine.t
        mine.concat_episode(theirs)
        return [step if step == SKIPPED else step + shift for step in steps]
