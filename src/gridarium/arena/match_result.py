"""The result of a match, and its JSON form."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from gridarium.arena.players.player import PlayerStatus

FORMAT = 1
"""The version of the JSON form."""


@dataclass(frozen=True)
class MatchMove:
    """A move of a match.

    Attributes:
        ply: moves of the same ply were made at the same time.
        seat: who moved.
        action: what.
        seconds: the time that the player took.
        forced: whether the match has chosen it, since the seat's player had failed.
    """

    ply: int
    seat: int
    action: str
    seconds: float
    forced: bool = False


@dataclass(frozen=True)
class SeatResult:
    """The result of a seat.

    Attributes:
        name: of its player.
        status: DONE, or the kind of its fault.
        reason: of the fault; "" without one.
        returned: the sum of its rewards until the end of the match.
        rank: from 0 for the best; equal seats share the best rank among them.
        seconds: the time that all its moves took.
        bank: the seconds that were left of its bank.
        output: the beginning of what its process has written to standard error, in its first game since it was started.
    """

    name: str
    status: PlayerStatus
    reason: str
    returned: float
    rank: int
    seconds: float
    bank: float
    output: str = ""


@dataclass(frozen=True)
class MatchResult:
    """The result of a match; with the game, its seed and the moves the match can be replayed.

    Attributes:
        game, config: the game and its parameters.
        seed: of the game's chance and of the players' random numbers.
        seats: the result of each seat.
        moves: in order.
        truncated: whether the match was cut off after its maximum number of plies.
        time_per_move, bank: the time that each seat had, see `TimeControl`.
    """

    game: str
    config: str
    seed: int
    seats: tuple[SeatResult, ...]
    moves: tuple[MatchMove, ...]
    truncated: bool = False
    time_per_move: float | None = None
    bank: float = 0.0

    @property
    def plies(self) -> int:
        """The number of times that somebody has moved."""
        return self.moves[-1].ply + 1 if self.moves else 0

    @property
    def winners(self) -> list[int]:
        """The seats with the best rank; nobody if all share it."""
        best = [i for i, seat in enumerate(self.seats) if seat.rank == 0]
        return best if len(best) < len(self.seats) or len(best) == 1 else []

    @property
    def points(self) -> list[float]:
        """For each seat the share of the other ones that it has beaten; half of those with the same rank."""
        others = max(1, len(self.seats) - 1)
        ranks = [seat.rank for seat in self.seats]
        return [(sum(r > own for r in ranks) + (ranks.count(own) - 1) / 2) / others for own in ranks]

    def to_json(self) -> str:
        """The result as JSON."""
        return json.dumps({"format": FORMAT} | asdict(self))

    @classmethod
    def from_json(cls, text: str) -> MatchResult:
        """The result of `to_json`.

        Raises:
            ValueError: the text is not that of a result.
        """
        try:
            data: dict[str, Any] = json.loads(text)
            if data.pop("format") != FORMAT:
                raise ValueError(f"not of format {FORMAT}")
            seats = tuple(
                SeatResult(**seat | {"status": PlayerStatus(seat["status"])}) for seat in data.pop("seats")
            )
            moves = tuple(MatchMove(**move) for move in data.pop("moves"))
            return cls(seats=seats, moves=moves, **data)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"not the result of a match: {error!r}") from None
