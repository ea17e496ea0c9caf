"""Episodes of several agents who step together, as columns of their agents' own episodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.multi_agent import MultiAgentEpisode
from gridarium.episodes.recording.episode_block import EpisodeBlock, EpisodeSequence
from gridarium.episodes.recording.schema import Flags, Integers


@dataclass(frozen=True, eq=False)
class MultiAgentBlock(EpisodeSequence):
    """Episodes of several agents, as a sequence.

    All agents of an episode begin with it and step at each of its steps, until they are done: no action hangs.

    Attributes:
        parts: the agents' own episodes; those of one episode (with the same `metadata.groups`) follow each other.
        custom: custom data of each episode.
    """

    parts: EpisodeBlock
    custom: Sequence[dict[str, Any]] | None = None

    def __len__(self) -> int:
        return len(self._first)

    def __repr__(self) -> str:
        return f"<MultiAgentBlock of {len(self)} episodes, {self.steps} steps>"

    @cached_property
    def counts(self) -> Integers:
        """int64[n]: how many agents each episode has."""
        return np.diff(self._first, append=len(self.parts))

    @cached_property
    def ids(self) -> list[Any]:
        """The name of each episode."""
        groups = self.parts.metadata.groups
        return [] if groups is None else [groups[i] for i in self._first.tolist()]

    @cached_property
    def t_started(self) -> Integers:
        """int64[n]: the step of the whole episode at which each begins, after its lookback."""
        return self.parts.metadata.t_started[self._first]

    @cached_property
    def lengths(self) -> Integers:
        """int64[n]: how many of the environment's steps each has, without the lookback."""
        return self._reduce_agents(np.maximum, self.parts.lengths)

    @cached_property
    def returns(self) -> npt.NDArray[np.float64]:
        """float64[n]: the sum of all agents' rewards of each, without the lookback."""
        return self._reduce_agents(np.add, self.parts.returns)

    @cached_property
    def terminated(self) -> Flags:
        """bool[n]: which are done, and not broken off."""
        return self._last(self.parts.metadata.terminated) & ~self._is_ongoing

    @cached_property
    def truncated(self) -> Flags:
        """bool[n]: which were broken off: all agents that stayed until the end."""
        return self._last(self.parts.metadata.truncated) & ~self.terminated & ~self._is_ongoing

    def labelled(self, module: str, custom: Sequence[dict[str, Any]] | None = None) -> MultiAgentBlock:
        """Return the same episodes, with the name of a policy for all agents, and optionally custom data of each."""
        kept = self.custom if custom is None else custom
        metadata = replace(self.parts.metadata, modules=[module] * len(self.parts))
        return replace(self, parts=replace(self.parts, metadata=metadata), custom=kept)

    def episode(self, i: int) -> MultiAgentEpisode:
        """Episode `i`, from 0 to len - 1, as an object that returns arrays."""
        made, first = self.frame(i), int(self._first[i])
        for k in range(first, first + int(self.counts[i])):
            part = self.parts.episode(k)
            part.module_id = made.module_for(part.agent_id)
            made.agent_episodes[part.agent_id] = part
        return made

    def frame(self, i: int) -> MultiAgentEpisode:
        """Episode `i` without the data of its agents."""
        metadata, first = self.parts.metadata, int(self._first[i])
        mine = range(first, first + int(self.counts[i]))
        agents = [metadata.agents[k] if metadata.agents is not None else k - first for k in mine]
        spaces, modules = self.parts.spaces, metadata.modules
        begins, lookback, length = (
            int(metadata.t_started[first]),
            int(metadata.lookback[first]),
            int(self.lengths[i]),
        )
        made = MultiAgentEpisode(
            self.ids[i],
            observation_space=dict.fromkeys(agents, spaces[0]) if spaces[0] is not None else None,
            action_space=dict.fromkeys(agents, spaces[1]) if spaces[1] is not None else None,
            env_t_started=begins,
            agent_module_ids={
                a: m for a, k in zip(agents, mine, strict=True) if modules and (m := modules[k])
            },
        )
        made.tables.lookback = lookback
        made.env_t = begins + length
        made.is_terminated, made.is_truncated = bool(self.terminated[i]), bool(self.truncated[i])
        for agent, k in zip(agents, mine, strict=True):
            taken = int(self.parts.lengths[k])
            steps = [
                *range(begins - lookback, begins + taken + 1),
                *[made.SKIP_ENV_TS_TAG] * (length - taken),
            ]
            made.agent_t_started[agent] = begins
            made.env_t_to_agent_t[agent] = InfiniteLookbackBuffer(steps, lookback)
        if self.custom is not None:
            made.custom_data.update(self.custom[i])
        return made

    @cached_property
    def _first(self) -> Integers:
        """int64[n]: the first part of each episode."""
        groups = self.parts.metadata.groups
        names = range(len(self.parts)) if groups is None else groups[:]
        follows = [k for k in range(len(names)) if k == 0 or names[k] != names[k - 1]]
        return np.array(follows, np.int64)

    @cached_property
    def _is_ongoing(self) -> Flags:
        """bool[n]: which are not done."""
        return self._last(~self.parts.metadata.terminated & ~self.parts.metadata.truncated)

    def _reduce_agents(self, how: np.ufunc, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return a number for each episode, reduced from those of its agents."""
        found: npt.NDArray[Any] = how.reduceat(values, self._first) if len(self) else values[:0]
        return found

    def _last(self, flags: Flags) -> Flags:
        """Return bool[n]: whether a flag is set for an agent that stayed until the end."""
        stayed = self.parts.lengths == np.repeat(self.lengths, self.counts)
        return self._reduce_agents(np.logical_or, flags & stayed)
