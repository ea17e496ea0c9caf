"""The result of a tournament: standings, ratings and a cross table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gridarium.agents.statistics import ConfidenceInterval
from gridarium.arena.match_result import MatchResult
from gridarium.arena.players.player import PlayerStatus
from gridarium.arena.ratings.alpha_rank import alpha_rank
from gridarium.arena.ratings.nash_averaging import nash_averaging
from gridarium.arena.ratings.strengths import PER_UNIT, fit_strengths
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
class Average:
    """What a player is worth in the field of a tournament, also if players beat each other in circles.

    Attributes:
        nash_share: its share in the mixture of players that nobody beats, see `nash_averaging`.
        nash_points: its advantage over that mixture in points of ratings; 0 for those in it.
        alpha_rank: the share of time that a population stays with it, see `alpha_rank`.
    """

    nash_share: float
    nash_points: float
    alpha_rank: float


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

    def win_rates(self) -> npt.NDArray[np.float64] | None:
        """float64[n, n]: the share of points of each player against each other one, as if they had drawn once more besides.

        None if two of them have not met.
        """
        met, count = self.cross_table(), len(self.players)
        if count < 2 or len(met) < count * (count - 1):
            return None
        rates = np.full((count, count), 0.5)
        for (player, other), (points, matches) in met.items():
            rates[player, other] = (points + 0.5) / (matches + 1)
        return rates

    def averages(self) -> list[Average] | None:
        """For each player, in the order of `players`; None if two of them have not met."""
        rates = self.win_rates()
        if rates is None:
            return None
        nash, stays = nash_averaging(rates), alpha_rank(rates)
        return [
            Average(float(share), PER_UNIT * float(skill), float(stay))
            for share, skill, stay in zip(nash.shares, nash.skills, stays, strict=True)
        ]
