"""Reels: what happened in many tracks side by side, slot by slot, as it comes.

A track is what one agent of one world goes through, episode after episode. Writing a slot of all tracks is a plain copy;
which rows make an episode is found out later.
"""

from __future__ import annotations

import itertools
import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.engine.outputs import COUNTED, Lane
from gridarium.episodes.recording.forms import Column, Columns
from gridarium.episodes.recording.pieces import Integers

REEL_BYTES = 16 << 20
"""How large a reel is meant to be."""
MOST_SLOTS, FEWEST_SLOTS = 4096, 16
IDLE_BYTES = 256 << 20
"""How much memory of reels waits to be used again, at most."""
LINE = 64
"""Bytes of a cache line: where columns begin."""
ALONE = sys.getrefcount([np.empty(0)][0]) + 1
"""How often an array in a list is referred to if nobody else holds it."""


class Shelf:
    """Memory of reels that nobody looks at any more, for the next ones: the system's own is slow to get.

    CPython's counts of references tell who looks at it, as in `gridarium.engine.outputs`.
    """

    def __init__(self) -> None:
        self._given: list[npt.NDArray[np.uint8]] = []

    def get(self, size: int) -> npt.NDArray[np.uint8]:
        """So many bytes, in which anything may stand."""
        if not COUNTED:
            return np.empty(size, np.uint8)
        known, self._given = self._given, []
        idle, found = 0, None
        while known:  # from the last one used, the likeliest to be in the cache
            if sys.getrefcount(known[-1]) > ALONE:
                self._given.append(known.pop())
            elif found is None and known[-1].size == size:
                found = known.pop()
            else:
                memory = known.pop()
                idle += memory.size
                if idle <= IDLE_BYTES:
                    self._given.append(memory)
        self._given.reverse()
        self._given.append(np.empty(size, np.uint8) if found is None else found)
        return self._given[-1]


class Reel:
    """Columns [slots, tracks, ...] of some slots.

    Args:
        columns: what is kept.
        first: the number of the first slot.
        slots, tracks: how many.

    Attributes:
        written: name -> array[slots, tracks, ...]; once little is kept, array[rows, ...].
    """

    def __init__(
        self, columns: dict[str, Column], first: int, slots: int, tracks: int, shelf: Shelf | None = None
    ) -> None:
        self.first, self.slots, self.tracks = first, slots, tracks
        self.written: Columns = {}
        self._shelf = shelf or Shelf()
        self._base: Integers | None = None
        self._lanes: dict[str, Lane] = {}
        self.widen(columns)

    def widen(self, columns: dict[str, Column]) -> None:
        """Make room for columns that are not there yet."""
        shapes = {
            name: ((self.slots, self.tracks, *column.shape), column.dtype)
            for name, column in columns.items()
            if name not in self.written
        }
        sizes = [-(-int(np.prod(shape)) * dtype.itemsize // LINE) * LINE for shape, dtype in shapes.values()]
        *begins, total = itertools.accumulate(sizes, initial=0)
        memory = self._shelf.get(total)
        for (name, (shape, dtype)), begin in zip(shapes.items(), begins, strict=True):
            self.written[name] = np.ndarray(shape, dtype, memory, begin)

    @property
    def end(self) -> int:
        """The number of the slot after its last one."""
        return self.first + self.slots

    @property
    def rows(self) -> Columns:
        """Name -> array[rows, ...]."""
        if self._base is not None:
            return self.written
        return {name: array.reshape(-1, *array.shape[2:]) for name, array in self.written.items()}

    def at(self, name: str, slot: int) -> npt.NDArray[Any]:
        """array[tracks, ...]: a column of one slot, for all tracks; what is written to it is kept."""
        of_slot: npt.NDArray[Any] = self.written[name][slot - self.first]
        return of_slot

    def lane(self, name: str, lead: tuple[int, ...]) -> Lane:
        """A column for a batch to write to; its tracks as the axes [n] or [n, agents]."""
        if name not in self._lanes:
            array = self.written[name]
            self._lanes[name] = Lane(array.reshape(self.slots, *lead, *array.shape[2:]))
        return self._lanes[name]

    def places(self, tracks: Integers, slots: Integers) -> tuple[Integers, Integers]:
        """The row where each of some tracks has a slot, and how many rows further the next slot is."""
        within = slots - self.first
        if self._base is None:
            return within * self.tracks + tracks, np.full_like(within, self.tracks)
        return self._base[tracks] + within, np.ones_like(within)

    def keep(self, since: Integers) -> None:
        """Keep only what is still wanted, if that is little.

        Args:
            since: int64[tracks]: from which slot on a track is wanted; beyond the last slot where it is not.
        """
        start = np.clip(since - self.first, 0, self.slots)
        counts = self.slots - start
        if self._base is not None or int(counts.sum()) * 2 > self.slots * self.tracks:
            return
        first = np.cumsum(counts) - counts
        track = np.repeat(np.arange(self.tracks), counts)
        slot = np.arange(len(track)) - np.repeat(first, counts) + np.repeat(start, counts)
        rows = slot * self.tracks + track
        self.written = {name: array.take(rows, axis=0) for name, array in self.rows.items()}
        self._base = first - start
        self._lanes.clear()


def slots_for(columns: dict[str, Column], tracks: int) -> int:
    """How many slots a reel has."""
    size = tracks * sum(column.nbytes for column in columns.values())
    return max(FEWEST_SLOTS, min(MOST_SLOTS, REEL_BYTES // max(1, size)))
