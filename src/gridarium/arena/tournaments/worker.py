"""Plays matches, in the processes of a tournament."""

from __future__ import annotations

import functools
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from gridarium.arena.game_source import GameSource
from gridarium.arena.match import Match
from gridarium.arena.match_result import MatchResult
from gridarium.arena.players.agent_process import Limits, kill_running
from gridarium.arena.players.open_player import open_player
from gridarium.arena.players.player import MatchPlayer
from gridarium.games import BaseEnvironment


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


@functools.lru_cache(maxsize=4)
def opened_game(source: GameSource) -> BaseEnvironment:
    """A game, opened once in each process."""
    return source.open()


def begin_worker() -> None:
    """Prepare a process that plays matches: it ends when its parent does, with its players, and leaves Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    kill_running()
    os._exit(1)
