"""What recorders of many worlds have in common: handing over what lies in their tracks."""

from __future__ import annotations

from typing import Any

from gridarium.episodes.recording.tracks import Tracks


class TakesBlocks:
    """Gives the episodes in its tracks away, as blocks."""

    _tracks: Tracks

    def take(self, *, ongoing: bool = False, lookback: int = 0) -> Any:
        """The episodes that have ended since the last time; with a sink, those that it has refused, and what it still waits for.

        Args:
            ongoing: also what is going on, as chunks that are not done; next time they go on from there.
            lookback: how many steps from before it those next chunks have at most.

        Returns:
            An `EpisodeBlock`, or a `MultiAgentBlock` where the agents of worlds are recorded together.
        """
        return self._tracks.take(ongoing=ongoing, lookback=lookback)

    def flush(self, *, ongoing: bool = False) -> None:
        """Hand the episodes that have ended to the sink; with `ongoing` also what is going on, as chunks.

        Without a sink they wait for `take`.

        Raises:
            Exception: what the sink raises, or has raised since this was last told; `take` gives what it refused.
        """
        self._tracks.flush(ongoing=ongoing)
