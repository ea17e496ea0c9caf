"""`check_player`: whether a player plays matches without faults, in every seat, one after another."""

from __future__ import annotations

from collections.abc import Callable

from gridarium.arena import Match, MatchPlayer, MatchResult, PlayerStatus, RandomPlayer, open_player
from gridarium.games import BaseEnvironment
from gridarium.testing.problems import require

PlayerSource = str | Callable[[], MatchPlayer]
"""The text of a player, see `gridarium.arena.open_player`, or a function that makes one."""


def check_player(
    player: PlayerSource,
    game: BaseEnvironment,
    *,
    games: int = 4,
    time_per_move: float | None = 1.0,
    deterministic: bool = True,
) -> None:
    """Run all checks of a player.

    Args:
        player: the player.
        game: what it plays.
        games: the number of matches in each seat.
        time_per_move: the seconds that it may take for a move, with 10 more in all; None for no limit.
        deterministic: whether equal seeds have to give equal moves.

    Raises:
        NotConforming: a check failed; with the player's own messages.
    """
    check_matches(player, game, games, time_per_move)
    check_together(player, game, time_per_move)
    if deterministic:
        check_determinism(player, game, time_per_move)


def check_matches(
    player: PlayerSource, game: BaseEnvironment, games: int = 4, time_per_move: float | None = 1.0
) -> None:
    """In every seat, against random players, it plays several games without a fault, and closes twice."""
    made = _made(player)
    try:
        for seat in range(game.min_players):
            others = [RandomPlayer(f"random {i}") for i in range(game.min_players - 1)]
            for seed in range(games):
                _played(game, [*others[:seat], made, *others[seat:]], seed, time_per_move, made)
    finally:
        made.close()
    made.close()


def check_together(player: PlayerSource, game: BaseEnvironment, time_per_move: float | None = 1.0) -> None:
    """Several of the same kind play against each other: they share nothing that matters."""
    made = [_made(player) for _ in range(game.min_players)]
    try:
        _played(game, made, 0, time_per_move, *made)
    finally:
        for one in made:
            one.close()


def check_determinism(player: PlayerSource, game: BaseEnvironment, time_per_move: float | None = 1.0) -> None:
    """Equal seeds give equal moves, also after another game."""
    made = _made(player)
    others = [RandomPlayer(f"random {i}") for i in range(game.min_players - 1)]
    try:
        first, _, again = (
            [(m.seat, m.action) for m in _played(game, [made, *others], seed, time_per_move, made).moves]
            for seed in (1, 2, 1)
        )
    finally:
        made.close()
    different = next((i for i, (a, b) in enumerate(zip(first, again, strict=False)) if a != b), len(first))
    require(first == again, f"{made.name}: move {different} differs between two games with the same seed")


def _played(
    game: BaseEnvironment,
    players: list[MatchPlayer],
    seed: int,
    time_per_move: float | None,
    *checked: MatchPlayer,
) -> MatchResult:
    result = Match(game, players, seed=seed, time_per_move=time_per_move).run()
    for player in checked:
        seat = players.index(player)
        found = result.seats[seat]
        said = f"\nIt has written:\n{found.output}" if found.output else ""
        require(
            found.status == PlayerStatus.DONE,
            f"{found.name}, seat {seat} of {type(game).__name__}, seed {seed}: {found.status}, {found.reason}{said}",
        )
    return result


def _made(player: PlayerSource) -> MatchPlayer:
    return open_player(player) if isinstance(player, str) else player()
