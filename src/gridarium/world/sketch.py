"""A grid and its agents as rows of symbols, one symbol for each different object."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from string import ascii_letters
from typing import Any

from gridarium.world.cell import LOWER_WALL, RIGHT_WALL
from gridarium.world.geometry import Position
from gridarium.world.glyphs import AGENT, ARROWS, CROSSING, WALL_BELOW, WALL_RIGHT, is_readable
from gridarium.world.objects import GridObject

SIGNS = "?!"
"""Characters for objects on signs, if unused."""
Mark = tuple[str, Any]
"""A symbol and the object or agent that it represents; None for walls on edges and the space between cells."""


@dataclass(frozen=True)
class Sketch:
    """A grid as text.

    Attributes:
        rows: the map. In worlds with walls on edges, every second row and column lies between cells.
        legend: the objects on the map and their symbols, in the order in which they appear.
        agents: the symbol of each agent: an arrow for a single one (`@` if headings do not matter), numbers for several.
        shown: for each agent whether it is on the map: it is active, inside, and not covered by an earlier agent.
        signs: the objects that are shown on signs, and their symbols.
    """

    rows: list[list[Mark]]
    legend: dict[GridObject, str]
    agents: list[str]
    shown: list[bool]
    signs: dict[GridObject, str]

    def lines(self) -> list[str]:
        """The map as text."""
        return ["".join(symbol for symbol, _ in row).rstrip() for row in self.rows]


def sketch(grid: Any, agents: Iterable[Any], signs: Collection[Position] = ()) -> Sketch:
    """Draw a `Grid` with `Agent`s on top. Those classes use this module for their text, so it does not import them.

    Args:
        grid: the grid.
        agents: the agents.
        signs: the places of signs: objects there have symbols of their own.
    """
    listed = list(agents)
    marks = agent_symbols(listed)
    shown, on_top = [], {}
    for agent in listed:
        shown.append(bool(agent.active) and grid.contains(agent.position) and agent.position not in on_top)
        if shown[-1]:
            on_top[agent.position] = agent
    visible = dict.fromkeys(grid[p] for p in grid.positions() if p not in on_top and p not in signs)
    taken = {*ARROWS, *marks}
    legend = _choose(list(visible), taken)
    things = dict.fromkeys(grid[p] for p in signs)
    shown_on_signs = dict(zip(things, _unused(SIGNS, taken), strict=False))
    named = dict(zip(map(id, listed), marks, strict=True))

    def mark(p: Position) -> Mark:
        agent = on_top.get(p)
        if agent is not None:
            return named[id(agent)], agent
        return (shown_on_signs if p in signs else legend)[grid[p]], grid[p]

    rows = [[mark(Position(y, x)) for x in range(grid.width)] for y in range(grid.height)]
    rows = _with_edges(grid, rows) if grid.vocabulary.edges else rows
    return Sketch(rows, legend, marks, shown, shown_on_signs)


def agent_symbols(agents: Sequence[Any]) -> list[str]:
    """An arrow for a single agent, or `@` if headings do not matter; numbers for several, then other characters."""
    if len(agents) == 1:
        return [ARROWS[agents[0].orientation.value] if agents[0].vocabulary.headings else AGENT]
    wanted = [*"0123456789", *(chr(0x2469 + i) for i in range(11))]
    return [symbol for _, symbol in zip(agents, _unused(wanted, set(ARROWS)), strict=False)]


def _choose(things: list[GridObject], taken: set[str]) -> dict[GridObject, str]:
    """Choose each object's own glyph if it is unused, else the mark of its color, else any unused character."""
    chosen: dict[GridObject, str] = {}
    for thing in things:
        glyph = thing.map_glyph
        if glyph not in taken and is_readable(glyph):
            chosen[thing] = glyph
            taken.add(glyph)
    for thing in things:
        if thing not in chosen:
            chosen[thing] = next(_unused([thing.color.mark, thing.color.mark.upper()], taken))
            taken.add(chosen[thing])
    return {thing: chosen[thing] for thing in things}


def _unused(wanted: Iterable[str], taken: set[str]) -> Iterator[str]:
    used = set(taken)
    for symbol in chain(wanted, ascii_letters, map(chr, range(0xA1, 0x10000))):
        if symbol not in used and is_readable(symbol):
            used.add(symbol)
            yield symbol


def _with_edges(grid: Any, rows: list[list[Mark]]) -> list[list[Mark]]:
    walls = grid.layers[grid.vocabulary.edge_layer].tolist()
    spread: list[list[Mark]] = []
    for marks, bits in zip(rows, walls, strict=True):
        cells: list[Mark] = []
        below: list[Mark] = []
        for own, wall in zip(marks, bits, strict=True):
            cells += [own, (WALL_RIGHT if wall & RIGHT_WALL else " ", None)]
            below += [(WALL_BELOW if wall & LOWER_WALL else " ", None), (CROSSING, None)]
        last_open = not bits[-1] & RIGHT_WALL
        spread += [cells[:-1] if last_open else cells, below[:-1]]
    if not any(bits & LOWER_WALL for bits in walls[-1]):
        spread.pop()
    return spread
