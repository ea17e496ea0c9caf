"""The matches of a round: seats and seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gridarium.arena.match import SEEDS
from gridarium.arena.match_result import MatchResult
from gridarium.arena.tournaments.formats.tournament_format import Encounter, Group


@dataclass(frozen=True)
class ScheduledMatch:
    """A match that is to be played.

    Attributes:
        number: in the tournament, from 0.
        round: the number of its round.
        encounter: the number of its encounter in the round.
        seats: the player in each seat, by number.
        seed: of the match.
    """

    number: int
    round: int
    encounter: int
    seats: tuple[int, ...]
    seed: int


def matches_of_round(
    groups: Sequence[Group], number_of_round: int, first: int, games: int, seed: int
) -> list[ScheduledMatch]:
    """The matches of a round.

    The games of an encounter rotate the seats: after as many games as there are seats, everyone has had each once, with the same
    seed, so that chance treats them alike.

    Args:
        groups: who meets.
        number_of_round: from 0.
        first: the number of the round's first match.
        games: of each encounter.
        seed: of the tournament.
    """
    matches: list[ScheduledMatch] = []
    for encounter, group in enumerate(groups):
        for game in range(games):
            turn = (encounter + game) % len(group)
            key = [seed, number_of_round, encounter, game // len(group)]
            drawn = int(np.random.SeedSequence(key).generate_state(1, np.uint64)[0]) % SEEDS
            seats = group[turn:] + group[:turn]
            matches.append(ScheduledMatch(first + len(matches), number_of_round, encounter, seats, drawn))
    return matches


def encounters_of_round(
    groups: Sequence[Group], matches: Sequence[ScheduledMatch], results: Sequence[MatchResult]
) -> list[Encounter]:
    """The encounters of a round that has been played."""
    points = [dict.fromkeys(group, 0.0) for group in groups]
    for match, result in zip(matches, results, strict=True):
        for player, gained in zip(match.seats, result.points, strict=True):
            points[match.encounter][player] += gained
    return [Encounter(tuple(gained), tuple(gained.values())) for gained in points]
