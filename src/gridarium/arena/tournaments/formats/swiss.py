"""Swiss tournaments."""

from __future__ import annotations

import math

from gridarium.arena.tournaments.formats.tournament_format import (
    Group,
    Rounds,
    TournamentFormat,
    encounters_of,
    points_of,
)

MOST_TRIES = 10_000
"""The number of pairings that are tried in search of one without rematches."""


class Swiss(TournamentFormat):
    """Players with about equally many points meet, in games of two as far as possible none twice.

    Players left over sit a round out, those first who have done so least often and have the fewest points, and get the points
    of a full win. By default there are as many rounds as single elimination would have, and one more.
    """

    chooses_rounds = True
    ranked_by = "points, and those of a win for each game of a round that was sat out"

    def next_round(self, rounds: Rounds) -> list[Group]:
        """See `TournamentFormat.next_round`."""
        count = self.rounds or math.ceil(math.log(self.players, self.seats) - 1e-9) + 1
        if len(rounds) == count:
            return []
        scores = self.scores(rounds)
        order = self.lots(0).permutation(self.players).tolist()
        standing = sorted(range(self.players), key=lambda player: (-scores[player], order[player]))
        played = encounters_of(rounds, self.players)
        for _ in range(self.players % self.seats):
            standing.remove(max(standing, key=lambda player: (played[player], standing.index(player))))
        if self.seats > 2:
            return [tuple(standing[i : i + self.seats]) for i in range(0, len(standing), self.seats)]
        met = {frozenset(encounter.players) for encounters in rounds for encounter in encounters}
        return _paired(standing, met) or list(zip(standing[::2], standing[1::2], strict=True))

    def scores(self, rounds: Rounds) -> list[float]:
        """Points; those of a round that was sat out are a win's."""
        points = points_of(rounds, self.players)
        played = encounters_of(rounds, self.players)
        return [own + self.games * (len(rounds) - n) for own, n in zip(points, played, strict=True)]


def _paired(standing: list[int], met: set[frozenset[int]]) -> list[Group]:
    """Pairs of neighbours who have not met, by depth-first search from the top; [] if none are found."""
    tries = 0

    def rest(left: list[int]) -> list[Group] | None:
        nonlocal tries
        if not left:
            return []
        for partner in left[1:]:
            tries += 1
            if tries > MOST_TRIES:
                return None
            if frozenset((left[0], partner)) not in met:
                found = rest([player for player in left[1:] if player != partner])
                if found is not None:
                    return [(left[0], partner), *found]
        return None

    return rest(standing) or []
