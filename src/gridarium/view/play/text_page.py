"""A game as a page of text for a terminal: the world, its legend, what has happened, and the keys."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gridarium import draw
from gridarium.draw.shapes import RGB
from gridarium.draw.tables import table_of
from gridarium.draw.visibility import only_seen, seen_cells
from gridarium.view.play.controller import PlayController
from gridarium.world.geometry import Shape
from gridarium.world.sketch import sketch
from gridarium.world.state import Observation, State

ASIDE = 36
"""Columns of the words at the right."""
LEAST_MAP = (5, 14)
"""The fewest rows and columns of the world that are worth showing; a larger world is cut off around the agent."""
NO_BREAK = "\N{NO-BREAK SPACE}"
_ESCAPE = re.compile(r"\x1b\[([\d;]*)m")
TITLE, ACCENT, PALE = "title", "accent", "pale"


@dataclass(frozen=True)
class Span:
    """Some characters that look alike.

    Attributes:
        text: the characters.
        rgb: their color; None for the terminal's own.
        bold, dim: whether they stand out, or stand back.
        role: TITLE, ACCENT, PALE or nothing, where they have no color of their own.
        choosable, pointed: whether they are cells that can be chosen, or that are pointed at.
    """

    text: str
    rgb: RGB | None = None
    bold: bool = False
    dim: bool = False
    role: str = ""
    choosable: bool = False
    pointed: bool = False


Row = list[Span]
Page = list[Row]


def page(controller: PlayController, height: int, width: int) -> Page:
    """A game on a page of exactly `height` rows and at most `width` columns, or why it does not fit."""
    narrowest = ASIDE + LEAST_MAP[1]
    foot = _footer(controller, max(width, narrowest))
    aside = _aside(controller, height - len(foot) - 2)
    least = max(len(aside), LEAST_MAP[0]) + len(foot) + 2, narrowest
    if height < least[0] or width < least[1]:
        return _too_small(height, width, least)
    body = height - len(foot) - 2
    left = _left(controller, body, width - ASIDE - 2)
    words = controller.panel(mouse=False)
    top: Row = [Span(words.title, role=TITLE)]
    if words.banner:
        top.append(Span(f"  {words.banner}", role=ACCENT))
    rows = [cut(top, width), []]
    for i in range(body):
        own = left[i] if i < len(left) else []
        gap = width - ASIDE - length(own)
        rows.append([*own, Span(" " * gap), *aside[i]] if i < len(aside) else own)
    return rows[: height - len(foot)] + foot


def length(row: Row) -> int:
    """Return the number of columns of a row."""
    return sum(len(span.text) for span in row)


def cut(row: Row, end: int, begin: int = 0) -> Row:
    """The part of a row from one column to before another."""
    kept, at = [], 0
    for span in row:
        part = span.text[max(0, begin - at) : max(0, end - at)]
        at += len(span.text)
        if part:
            kept.append(replace(span, text=part))
    return kept


def spans(line: str) -> Row:
    """A line of `draw.text(..., color=True)`, its colors read from the escapes in it."""
    row: Row = []
    style = Span("")
    for i, part in enumerate(_ESCAPE.split(line)):
        if i % 2 == 0:
            if part:
                row.append(replace(style, text=part))
            continue
        numbers = [int(n) for n in part.split(";") if n]
        rgb = tuple(numbers[numbers.index(38) + 2 :][:3]) if 38 in numbers else None
        style = Span("", rgb, bold=1 in numbers)  # type: ignore[arg-type]
    return row


def _left(controller: PlayController, height: int, width: int) -> Page:
    """The world, with the legend below it, or to its right where there is more room."""
    rows, legend, focus = _world(controller)
    shown = _window(rows, height, width, focus)
    across = max(map(length, shown), default=0)
    if len(shown) + 1 + len(legend) <= height:
        return [*shown, [], *(cut(row, width) for row in legend)]
    room = width - across - 2
    if room < 12:
        return shown
    aside = [*legend[:height], *([[]] * (height - len(legend)))]
    whole = [*shown, *([[]] * (height - len(shown)))]
    return [
        [*a, Span(" " * (across + 2 - length(a))), *cut(b, room)] for a, b in zip(whole, aside, strict=False)
    ]


def _world(controller: PlayController) -> tuple[Page, Page, tuple[int, int]]:
    """The rows of the map, those of agents and legend, and the row and column of the agent in focus."""
    scene, view, hide = controller.shown()
    seen = None if view is None else seen_cells(scene, view)
    if isinstance(scene, State) and hide and seen is not None:
        scene, seen = only_seen(scene, seen), None
    lines = [spans(line) for line in draw.text(scene, color=True).split("\n")]
    agents = [scene.agent] if isinstance(scene, Observation) else list(scene.agents)
    first = 1 if isinstance(scene, State) else 0
    if table_of(scene.grid.vocabulary) is not None:
        first = len(lines) - len(agents)
    count = len(sketch(scene.grid, agents).rows)
    rows = lines[first : first + count]
    apart = 2 if scene.grid.vocabulary.edges else 1
    if seen is not None:
        rows = [
            _dimmed(row, ~seen[y // apart], apart) if y % apart == 0 else row for y, row in enumerate(rows)
        ]
    right = apart
    if isinstance(scene, State) and len(agents) > 1 and scene.grid.vocabulary.headings:
        right = 2 * apart
    if controller.has_board:
        rows = [list(_by_character(row)) for row in rows]
        if right == 1:
            rows = [[part for span in row for part in (span, Span(" "))] for row in rows]
            right = 2
        _mark_choice(rows, controller, apart, right)
        rows = _numbered(rows, scene.grid.shape, apart, right)
    y, x = controller.pointed or scene.agent.position.yx
    legend = [
        row for row in lines[first + count :] if length(row) > 1
    ]  # of players there may be nothing to say
    return rows, legend, (y * apart, x * right)


def _mark_choice(rows: Page, controller: PlayController, down: int, right: int) -> None:
    """Mark the cells of a map, in spans of single characters, that can be chosen, have been, or are pointed at.

    Args:
        rows: the map.
        controller: says which.
        down: the rows from one cell to the next.
        right: the columns from one cell to the next.
    """

    def mark(y: int, x: int, **marks: bool) -> None:
        rows[y * down][x * right] = replace(rows[y * down][x * right], **marks)  # type: ignore[arg-type]

    choice = controller.choosable
    if choice is not None:
        cells = choice.cells
        if 2 * np.count_nonzero(cells) <= cells.size:  # otherwise more would be marked than not
            for y, x in np.argwhere(cells).tolist():
                mark(y, x, choosable=True)
        for y, x in np.argwhere(choice.picked).tolist():
            mark(y, x, pointed=True)
        if controller.pointed is not None:
            mark(*controller.pointed, pointed=True)


def _numbered(rows: Page, shape: Shape, down: int, right: int) -> Page:
    """A map with the numbers of its rows at the left, and the last digits of those of its columns above."""
    margin = len(str(shape.height - 1)) + 1
    digits = "".join(f"{x % 10:<{right}}" for x in range(shape.width))
    numbers = [str(y // down) if y % down == 0 else "" for y in range(len(rows))]
    return [
        [Span(" " * margin + digits, role=PALE)],
        *(
            [Span(f"{number:>{margin - 1}} ", role=PALE), *row]
            for number, row in zip(numbers, rows, strict=True)
        ),
    ]


def _dimmed(row: Row, unseen: np.ndarray[tuple[int], np.dtype[np.bool_]], apart: int) -> Row:
    """A row of the map with the cells that are not seen standing back."""
    return [
        replace(span, dim=column // apart < len(unseen) and bool(unseen[column // apart]))
        for column, span in enumerate(_by_character(row))
    ]


def _by_character(row: Row) -> Iterator[Span]:
    """A row in spans of single characters."""
    for span in row:
        for character in span.text:
            yield replace(span, text=character)


def _window(rows: Page, height: int, width: int, focus: tuple[int, int]) -> Page:
    """The part of a map around a place that has room."""
    across = max(map(length, rows), default=0)
    top = _begin(focus[0], len(rows), height)
    left = _begin(focus[1], across, width)
    return [cut(row, left + width, left) for row in rows[top : top + height]]


def _begin(focus: int, size: int, room: int) -> int:
    return max(0, min(focus - room // 2, size - room))


def _aside(controller: PlayController, height: int) -> Page:
    """Facts, what can be chosen as far as there is room, what came of the last tick, and the keys of the actions."""
    words = controller.panel(mouse=False)
    rows: Page = [[Span(line, bold=True)] for line in textwrap.wrap(words.mission, ASIDE)]
    rows += _facts(words.facts)
    rows += [[Span(line, role=ACCENT)] for line in textwrap.wrap(words.prompt, ASIDE)]
    below: Page = [[Span(line)] for line in textwrap.wrap(words.note, ASIDE)[:3]]
    below.append([])
    begun = controller.choice is not None and controller.choice.begun
    keys = controller.choosing_help(mouse=False)
    for key, meaning in keys if begun else [*keys, *controller.keyboard.actions_help(controller.offered)]:
        below.append([Span(f"{key:10}", role=ACCENT), Span(meaning)] if key else [Span(meaning, bold=True)])
    if len(rows) + len(below) > height:
        below.remove([])
    listed = textwrap.wrap(", ".join(choice.replace(" ", NO_BREAK) for choice in words.choices), ASIDE)
    room = max(1, height - len(rows) - len(below))
    if len(listed) > room:
        listed[room - 1] = "… (choose a cell first for fewer)"
    rows += [[Span(line.replace(NO_BREAK, " "))] for line in listed[:room]]
    rows += below
    return [cut(row, ASIDE) for row in rows]


def _facts(facts: Sequence[tuple[str, str]]) -> Iterator[Row]:
    """Facts, several in a row where they are short."""
    row: Row = []
    for name, value in facts:
        fact = [Span(f"{name} ", role=PALE), Span(value)]
        if row and length(row) + 3 + length(fact) > ASIDE:
            yield row
            row = []
        row = [*row, Span("   "), *fact] if row else fact
    if row:
        yield row


def _footer(controller: PlayController, width: int) -> Page:
    """The keys of everything else, in as few rows as possible."""
    rows: Page = [[]]
    for key, meaning in controller.keyboard.commands_help():
        part = [Span(key, role=ACCENT), Span(f" {meaning}", role=PALE)]
        if rows[-1] and length(rows[-1]) + 3 + length(part) > width:
            rows.append([])
        rows[-1] = [*rows[-1], Span("   "), *part] if rows[-1] else part
    return [cut(row, width) for row in rows]


def _too_small(height: int, width: int, least: tuple[int, int]) -> Page:
    text = f"The terminal has {width} x {height} characters; {least[1]} x {least[0]} are needed. Make it larger, or leave with esc."
    lines = textwrap.wrap(text, max(width, 1))[:height]
    return [[Span(line)] for line in lines] + [[] for _ in range(height - len(lines))]
