"""Parses the map of a state's text form: the symbol of each cell, and the walls between cells."""

from __future__ import annotations

from dataclasses import dataclass

from gridarium.world.cell import LOWER_WALL, RIGHT_WALL
from gridarium.world.glyphs import CROSSING, WALL_BELOW, WALL_RIGHT
from gridarium.world.text_form.line import Place, misread
from gridarium.world.text_form.plain_data import shown

NumberedRow = tuple[int, str]


@dataclass(frozen=True)
class Map:
    """A parsed map: symbols and walls.

    Attributes:
        symbols: for each cell its symbol, with line and column.
        walls: for each cell 1 for a wall on its right edge, plus 2 for one on its lower edge.
    """

    symbols: list[list[tuple[str, Place]]]
    walls: list[list[int]]


def read_map(rows: list[NumberedRow], edges: bool) -> Map:
    """Parse a map from its lines, with any indentation.

    Raises:
        ValueError: rows differ in length, a row has a gap, or there is anything but walls between cells.
    """
    while rows and not rows[-1][1].strip():
        rows = rows[:-1]
    while rows and not rows[0][1].strip():
        rows = rows[1:]
    if not edges:
        rows = [row for row in rows if row[1].strip()]
    indent = min((len(row) - len(row.lstrip()) for _, row in rows if row.strip()), default=0)
    cells = [_cells(row, indent, 2 if edges else 1) for row in (rows[::2] if edges else rows)]
    widths = [len(row) for row in cells]
    for (number, _), width in zip(rows[::2] if edges else rows, widths, strict=True):
        if width != widths[0]:
            raise misread(number, indent + 1, f"a row of {width} cells; the first one has {widths[0]}")
    walls = [[0] * widths[0] for _ in cells] if cells else []
    if edges:
        for y, (number, row) in enumerate(rows):
            _read_walls(row[indent:], (number, indent), y, walls)
    return Map(cells, walls)


def _cells(numbered: NumberedRow, indent: int, step: int) -> list[tuple[str, Place]]:
    number, row = numbered
    cells = [(symbol, (number, indent + i * step + 1)) for i, symbol in enumerate(row[indent::step])]
    for symbol, place in cells:
        if symbol.isspace():
            raise misread(*place, "a hole in the map; every cell needs a symbol, such as . for Floor")
    if not cells:
        raise misread(number, indent + 1, "an empty row of cells")
    return cells


def _read_walls(row: str, place: Place, line: int, walls: list[list[int]]) -> None:
    between = line % 2 == 1
    for i, symbol in enumerate(row):
        at_wall = i % 2 == 0 if between else i % 2 == 1
        sign, bit = (WALL_BELOW, LOWER_WALL) if between else (WALL_RIGHT, RIGHT_WALL)
        if at_wall and symbol == sign and i // 2 < len(walls[0]):
            walls[line // 2][i // 2] |= bit
        elif at_wall and symbol != " ":
            hint = "every second line is for walls; " if between else ""
            wrong = f"{hint}{sign} or a space belongs between cells, not {shown(symbol)}"
            raise misread(place[0], place[1] + i + 1, wrong)
        elif between and not at_wall and symbol not in (" ", CROSSING):
            raise misread(
                place[0], place[1] + i + 1, f"{CROSSING} or a space belongs here, not {shown(symbol)}"
            )
