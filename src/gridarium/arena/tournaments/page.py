"""The results of a tournament as a page of HTML, which needs nothing else."""

from __future__ import annotations

import html
import itertools
from collections.abc import Mapping, Sequence

from gridarium.arena.match_result import MatchResult
from gridarium.arena.players.player import PlayerStatus
from gridarium.arena.tournaments.formats.elimination import SingleElimination, encounter_winner
from gridarium.arena.tournaments.formats.named_formats import FORMATS
from gridarium.arena.tournaments.tournament_result import (
    PlayedMatch,
    Standing,
    TournamentResult,
    decimal,
    letters_of,
)
from gridarium.draw.drawings import agent_rgb
from gridarium.draw.svg.elements import hexadecimal
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
td.reason:not(:empty) {{ min-width: 32rem; }}
a {{ color: var(--accent); }}
svg.interval {{ display: block; width: 14rem; height: 1.2rem; }}
svg.interval line {{ stroke-width: 2; }}
svg.course {{ display: block; width: 100%; max-width: 60rem; }}
svg.course text {{ fill: currentColor; font-size: 12px; }}
svg.course polyline {{ fill: none; stroke-width: 2; }}
svg.course path {{ stroke: currentColor; opacity: 0.2; }}
svg.swatch {{ display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.4em; }}
.bracket {{ display: flex; gap: 1.5rem; }}
.round, .round div {{ display: flex; flex-direction: column; gap: 0.6rem; }}
.round h3 {{ margin: 0; }}
.round div {{ flex: 1; justify-content: space-around; }}
.round table td {{ border: 1px solid color-mix(in srgb, currentColor 25%, transparent); }}
.won {{ font-weight: bold; }}
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
        f"<section><h2>Standings</h2>{_standings(result, table)}</section>",
        *_bracket(result),
        *_course(result),
        f"<section><h2>Points against each other</h2>{_cross_table(result, table)}</section>",
        *_averages(result, table),
        f"<section><h2>Matches</h2>{_matches(result, replays or {})}</section>",
        "</main>\n</body>\n</html>\n",
    ]
    return "\n".join(parts)


def _standings(result: TournamentResult, table: Sequence[Standing]) -> str:
    score = ["score"] if result.has_scores else []
    names = ("", "player", "rating", "", *score, "points", "won", "drawn", "lost", "faults")
    low = min(standing.rating.low for standing in table)
    high = max(standing.rating.high for standing in table)
    rows = []
    for standing in table:
        counts = (standing.wins, standing.draws, standing.losses, standing.faults)
        cells = [
            _cell(standing.place_text),
            f"<td>{_swatch(standing.player)}{html.escape(standing.name)}</td>",
            _cell(standing.rating.text(0)),
            f"<td>{_interval(standing, low, high)}</td>",
            *([_cell(decimal(standing.score))] if score else []),
            _cell(decimal(standing.points)),
            *map(_cell, counts),
        ]
        rows.append("".join(cells))
    return _table(names, rows) + f"<p>{html.escape(result.note)}</p>"


def _color(player: int) -> str:
    return hexadecimal(agent_rgb(player))


def _swatch(player: int) -> str:
    """A dot in the color that a player has in the course of ratings."""
    return f'<svg class="swatch" aria-hidden="true" viewBox="0 0 2 2"><circle cx="1" cy="1" r="1" fill="{_color(player)}"/></svg>'


def _interval(standing: Standing, low: float, high: float) -> str:
    rating, color = standing.rating, _color(standing.player)

    def x(value: float) -> str:
        return f"{100 * (value - low) / max(1.0, high - low):.2f}%"

    return (
        f'<svg class="interval" role="img" aria-label="{rating.low:.0f} to {rating.high:.0f}">'
        f'<line x1="{x(rating.low)}" x2="{x(rating.high)}" y1="50%" y2="50%" stroke="{color}"/>'
        f'<circle cx="{x(rating.mean)}" cy="50%" r="4" fill="{color}"/></svg>'
    )


