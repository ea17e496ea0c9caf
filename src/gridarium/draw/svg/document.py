"""A state or an observation as an SVG document: sharp at any size, small, and readable without seeing it.

Every object that occurs is drawn once, in `<defs>`, and used wherever it stands. The document measures in cells; its
ids are made from its content, so that several documents can be on one page.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Sequence

from gridarium.draw import drawings
from gridarium.draw.alt_text import description, headline
from gridarium.draw.boards import FLOOR, GROUNDS, LINE_WIDTH, grounds_of
from gridarium.draw.drawings import layers_of
from gridarium.draw.overlays.marks import Overlay, OverlayShape, layered, room_beside
from gridarium.draw.pixels.pictures import painted
from gridarium.draw.pixels.tiles import check_size, rgb_of_thing
from gridarium.draw.scene import agent_count, scene_of, shown_agents
from gridarium.draw.shapes import Drawing
from gridarium.draw.signs import signs
from gridarium.draw.svg.elements import elements, escaped, hexadecimal, mark_elements, number
from gridarium.draw.tables import SIDE, drawn_table
from gridarium.draw.themes import LIGHT, Theme
from gridarium.draw.themes import theme as theme_of
from gridarium.draw.visibility import Mask, only_seen, seen_cells
from gridarium.world.cell import LOWER_WALL, RIGHT_WALL
from gridarium.world.geometry import Orientation
from gridarium.world.grid import Grid
from gridarium.world.objects import NOTHING, GridObject, NoneGridObject
from gridarium.world.state import Observation, State

WALL_WIDTH = 1 / 8
HELD = 7 / 16
"""The size of a held object and of one within a box, relative to a cell."""
STRIPES = ((0, 0.25, 0.25), (0, 0.75, 0.75), (0.25, 1, 0.75), (0.75, 1, 0.25))
"""`drawings.HATCH` within a cell: where each stripe begins, and how far it goes to the right and up."""
_ID = "\0"


def svg(
    scene: State | Observation | Grid,
    *,
    tile: int = 32,
    view: Observation | None = None,
    hide_unseen: bool = False,
    theme: Theme | str = LIGHT,
    overlays: Sequence[Overlay] | Overlay = (),
    title: str | None = None,
) -> str:
    """A picture of a state, an observation or a grid as a whole SVG document.

    A state's picture shows what boxes hold, an observation's does not. Colors have a letter as well, and several agents
    a number, in their observations as well.

    Args:
        scene: what to draw.
        tile: width and height of a cell in pixels at the document's own size, 1 to 256.
        view: what an agent perceives of a state; the rest of the state is darkened.
        hide_unseen: whether what `view` does not show is left out instead.
        theme: the colors of floor, walls and darkness; "light", "dark" or one of your own.
        overlays: drawn in this order, `Heat` on the floor, the others on top.
        title: what to call the picture; made from the scene unless given.

    Raises:
        TypeError: a scene, a view or an overlay is something else.
        ValueError: a size that cannot be drawn, no such theme, a view with an observation, none to hide by, or an
            overlay of another shape or with a place outside the grid.
    """
    size, colors, drawn = check_size(tile), theme_of(theme), scene_of(scene)
    seen = seen_cells(drawn, view, hide_unseen)
    if hide_unseen and seen is not None and isinstance(drawn, State):
        drawn, seen = only_seen(drawn, seen, view), None
    grid, symbols, beside = drawn.grid, _Symbols(colors), room_beside(overlays)
    beneath, above = layered(overlays, grid.shape, colors)
    table = drawn_table(drawn) if isinstance(drawn, State) else None
    body = [elements(table, colors.plain, colors)] if table else [*_cells(grid, symbols, colors, beneath)]
    body += _signs(grid, symbols, colors)
    if isinstance(drawn, State):
        body += _contents(grid, symbols)
    body += _walls(grid, colors)
    body += _agents(drawn, symbols, colors)
    if seen is not None:
        body.append(_veil(seen, colors))
    if beside:
        page = f'x="{grid.width}" width="{beside}" height="{grid.height}" fill="{hexadecimal(colors.floor)}"'
        body.append(f"<rect {page}/>")
    if above:
        body += mark_elements(above, lambda tile: painted(drawn, tile, seen, colors, beneath, beside=beside))
    content = f"<defs>{symbols.definitions()}</defs>{''.join(body)}"
    digest = hashlib.blake2b(content.encode(), digest_size=5).hexdigest()
    height, width, pixels = grid.height, grid.width + beside, size * (SIDE if table else 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * pixels}" height="{height * pixels}"'
        f' viewBox="0 0 {width} {height}" role="img">'
        f"<title>{escaped(headline(scene if isinstance(scene, Grid) else drawn) if title is None else title)}</title>"
        f"<desc>{escaped(description(drawn))}</desc>"
        f"{content.replace(_ID, f'g{digest}-')}</svg>"
    )


def symbol(thing: GridObject, theme: Theme = LIGHT, ground: Drawing = FLOOR) -> str:
    """An object on its floor or another ground, with the mark of its color: SVG elements in the unit square."""
    return elements(ground, theme.plain, theme) + _without_floor(thing, theme)


def agent_symbol(
    number: int, theme: Theme = LIGHT, *, numbered: bool = False, figure: Drawing | None = None
) -> str:
    """An agent: SVG elements in the unit square. It faces up, to be turned about its middle, or is a figure that faces nowhere."""
    drawing, way = (drawings.AGENT, Orientation.FORWARD) if figure is None else (figure, None)
    body = elements(drawing, drawings.agent_rgb(number), theme)
    return body + label_symbol(number, way, theme) if numbered else body


def label_symbol(number: int, orientation: Orientation | None, theme: Theme = LIGHT) -> str:
    """An agent's number, upright, as it lies on one that faces `orientation` or nowhere: SVG elements in the unit square."""
    return elements(drawings.agent_label(number, orientation), drawings.agent_rgb(number), theme)


