"""The names of recorded episodes: made when somebody asks for them."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from gridarium.episodes.recording.pieces import Integers


@dataclass(frozen=True)
class Names:
    """How the episodes of a recording are called.

    Attributes:
        recording: drawn at random, so that episodes of two recordings never have the same name.
        agents: the ids of a world's agents; None where there is one.
    """

    recording: str
    agents: Sequence[Any] | None

    @property
    def agents_of_world(self) -> int:
        """How many agents a world has."""
        return 1 if self.agents is None else len(self.agents)

    def ids(self, track: Integers, number: Integers) -> Sequence[str]:
        """`<recording>-<world>-<number of the episode>`, and the agent where there are several."""
        if self.agents is None:
            return Made([self.recording], track, number)
        several = self.agents_of_world
        return Made([self.recording], track // several, number, track % several)

    def groups(self, track: Integers, number: Integers) -> Sequence[str] | None:
        """The names of the episodes of several agents that these are parts of."""
        return None if self.agents is None else Made([self.recording], track // self.agents_of_world, number)

    def agents_of(self, track: Integers) -> Sequence[Any] | None:
        """The ids of the agents."""
        agents = self.agents
        return None if agents is None else [agents[i] for i in (track % len(agents)).tolist()]


class Made(Sequence[str]):
    """Names of numbers."""

    def __init__(self, begin: list[str], *numbers: Integers) -> None:
        self._begin, self._numbers = begin, numbers

    def __len__(self) -> int:
        return len(self._numbers[0])

    @overload
    def __getitem__(self, i: int) -> str: ...
    @overload
    def __getitem__(self, i: slice) -> list[str]: ...
    def __getitem__(self, i: int | slice) -> str | list[str]:
        if isinstance(i, slice):
            rows = zip(*[part[i].tolist() for part in self._numbers], strict=True)
            return ["-".join([*self._begin, *map(str, row)]) for row in rows]
        return "-".join([*self._begin, *(str(int(part[i])) for part in self._numbers)])


def place_of(id_: str) -> tuple[int, int]:
    """The world and the number of a recorded episode, from its id."""
    _, world, number, *_ = id_.split("-")
    return int(world), int(number)


class Chained(Sequence[Any]):
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
        place = range(len(self))[i]
        k = bisect.bisect_right(self._ends, place)
        return self._parts[k][place - self._ends[k]]
