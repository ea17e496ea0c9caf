"""The ids of recorded episodes, made when they are read."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from gridarium.episodes.recording.schema import Integers


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
        """How many agents a world has."""
        return 1 if self.agents is None else len(self.agents)

    def ids(self, track: Integers, number: Integers) -> Sequence[str]:
        """`<recording>-<world>-<number of the episode>`, and the number of the agent if there are several."""
        if self.agents is None:
            return LazyIds(self.recording, track, number)
        several = self.agents_of_world
        return LazyIds(self.recording, track // several, number, track % several)

    def groups(self, track: Integers, number: Integers) -> Sequence[str] | None:
        """The ids of the episodes of several agents that these are parts of."""
        return None if self.agents is None else LazyIds(self.recording, track // self.agents_of_world, number)

    def agents_of(self, track: Integers) -> Sequence[Any] | None:
        """The ids of the agents."""
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
    """The world and the number of a recorded episode, from its id."""
    _, world, number, *_ = id_.split("-")
    return int(world), int(number)


class ChainedSequence(Sequence[Any]):
    """Sequences one after another."""

    def __init__(self, parts: Sequence[Sequence[Any]]) -> None:
        self._parts = parts
        self._ends = list(itertools.accumulate(map(len, parts)))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[Any]:
        return itertools.chain.from_iterable(self._parts)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [item for part in self._parts for item in part[:]][i]
        position = range(len(self))[i]
        k = bisect.bisect_right(self._ends, position)
        return self._parts[k][position - self._ends[k]]
