"""What vector environments tell besides: dicts of arrays with masks, slot by slot, until somebody wants a world's own."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from gridarium.episodes.recording.outbox import copied
from gridarium.episodes.recording.pieces import Flags

FINALS = ("final_obs", "final_info")
"""What of the infos of a vector environment is about the episodes that have just ended."""


class InfoLog:
    """The infos of many tracks by slots.

    Args:
        keys: which are kept; None for all.
    """

    def __init__(self, keys: Collection[str] | None = None) -> None:
        self._keys = keys
        self._slots: dict[int, list[tuple[Flags | None, dict[str, Any]]]] = {}

    def put(self, slot: int, infos: Mapping[str, Any], tracks: Flags | None = None) -> None:
        """What was told with the observations of a slot, in some tracks; by default in all of them."""
        own = (key for key in infos if key.removeprefix("_") not in FINALS and self.keeps(key))
        kept = copied({key: infos[key] for key in own})
        if kept:
            self._slots.setdefault(slot, []).append((None if tracks is None else tracks.copy(), kept))

    def at(self, slot: int, track: int) -> dict[str, Any]:
        """What was told in one track."""
        for tracks, infos in reversed(self._slots.get(slot, ())):
            if tracks is None or tracks[track]:
                return info_of(infos, track)
        return {}

    def final(self, infos: Mapping[str, Any], track: int) -> dict[str, Any]:
        """What was told last in an episode that ended, and was followed by the next one, in one step."""
        return {key: value for key, value in info_of(infos, track).items() if self.keeps(key)}

    def keeps(self, key: str) -> bool:
        """Whether a key, or the mask of a key, is kept."""
        return self._keys is None or key.removeprefix("_") in self._keys

    def forget(self, before: int) -> None:
        """Slots before this one are not asked for any more."""
        for slot in [slot for slot in self._slots if slot < before]:
            del self._slots[slot]


def info_of(infos: Mapping[str, Any], i: int) -> dict[str, Any]:
    """The infos of one world: Gymnasium's vector environments tell for each key in `_key` which worlds have it."""
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
            found[key] = value[i] if mask is not None or _has_place(value, i) else value
    return found


def _has_place(value: Any, i: int) -> bool:
    """Whether a value without a mask has an entry for world `i`."""
    return isinstance(value, np.ndarray | list | tuple) and np.ndim(value) > 0 and i < len(value)