def sign_symbol(thing: GridObject, wall: GridObject, theme: Theme = LIGHT) -> str:
    """An object on a plate on a wall (see `gridarium.draw.signs`): SVG elements in the unit square."""
    return symbol(wall, theme) + within(held_symbol(thing, theme))


def within(drawn: str) -> str:
    """Elements of the unit square, small in the middle of it."""
    inset = number((1 - HELD) / 2)
    return f'<g transform="translate({inset} {inset}) scale({number(HELD)})">{drawn}</g>'


def held_symbol(thing: GridObject, theme: Theme = LIGHT) -> str:
    """An object on a plate, as it is held or lies in a box: SVG elements in the unit square, to be drawn small."""
    plate = elements(drawings.PLATE, theme.plain, theme)
    inner = _without_floor(thing, theme)
    return f'{plate}<g transform="translate(.0833 .0833) scale(.8333)">{inner}</g>'


def _without_floor(thing: GridObject, theme: Theme) -> str:
    return _layer(thing, drawings.drawing_of(thing), theme) + _color_mark(thing, theme)


def _layer(thing: GridObject, shapes: Drawing, theme: Theme) -> str:
    return elements(shapes, rgb_of_thing(thing, theme), theme)


def _color_mark(thing: GridObject, theme: Theme) -> str:
    if not thing.colored or thing.color.mark.isspace():
        return ""
    return elements(drawings.color_mark(thing.color), rgb_of_thing(thing, theme), theme)


