"""The result of a tournament: standings, ratings and a cross table."""

from __future__ import annotations

from dataclasses import dataclass

from gridarium.agents.statistics import ConfidenceInterval
from gridarium.arena.match_result import MatchResult
from gridarium.arena.players.player import PlayerStatus
from gridarium.arena.ratings.strengths import fit_strengths
from gridarium.arena.tournaments.scheduled_match import ScheduledMatch


@dataclass(frozen=True)
class PlayedMatch:
    """A match of a tournament, and its result."""

    match: ScheduledMatch
    result: MatchResult


@dataclass(frozen=True)
class Standing:
    """A player in the table of a tournament.

    Attributes:
        place: from 1; players who are equal share it.
        player: its number.
        name: its name.
        score: by which the format ranks.
        points: see `MatchResult.points`, in all matches.
        wins, draws, losses: the matches in which it ranked first, shared all ranks, or neither.
        faults: the matches in which it failed.
        rating: from all matches at once, in points about 1500, with its 95 % confidence interval.
    """

    place: int
    player: int
    name: str
    score: float
    points: float
    wins: int
    draws: int
    losses: int
    faults: int
    rating: ConfidenceInterval


@dataclass(frozen=True)
class TournamentResult:
    """The result of a tournament.

    Attributes:
        name: of the tournament.
        form: its format.
        players: their names.
        played: all matches.
        scores: of each player, by which the format ranks, the more the better.
    """

    name: str
    form: str
    players: tuple[str, ...]
    played: tuple[PlayedMatch, ...]
    scores: tuple[float, ...]

    def standings(self) -> list[Standing]:
        """The table, the best first: by the format's scores, and among equal ones by rating."""
        ranks = [[seat.rank for seat in one.result.seats] for one in self.played]
        strengths = fit_strengths(
            ((one.match.seats, rank) for one, rank in zip(self.played, ranks, strict=True)), len(self.players)
        )
        keys = [
            (self.scores[player], round(strengths.rating(player).mean, 6))
            for player in range(len(self.players))
        ]
        table = []
        for player in sorted(range(len(keys)), key=lambda player: keys[player], reverse=True):
            own = [
                (one.result, one.match.seats.index(player))
                for one in self.played
                if player in one.match.seats
            ]
            draws = sum(not result.winners for result, _ in own)
            wins = sum(seat in result.winners for result, seat in own)
            table.append(
                Standing(
                    place=1 + sum(key > keys[player] for key in keys),
                    player=player,
                    name=self.players[player],
                    score=self.scores[player],
                    points=sum(result.points[seat] for result, seat in own),
                    wins=wins,
                    draws=draws,
                    losses=len(own) - wins - draws,
                    faults=sum(result.seats[seat].status != PlayerStatus.DONE for result, seat in own),
                    rating=strengths.rating(player),
                )
            )
        return table

    def cross_table(self) -> dict[tuple[int, int], tuple[float, int]]:
        """For each two players who have met, the points of the first against the second, and the number of matches."""
        found: dict[tuple[int, int], tuple[float, int]] = {}
        for one in self.played:
            for player, own in zip(one.match.seats, one.result.seats, strict=True):
                for other, their in zip(one.match.seats, one.result.seats, strict=True):
                    if other != player:
                        points, count = found.get((player, other), (0.0, 0))
                        gained = 1.0 if own.rank < their.rank else 0.5 if own.rank == their.rank else 0.0
                        found[player, other] = points + gained, count + 1
        return found
