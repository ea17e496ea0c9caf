"""Where in the reels the rows of ended episodes lie."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gridarium.episodes.recording.forms import Columns
from gridarium.episodes.recording.pieces import Integers, Pieces
from gridarium.episodes.recording.reels import Reel


class Ends:
    """Episodes that have ended: their facts and their last observations, in the order in which they ended.

    Args:
        observed: the names of the columns of observations.
    """

    def __init__(self, observed: Sequence[str]) -> None:
        self._observed = observed
        self._facts: list[Columns] = []
        self._finals: list[Columns] = []

    def __bool__(self) -> bool:
        return bool(self._facts)

    def add(self, finals: Columns, **facts: Integers) -> None:
        """Some have ended: their last observations, and an entry of each fact for each."""
        self._facts.append(facts)
        self._finals.append(finals)

    def take(self) -> tuple[Columns, Columns]:
        """All facts and all last observations since the last time."""
        facts = {key: np.concatenate([f[key] for f in self._facts]) for key in self._facts[0]}
        finals = {name: np.concatenate([f[name] for f in self._finals]) for name in self._observed}
        self._facts, self._finals = [], []
        return facts, finals


def cut(reels: Sequence[Reel], ends: Columns, finals: Columns) -> tuple[list[Columns], Pieces]:
    """The sources and the pieces of episodes.

    Args:
        reels: in which they lie.
        ends: of each `track`, `since` (its first slot) and `until` (the slot after its last action).
        finals: the last observations.
    """
    since, until, track = ends["since"], ends["until"], ends["track"]
    episodes = np.arange(len(track))
    found: list[tuple[Integers, ...]] = []  # episode, source, base, stride, count
    sources: list[Columns] = []
    for reel in reels:
        begin, end = np.maximum(since, reel.first), np.minimum(until, reel.first + reel.slots)
        here = np.flatnonzero(begin < end)
        if here.size:
            base, stride = reel.places(track[here], begin[here])
            source = np.full_like(here, len(sources))
            found.append((here, source, base, stride, end[here] - begin[here]))
            sources.append(reel.rows)
    ones = np.ones_like(episodes)
    found.append((episodes, np.full_like(episodes, len(sources)), episodes, ones, ones))
    sources.append(with_blanks(finals, reels[-1].rows))
    episode, source, base, stride, count = (np.concatenate(part) for part in zip(*found, strict=True))
    order = np.argsort(episode, kind="stable")  # reels are in order already, and last observations come last
    ends_at = np.searchsorted(episode[order], episodes, side="right")
    return sources, Pieces(source[order], base[order], stride[order], count[order], ends_at)


def with_blanks(observations: Columns, like: Columns) -> Columns:
    """Rows of observations alone, with zeros in all other columns."""
    n = len(next(iter(observations.values())))
    blanks = {
        name: np.broadcast_to(np.zeros((), rows.dtype), (n, *rows.shape[1:])) for name, rows in like.items()
    }
    return blanks | observations
