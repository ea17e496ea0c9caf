"""How far the episodes of many tracks have come."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.episodes.recording.forms import Columns
from gridarium.episodes.recording.pieces import Flags, Integers


class Progress:
    """The present episode of each of `n` tracks. Slots are those of the reels; `slot` is the latest one.

    Attributes:
        live: bool[n]: whether there is one.
        since: int64[n]: the slot of its first row, of its lookback if it has one.
        lookback: int64[n]: how many of its first steps are history.
        t_started: int64[n]: the step of the whole episode at which it begins, after its lookback.
        number: int64[n]: how many there were before it.
        given: bool[n]: whether chunks of it have been given away, which are not done.
    """

    def __init__(self, n: int) -> None:
        self.live = np.zeros(n, np.bool_)
        self.since = np.zeros(n, np.int64)
        self.lookback = np.zeros(n, np.int64)
        self.t_started = np.zeros(n, np.int64)
        self.number = np.full(n, -1, np.int64)
        self.given = np.zeros(n, np.bool_)

    def start(self, tracks: npt.NDArray[Any], slot: int) -> None:
        """The next episodes begin in some tracks."""
        self.since[tracks] = slot
        self.lookback[tracks] = self.t_started[tracks] = 0
        self.live[tracks] = True
        self.given[tracks] = False
        self.number[tracks] += 1

    def steps(self, slot: int) -> Integers:
        """int64[n]: how many steps each has taken since it began, or since it was cut."""
        return slot - self.since - self.lookback

    def going(self, slot: int) -> Integers:
        """The tracks with an episode that is going on and has a step."""
        return np.flatnonzero(self.live & (self.steps(slot) > 0))

    def unfinished(self, slot: int) -> Integers:
        """The tracks with an episode of which it is still to be told how it ended: those, and where chunks were given."""
        return np.flatnonzero(self.live & (self.given | (self.steps(slot) > 0)))

    def end(
        self, tracks: Integers, slot: int, terminated: Flags | bool = False, truncated: Flags | bool = False
    ) -> Columns:
        """The episodes of some tracks end; gives what is known of them."""
        self.live[tracks] = False
        return {
            "track": tracks,
            "since": self.since[tracks],
            "until": np.full_like(tracks, slot),
            "lookback": self.lookback[tracks],
            "t_started": self.t_started[tracks],
            "number": self.number[tracks],
            "terminated": np.broadcast_to(terminated, tracks.shape),
            "truncated": np.broadcast_to(truncated, tracks.shape),
        }

    def cut(self, tracks: Integers, slot: int, lookback: int) -> Columns:
        """The episodes of some tracks go on as chunks, with at most so much lookback; gives what ends here."""
        steps = self.steps(slot)[tracks]
        ended = self.end(tracks, slot)
        self.live[tracks] = self.given[tracks] = True
        self.t_started[tracks] += steps
        since = np.maximum(self.since[tracks], slot - lookback)
        self.since[tracks], self.lookback[tracks] = since, slot - since
        return ended
