"""Matches on a cluster of Ray. Needs the extra `gridarium[ray]`."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gridarium.arena.match_result import MatchResult
from gridarium.arena.tournaments.scheduled_match import ScheduledMatch
from gridarium.arena.tournaments.worker import MatchSettings
from gridarium.games import GameError

NEEDED = "tournaments on a cluster need Ray: pip install 'gridarium[ray]'"
RETRIES = 3
"""How often a match is played again whose machine was lost."""
PATIENCE = 10.0
"""Seconds in which a cluster has to answer."""
PlayMatches = Callable[[Sequence[ScheduledMatch]], Iterator[tuple[ScheduledMatch, MatchResult | GameError]]]
"""Plays matches and yields each when it is over, with its result, or what the game has raised in it."""


@contextlib.contextmanager
def playing_on_cluster(
    address: str, settings: MatchSettings, named: Callable[[ScheduledMatch], Sequence[tuple[str, str]]]
) -> Iterator[PlayMatches]:
    """A function that plays matches on a cluster, as many at once as it has processors, and yields each when it is over.

    Args:
        address: of the cluster, "auto" for the one that this machine is part of, or "local" for one of its own.
        settings: of all matches; the game and the players' files are opened on the machines of the cluster, by the same paths.
        named: the name and text of each player of a match.

    Raises:
        ImportError: Ray is not installed.
        ValueError: there is no cluster at the address.
    """
    try:
        import ray
    except ImportError as error:
        raise ImportError(NEEDED) from error
    ours = not ray.is_initialized()
    if ours:
        try:
            _look(address)
            ray.init(address=address, log_to_driver=False)
        except OSError as error:
            raise ValueError(f"there is no cluster of Ray at {address}: {error}") from None
    play = ray.remote(num_cpus=1, max_retries=RETRIES)(settings.__class__.play)

    def play_all(
        matches: Sequence[ScheduledMatch],
    ) -> Iterator[tuple[ScheduledMatch, MatchResult | GameError]]:
        running: dict[Any, ScheduledMatch] = {
            play.remote(settings, named(match), match.seed): match for match in matches
        }
        try:
            while running:
                (done,), _ = ray.wait(list(running), num_returns=1)
                match = running.pop(done)
                try:
                    result = ray.get(done)
                except ray.exceptions.RayTaskError as error:
                    if not isinstance(error.cause, GameError):
                        raise
                    result = error.cause
                yield match, result
        finally:
            for left in running:
                ray.cancel(left, force=True)

    try:
        yield play_all
    finally:
        if ours:
            ray.shutdown()


def _look(address: str) -> None:
    """Whether anybody listens at `host:port`: Ray itself would try for minutes.

    Raises:
        OSError: nobody does.
    """
    host, colon, port = address.rpartition(":")
    if colon and port.isdecimal() and "/" not in host:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
