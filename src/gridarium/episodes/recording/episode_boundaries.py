"""Boundaries, rows and ids of the episodes of many tracks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from gridarium.episodes.recording.episode_block import RowRanges
from gridarium.episodes.recording.rollout_buffer import RolloutSegment, VectorInfoLog
from gridarium.episodes.recording.schema import Columns, Flags, Integers


class EpisodeProgress:
    """The current episode of each of `n` tracks. `t` is always the latest time step of the recording.

    Attributes:
        active: bool[n]: whether there is one.
        since: int64[n]: the time step of its first row, including its lookback.
        lookback: int64[n]: how many of its first steps are history.
        t_started: int64[n]: the step of the whole episode at which it begins, after its lookback.
        number: int64[n]: how many episodes there were before it.
        has_chunks: bool[n]: whether unfinished chunks of it have been taken.
    """

    def __init__(self, n: int) -> None:
        self.active = np.zeros(n, np.bool_)
        self.since = np.zeros(n, np.int64)
        self.lookback = np.zeros(n, np.int64)
        self.t_started = np.zeros(n, np.int64)
        self.number = np.full(n, -1, np.int64)
        self.has_chunks = np.zeros(n, np.bool_)

    def start(self, tracks: npt.NDArray[Any], t: int) -> None:
        """Begin the next episodes of some tracks."""
        self.since[tracks] = t
        self.lookback[tracks] = self.t_started[tracks] = 0
        self.active[tracks] = True
        self.has_chunks[tracks] = False
        self.number[tracks] += 1

    def steps(self, t: int) -> Integers:
        """Return int64[n]: how many steps each episode has, or each chunk since it was cut."""
        return t - self.since - self.lookback

    def ongoing(self, t: int) -> Integers:
        """Return the tracks with an active episode that has a step."""
        return np.flatnonzero(self.active & (self.steps(t) > 0))

    def unfinished(self, t: int) -> Integers:
        """Return the tracks with an episode whose end has to be recorded: those, and those of which chunks have been taken."""
        return np.flatnonzero(self.active & (self.has_chunks | (self.steps(t) > 0)))

    def end(
        self, tracks: Integers, t: int, terminated: Flags | bool = False, truncated: Flags | bool = False
    ) -> Columns:
        """End the episodes of some tracks, and return what is known of them, as columns."""
        self.active[tracks] = False
        return {
            "track": tracks,
            "since": self.since[tracks],
            "until": np.full_like(tracks, t),
            "lookback": self.lookback[tracks],
            "t_started": self.t_started[tracks],
            "number": self.number[tracks],
            "terminated": np.broadcast_to(terminated, tracks.shape),
            "truncated": np.broadcast_to(truncated, tracks.shape),
        }

    def cut(self, tracks: Integers, t: int, lookback: int) -> Columns:
        """End chunks of some tracks, which continue with at most this lookback; returns what is known of those that end."""
        steps = self.steps(t)[tracks]
        ended = self.end(tracks, t)
        self.active[tracks] = self.has_chunks[tracks] = True
        self.t_started[tracks] += steps
        since = np.maximum(self.since[tracks], t - lookback)
        self.since[tracks], self.lookback[tracks] = since, t - since
        return ended


class EndedEpisodes:
    """Episodes that have ended, in the order in which they did: what is known of them, and their last observations.

    Args:
        observed: the names of the columns of observations.
        agents: how many tracks belong to one world.
    """

    def __init__(self, observed: Sequence[str], agents: int = 1) -> None:
        self._observed, self._agents = observed, agents
        self._ended: list[Columns] = []
        self._finals: list[Columns] = []

    def __bool__(self) -> bool:
        return bool(self._ended)

    def add(self, ended: Columns, finals: Columns) -> None:
        """Add episodes: columns as of `EpisodeProgress.end`, and of the last observations."""
        self._ended.append(ended)
        self._finals.append(finals)

    def set_outcomes(self, number: Integers, outcomes: npt.NDArray[np.float64], *, earlier: bool) -> None:
        """Set outcomes of episodes that have ended.

        Args:
            number: int64[n]: the number of the latest episode of each track.
            outcomes: float64[n]: what came of it; NaN if it goes on.
            earlier: also of those that ended before the latest `add`.
        """
        for ended in self._ended if earlier else self._ended[-1:]:
            track = ended["track"]
            known = np.isnan(ended["outcome"]) & (ended["number"] == number[track])
            ended["outcome"][known] = outcomes[track[known]]

    def take(self) -> tuple[Columns, Columns]:
        """Remove and return all of them, as columns."""
        ended = {key: np.concatenate([e[key] for e in self._ended]) for key in self._ended[0]}
        finals = {name: np.concatenate([f[name] for f in self._finals]) for name in self._observed}
        self._ended, self._finals = [], []
        return ended, finals

    def take_complete(self, ongoing: Integers) -> tuple[Columns, Columns, Columns]:
        """Remove and return those of worlds whose episode has ended for all agents.

        Args:
            ongoing: int64[worlds]: the number of the active episode of each world; -1 for none.

        Returns:
            What is known of them and their last observations, ordered by when their world was done and then by agent; and
            what is known of the episodes that stay here.
        """
        ended, finals = self.take()
        worlds = ended["track"] // self._agents
        waits = ongoing[worlds] == ended["number"]
        waiting = select(ended, waits)
        if waits.any():
            self.add(waiting, select(finals, waits))
        _, which = np.unique(np.stack([worlds, ended["number"]]), axis=1, return_inverse=True)
        last = np.zeros(len(worlds), np.int64)
        np.maximum.at(last, which, np.arange(len(worlds)))
        order = np.lexsort((ended["track"], last[which]))
        order = order[~waits[order]]
        return select(ended, order), select(finals, order), waiting


def select(columns: Columns, which: npt.NDArray[Any]) -> Columns:
    """Return some entries of each column."""
    return {name: array[which] for name, array in columns.items()}


def infos_of(log: VectorInfoLog, ended: Columns) -> list[dict[str, Any]]:
    """Return the infos of all rows of episodes.

    Args:
        log: of all tracks.
        ended: as for `locate_rows`, and `info`, the info of the last observation.
    """
    spans = zip(*(ended[name].tolist() for name in ("track", "since", "until", "info")), strict=True)
    return [
        info
        for track, since, until, last in spans
        for info in (*(log.at(t, track) for t in range(since, until)), last)
    ]


def locate_rows(
    segments: Sequence[RolloutSegment], ended: Columns, finals: Columns
) -> tuple[list[Columns], RowRanges]:
    """Return the sources and the row ranges of episodes.

    Args:
        segments: in which they are.
        ended: of each `track`, `since` (its first time step) and `until` (the time step after its last action).
        finals: the last observations.
    """
    since, until, track = ended["since"], ended["until"], ended["track"]
    segments = [s for s in segments if s.end > since.min() and s.first < until.max()] or segments[-1:]
    shape = (
        len(track),
        len(segments) + 1,
    )  # of each episode one range in each segment, and its last observation
    base, stride, count = (np.ones(shape, np.int64, order="F") for _ in range(3))
    for k, segment in enumerate(segments):
        begin = np.maximum(since, segment.first)
        count[:, k] = np.minimum(until, segment.end) - begin
        base[:, k], stride[:, k] = segment.row_ranges(track, begin)
    base[:, -1] = np.arange(len(track))
    there = count > 0
    source = np.broadcast_to(np.arange(shape[1]), shape)
    sources = [*(segment.rows for segment in segments), _with_zeros(finals, segments[-1].rows)]
    ends = np.cumsum(there.sum(axis=1))
    return sources, RowRanges(source[there], base[there], stride[there], count[there], ends)


def _with_zeros(observations: Columns, like: Columns) -> Columns:
    """Return rows of observations, with zeros in all other columns."""
    n = len(next(iter(observations.values())))
    zeros = {
        name: np.broadcast_to(np.zeros((), rows.dtype), (n, *rows.shape[1:])) for name, rows in like.items()
    }
    return zeros | observations


@dataclass(frozen=True)
class EpisodeIds:
    """The ids of the episodes of one recording.

    Attributes:
        recording: random, so that episodes of two recordings never have the same id.
        agents: the ids of a world's agents; None if there is one.
    """

    recording: str
    agents: Sequence[Any] | None

    @property
    def agents_of_world(self) -> int:
        """The number of agents of a world."""
        return 1 if self.agents is None else len(self.agents)

    def ids(self, track: Integers, number: Integers) -> Sequence[str]:
        """`<recording>-<world>-<number of the episode>`, and the number of the agent if there are several."""
        if self.agents is None:
            return LazyIds(self.recording, track, number)
        several = self.agents_of_world
        return LazyIds(self.recording, track // several, number, track % several)

    def groups(self, track: Integers, number: Integers) -> Sequence[str] | None:
        """Return the ids of the episodes of several agents that these are parts of."""
        return None if self.agents is None else LazyIds(self.recording, track // self.agents_of_world, number)

    def agents_of(self, track: Integers) -> Sequence[Any] | None:
        """Return the ids of the agents."""
        agents = self.agents
        return None if agents is None else [agents[i] for i in (track % len(agents)).tolist()]


class LazyIds(Sequence[str]):
    """Ids of a prefix and columns of numbers, joined by hyphens."""

    def __init__(self, prefix: str, *numbers: Integers) -> None:
        self._prefix, self._numbers = prefix, numbers

    def __len__(self) -> int:
        return len(self._numbers[0])

    @overload
    def __getitem__(self, i: int) -> str: ...
    @overload
    def __getitem__(self, i: slice) -> list[str]: ...
    def __getitem__(self, i: int | slice) -> str | list[str]:
        if isinstance(i, slice):
            rows = zip(*[column[i].tolist() for column in self._numbers], strict=True)
            return ["-".join([self._prefix, *map(str, row)]) for row in rows]
        return "-".join([self._prefix, *(str(int(column[i])) for column in self._numbers)])


def parse_episode_id(id_: str) -> tuple[int, int]:
    """Return the world and the number of a recorded episode, from its id."""
    _, world, number, *_ = id_.split("-")
    return int(world), int(number)