def _course(result: TournamentResult) -> list[str]:
    """The section with the ratings after more and more matches."""
    course = result.course()
    if len(course) < 2:
        return []
    width, height, left, bottom = 720, 260, 50, 30
    ratings = [rating for _, row in course for rating in row]
    low, high, last = min(ratings), max(ratings), course[-1][0]

    def place(matches: int, rating: float) -> str:
        x = left + (width - left - 10) * matches / last
        return f"{x:.1f},{10 + (height - bottom - 20) * (high - rating) / max(1.0, high - low):.1f}"

    lines = []
    for player, name in enumerate(result.players):
        points = " ".join(place(matches, row[player]) for matches, row in course)
        lines.append(
            f'<polyline points="{points}" stroke="{_color(player)}"><title>{html.escape(name)}</title></polyline>'
        )
    axes = "".join(
        f'<path d="M{place(0, at)}H{width - 10}"/><text x="{left - 6}" y="{place(0, at).split(",")[1]}" text-anchor="end" '
        f'dominant-baseline="middle">{at:.0f}</text>'
        for at in (low, high)
    )
    ends = f'<text x="{width - 10}" y="{height - 8}" text-anchor="end">{last} matches</text>'
    drawn = f'<svg class="course" role="img" aria-label="Ratings over the matches" viewBox="0 0 {width} {height}">{axes}{"".join(lines)}{ends}</svg>'
    return [f"<section><h2>Ratings over the matches</h2>{drawn}</section>"]


def _bracket(result: TournamentResult) -> list[str]:
    """The section with the encounters of each round, where who loses is out."""
    if not issubclass(FORMATS[result.form], SingleElimination):
        return []
    rounds = []
    for number, encounters in enumerate(result.encounters(), 1):
        pairs = []
        for encounter in encounters:
            winner = encounter_winner(encounter)
            rows = [
                f"<td{' class=won' if player == winner else ''}>{html.escape(result.players[player])}</td>{_cell(decimal(points))}"
                for player, points in zip(encounter.players, encounter.points, strict=True)
            ]
            pairs.append(_table((), rows))
        rounds.append(f'<div class="round"><h3>Round {number}</h3><div>{"".join(pairs)}</div></div>')
    note = "<p>Who goes on is bold: the one with more points, with equally many the better seeded.</p>"
    return [f'<section><h2>Bracket</h2><div class="bracket">{"".join(rounds)}</div>{note}</section>']


def _cross_table(result: TournamentResult, table: Sequence[Standing]) -> str:
    met = result.cross_table()
    rows = []
    for i, own in enumerate(table):
        cells = [_cell(letters_of(i)), _cell(own.name, number=False)]
        for other in table:
            points, count = met.get((own.player, other.player), (0.0, 0))
            cells.append(_cell(f"{decimal(points)}/{count}" if count else ""))
        rows.append("".join(cells))
    return _table(("", "player", *map(letters_of, range(len(table)))), rows)


def _averages(result: TournamentResult, table: Sequence[Standing]) -> list[str]:
    """The section on circles of players, if all have met."""
    averages = result.averages()
    if averages is None:
        return []
    rows = []
    for standing in table:
        own = averages[standing.player]
        texts = (f"{own.nash_points:.0f}", f"{100 * own.nash_share:.1f} %", f"{100 * own.alpha_rank:.1f} %")
        cells = [_cell(standing.place_text), _cell(standing.name, number=False), *map(_cell, texts)]
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
            _cell(one.match.number + 1),
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
    cells = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    head = f"<thead><tr>{cells}</tr></thead>\n" if names else ""
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table>\n{head}<tbody>\n{body}\n</tbody>\n</table>"


def _cell(value: object, *, number: bool = True) -> str:
    kind = ' class="number"' if number else ""
    return f"<td{kind}>{html.escape(str(value))}</td>"
