"""`gridarium tournament`: tournaments between players, stored and shown."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from urllib.parse import quote

import click
from rich.console import Console

from gridarium.arena import (
    FORMATS,
    BrokenMatches,
    MatchSettings,
    PlayedMatch,
    Tournament,
    TournamentResult,
    left_out_of,
    open_player,
    player_name,
    players_in,
    run_of_matches,
    tournament_page,
)
from gridarium.arena.match_run import match_title
from gridarium.arena.tournaments.formats.elimination import SingleElimination, encounter_winner
from gridarium.arena.tournaments.tournament_result import decimal, letters_of
from gridarium.arena.tournaments.worker import opened_game
from gridarium.cli.shared.matches import (
    faults_of,
    match_options,
    reported_problems,
    settings_of,
    tell_faults,
    write_text,
)
from gridarium.cli.shared.output_files import check_page, check_writable
from gridarium.cli.shared.terminal import progress, table_with_names, waiting
from gridarium.games import WorldGame
from gridarium.view import write_replay

WIDEST = 10
"""Cross tables of more players are only on the page."""


@click.command("tournament")
@click.argument("game")
@click.argument("players", nargs=-1, required=True)
@match_options
@click.option("--format", "form", type=click.Choice([*FORMATS]), default="round-robin", show_default=True)
@click.option(
    "--games",
    "-n",
    type=click.IntRange(min=1),
    help="Games of each encounter; seats rotate.  [default: one a seat]",
)
@click.option("--rounds", type=click.IntRange(min=1), help="Rounds of a Swiss tournament or a ladder.")
@click.option("--seats", type=click.IntRange(min=1), help="Players of a game for various numbers of them.")
@click.option(
    "--workers", type=click.IntRange(min=1), help="Processes that play.  [default: one a processor]"
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    default="",
    help="Play on the machines of a cluster of Ray: auto, local, or its address. Files have the same paths on all.",
)
@click.option(
    "--db",
    metavar="FILE",
    default="",
    help="Store results in a file of SQLite, or at an address of SQLAlchemy; a tournament that is there is resumed.",
)
@click.option(
    "--name", default="tournament", show_default=True, help="Name of the tournament in the database."
)
@click.option(
    "--html", metavar="FILE", type=click.Path(path_type=Path), help="Write a page with all results."
)
@click.option(
    "--replays",
    default=20,
    show_default=True,
    type=click.IntRange(min=0),
    help="The number of last matches that the page shows, in worlds.",
)
@click.option("--json", "as_json", metavar="FILE", type=click.Path(path_type=Path), help="Write all results as JSON.")  # fmt: skip
def tournament(
    game: str,
    players: tuple[str, ...],
    config: str,
    per_move: float,
    bank: float,
    memory: int,
    cpu: int,
    seed: int | None,
    form: str,
    games: int | None,
    rounds: int | None,
    seats: int | None,
    workers: int | None,
    cluster: str,
    db: str,
    name: str,
    html: Path | None,
    replays: int,
    as_json: Path | None,
) -> None:
    """Play a tournament of GAME between PLAYERS: folders with one in each file, or single ones.

    Of a folder, all Python files and programs take part, under the names of their files. Games and single players are given as for
    `gridarium match`, with a name in front where it matters: champion=mcts:seconds=1.
    """
    if html is not None:
        check_page(html)
    if as_json is not None:
        check_writable(as_json)
    settings = settings_of(game, config, per_move, bank, memory, cpu)
    with reported_problems():
        entered = entrants(players)
        made = Tournament(
            settings, entered, form=form, games=games, rounds=rounds, seats=seats, seed=seed, store=db, name=name,
            workers=workers, cluster=cluster,
        )  # fmt: skip
        there, known = made.progress()
        if there:
            click.echo(
                f"{there} of {known} matches{'' if form == 'round-robin' else ' of the rounds so far'} are already there"
            )
        broken: BrokenMatches | None = None
        try:
            result = _run(made)
        except BrokenMatches as error:
            if not error.result.played:
                raise
            broken, result = error, error.result
        made.close()
        show(result)
        if as_json is not None:
            write_text(as_json, report(result))
            click.echo(f"wrote {as_json}")
        if html is not None:
            about = f"{game} {config}".strip() + f", {form}, {len(result.played)} matches, seed {made.seed}"
            links = _write_replays(settings, result.played[max(len(result.played) - replays, 0) :], html)
            write_text(html, tournament_page(result, about=about, replays=links))
            click.echo(f"wrote {html}" + (f" and {len(links)} replays" if links else ""))
        if broken is not None:
            raise broken


def entrants(given: Sequence[str]) -> dict[str, str]:
    """The players by name; says which files of folders are none.

    Raises:
        ValueError: two have the same name, a folder has none, or there is no such player.
    """
    found: dict[str, str] = {}
    for text in given:
        if Path(text).is_dir():
            if left_out := left_out_of(Path(text)):
                click.echo(f"left out of {text}: {', '.join(left_out)}")
            added = players_in(Path(text))
            if not added:
                raise ValueError(f"{text} has no Python file and no program")
        else:
            name, equals, rest = text.partition("=")
            added = {name: rest} if equals and name.isidentifier() else {player_name(text): text}
        for name, player in added.items():
            if name in found:
                raise ValueError(
                    f"two players are called {name}; write another name in front: other={player}"
                )
            open_player(player).close()  # whether there is such a player
            found[name] = player
    return found


def _run(made: Tournament) -> TournamentResult:
    faults = 0
    with progress() as bar:
        task = bar.add_task("playing", total=None)

        def watch(one: PlayedMatch, done: int, count: int) -> None:
            nonlocal faults
            faults += len(faults_of(one.result))
            told = f", {faults} fault{'' if faults == 1 else 's'}" if faults else ""
            bar.update(task, description=f"round {one.match.round + 1}{told}", completed=done, total=count)

        return made.run(watch)


def _write_replays(settings: MatchSettings, played: Sequence[PlayedMatch], page: Path) -> Mapping[int, str]:
    """Write replays to a folder beside the page; their addresses by the numbers of matches."""
    game = opened_game(settings.game)
    if not isinstance(game, WorldGame) or not played:
        return {}
    folder = page.with_name(f"{page.stem}_replays")
    folder.mkdir(exist_ok=True)
    links = {}
    with waiting("writing replays"):
        for one in played:
            number = one.match.number
            write_replay(
                run_of_matches(game, [one.result]),
                folder / f"match-{number}.html",
                world=game.world,
                title=match_title(game, number + 1, one.result),
            )
            links[number] = quote(f"{folder.name}/match-{number}.html")
    return links


def show(result: TournamentResult) -> None:
    """Print the standings, the encounters of an elimination, the cross table of a few players, and a few faults."""
    console = Console()
    standings = result.standings()
    averages = result.averages() or []
    score = ["score"] if result.has_scores else []
    titles = ["", "rating", *score, "points", "won", "drawn", "lost", "faults"]
    rows = []
    for s in standings:
        counts = (s.wins, s.draws, s.losses, s.faults)
        scored = [decimal(s.score)] if score else []
        rows.append([s.place_text, s.rating.text(0), *scored, decimal(s.points), *map(str, counts)])
    if averages:
        titles += ["Nash", "alpha"]
        for s, row in zip(standings, rows, strict=True):
            own = averages[s.player]
            row += [f"{own.nash_points:.0f}", f"{100 * own.alpha_rank:.0f} %"]
    names = [s.name for s in standings]
    title = f"{result.name}, {result.form}, {len(result.played)} matches"
    console.print(table_with_names(console, title, titles, names, rows, at=1))
    if issubclass(FORMATS[result.form], SingleElimination):
        _tell_encounters(console, result)
    if len(standings) <= WIDEST:
        letters = [letters_of(i) for i in range(len(standings))]
        met = result.cross_table()
        cross = [
            [letter, *(_met(met.get((own.player, other.player))) for other in standings)]
            for letter, own in zip(letters, standings, strict=True)
        ]
        console.print(
            table_with_names(console, "points against each other", ["", *letters], names, cross, at=1)
        )
    console.print(result.note, style="dim")
    if averages:
        console.print(
            "Nash: points against the mixture that nobody beats; alpha: how long imitators of success stay with a player (alpha-rank)",
            style="dim",
        )
    tell_faults(console, [one.result for one in result.played])


def _met(points_and_count: tuple[float, int] | None) -> str:
    return "" if points_and_count is None else f"{decimal(points_and_count[0])}/{points_and_count[1]}"


def _tell_encounters(console: Console, result: TournamentResult) -> None:
    """Print the encounters of each round, the winner first."""
    for number, encounters in enumerate(result.encounters(), 1):
        for encounter in encounters:
            winner = encounter_winner(encounter)
            pairs = sorted(
                zip(encounter.players, encounter.points, strict=True), key=lambda pair: pair[0] != winner
            )
            (first, won), (second, lost) = pairs
            told = (
                f"{result.players[first]} beats {result.players[second]}, {decimal(won)} to {decimal(lost)}"
            )
            console.print(
                f"round {number}: {told}" + (" (better seeded)" if won == lost else ""), markup=False
            )


def report(result: TournamentResult) -> str:
    """All results as JSON."""
    averages = result.averages()
    standings = [
        {
            "place": s.place, "name": s.name, "rating": s.rating.plain(), "score": s.score, "points": s.points,
            "wins": s.wins, "draws": s.draws, "losses": s.losses, "faults": s.faults,
            "average": None if averages is None else asdict(averages[s.player]),
        }
        for s in result.standings()
    ]  # fmt: skip
    matches = [
        {"number": one.match.number, "round": one.match.round, "result": json.loads(one.result.to_json())}
        for one in result.played
    ]
    data = {"format": 1, "name": result.name, "form": result.form, "standings": standings, "matches": matches}
    return json.dumps(data)
