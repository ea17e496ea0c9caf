"""The results of a tournament as a page of HTML, which needs nothing else."""

from __future__ import annotations

import html
import itertools
from collections.abc import Mapping, Sequence

from gridarium.arena.match_result import MatchResult
from gridarium.arena.players.player import PlayerStatus
from gridarium.arena.tournaments.tournament_result import PlayedMatch, Standing, TournamentResult
from gridarium.view.replay.html import PAGE

MOST_LISTED = 1000
"""The number of matches that are listed; of more, the last ones."""
HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="generator" content="Gridarium">
<title>{title}</title>
<style>
{style}
main {{ grid-template-columns: minmax(0, 1fr); max-width: 70rem; }}
section {{ overflow-x: auto; }}
table {{ table-layout: auto; width: auto; }}
td, thead th {{ white-space: nowrap; overflow-wrap: normal; }}
td.number, th.number {{ text-align: right; }}
td.reason {{ white-space: normal; overflow-wrap: anywhere; color: var(--warning); }}
a {{ color: var(--accent); }}
svg {{ display: block; width: 14rem; height: 1.2rem; }}
svg line {{ stroke: var(--accent); stroke-width: 2; }}
svg circle {{ fill: var(--accent); }}
</style>
</head>
<body>
<header><h1>{title}</h1><p>{about}</p></header>
<main>
"""


def tournament_page(
    result: TournamentResult, *, title: str = "", about: str = "", replays: Mapping[int, str] | None = None
) -> str:
    """The page.

    Args:
        result: of the tournament.
        title: by default its name.
        about: a line below the title.
        replays: the addresses of replays, for numbers of matches.

    Returns:
        the text of an HTML document; names and reasons appear as text, whatever they contain.
    """
    style = (PAGE / "common.css").read_text(encoding="utf-8")
    table = result.standings()
    parts = [
        HEAD.format(title=html.escape(title or result.name), about=html.escape(about), style=style),
        f"<section><h2>Standings</h2>{_standings(table)}</section>",
        f"<section><h2>Points against each other</h2>{_cross_table(result, table)}</section>",
        *_averages(result, table),
        f"<section><h2>Matches</h2>{_matches(result, replays or {})}</section>",
        "</main>\n</body>\n</html>\n",
    ]
    return "\n".join(parts)


def _standings(table: Sequence[Standing]) -> str:
    names = ("", "player", "rating", "", "points", "won", "drawn", "lost", "faults")
    low = min(standing.rating.low for standing in table)
    high = max(standing.rating.high for standing in table)
    rows = []
    for standing in table:
        counts = (standing.wins, standing.draws, standing.losses, standing.faults)
        cells = [
            _cell(standing.place),
            _cell(standing.name, number=False),
            _cell(standing.rating.text(0)),
            f"<td>{_interval(standing, low, high)}</td>",
            _cell(f"{standing.points:g}"),
            *map(_cell, counts),
        ]
        rows.append("".join(cells))
    note = "<p>Ratings are estimated from all matches (Plackett-Luce), with 95 % confidence intervals.</p>"
    return _table(names, rows) + note


def _interval(standing: Standing, low: float, high: float) -> str:
    rating = standing.rating

    def x(value: float) -> str:
        return f"{100 * (value - low) / max(1.0, high - low):.2f}%"

    return (
        f'<svg role="img" aria-label="{rating.low:.0f} to {rating.high:.0f}">'
        f'<line x1="{x(rating.low)}" x2="{x(rating.high)}" y1="50%" y2="50%"/>'
        f'<circle cx="{x(rating.mean)}" cy="50%" r="4"/></svg>'
    )


def _cross_table(result: TournamentResult, table: Sequence[Standing]) -> str:
    met = result.cross_table()
    rows = []
    for own in table:
        cells = [_cell(own.place), _cell(own.name, number=False)]
        for other in table:
            points, count = met.get((own.player, other.player), (0.0, 0))
            cells.append(_cell(f"{points:g}/{count}" if count else ""))
        rows.append("".join(cells))
    return _table(("", "player", *(str(standing.place) for standing in table)), rows)


def _averages(result: TournamentResult, table: Sequence[Standing]) -> list[str]:
    """The section on circles of players, if all have met."""
    averages = result.averages()
    if averages is None:
        return []
    rows = []
    for standing in table:
        own = averages[standing.player]
        texts = (f"{own.nash_points:.0f}", f"{100 * own.nash_share:.1f} %", f"{100 * own.alpha_rank:.1f} %")
        cells = [_cell(standing.place), _cell(standing.name, number=False), *map(_cell, texts)]
        rows.append("".join(cells))
    note = (
        "<p>Players may beat each other in circles, which ratings on one scale do not show. Nash averaging compares with the mixture of "
        "players that nobody beats (points as those of ratings, and the share in it); alpha-rank is the share of time that a population "
        "which imitates success stays with a player.</p>"
    )
    names = ("", "player", "Nash average", "share", "alpha-rank")
    return [f"<section><h2>Circles</h2>{_table(names, rows)}{note}</section>"]


def _matches(result: TournamentResult, replays: Mapping[int, str]) -> str:
    listed = result.played[-MOST_LISTED:]
    rows = [_match(one, replays.get(one.match.number)) for one in listed]
    names = ("match", "round", "players, the best first", "moves", "replay", "faults")
    left_out = len(result.played) - len(listed)
    return _table(names, rows) + (f"<p>{left_out} earlier ones are not listed.</p>" if left_out else "")


def _match(one: PlayedMatch, replay: str | None) -> str:
    link = "" if replay is None else f'<a href="{html.escape(replay)}">replay</a>'
    faults = "; ".join(
        f"{seat.name}: {seat.status}, {seat.reason}"
        for seat in one.result.seats
        if seat.status != PlayerStatus.DONE
    )
    return "".join(
        [
            _cell(one.match.number),
            _cell(one.match.round + 1),
            _cell(outcome(one.result), number=False),
            _cell(len(one.result.moves)),
            f"<td>{link}</td>",
            f'<td class="reason">{html.escape(faults)}</td>',
        ]
    )


def outcome(result: MatchResult) -> str:
    """The players from the best to the worst, as `a > b = c`; their order is that of the seats where they are equal."""
    ordered = sorted(result.seats, key=lambda seat: seat.rank)
    text = ordered[0].name
    for before, seat in itertools.pairwise(ordered):
        text += f" {'=' if seat.rank == before.rank else '>'} {seat.name}"
    return text


def _table(names: Sequence[str], rows: Sequence[str]) -> str:
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _cell(value: object, *, number: bool = True) -> str:
    kind = ' class="number"' if number else ""
    return f"<td{kind}>{html.escape(str(value))}</td>"
