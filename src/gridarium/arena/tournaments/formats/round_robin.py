"""Round robin."""

from __future__ import annotations

import itertools

from gridarium.arena.tournaments.formats.tournament_format import Group, Rounds, TournamentFormat


class RoundRobin(TournamentFormat):
    """Everyone meets everyone; in games of more than two players, every group of that many players meets."""

    def next_round(self, rounds: Rounds) -> list[Group]:
        """See `TournamentFormat.next_round`."""
        return [] if rounds else list(itertools.combinations(range(self.players), self.seats))
