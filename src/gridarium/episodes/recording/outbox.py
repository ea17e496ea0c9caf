"""Where finished episodes wait to be taken, or go at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gridarium.episodes.structs import Struct, map_structs


class Outbox:
    """Episodes that have ended.

    Args:
        sink: gets each of them at once; without one they wait for `take`.
    """

    def __init__(self, sink: Callable[[Any], object] | None) -> None:
        self._sink = sink
        self._waiting: list[Any] = []

    def put(self, episode: Any) -> None:
        """An episode, or a chunk of one, that will not change any more."""
        if self._sink is not None:
            self._sink(episode)
        else:
            self._waiting.append(episode)

    def cut(self, episode: Any, lookback: int) -> Any:
        """Put what an episode holds by now as a chunk; gives the chunk that goes on from there."""
        if not _goes_on(episode):
            return episode
        self.put(episode)
        return episode.cut(lookback)

    def break_off(self, episode: Any) -> None:
        """Put an episode that goes on no further: truncated, since its last observation is no end."""
        if _goes_on(episode):
            episode.is_truncated = True
            self.put(episode)

    def take(self) -> list[Any]:
        """Those that have ended since the last time."""
        taken, self._waiting = self._waiting, []
        return taken


def _goes_on(episode: Any) -> bool:
    return episode is not None and len(episode) > 0 and not episode.is_done


def copied(item: Struct) -> Struct:
    """An item that does not change when the environment writes into its arrays."""
    return map_structs(lambda _, leaf: leaf.copy() if isinstance(leaf, np.ndarray) else leaf, item)
