"""Links that cannot be guessed: who has one is who it says, with the rights of its role. No web code."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Iterator
from enum import StrEnum


class Role(StrEnum):
    """What somebody may do."""

    EXPERIMENTER = "experimenter"
    """See everything, steer time, speak as the experimenter."""
    PLAYER = "player"
    """See what an agent perceives, decide for it, speak as it."""
    WATCHER = "watcher"
    """See what an agent perceives, or everything."""


class Seat:
    """A place for somebody who has its link, on one or several pages.

    Args:
        role: what it allows.
        agent_id: whose view it has; None for everything.
        token: the secret part of its link; by default a new one.

    Attributes:
        role, agent_id, token: as given.
        pages: how many pages are open.
        read: for each room, how many of its messages have been read.
        known: the ids of agents that it knows of.
    """

    def __init__(self, role: Role, agent_id: str | None = None, token: str | None = None) -> None:
        self.role, self.agent_id = role, agent_id
        self.token = secrets.token_urlsafe(24) if token is None else token
        self.pages = 0
        self.read: dict[int, int] = {}
        self.known: dict[str, None] = {}

    @property
    def path(self) -> str:
        """The address of its page, from the root of the server."""
        return f"/p/{self.token}/"


class Links:
    """The seats of a world, found by the secrets of their links.

    Args:
        seats: all of them at first; there is an experimenter's among them.
    """

    def __init__(self, seats: Iterable[Seat]) -> None:
        self._seats = {_digest(seat.token): seat for seat in seats}
        self.experimenter = next(seat for seat in self if seat.role is Role.EXPERIMENTER)

    def __iter__(self) -> Iterator[Seat]:
        return iter(self._seats.values())

    def add(self, seat: Seat) -> None:
        """Add a seat, also while others look through them."""
        self._seats = {**self._seats, _digest(seat.token): seat}

    def find(self, token: str) -> Seat | None:
        """The seat of a secret; None if there is none. Takes as long for secrets that are almost right as for others."""
        return self._seats.get(_digest(token))


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
