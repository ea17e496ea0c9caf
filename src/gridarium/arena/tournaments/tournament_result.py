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
from gridarium.arena.ratings.strengths import PER_UNIT, Strengths, fit_strengths
from gridarium.arena.tournaments.formats.named_formats import FORMATS
from gridarium.arena.tournaments.formats.tournament_format import Encounter
from gridarium.arena.tournaments.scheduled_match import ScheduledMatch

COURSE = 30
"""The most points of time at which the course of ratings is estimated."""


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
        shared: whether others have the same place.
        player: its number.
        name: its name.
        score: by which the format ranks.
        points: see `MatchResult.points`, in all matches.
        wins, draws, losses: the matches in which it ranked first, shared all ranks, or neither.
        faults: the matches in which it failed.
        rating: from all matches at once, in points about 1500, with its 95 % confidence interval.
    """

    place: int
    shared: bool
    player: int
    name: str
    score: float
    points: float
    wins: int
    draws: int
    losses: int
    faults: int
    rating: ConfidenceInterval

    @property
    def place_text(self) -> str:
        """The place, with `=` where others have the same."""
        return f"{self.place}{'=' if self.shared else ''}"


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
        strengths = self._strengths(len(self.played))
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
                    shared=keys.count(keys[player]) > 1,
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

    @property
    def ranked_by(self) -> str:
        """What the format's scores are, for people."""
        return FORMATS[self.form].ranked_by

    @property
    def has_scores(self) -> bool:
        """Whether places follow from scores that are neither the points nor the ratings."""
        return self.ranked_by not in ("points", "rating")

    @property
    def note(self) -> str:
        """What places follow from, and what ratings are."""
        scored = f"score ({self.ranked_by})" if self.has_scores else self.ranked_by
        ties = "" if self.ranked_by == "rating" else ", then rating"
        return f"Places are by {scored}{ties}. Ratings are from all matches (Plackett-Luce), with 95 % confidence intervals."

    def _strengths(self, count: int) -> Strengths:
        """The strengths of all players by the first matches."""
        ranked = ((one.match.seats, [seat.rank for seat in one.result.seats]) for one in self.played[:count])
        return fit_strengths(ranked, len(self.players))

    def course(self) -> list[tuple[int, list[float]]]:
        """Numbers of matches, and the ratings of all players by so many of the first ones."""
        total, count = len(self.played), len(self.players)
        counts = sorted({total * (k + 1) // COURSE for k in range(COURSE)} - {0})
        fitted = ((n, self._strengths(n)) for n in counts)
        return [(n, [strengths.rating(player).mean for player in range(count)]) for n, strengths in fitted]

    def encounters(self) -> list[list[Encounter]]:
        """The encounters of each round: the players, the better seeded first, and their points."""
        rounds: list[dict[int, dict[int, float]]] = []
        for one in self.played:
            rounds.extend({} for _ in range(one.match.round + 1 - len(rounds)))
            seats = one.match.seats
            points = rounds[one.match.round].setdefault(
                one.match.encounter, dict.fromkeys(sorted(seats), 0.0)
            )
            for player, gained in zip(seats, one.result.points, strict=True):
                points[player] += gained
        return [[Encounter((*own,), (*own.values(),)) for own in met.values()] for met in rounds]

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


def decimal(number: float) -> str:
    """A number of points in at most two decimals."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def letters_of(i: int) -> str:
    """What stands for the row of a cross table in its columns: A to Z, then AA."""
    return (letters_of(i // 26 - 1) if i >= 26 else "") + chr(ord("A") + i % 26)
