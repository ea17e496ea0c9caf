"""`gridarium match`: games between players."""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console

from gridarium.agents import statistics
from gridarium.arena import MatchPlayer, MatchResult, MatchSettings, PlayerStatus, open_player, run_of_matches
from gridarium.arena.match import SEEDS
from gridarium.arena.match_run import match_title, with_replays
from gridarium.arena.tournaments.worker import opened_game
from gridarium.cli.shared.matches import (
    match_options,
    reported_problems,
    settings_of,
    tell_faults,
    write_text,
)
from gridarium.cli.shared.output_files import check_run, check_writable
from gridarium.cli.shared.terminal import progress, table_with_names, waiting
from gridarium.games import GameError
from gridarium.view import save_run


@click.command("match")
@click.argument("game")
@click.argument("players", nargs=-1, required=True)
@match_options
@click.option(
    "--games",
    "-n",
    default=1,
    show_default=True,
    type=click.IntRange(min=1),
    help="How many games; seats rotate.",
)
@click.option("--json", "as_json", metavar="FILE", help="Write all results as JSON.")
@click.option("--replay", metavar="FILE", help="Save the games of a world: .run, .html, .gif, .webp or .mp4.")
def match(
    game: str,
    players: tuple[str, ...],
    config: str,
    per_move: float,
    bank: float,
    memory: int,
    cpu: int,
    seed: int | None,
    games: int,
    as_json: str | None,
    replay: str | None,
) -> None:
    """Play GAME between PLAYERS and show who has won.

    GAME is a game or a world with several agents, by name, a YAML file of such a world, or a Python file or module with a game of
    your own (game.py, module:name). A player is built in (random, greedy, mcts, mcts:seconds=0.5, ...), a Python file (bot.py), a
    program with its arguments ("./bot --level 3"), or module:name. A player that fails loses.
    """
    if as_json is not None:
        check_writable(as_json)
    if replay is not None:
        check_run(replay)
    settings = settings_of(game, config, per_move, bank, memory, cpu)
    first = secrets.randbelow(SEEDS) if seed is None else seed
    with reported_problems(), contextlib.ExitStack() as stack:
        if replay is not None:
            with_replays(opened_game(settings.game))
        opened: list[MatchPlayer] = []
        for i, text in enumerate(players):
            opened.append(open_player(text, limits=settings.limits))
            if players.index(text) < i:
                opened[-1].name += f" ({players[: i + 1].count(text)})"
            stack.callback(opened[-1].close)
        results: list[MatchResult] = []
        broken: GameError | None = None
        try:
            _play_all(settings, opened, games, first, results)
        except GameError as error:
            if not results:
                raise
            broken = error
        show(game, [player.name for player in opened], results)
        if as_json is not None:
            data = {"format": 1, "matches": [json.loads(result.to_json()) for result in results]}
            write_text(Path(as_json), json.dumps(data))
            click.echo(f"wrote {as_json}")
        if replay is not None:
            with waiting(f"writing {replay}"):
                world_game = with_replays(opened_game(settings.game))
                run = run_of_matches(world_game, results)
                titles = [match_title(world_game, number, result) for number, result in enumerate(results, 1)]
                save_run(run, replay, world=world_game.world, title=titles)
            click.echo(f"wrote {replay}")
        if broken is not None:
            raise broken


def _play_all(
    settings: MatchSettings,
    players: Sequence[MatchPlayer],
    games: int,
    seed: int,
    results: list[MatchResult],
) -> None:
    """Add the results of all games; those in which seats have rotated once have the same seed.

    Raises:
        GameError: the game raises; the message says in which match.
    """
    opened_game(settings.game)  # its line about compiling would disturb the bar
    with progress() as bar:
        for i in bar.track(range(games), description="playing"):
            turn = i % len(players)
            seated = [*players[turn:], *players[:turn]]
            own = seed + i // len(players)
            try:
                results.append(settings.play_opened(seated, own))
            except GameError as error:
                names = ", ".join(player.name for player in seated)
                raise GameError(f"match {i + 1} ({names}; seed {own}): {error}") from error


def show(game: str, names: Sequence[str], results: Sequence[MatchResult]) -> None:
    """Print the results as a table, and a few faults."""
    title = f"{game}, {len(results)} game{'' if len(results) == 1 else 's'}, seed {results[0].seed}"
    rows = []
    for name in names:
        own = [(r, next(i for i, seat in enumerate(r.seats) if seat.name == name)) for r in results]
        draws = sum(not result.winners for result, _ in own)
        wins = sum(seat in result.winners for result, seat in own)
        moves = sum(move.seat == seat and not move.forced for result, seat in own for move in result.moves)
        used = sum(result.seats[seat].seconds for result, seat in own)
        points = statistics.proportion(sum(result.points[seat] for result, seat in own), len(own))
        rows.append(
            [
                points.span() if len(own) > 1 else f"{points.mean:.2f}",
                str(wins),
                str(draws),
                str(len(own) - wins - draws),
                f"{sum(result.seats[seat].returned for result, seat in own) / len(own):.2f}",
                str(sum(result.seats[seat].status != PlayerStatus.DONE for result, seat in own)),
                f"{used / moves:.4f}" if moves else "",
            ]
        )
    console = Console()
    titles = ("points", "won", "drawn", "lost", "mean return", "faults", "s/move")
    console.print(table_with_names(console, title, titles, names, rows))
    cut = sum(result.truncated for result in results)
    if cut:
        console.print(
            f"{cut} of them did not end, and were cut off after {max(r.plies for r in results)} moves"
        )
    tell_faults(console, results)
