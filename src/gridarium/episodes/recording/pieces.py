"""What is known of many episodes, and where their rows lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Facts:
    """What is known of `n` episodes besides their columns.

    Attributes:
        ids: text of each; chunks of one episode share it.
        t_started: int64[n]: the step of the whole episode at which it begins, after its lookback.
        lookback: int64[n]: how many of its first steps are history.
        terminated, truncated: bool[n].
        agents: the agent's id of each, or None.
        modules: the policy's name of each, or None.
        groups: the id of the episode of several agents that each belongs to, or None.
        custom: what else is kept with each.
    """

    ids: Sequence[str]
    t_started: Integers
    lookback: Integers
    terminated: Flags
    truncated: Flags
    agents: Sequence[Any] | None = None
    modules: Sequence[str | None] | None = None
    groups: Sequence[str | int | None] | None = None
    custom: Sequence[dict[str, Any]] | None = None

    def __len__(self) -> int:
        return len(self.terminated)


@dataclass(frozen=True, eq=False)
class Pieces:
    """Where the rows of episodes lie: each piece is `count` rows of a source, from `base` on, every `stride`-th.

    Attributes:
        source, base, stride, count: int64[pieces], those of one episode after another.
        ends: int64[n]: up to which piece each episode goes.
    """

    source: Integers
    base: Integers
    stride: Integers
    count: Integers
    ends: Integers

    @staticmethod
    def plain(rows: Integers) -> Pieces:
        """Of episodes with so many rows that follow each other in one source."""
        n = len(rows)
        zeros, ones = np.zeros(n, np.int64), np.ones(n, np.int64)
        return Pieces(zeros, np.cumsum(rows) - rows, ones, rows, np.arange(1, n + 1))

    @cached_property
    def rows(self) -> Integers:
        """int64[n]: how many rows each episode has."""
        total = np.concatenate([[0], np.cumsum(self.count)])
        return np.diff(total[self.ends], prepend=0)

    @cached_property
    def whole(self) -> slice | None:
        """The range of rows that all pieces make up, if they lie in one source one after another."""
        if not len(self.count) or self.source.any() or not (self.stride == 1).all():
            return None
        follows = (self.base[1:] == (self.base + self.count)[:-1]).all()
        return slice(int(self.base[0]), int(self.base[-1] + self.count[-1])) if follows else None

    def of(self, episode: int) -> slice:
        """Which pieces an episode has."""
        return slice(int(self.ends[episode - 1]) if episode else 0, int(self.ends[episode]))

    def places(self, pieces: slice) -> tuple[Integers, Integers]:
        """int64[rows] twice: the source of each row of some pieces, and its place there."""
        counts = self.count[pieces]
        first = np.repeat(np.cumsum(counts) - counts, counts)
        within = np.arange(len(first)) - first
        places = np.repeat(self.base[pieces], counts) + within * np.repeat(self.stride[pieces], counts)
        return np.repeat(self.source[pieces], counts), places
