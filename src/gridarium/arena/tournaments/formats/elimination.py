"""Single and double elimination."""

from __future__ import annotations

from typing import ClassVar

from gridarium.arena.tournaments.formats.tournament_format import Encounter, Group, Rounds, TournamentFormat


class SingleElimination(TournamentFormat):
    """Who loses an encounter is out; for games of two players.

    In each round the best seeded of those who are left meets the worst seeded one, and so on. Byes of the first round go to the
    best seeded. If an encounter ends level, the better seeded player goes on.
    """

    lives: ClassVar[int] = 1
    """The number of lost encounters after which a player is out."""
    ranked_by = "rounds survived"

    def next_round(self, rounds: Rounds) -> list[Group]:
        """See `TournamentFormat.next_round`.

        Raises:
            ValueError: a game of more than two players.
        """
        if self.seats != 2:
            raise ValueError(
                f"elimination is for games of two players, and this one has {self.seats}; round-robin, swiss and ladder are for any number"
            )
        losses = self._losses(rounds)
        groups = [
            [player for player in range(self.players) if len(losses[player]) == lost]
            for lost in range(self.lives)
        ]
        left = sum(map(len, groups))
        if left < 2:
            return []
        if left == 2 and max(map(len, groups)) == 1:
            return [
                tuple(player for group in groups for player in group)
            ]  # the final, without and with a loss
        met = [encounter.players for encounters in rounds for encounter in encounters]
        byes = 0 if rounds else (1 << (self.players - 1).bit_length()) - self.players
        return [pair for group in groups for pair in _pairs(group, byes, met)]

    def scores(self, rounds: Rounds) -> list[float]:
        """The round in which a player was eliminated; more for who was not."""
        out = [
            lost[self.lives - 1] if len(lost) >= self.lives else len(rounds) for lost in self._losses(rounds)
        ]
        return [float(number) for number in out]

    def _losses(self, rounds: Rounds) -> list[list[int]]:
        """For each player the rounds in which it has lost an encounter."""
        losses: list[list[int]] = [[] for _ in range(self.players)]
        for number, encounters in enumerate(rounds):
            for encounter in encounters:
                winner = encounter_winner(encounter)
                losses[next(player for player in encounter.players if player != winner)].append(number)
        return losses


class DoubleElimination(SingleElimination):
    """Who has lost two encounters is out; players with equally many losses meet.

    The last one without a loss meets the last one with one loss in the final, and has to be beaten twice. Otherwise as single
    elimination.
    """

    lives = 2


def encounter_winner(encounter: Encounter) -> int:
    """The player with more points; with equally many the better seeded, who has the smaller number."""
    pairs = zip(encounter.points, encounter.players, strict=True)
    return max(pairs, key=lambda pair: (pair[0], -pair[1]))[1]


def _pairs(group: list[int], byes: int, met: list[Group]) -> list[Group]:
    """The first against the last, and so on; who is left out has had the most encounters before."""
    playing = group[byes:]
    if len(playing) % 2:
        counts = {player: sum(player in pair for pair in met) for player in playing}
        playing.remove(max(playing, key=lambda player: (counts[player], -player)))
    half = len(playing) // 2
    return list(zip(playing[:half], reversed(playing[half:]), strict=True))
