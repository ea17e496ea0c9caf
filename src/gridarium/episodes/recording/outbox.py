"""What recorders of one environment have in common: where finished episodes wait to be taken, or go at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from gridarium.episodes.recording.refusals import Refusals
from gridarium.episodes.structs import Struct, map_structs


class RecordsEpisodes:
    """Gives away the episode that goes on, and those that have ended.

    Attributes:
        episode: the one that goes on, or has ended last; None before the first.
    """

    episode: Any
    _sink: Callable[[Any], object] | None
    _waiting: list[Any]
    _given: bool  # whether a chunk of the episode has been given away, which is not done
    _refusals: Refusals

    def take(self, *, ongoing: bool = False, lookback: int = 0) -> list[Any]:
        """The episodes that have ended since the last time; with a sink, those that it has refused.

        Args:
            ongoing: also what is going on, as a chunk that is not done; next time it goes on from there.
            lookback: how many steps from before it that next chunk has at most.
        """
        if ongoing and self._goes_on:
            self._put(self.episode)
            self.episode, self._given = self.episode.cut(lookback), True
        taken, self._waiting = self._waiting, []
        return taken

    def _record_to(self, sink: Callable[[Any], object] | None) -> None:
        """Begin to record; without a sink episodes wait for `take`."""
        self._sink, self._waiting, self.episode, self._given = sink, [], None, False
        self._refusals = Refusals()

    @property
    def _goes_on(self) -> bool:
        return self.episode is not None and len(self.episode) > 0 and not self.episode.is_done

    def _put(self, episode: Any) -> None:
        if self._sink is None:
            self._waiting.append(episode)
            return
        if not self._refusals.takes(self._sink, episode, f"episode {episode.id_}"):
            self._waiting.append(episode)

    @contextmanager
    def _broken_off_by_errors(self) -> Iterator[None]:
        """A step that is not recorded leaves no gap: the episode ends before it."""
        try:
            yield
        except BaseException:
            self._break_off()
            raise

    def _break_off(self) -> None:
        """The episode goes on no further: truncated, since its last observation is no end."""
        given_in_part = self._given and not self.episode.is_done
        if self._goes_on or given_in_part:
            self.episode.is_truncated = True
            self._put(self.episode)
        self.episode, self._given = None, False


def as_float(reward: Any) -> Any:
    """A reward as a float; what is none stays what it is, and is refused where it is added."""
    try:
        return float(reward)
    except (TypeError, ValueError):
        return reward


def copied(item: Struct) -> Struct:
    """An item that does not change when the environment writes into its arrays."""
    return map_structs(lambda _, leaf: leaf.copy() if isinstance(leaf, np.ndarray) else leaf, item)
