"""A state or an observation as an SVG document: sharp at any size, small, and readable without seeing it.

Every object that occurs is drawn once, in `<defs>`, and used wherever it stands. The document measures in cells; its
ids are made from its content, so that several documents can be on one page.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Sequence

from gridarium.draw import drawings
from gridarium.draw.describing import description, headline
from gridarium.draw.elements import element, elements, escaped, hexadecimal, number
from gridarium.draw.marks import Overlay, marks
from gridarium.draw.themes import LIGHT, Theme
from gridarium.draw.tiles import check_size, rgb_of
from gridarium.draw.unseen import only_seen, seen_cells, shown_agents
from gridarium.world.agent import Agent
from gridarium.world.geometry import Orientation
from gridarium.world.grid import LOWER_WALL, RIGHT_WALL, Grid
from gridarium.world.objects import GridObject, NoneGridObject
from gridarium.world.state import Observation, State

WALL_WIDTH = 1 / 8
HELD = 7 / 16
"""How large a held object is drawn, and one within a box."""
_ID = "\0"


def svg(
    scene: State | Observation,
    *,
    tile: int = 32,
    view: Observation | None = None,
    hide_unseen: bool = False,
    theme: Theme = LIGHT,
    overlays: Sequence[Overlay] = (),
    title: str | None = None,
) -> str:
    """A picture of a state or an observation as a whole SVG document.

    A state's picture shows what boxes hold, an observation's does not. Colors have a letter as well, and several agents
    a number.

    Args:
        scene: what to draw.
        tile: width and height of a cell in pixels at the document's own size, 1 to 256.
        view: what the agent in focus perceives of a state; the rest of the state is darkened.
        hide_unseen: whether what `view` does not show is left out instead.
        theme: the colors of floor, walls and darkness.
        overlays: drawn on top, in this order.
        title: what to call the picture; made from the scene unless given.

    Raises:
        ValueError: a size that cannot be drawn, a view with an observation, none to hide by, or an overlay of
            another shape.
    """
    size = check_size(tile)
    seen = seen_cells(scene, view, hide_unseen)
    if hide_unseen and seen is not None and isinstance(scene, State):
        scene, seen = only_seen(scene, seen), None
    grid, agents = scene.grid, shown_agents(scene)
    symbols = _Symbols(theme)
    body = [*_cells(grid, symbols, theme)]
    if isinstance(scene, State):
        body += _contents(grid, symbols)
    body += _walls(grid, theme)
    body += _agents(agents, symbols, theme)
    if seen is not None:
        veiled = [(x, y) for y, x in itertools.product(*map(range, seen.shape)) if not seen[y, x]]
        path = "".join(f"M{x} {y}h1v1h-1z" for x, y in veiled)
        style = f'fill="{hexadecimal(theme.darkness)}" opacity="{number(theme.veil / 255)}"'
        body.append(f'<path d="{path}" {style} shape-rendering="crispEdges"/>' if path else "")
    body += [element(m.shape, hexadecimal(m.rgb), m.alpha) for m in marks(overlays, grid.shape, theme)]
    content = f"<defs>{symbols.definitions()}</defs>{''.join(body)}"
    digest = hashlib.blake2b(content.encode(), digest_size=5).hexdigest()
    height, width = grid.shape
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * size}" height="{height * size}"'
        f' viewBox="0 0 {width} {height}" role="img">'
        f"<title>{escaped(headline(scene) if title is None else title)}</title>"
        f"<desc>{escaped(description(scene))}</desc>"
        f"{content.replace(_ID, f'g{digest}-')}</svg>"
    )


def symbol(thing: GridObject, theme: Theme = LIGHT) -> str:
    """An object on its floor, with the mark of its color: SVG elements in the unit square."""
    return elements(drawings.FLOOR, theme.plain, theme) + _without_floor(thing, theme)


def agent_symbol(number: int, theme: Theme = LIGHT, *, numbered: bool = False) -> str:
    """An agent that faces up: SVG elements in the unit square, to be turned about its middle."""
    body = elements(drawings.AGENT, drawings.agent_rgb(number), theme)
    return body + label_symbol(number, Orientation.FORWARD, theme) if numbered else body


def label_symbol(number: int, orientation: Orientation, theme: Theme = LIGHT) -> str:
    """An agent's number, upright, as it lies on one that faces `orientation`: SVG elements in the unit square."""
    return elements(drawings.agent_label(number, orientation), drawings.agent_rgb(number), theme)


def held_symbol(thing: GridObject, theme: Theme = LIGHT) -> str:
    """An object on a plate, as it is held or lies in a box: SVG elements in the unit square, to be drawn small."""
    plate = elements(drawings.PLATE, theme.plain, theme)
    inner = _without_floor(thing, theme)
    return f'{plate}<g transform="translate(.0833 .0833) scale(.8333)">{inner}</g>'


def _without_floor(thing: GridObject, theme: Theme) -> str:
    rgb = rgb_of(thing.color, theme)
    drawn = elements(drawings.drawing_of(thing), rgb, theme)
    if not thing.colored or thing.color.mark.isspace():
        return drawn
    return drawn + elements(drawings.color_mark(thing.color), rgb, theme)


class _Symbols:
    """What a document defines once and uses often."""

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


def _cells(grid: Grid, symbols: _Symbols, theme: Theme) -> Iterator[str]:
    """The floor in one piece, its lines in another, and on it what is no floor."""
    height, width = grid.shape
    yield f'<rect width="{width}" height="{height}" fill="{hexadecimal(theme.floor)}"/>'
    half = drawings.LINE_WIDTH / 2
    rows = "".join(f"M0 {number(y + half)}h{width}" for y in range(height))
    columns = "".join(f"M{number(x + half)} 0v{height}" for x in range(width))
    yield f'<path d="{rows}{columns}" stroke="{hexadecimal(theme.line)}" stroke-width="{number(2 * half)}"/>'
    known: dict[int, str] = {}
    for p in grid.positions():
        word = int(grid.cells[p.y, p.x])
        if word not in known:
            known[word] = _drawn_word(grid, p.y, p.x, theme)
        yield symbols.use(known[word], p.x, p.y)


def _drawn_word(grid: Grid, y: int, x: int, theme: Theme) -> str:
    try:
        return _without_floor(grid[y, x], theme)
    except ValueError:
        return elements(drawings.UNKNOWN, theme.plain, theme)


def _contents(grid: Grid, symbols: _Symbols) -> Iterator[str]:
    if not grid.vocabulary.has_contents:
        return
    for p in grid.positions():
        if grid[p].content is not None:
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


def _agents(agents: Sequence[tuple[int, Agent]], symbols: _Symbols, theme: Theme) -> Iterator[str]:
    """Agents with what they hold in the lower right corner."""
    for number_, agent in agents:
        x, y = agent.position.x, agent.position.y
        turn = f"rotate({90 * agent.orientation.quarter_turns} .5 .5)"
        yield symbols.use(agent_symbol(number_, theme), x, y, turn if agent.orientation.quarter_turns else "")
        if len(agents) > 1:
            yield symbols.use(label_symbol(number_, agent.orientation, theme), x, y)
        held = agent.grid_object
        if not isinstance(held, NoneGridObject):
            yield symbols.small(held, x + 1 - HELD, y + 1 - HELD)
