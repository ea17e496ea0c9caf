"""`TournamentFormat`: who meets whom, as a function of the results so far."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np

from gridarium.engine.arguments import check_count


@dataclass(frozen=True)
class Encounter:
    """Players who have met, and their points.

    Attributes:
        players: by number.
        points: of each, added up over all games of the encounter, see `MatchResult.points`.
    """

    players: tuple[int, ...]
    points: tuple[float, ...]

    @property
    def ranks(self) -> list[int]:
        """The rank of each player by points, from 0."""
        return [sum(other > own for other in self.points) for own in self.points]


Group: TypeAlias = tuple[int, ...]
"""Players who are to meet."""
Rounds: TypeAlias = Sequence[Sequence[Encounter]]
"""The encounters of all rounds so far."""


class TournamentFormat(ABC):
    """Determines the groups of each round from the results of those before, so that a tournament can be resumed.

    Args:
        players: their number; they are numbered in the order of their seeding, the strongest first.
        seats: the number of players of a game.
        games: the number of games of an encounter.
        rounds: the number of rounds, in formats that let one choose it; None for their own.
        seed: of drawing lots.

    Raises:
        ValueError: too few players, or a format that does not fit.
    """

    chooses_rounds: ClassVar[bool] = False
    """Whether `rounds` may be given."""
    ranked_by: ClassVar[str] = "points"
    """What `scores` are, for people."""

    def __init__(self, players: int, seats: int, *, games: int, rounds: int | None, seed: int) -> None:
        if players < max(2, seats):
            raise ValueError(f"a tournament needs at least {max(2, seats)} players, and there are {players}")
        check_count("the number of rounds", 1 if rounds is None else rounds)
        if rounds is not None and not self.chooses_rounds:
            raise ValueError("this format has as many rounds as it needs; rounds cannot be given")
        self.players, self.seats, self.games, self.rounds, self.seed = players, seats, games, rounds, seed

    @abstractmethod
    def next_round(self, rounds: Rounds) -> list[Group]:
        """The groups that meet in the next round; none if the tournament is over."""

    def scores(self, rounds: Rounds) -> list[float]:
        """What players are ranked by, the more the better; those who are equal, by their ratings. By default their points."""
        return points_of(rounds, self.players)

    def lots(self, number_of_round: int) -> np.random.Generator:
        """The random numbers of a round."""
        return np.random.default_rng([self.seed, number_of_round])


def points_of(rounds: Rounds, players: int) -> list[float]:
    """The points of each player in all rounds."""
    points = [0.0] * players
    for encounters in rounds:
        for encounter in encounters:
            for player, gained in zip(encounter.players, encounter.points, strict=True):
                points[player] += gained
    return points


def encounters_of(rounds: Rounds, players: int) -> list[int]:
    """How many encounters each player has had."""
    counts = [0] * players
    for encounters in rounds:
        for encounter in encounters:
            for player in encounter.players:
                counts[player] += 1
    return counts
