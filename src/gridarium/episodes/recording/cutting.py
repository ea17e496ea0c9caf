"""Where in the reels the rows of ended episodes lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gridarium.episodes.recording.forms import Columns
from gridarium.episodes.recording.infos import InfoLog
from gridarium.episodes.recording.pieces import Integers, Pieces
from gridarium.episodes.recording.reels import Reel


class Ends:
    """Episodes that have ended: their facts and their last observations, in the order in which they ended.

    Args:
        observed: the names of the columns of observations.
        agents: how many tracks belong to one world.
    """

    def __init__(self, observed: Sequence[str], agents: int = 1) -> None:
        self._observed, self._agents = observed, agents
        self._facts: list[Columns] = []
        self._finals: list[Columns] = []

    def __bool__(self) -> bool:
        return bool(self._facts)

    def add(self, facts: Columns, finals: Columns) -> None:
        """Some have ended: an entry of each fact for each, and their last observations."""
        self._facts.append(facts)
        self._finals.append(finals)

    def take(self) -> tuple[Columns, Columns]:
        """All facts and all last observations since the last time."""
        facts = {key: np.concatenate([f[key] for f in self._facts]) for key in self._facts[0]}
        finals = {name: np.concatenate([f[name] for f in self._finals]) for name in self._observed}
        self._facts, self._finals = [], []
        return facts, finals

    def take_whole(self, going_on: Integers) -> tuple[Columns, Columns, Columns]:
        """Those of worlds whose episode has ended for all agents; the others wait here.

        Args:
            going_on: int64[worlds]: the number of the episode that goes on in each world; -1 for none.

        Returns:
            Facts and last observations, those of one world after another, in the order in which the worlds were over; and
            the facts of those that wait.
        """
        facts, finals = self.take()
        worlds = facts["track"] // self._agents
        waits = going_on[worlds] == facts["number"]
        waiting = chosen(facts, waits)
        if waits.any():
            self.add(waiting, chosen(finals, waits))
        _, which = np.unique(np.stack([worlds, facts["number"]]), axis=1, return_inverse=True)
        over = np.zeros(len(worlds), np.int64)
        np.maximum.at(over, which, np.arange(len(worlds)))
        order = np.lexsort((facts["track"], over[which]))
        order = order[~waits[order]]
        return chosen(facts, order), chosen(finals, order), waiting


def chosen(columns: Columns, which: Any) -> Columns:
    """Some entries of each column."""
    return {name: array[which] for name, array in columns.items()}


def infos_of(log: InfoLog, ends: Columns) -> list[dict[str, Any]]:
    """The infos of all rows of episodes.

    Args:
        log: what was told.
        ends: as for `cut`, and of each what was `told` with its last observation.
    """
    spans = zip(*(ends[name].tolist() for name in ("track", "since", "until", "told")), strict=True)
    return [
        info
        for track, since, until, told in spans
        for info in (*(log.at(slot, track) for slot in range(since, until)), told)
    ]


def cut(reels: Sequence[Reel], ends: Columns, finals: Columns) -> tuple[list[Columns], Pieces]:
    """The sources and the pieces of episodes.

    Args:
        reels: in which they lie.
        ends: of each `track`, `since` (its first slot) and `until` (the slot after its last action).
        finals: the last observations.
    """
    since, until, track = ends["since"], ends["until"], ends["track"]
    reels = [reel for reel in reels if reel.end > since.min() and reel.first < until.max()] or reels[-1:]
    shape = len(track), len(reels) + 1  # a piece of each reel, and the last observation, of each episode
    base, stride, count = (np.ones(shape, np.int64, order="F") for _ in range(3))
    for k, reel in enumerate(reels):
        begin = np.maximum(since, reel.first)
        count[:, k] = np.minimum(until, reel.end) - begin
        base[:, k], stride[:, k] = reel.places(track, begin)
    base[:, -1] = np.arange(len(track))
    there = count > 0
    source = np.broadcast_to(np.arange(shape[1]), shape)
    sources = [*(reel.rows for reel in reels), with_blanks(finals, reels[-1].rows)]
    return sources, Pieces(
        source[there], base[there], stride[there], count[there], np.cumsum(there.sum(axis=1))
    )


def with_blanks(observations: Columns, like: Columns) -> Columns:
    """Rows of observations alone, with zeros in all other columns."""
    n = len(next(iter(observations.values())))
    blanks = {
        name: np.broadcast_to(np.zeros((), rows.dtype), (n, *rows.shape[1:])) for name, rows in like.items()
    }
    return blanks | observations