class _Symbols:
    """Symbols, which a document defines once and uses often."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._ids: dict[str, str] = {}

    def use(self, drawn: str, x: float, y: float, transform: str = "") -> str:
        """Elements of the unit square, at a place."""
        if not drawn:
            return ""
        name = self._ids.setdefault(drawn, f"{_ID}{len(self._ids)}")
        if transform:
            return f'<use href="#{name}" transform="translate({number(x)} {number(y)}) {transform}"/>'
        return f'<use href="#{name}" x="{number(x)}" y="{number(y)}"/>'

    def definitions(self) -> str:
        return "".join(f'<g id="{name}">{drawn}</g>' for drawn, name in self._ids.items())

    def small(self, thing: GridObject, x: float, y: float) -> str:
        return self.use(held_symbol(thing, self._theme), x, y, f"scale({number(HELD)})")


def _cells(grid: Grid, symbols: _Symbols, theme: Theme, beneath: Sequence[OverlayShape]) -> Iterator[str]:
    """The floor in one piece, its lines in another, and on it what is not floor, with marks beneath its bodies."""
    yield from _floor(grid, theme) if grid.vocabulary.board == "cells" else _board(grid, symbols, theme)
    known: dict[int, tuple[str, str]] = {}
    words = grid.cells.tolist()
    for p in grid.positions():
        word = words[p.y][p.x]
        if word not in known:
            known[word] = _drawn_word(grid, p.y, p.x, theme, layered=bool(beneath))
        yield symbols.use(known[word][0], p.x, p.y)
    yield from mark_elements(beneath)
    for p in grid.positions() if beneath else ():
        yield symbols.use(known[words[p.y][p.x]][1], p.x, p.y)


def _floor(grid: Grid, theme: Theme) -> Iterator[str]:
    height, width = grid.shape
    yield f'<rect width="{width}" height="{height}" fill="{hexadecimal(theme.floor)}"/>'
    half = LINE_WIDTH / 2
    rows = "".join(f"M0 {number(y + half)}h{width}" for y in range(height))
    columns = "".join(f"M{number(x + half)} 0v{height}" for x in range(width))
    yield f'<path d="{rows}{columns}" stroke="{hexadecimal(theme.line)}" stroke-width="{number(2 * half)}"/>'


def _board(grid: Grid, symbols: _Symbols, theme: Theme) -> Iterator[str]:
    drawn = [elements(ground, theme.plain, theme) for ground in GROUNDS[grid.vocabulary.board]]
    for p, ground in zip(grid.positions(), grounds_of(grid), strict=True):
        yield symbols.use(drawn[ground], p.x, p.y)


def _drawn_word(grid: Grid, y: int, x: int, theme: Theme, *, layered: bool) -> tuple[str, str]:
    """The layers below and above marks; everything is in the first one if there are no marks."""
    try:
        thing = grid[y, x]
    except ValueError:
        return elements(drawings.UNKNOWN, theme.plain, theme), ""
    if not layered:
        return _without_floor(thing, theme), ""
    ground, body = (_layer(thing, shapes, theme) for shapes in layers_of(thing))
    return ground, body + _color_mark(thing, theme)


def _signs(grid: Grid, symbols: _Symbols, theme: Theme) -> Iterator[str]:
    for p, wall in signs(grid):
        yield symbols.use(sign_symbol(grid[p], wall, theme), p.x, p.y)


def _contents(grid: Grid, symbols: _Symbols) -> Iterator[str]:
    if not grid.vocabulary.has_contents:
        return
    for p in grid.positions():
        if grid[p].content is not NOTHING:
            yield symbols.small(grid[p].content, p.x + (1 - HELD) / 2, p.y + (1 - HELD) / 2)


def _walls(grid: Grid, theme: Theme) -> Iterator[str]:
    if not grid.vocabulary.edges:
        return
    walls = grid.layers[grid.vocabulary.edge_layer]
    right = "".join(f"M{p.x + 1} {p.y}v1" for p in grid.positions() if walls[p.y, p.x] & RIGHT_WALL)
    below = "".join(f"M{p.x} {p.y + 1}h1" for p in grid.positions() if walls[p.y, p.x] & LOWER_WALL)
    if right or below:
        style = f'stroke="{hexadecimal(theme.mortar)}" stroke-width="{number(WALL_WIDTH)}" stroke-linecap="square"'
        yield f'<path d="{right}{below}" {style}/>'


def _veil(seen: Mask, theme: Theme) -> str:
    veiled = [(x, y) for y, x in itertools.product(*map(range, seen.shape)) if not seen[y, x]]
    if not veiled:
        return ""
    path = "".join(f"M{x} {y}h1v1h-1z" for x, y in veiled)
    stripes = "".join(
        f"M{number(x + dx)} {number(y + dy)}l{number(r)} -{number(r)}"
        for x, y in veiled
        for dx, dy, r in STRIPES
    )
    color, width = hexadecimal(theme.darkness), number(drawings.HATCH_WIDTH)
    opacity = number(stripe_opacity(theme))
    return (
        f'<path d="{path}" fill="{color}" opacity="{number(theme.veil / 255)}" shape-rendering="crispEdges"/>'
        f'<path d="{stripes}" stroke="{color}" stroke-width="{width}" opacity="{opacity}"/>'
    )


def stripe_opacity(theme: Theme) -> float:
    """The opacity of the veil's stripes, from 0 to 1."""
    return theme.hatch / (255 - theme.veil)


def _agents(scene: State | Observation, symbols: _Symbols, theme: Theme) -> Iterator[str]:
    """Agents with what they hold in the lower right corner."""
    vocabulary = scene.grid.vocabulary
    figure = None if vocabulary.headings else drawings.figure_in(vocabulary.kinds.values())
    for number_, agent in shown_agents(scene):
        x, y = agent.position.x, agent.position.y
        way = agent.orientation if vocabulary.headings else None
        turn = f"rotate({90 * way.quarter_turns} .5 .5)" if way is not None and way.quarter_turns else ""
        yield symbols.use(agent_symbol(number_, theme, figure=figure), x, y, turn)
        if agent_count(scene) > 1:
            yield symbols.use(label_symbol(number_, way, theme), x, y)
        held = agent.grid_object
        if not isinstance(held, NoneGridObject):
            yield symbols.small(held, x + 1 - HELD, y + 1 - HELD)
