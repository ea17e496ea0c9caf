"""Rows of many tracks, time step by time step.

A track is what one agent of one world goes through, episode after episode. Writing a time step of all tracks is a plain copy;
which rows make an episode is found out later.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.engine.threads.array_pool import ArrayBlock, ArrayPool
from gridarium.engine.threads.outputs import OutputLane
from gridarium.episodes.recording.episode_recorder_base import copied
from gridarium.episodes.recording.schema import Column, Columns, Flags, Integers

SEGMENT_BYTES = 16 << 20
"""The approximate size of a segment."""
MAX_LENGTH, MIN_LENGTH = 4096, 16
"""Limits of the number of time steps of a segment."""
IDLE_BYTES = 256 << 20
"""The most memory of former segments that is kept for reuse."""
KEPT_SEGMENTS = 256
"""The most segments whose memory is kept for reuse, in use or not."""


class RolloutSegment:
    """Columns [time, tracks, ...] of some time steps.

    Args:
        columns: what is recorded.
        first: the number of the first time step.
        length: how many time steps.
        tracks: how many tracks.
        pool: for memory.

    Attributes:
        data: name -> array[time, tracks, ...]; once most of it was dropped, array[rows, ...].
    """

    def __init__(
        self,
        columns: dict[str, Column],
        first: int,
        length: int,
        tracks: int,
        pool: ArrayPool[ArrayBlock] | None = None,
    ) -> None:
        self.first, self.length, self.tracks = first, length, tracks
        self.data: Columns = {}
        self._pool = pool or segment_pool()
        self._base: Integers | None = None
        self._lanes: dict[str, OutputLane] = {}
        self.add_columns(columns)

    def add_columns(self, columns: dict[str, Column]) -> None:
        """Allocate columns that are not there yet."""
        new = {name: column for name, column in columns.items() if name not in self.data}
        forms = [((self.length, self.tracks, *column.shape), column.dtype) for column in new.values()]
        self.data |= dict(zip(new, self._pool.get(forms).arrays, strict=True))
        self._pool.trim(IDLE_BYTES)

    @property
    def end(self) -> int:
        """The number of the time step after the last one."""
        return self.first + self.length

    @property
    def rows(self) -> Columns:
        """Name -> array[rows, ...]."""
        if self._base is not None:
            return self.data
        return {name: array.reshape(-1, *array.shape[2:]) for name, array in self.data.items()}

    def at(self, name: str, t: int) -> npt.NDArray[Any]:
        """array[tracks, ...]: a column at one time step, a writable view."""
        view: npt.NDArray[Any] = self.data[name][t - self.first]
        return view

    def lane(self, name: str, lead: tuple[int, ...]) -> OutputLane:
        """Return a column into which a batch can write, with its tracks as the axes [n] or [n, agents]."""
        if name not in self._lanes:
            array = self.data[name]
            self._lanes[name] = OutputLane(array.reshape(self.length, *lead, *array.shape[2:]))
        return self._lanes[name]

    def row_ranges(self, tracks: Integers, t: Integers) -> tuple[Integers, Integers]:
        """Return int64[n] twice: the row of each track at a time step, and the distance in rows to its next time step."""
        within = t - self.first
        if self._base is None:
            return within * self.tracks + tracks, np.full_like(within, self.tracks)
        return self._base[tracks] + within, np.ones_like(within)

    def drop_before(self, since: Integers) -> None:
        """Drop what is not needed any more, if that is more than half.

        Args:
            since: int64[tracks]: from which time step on a track is needed.
        """
        start = np.clip(since - self.first, 0, self.length)
        counts = self.length - start
        if self._base is not None or int(counts.sum()) * 2 > self.length * self.tracks:
            return
        first = np.cumsum(counts) - counts
        track = np.repeat(np.arange(self.tracks), counts)
        t = np.arange(len(track)) - np.repeat(first, counts) + np.repeat(start, counts)
        rows = t * self.tracks + track
        self.data = {name: array.take(rows, axis=0) for name, array in self.rows.items()}
        self._base = first - start
        self._lanes.clear()


class RolloutBuffer:
    """The time steps of many tracks that are still needed, in segments.

    Args:
        columns: what is recorded.
        tracks: how many tracks.

    Attributes:
        t: the number of the latest time step; -1 before the first.
        segments: in order; the latest time step is in the last one.
    """

    def __init__(self, columns: dict[str, Column], tracks: int) -> None:
        self._columns, self._tracks = columns, tracks
        self._length = segment_length(columns, tracks)
        self._pool = segment_pool()
        self._next: RolloutSegment | None = None
        self.segments: list[RolloutSegment] = []
        self.t = -1

    @property
    def at_segment_start(self) -> bool:
        """True if the latest time step is the first one of its segment."""
        return self.t == self.segments[-1].first

    def at(self, name: str) -> npt.NDArray[Any]:
        """array[tracks, ...]: a column at the latest time step, a writable view."""
        return self.segments[-1].at(name, self.t)

    def latest(self) -> tuple[RolloutSegment, int]:
        """Return the segment of the latest time step, and its index in there."""
        return self.segments[-1], self.t - self.segments[-1].first

    def next(self) -> tuple[RolloutSegment, int]:
        """Return the segment of the next time step, and its index in there."""
        segment = self._next_segment()
        return segment, self.t + 1 - segment.first

    def advance(self) -> None:
        """Go on to the next time step."""
        segment = self._next_segment()
        self.t += 1
        if segment is self._next:
            self.segments.append(segment)
            self._next = None

    def add_columns(self, columns: dict[str, Column]) -> None:
        """Allocate further columns; `columns` are all of them."""
        self._columns = columns
        for segment in self.segments:
            segment.add_columns(columns)

    def drop_before(self, since: Integers) -> int:
        """Drop what is not needed any more.

        Args:
            since: int64[tracks]: from which time step on a track is needed; beyond the latest one if it is not.

        Returns:
            The first time step that any track needs.
        """
        earliest = min(int(since.min(initial=self.t)), self.t)
        self.segments = [segment for segment in self.segments if segment.end > earliest]
        for segment in self.segments:
            if segment.end <= self.t:
                segment.drop_before(since)
        return earliest

    def _next_segment(self) -> RolloutSegment:
        if self.segments and self.t + 1 < self.segments[-1].end:
            return self.segments[-1]
        if self._next is None:
            self._next = RolloutSegment(self._columns, self.t + 1, self._length, self._tracks, self._pool)
        return self._next


def segment_pool() -> ArrayPool[ArrayBlock]:
    """Return a pool of memory of former segments for new ones."""
    return ArrayPool(ArrayBlock, most=KEPT_SEGMENTS)


def segment_length(columns: dict[str, Column], tracks: int) -> int:
    """Return the number of time steps of a segment."""
    size = tracks * sum(column.nbytes for column in columns.values())
    return max(MIN_LENGTH, min(MAX_LENGTH, SEGMENT_BYTES // max(1, size)))


FINAL_KEYS = ("final_obs", "final_info")
"""The keys of infos that are about the episodes that have just ended."""


class VectorInfoLog:
    """The infos of many tracks by time step.

    Args:
        keys: which are recorded; None for all.
    """

    def __init__(self, keys: Collection[str] | None = None) -> None:
        self._keys = keys
        self._infos: dict[int, list[tuple[Flags | None, dict[str, Any]]]] = {}

    def add(self, t: int, infos: Mapping[str, Any], tracks: Flags | None = None) -> None:
        """Add the infos of the observations of a time step, in some tracks; by default in all of them."""
        own = (key for key in infos if key.removeprefix("_") not in FINAL_KEYS and self._records(key))
        kept = copied({key: infos[key] for key in own})
        if kept:
            self._infos.setdefault(t, []).append((None if tracks is None else tracks.copy(), kept))

    def at(self, t: int, track: int) -> dict[str, Any]:
        """Return the infos of one track at a time step."""
        for tracks, infos in reversed(self._infos.get(t, ())):
            if tracks is None or tracks[track]:
                return info_of(infos, track)
        return {}

    def final(self, infos: Mapping[str, Any], track: int) -> dict[str, Any]:
        """Return the last infos of an episode that ended, of `final_info`."""
        return {key: value for key, value in info_of(infos, track).items() if self._records(key)}

    def drop_before(self, t: int) -> None:
        """Drop the infos of earlier time steps."""
        for earlier in [known for known in self._infos if known < t]:
            del self._infos[earlier]

    def _records(self, key: str) -> bool:
        """Return whether a key, or the mask of a key, is recorded."""
        return self._keys is None or key.removeprefix("_") in self._keys


def info_of(infos: Mapping[str, Any], i: int) -> dict[str, Any]:
    """Return the infos of one world: of each key, `_key` is the mask of the worlds that have it."""
    found: dict[str, Any] = {}
    for key, value in infos.items():
        if key.startswith("_") and key[1:] in infos:
            continue
        mask = infos.get(f"_{key}")
        if mask is not None and not mask[i]:
            continue
        if isinstance(value, Mapping):
            found[key] = info_of(value, i)
        else:
            found[key] = value[i] if mask is not None or _has_entry(value, i) else value
    return found


def _has_entry(value: Any, i: int) -> bool:
    """Return whether a value without a mask has an entry for world `i`."""
    return isinstance(value, np.ndarray | list | tuple) and np.ndim(value) > 0 and i < len(value)
