"""`Match`: one game between players, with clocks, whatever the players do."""

from __future__ import annotations

import secrets
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from gridarium.arena.clock import Clock, TimeControl
from gridarium.arena.match_result import MatchMove, MatchResult, SeatResult
from gridarium.arena.players.player import GameEnd, GameStart, MatchPlayer, PlayerFault, PlayerStatus, Turn
from gridarium.engine.arguments import check_count
from gridarium.games import BaseEnvironment, GameError
from gridarium.games.base_environment import Players, begin_game, numbers_of_players, observed, ranks_of

SEEDS = 1 << 48
"""Seeds are drawn below this number, which every language's numbers hold."""
PASSES = ("", "pass", "noop", "wait", "check", "fold")
"""The actions, in small letters, that a match prefers for a seat whose player has failed; otherwise the first legal one."""


class Match:
    """One game between players.

    A player that fails (raises, ends, answers with something else than a legal action, or uses up its time) is closed and
    ranks behind all others; those who failed earlier rank behind those who failed later. The game goes on without it if at
    least two players are left: its seat then passes, where that is legal, or takes its first legal action. Otherwise the
    match ends at once.

    Args:
        game: the game.
        players: one for each seat; they are not closed at the end, so that they can play further games.
        name: of the game, in results and for players; by default that of its class.
        config: the game's parameters, likewise.
        seed: of the game's chance, and of the players' random numbers; None draws one. A player could guess a small seed.
        time_per_move, bank: see `TimeControl`.
        most_plies: a longer match is cut off, and its returns until then decide.

    Raises:
        TypeError, ValueError: another number of players than the game has, one player twice, or an invalid number.

    Example:
        >>> game = get_environment("tictactoe")()
        >>> result = Match(game, [open_player("mcts"), open_player("bot.py")], seed=1).run()
        >>> result.winners, result.seats[1].status
    """

    def __init__(
        self,
        game: BaseEnvironment,
        players: Sequence[MatchPlayer],
        *,
        name: str = "",
        config: str = "",
        seed: int | None = None,
        time_per_move: float | None = 1.0,
        bank: float = 10.0,
        most_plies: int = 10_000,
    ) -> None:
        if not game.min_players <= len(players) <= game.max_players:
            raise ValueError(
                f"{name or game} is a game of {numbers_of_players(game)} players, not {len(players)}"
            )
        if len({id(player) for player in players}) < len(players):
            raise ValueError("a player sits in one seat; open it again for another one")
        check_count("the maximum number of plies", most_plies)
        self.game, self.players = game, tuple(players)
        self.name, self.config = name or type(game).__name__, config
        self.control = TimeControl(time_per_move, bank)
        self.seed = secrets.randbelow(SEEDS) if seed is None else seed
        check_count("seed", self.seed, 0)
        self.most_plies = most_plies
        self._clocks = [Clock(self.control) for _ in players]
        self._faults: dict[int, tuple[int, PlayerFault]] = {}
        self._moves: list[MatchMove] = []
        self._running = self._played = False

    @property
    def statuses(self) -> list[PlayerStatus]:
        """The status of each seat: ACTIVE while the match runs, then DONE; or that of its fault."""
        going_on = PlayerStatus.ACTIVE if self._running else PlayerStatus.DONE
        return [
            self._faults[seat][1].status if seat in self._faults else going_on
            for seat in range(len(self.players))
        ]

    def run(self, watch: Callable[[Any], None] | None = None) -> MatchResult:
        """Play the game, once.

        Args:
            watch: called with the state of the game, at the beginning and after each ply.

        Raises:
            CannotPlay: a player plays other games.
            RuntimeError: it was played already.
            GameError: the game raises, or breaks the contract of `BaseEnvironment`.
        """
        if self._played:
            raise RuntimeError("a match is played once; make another one")
        self._running = self._played = True
        try:
            return self._run(watch)
        except GameError:
            raise
        except Exception as error:
            if (method := self._raised_in(error)) is None:
                raise
            said = "\n".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ())])
            raise GameError(f"{method} raised {said}") from error

    def _raised_in(self, error: Exception) -> str | None:
        """The method of the game that an error comes from, with the line that raised it; None if it is not the game's."""
        frames = [*traceback.walk_tb(error.__traceback__)]
        for frame, _ in frames:
            if frame.f_locals.get("self") is self.game:
                last, line = frames[-1]
                place = f"{Path(last.f_code.co_filename).name}:{line}"
                return f"{self.game}.{frame.f_code.co_name} ({place})"
        return None

    def _run(self, watch: Callable[[Any], None] | None) -> MatchResult:
        state, acting = begin_game(self.game, len(self.players), self.seed)
        for seat in acting:
            observed(self.game, state, seat)  # whose shapes are wrong is told before any player is started
        self._begin()
        ply, winners = 0, None
        while acting and not self._is_decided() and ply < self.most_plies:
            if watch is not None:
                watch(state)
            actions = self._choose(state, acting, ply)
            if self._is_decided():
                break
            state, acting, _, _, winners = self.game.next_state(state, acting, actions)
            ply += 1
        if watch is not None:
            watch(state)
        self._running = False
        self._moves = [move for move in self._moves if move.ply < ply]  # those that the game has seen
        return self._finish(state, winners, truncated=bool(acting) and not self._is_decided())

    def _is_decided(self) -> bool:
        """Whether faults leave nobody to play against."""
        left = len(self.players) - len(self._faults)
        return bool(self._faults) and left < 2

    def _begin(self) -> None:
        seeds = np.random.SeedSequence([self.seed, len(self.players)]).generate_state(
            len(self.players), np.uint32
        )
        for seat, player in enumerate(self.players):
            start = GameStart(
                self.game,
                self.name,
                self.config,
                len(self.players),
                seat,
                int(seeds[seat]),
                self.control.per_move,
                self.control.bank,
            )
            try:
                player.begin(start)
            except PlayerFault as fault:
                self._fail(seat, 0, fault)

    def _choose(self, state: Any, acting: Players, ply: int) -> list[str]:
        """The action of each acting seat; those of seats whose players have failed, now or before, are chosen for them.

        Players in processes of their own are asked at the same time, then the others one after another.
        """
        turns = [
            Turn(self.game, state, seat, ply, self._clocks[seat].time_left)
            for seat in acting
            if seat not in self._faults
        ]
        for turn in turns:
            turn.prepare()
        together = [turn for turn in turns if self.players[turn.seat].in_parallel]
        answers = self._asked_together(together) if len(together) > 1 else {}
        for turn in turns:
            if turn.seat not in answers:
                answers[turn.seat] = self._asked(turn)
        return [self._judged(state, seat, ply, *answers.get(seat, ("", 0.0))) for seat in acting]

    def _asked_together(self, turns: Sequence[Turn]) -> dict[int, tuple[str | PlayerFault, float]]:
        with ThreadPoolExecutor(len(turns)) as threads:
            return dict(zip((turn.seat for turn in turns), threads.map(self._asked, turns), strict=True))

    def _asked(self, turn: Turn) -> tuple[str | PlayerFault, float]:
        """A player's action, or its fault, and the seconds that it took."""
        started = time.perf_counter()
        answer: str | PlayerFault
        try:
            answer = self.players[turn.seat].act(turn)
        except PlayerFault as fault:
            answer = fault
        return answer, time.perf_counter() - started

    def _judged(self, state: Any, seat: int, ply: int, answer: str | PlayerFault, seconds: float) -> str:
        """The action of a seat, if its player may have it."""
        if seat not in self._faults:
            fault = self._fault_of(state, seat, answer, seconds)
            if fault is not None:
                self._fail(seat, ply, fault)
        forced = seat in self._faults
        if forced:
            if self._is_decided():
                return ""
            legal = self.game.valid_actions(state, seat)
            answer = min(legal, key=lambda a: PASSES.index(a.lower()) if a.lower() in PASSES else len(PASSES))
        assert isinstance(answer, str)
        self._moves.append(MatchMove(ply, seat, answer, round(seconds, 6), forced))
        return answer

    def _fault_of(
        self, state: Any, seat: int, answer: str | PlayerFault, seconds: float
    ) -> PlayerFault | None:
        in_time = self._clocks[seat].spend(seconds)
        if isinstance(answer, PlayerFault):
            return answer
        if not in_time:
            used = self._clocks[seat].used
            return PlayerFault(PlayerStatus.TIMEOUT, f"it took {used:.2f} s in all and has no time left")
        if not self.game.is_valid_action(state, seat, answer):
            return PlayerFault(PlayerStatus.INVALID, f"it chose {answer[:80]!r}, which is not legal")
        return None

    def _fail(self, seat: int, ply: int, fault: PlayerFault) -> None:
        self._faults[seat] = ply, fault
        self.players[seat].close()

    def _finish(self, state: Any, winners: Players | None, *, truncated: bool) -> MatchResult:
        game, seats = self.game, range(len(self.players))
        returns = [float(value) for value in game.returns(state)]
        left = [seat for seat in seats if seat not in self._faults]
        if winners is not None:
            found = game.compute_ranking(state, list(seats), winners)
        else:
            found = ranks_of(list(seats), returns)
        ranks = {seat: sum(found[other] < found[seat] for other in left) for seat in left}
        for seat, (ply, _) in self._faults.items():
            ranks[seat] = len(left) + sum(other > ply for other, _ in self._faults.values())
        statuses = tuple(self.statuses)
        reasons = tuple(self._faults[s][1].reason if s in self._faults else "" for s in seats)
        for seat in left:
            observation = observed(game, state, seat)
            end = GameEnd(observation, tuple(returns), tuple(ranks[s] for s in seats), statuses, reasons)
            try:
                self.players[seat].end(end)
            except PlayerFault:
                self.players[seat].close()
        results = tuple(
            SeatResult(
                player.name, statuses[seat], reasons[seat], returns[seat], ranks[seat],
                round(self._clocks[seat].used, 6), round(self._clocks[seat].bank, 6), player.output,
            )
            for seat, player in enumerate(self.players)
        )  # fmt: skip
        control = self.control
        return MatchResult(
            self.name,
            self.config,
            self.seed,
            results,
            tuple(self._moves),
            truncated,
            control.per_move,
            control.bank,
        )
