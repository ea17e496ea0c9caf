"""The reels of a recording, one after another: the present slot, the next one, and those that are still wanted."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from gridarium.episodes.recording.forms import Column
from gridarium.episodes.recording.pieces import Integers
from gridarium.episodes.recording.reels import Reel, Shelf, slots_for


class Spool:
    """Slots of many tracks.

    Args:
        columns: what is kept.
        tracks: how many.

    Attributes:
        slot: the number of the present slot; -1 before the first.
        reels: those that are still wanted, the one with the present slot last.
    """

    def __init__(self, columns: dict[str, Column], tracks: int) -> None:
        self._columns, self._tracks = columns, tracks
        self._slots = slots_for(columns, tracks)
        self._shelf = Shelf()
        self._next: Reel | None = None
        self.reels: list[Reel] = []
        self.slot = -1

    @property
    def turned(self) -> bool:
        """Whether the present slot is the first one of its reel."""
        return self.slot == self.reels[-1].first

    def at(self, name: str) -> npt.NDArray[Any]:
        """array[tracks, ...]: a column of the present slot; what is written to it is kept."""
        return self.reels[-1].at(name, self.slot)

    def here(self) -> tuple[Reel, int]:
        """The reel of the present slot, and which of its slots that is."""
        return self.reels[-1], self.slot - self.reels[-1].first

    def ahead(self) -> tuple[Reel, int]:
        """The reel of the next slot, and which of its slots that is."""
        reel = self._reel_ahead()
        return reel, self.slot + 1 - reel.first

    def advance(self) -> None:
        """Go on to the next slot."""
        reel = self._reel_ahead()
        self.slot += 1
        if reel is self._next:
            self.reels.append(reel)
            self._next = None

    def widen(self, columns: dict[str, Column]) -> None:
        """Make room for further columns."""
        self._columns = columns
        for reel in self.reels:
            reel.widen(columns)

    def keep(self, since: Integers) -> int:
        """Keep only what is still wanted, and tell from which slot on something is.

        Args:
            since: int64[tracks]: from which slot on a track is wanted; beyond the present one where it is not.
        """
        earliest = min(int(since.min(initial=self.slot)), self.slot)
        self.reels = [reel for reel in self.reels if reel.end > earliest]
        for reel in self.reels:
            if reel.end <= self.slot:
                reel.keep(since)
        return earliest

    def _reel_ahead(self) -> Reel:
        """The reel of the next slot."""
        if self.reels and self.slot + 1 < self.reels[-1].end:
            return self.reels[-1]
        if self._next is None:
            self._next = Reel(self._columns, self.slot + 1, self._slots, self._tracks, self._shelf)
        return self._next
