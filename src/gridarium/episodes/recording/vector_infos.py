"""The infos of vector environments: dicts of arrays with masks, kept until a world's own are needed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from gridarium.episodes.recording.schema import Flags
from gridarium.episodes.recording.sinks import copied

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
        """The infos of one track at a time step."""
        for tracks, infos in reversed(self._infos.get(t, ())):
            if tracks is None or tracks[track]:
                return info_of(infos, track)
        return {}

    def final(self, infos: Mapping[str, Any], track: int) -> dict[str, Any]:
        """The last infos of an episode that ended, of `final_info`."""
        return {key: value for key, value in info_of(infos, track).items() if self._records(key)}

    def drop_before(self, t: int) -> None:
        """Drop the infos of earlier time steps."""
        for earlier in [known for known in self._infos if known < t]:
            del self._infos[earlier]

    def _records(self, key: str) -> bool:
        """Whether a key, or the mask of a key, is recorded."""
        return self._keys is None or key.removeprefix("_") in self._keys


def info_of(infos: Mapping[str, Any], i: int) -> dict[str, Any]:
    """The infos of one world: of each key, `_key` is the mask of the worlds that have it."""
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
    """Whether a value without a mask has an entry for world `i`."""
    return isinstance(value, np.ndarray | list | tuple) and np.ndim(value) > 0 and i < len(value)
