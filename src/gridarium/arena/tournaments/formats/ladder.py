"""Ladders: players of about the same strength meet again and again."""

from __future__ import annotations

from gridarium.arena.ratings.online_ratings import OnlineRatings
from gridarium.arena.tournaments.formats.tournament_format import (
    Group,
    Rounds,
    TournamentFormat,
    encounters_of,
)

ROUNDS = 20
NEAREST = 3
"""Each further player of a group is one of so many with the nearest ratings."""


class Ladder(TournamentFormat):
    """In each round who has played least chooses first, and meets players with about the same rating (after Halite III, 2018).

    A group of players does not meet in two rounds one after the other if there are others. Players are ranked by their
    ratings from all matches.
    """

    chooses_rounds = True
    ranked_by = "rating"

    def next_round(self, rounds: Rounds) -> list[Group]:
        """See `TournamentFormat.next_round`."""
        if len(rounds) == (self.rounds or ROUNDS):
            return []
        rng = self.lots(len(rounds))
        ratings = OnlineRatings()
        for encounters in rounds:
            for encounter in encounters:
                ratings.update([str(player) for player in encounter.players], encounter.ranks)
        mus = [ratings[str(player)].mu for player in range(self.players)]
        played, chance = encounters_of(rounds, self.players), rng.random(self.players)
        last = {frozenset(encounter.players) for encounter in rounds[-1]} if rounds else set()
        left = sorted(range(self.players), key=lambda player: (played[player], chance[player]))
        groups: list[Group] = []
        while len(left) >= self.seats:
            group = [left.pop(0)]
            while len(group) < self.seats:
                nearest = sorted(left, key=lambda player: abs(mus[player] - mus[group[0]]))
                fresh = [p for p in nearest if frozenset((*group, p)) not in last] or nearest
                group.append(fresh[int(rng.integers(min(NEAREST, len(fresh))))])
                left.remove(group[-1])
            groups.append(tuple(group))
        return groups

    def scores(self, rounds: Rounds) -> list[float]:
        """Nothing: ratings decide."""
        return [0.0] * self.players
