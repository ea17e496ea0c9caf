"""Plays matches, in the processes of a tournament."""

from __future__ import annotations

import functools
import multiprocessing
import multiprocessing.connection
import multiprocessing.util
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gridarium.arena.game_source import GameSource
from gridarium.arena.match import Match
from gridarium.arena.match_result import MatchResult
from gridarium.arena.players.agent_process import Limits, kill_running
from gridarium.arena.players.open_player import open_player
from gridarium.arena.players.player import MatchPlayer
from gridarium.arena.players.process_player import ProcessPlayer
from gridarium.games import BaseEnvironment, GameError

MOST_GAMES = 100
"""The number of games after which a player's process is replaced."""


@dataclass(frozen=True)
class MatchSettings:
    """What all matches of a tournament have in common.

    Attributes:
        game: where the game comes from.
        time_per_move, bank: see `TimeControl`.
        most_plies: see `Match`.
        limits: of players' processes.
    """

    game: GameSource
    time_per_move: float | None = 1.0
    bank: float = 10.0
    most_plies: int = 10_000
    limits: Limits = field(default_factory=Limits)

    def play(self, players: Sequence[tuple[str, str]], seed: int) -> MatchResult:
        """Play a match between players who are opened for it.

        Args:
            players: the name of each and the text that stands for it.
            seed: of the match.
        """
        opened: list[MatchPlayer] = []
        try:
            opened.extend(open_player(text, name=name, limits=self.limits) for name, text in players)
            return self.play_opened(opened, seed)
        finally:
            for player in opened:
                player.close()

    def play_opened(self, players: Sequence[MatchPlayer], seed: int | None) -> MatchResult:
        """Play a match between players, who stay open."""
        return Match(
            opened_game(self.game),
            players,
            name=self.game.name,
            config=self.game.config,
            seed=seed,
            time_per_move=self.time_per_move,
            bank=self.bank,
            most_plies=self.most_plies,
        ).run()


class KeptPlayers:
    """Players of matches whose processes are kept for the next match, if it is theirs as well.

    Other players are opened for each match. A process is replaced when it fails, and now and then, so that leaks and the limit of
    processor time do not add up over a tournament.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], _Kept] = {}

    def play(self, settings: MatchSettings, players: Sequence[tuple[str, str]], seed: int) -> MatchResult:
        """Play a match, see `MatchSettings.play`."""
        before, self._kept = self._kept, {}
        opened: dict[tuple[str, str], _Kept] = {}
        try:
            for key in players:
                kept = before.pop(key, None)
                if kept is None:
                    kept = _Kept(open_player(key[1], name=key[0], limits=settings.limits))
                opened[key] = kept
            result = settings.play_opened([kept.player for kept in opened.values()], seed)
            for key, kept in opened.items():
                kept.games += 1
                if kept.is_good(settings.limits):
                    self._kept[key] = kept
            return result
        finally:
            for key, kept in (*before.items(), *opened.items()):
                if key not in self._kept:
                    kept.player.close()

    def close(self) -> None:
        """End all processes."""
        for kept in self._kept.values():
            kept.player.close()
        self._kept = {}


@dataclass
class _Kept:
    """A player, the number of its games, and when it was opened."""

    player: MatchPlayer
    games: int = 0
    since: float = field(default_factory=time.monotonic)

    def is_good(self, limits: Limits) -> bool:
        """Whether it may play once more: its process is young, even if it computed on all processors all the time."""
        most = limits.cpu / (2 * (os.cpu_count() or 1))
        young = self.games < MOST_GAMES and time.monotonic() - self.since < most
        return isinstance(self.player, ProcessPlayer) and young


OF_WORKER = KeptPlayers()
"""The players of a process that plays matches."""


def outcome(play: Callable[[], MatchResult]) -> MatchResult | GameError:
    """The result of a match, or what its game has raised."""
    try:
        return play()
    except GameError as error:
        return error


def play_in_worker(settings: MatchSettings, players: Sequence[tuple[str, str]], seed: int) -> MatchResult:
    """Play a match in a process that plays matches, see `MatchSettings.play`."""
    return OF_WORKER.play(settings, players, seed)


@functools.lru_cache(maxsize=4)
def opened_game(source: GameSource) -> BaseEnvironment:
    """A game, opened once in each process."""
    return source.open()


def begin_worker() -> None:
    """Prepare a process that plays matches: it ends when its parent does, with its players, and leaves Ctrl-C to it."""
    multiprocessing.util.Finalize(OF_WORKER, OF_WORKER.close, exitpriority=0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    kill_running()
    os._exit(1)
