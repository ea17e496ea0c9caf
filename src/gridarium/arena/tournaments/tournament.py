"""`Tournament`: matches of a format, in parallel, resumed where they were interrupted."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from gridarium.arena.match import SEEDS
from gridarium.arena.match_result import MatchResult
from gridarium.arena.tournaments.formats.named_formats import FORMATS
from gridarium.arena.tournaments.formats.tournament_format import Encounter
from gridarium.arena.tournaments.ray_cluster import PlayMatches, playing_on_cluster
from gridarium.arena.tournaments.scheduled_match import (
    ScheduledMatch,
    encounters_of_round,
    matches_of_round,
)
from gridarium.arena.tournaments.tournament_result import PlayedMatch, TournamentResult
from gridarium.arena.tournaments.worker import (
    KeptPlayers,
    MatchSettings,
    begin_worker,
    opened_game,
    outcome,
    play_in_worker,
)
from gridarium.engine.arguments import check_count
from gridarium.games import GameError
from gridarium.games.base_environment import begin_game, numbers_of_players

MOST_TOLD = 5
"""The number of matches in which the game has raised that are told."""


class BrokenMatches(GameError):
    """The game has raised in matches of a tournament, which ends with the round in which it did.

    Args:
        problems: a text for each of these matches, with its players, its seed and what was raised.
        result: of all matches that were played.
    """

    def __init__(self, problems: Sequence[str], result: TournamentResult) -> None:
        further = [f"and in {len(problems) - MOST_TOLD} further matches"] * (len(problems) > MOST_TOLD)
        super().__init__("\n".join([*problems[:MOST_TOLD], *further]))
        self.problems, self.result = tuple(problems), result


Watch = Callable[[PlayedMatch, int, int], None]
"""Called with each match that has been played, the number of those played in its round, and that of all of the round."""


class Tournament:
    """A tournament between players who are opened anew for each match, but for programs that also play the next one.

    Where a script runs it with several processes, the script needs `if __name__ == "__main__":`.

    Args:
        settings: the game, time and limits of all matches.
        players: for each name the text that stands for the player, see `open_player`; the strongest first where seeding matters.
        form: of the tournament, see `FORMATS`.
        games: the number of games of each encounter; by default one for each seat, so that everyone sits everywhere.
        rounds: their number, in formats that let one choose it.
        seats: the number of players of a game; by default its minimum.
        seed: of all chance; None draws one, or takes that of the stored tournament.
        store: where results are stored and looked up: a file or an address, see `ResultStore`; by default memory.
        name: of the tournament in the store.
        workers: the number of processes that play; 1 plays in this one. By default one for each processor.
        cluster: the address of a cluster of Ray whose machines play instead, see `playing_on_cluster`.

    Raises:
        ImportError: SQLAlchemy, or for a ladder openskill, is not installed. (`run` also needs Ray with a cluster.)
        ValueError: a format that is not known or does not fit, wrong numbers, or a stored tournament of this name with other settings.

    Example:
        >>> players = {"a": "random", "b": "greedy", "c": "mcts:simulations=50"}
        >>> tournament = Tournament(MatchSettings(GameSource("tictactoe")), players, workers=1)
        >>> for standing in tournament.run().standings():
        ...     print(standing.place, standing.name, standing.rating.text(0))
    """

    def __init__(
        self,
        settings: MatchSettings,
        players: Mapping[str, str],
        *,
        form: str = "round-robin",
        games: int | None = None,
        rounds: int | None = None,
        seats: int | None = None,
        seed: int | None = None,
        store: str = "",
        name: str = "tournament",
        workers: int | None = None,
        cluster: str = "",
    ) -> None:
        if form not in FORMATS:
            raise ValueError(f"there is no format {form!r}; there are {', '.join(FORMATS)}")
        game = opened_game(settings.game)
        self.seats = game.min_players if seats is None else seats
        if not game.min_players <= self.seats <= game.max_players:
            raise ValueError(
                f"{settings.game.name} is a game of {numbers_of_players(game)} players, not {seats}"
            )
        self.settings, self.players = settings, dict(players)
        self.games = self.seats if games is None else games
        check_count("the number of games", self.games)
        self.workers = (os.cpu_count() or 1) if workers is None else workers
        check_count("the number of processes", self.workers)
        self.cluster = cluster
        from gridarium.arena.tournaments.result_store import ResultStore  # needs an optional library

        self.store = ResultStore(store)
        self.form, self.name = form, name
        try:
            self._open(rounds, seed)
        except BaseException:
            self.store.close()
            raise

    def _open(self, rounds: int | None, seed: int | None) -> None:
        if seed is None:
            stored = self.store.settings(self.name) or {}
            seed = int(stored.get("seed", secrets.randbelow(SEEDS)))
        check_count("seed", seed, 0)
        self.seed, settings = seed, self.settings
        self._format = FORMATS[self.form](
            len(self.players), self.seats, games=self.games, rounds=rounds, seed=seed
        )
        self._format.next_round([])  # refuses games that do not fit
        self._number = self.store.open(
            self.name,
            {
                "game": settings.game.name,
                "config": settings.game.config,
                "time_per_move": settings.time_per_move,
                "bank": settings.bank,
                "format": self.form,
                "games": self.games,
                "rounds": rounds,
                "seats": self.seats,
                "seed": seed,
                "players": self.players,
            },
        )

    def progress(self) -> tuple[int, int]:
        """The number of matches that have been stored, and of all of the rounds that are known: up to the first unfinished one."""
        stored, rounds = self.store.results(self._number), list[list[Encounter]]()
        there = known = 0
        while groups := self._format.next_round(rounds):
            matches = matches_of_round(groups, len(rounds), known, self.games, self.seed)
            found = [stored[match.number][1] for match in matches if match.number in stored]
            there, known = there + len(found), known + len(matches)
            if len(found) < len(matches):
                break
            rounds.append(encounters_of_round(groups, matches, found))
        return there, known

    def run(self, watch: Watch | None = None) -> TournamentResult:
        """Play all matches that have not been played yet.

        Args:
            watch: called after each match.

        Raises:
            ValueError: what was stored does not fit, or another process runs the same tournament.
            BrokenMatches: the game raises in some matches; all others of the round are played and stored before.
        """
        stored = self.store.results(self._number)
        rounds: list[list[Encounter]] = []
        played: list[PlayedMatch] = []
        broken: list[str] = []
        with self._playing() as play_all:
            while groups := self._format.next_round(rounds):
                matches = matches_of_round(groups, len(rounds), len(played), self.games, self.seed)
                results = {
                    match.number: self._stored(match, stored[match.number])
                    for match in matches
                    if match.number in stored
                }
                missing = [match for match in matches if match.number not in results]
                for match, result in play_all(missing):
                    if isinstance(result, GameError):
                        names = ", ".join(name for name, _ in self._named(match))
                        broken.append(f"match {match.number + 1} ({names}; seed {match.seed}): {result}")
                        continue
                    self.store.add(self._number, match, result)
                    results[match.number] = result
                    if watch is not None:
                        watch(PlayedMatch(match, result), len(results), len(matches))
                matches = [match for match in matches if match.number in results]
                ordered = [results[match.number] for match in matches]
                played += map(PlayedMatch, matches, ordered)
                rounds.append(encounters_of_round(groups, matches, ordered))
                if broken:
                    break
        whole = TournamentResult(
            self.name, self.form, tuple(self.players), tuple(played), tuple(self._format.scores(rounds))
        )
        if broken:
            raise BrokenMatches(broken, whole)
        return whole

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def _stored(self, match: ScheduledMatch, found: tuple[ScheduledMatch, MatchResult]) -> MatchResult:
        if found[0] != match:
            raise ValueError(
                f"the stored match {match.number} is {found[0]}, and not {match}: it was made by another version"
            )
        return found[1]

    @contextlib.contextmanager
    def _playing(self) -> Iterator[PlayMatches]:
        """A function that plays matches and yields each with its result when it is over."""
        if self.cluster:
            with playing_on_cluster(self.cluster, self.settings, self._named) as play_all:
                yield play_all
            return
        if self.workers == 1:
            with contextlib.closing(KeptPlayers()) as kept:

                def play_here(match: ScheduledMatch) -> tuple[ScheduledMatch, MatchResult | GameError]:
                    return match, outcome(lambda: kept.play(self.settings, self._named(match), match.seed))

                yield lambda matches: map(play_here, matches)
            return
        begin_game(opened_game(self.settings.game), self.seats, 0)  # compiles once, for all processes
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(self.workers, context, begin_worker)

        def play(
            matches: Sequence[ScheduledMatch],
        ) -> Iterator[tuple[ScheduledMatch, MatchResult | GameError]]:
            futures = {
                pool.submit(play_in_worker, self.settings, self._named(match), match.seed): match
                for match in matches
            }
            for future in as_completed(futures):
                yield futures[future], outcome(future.result)

        try:
            yield play
        finally:
            pool.shutdown(cancel_futures=True)

    def _named(self, match: ScheduledMatch) -> list[tuple[str, str]]:
        entries = list(self.players.items())
        return [entries[player] for player in match.seats]
