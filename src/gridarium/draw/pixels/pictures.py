"""A state or an observation as an array of pixels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from gridarium.draw.overlays.marks import Overlay, OverlayShape, layered, room_beside
from gridarium.draw.pixels.atlas import (
    Atlas,
    blend,
    draw_agent,
    draw_contents,
    draw_grid,
    draw_signs,
    draw_walls,
)
from gridarium.draw.pixels.floor_marks import paint_cells
from gridarium.draw.pixels.raster import lay
from gridarium.draw.scene import agent_count, listed_agents, scene_of
from gridarium.draw.shapes import Drawing
from gridarium.draw.tables import SIDE, drawn_table
from gridarium.draw.themes import LIGHT, Theme
from gridarium.draw.themes import theme as theme_of
from gridarium.draw.visibility import Mask, only_seen, seen_cells
from gridarium.world.grid import Grid
from gridarium.world.state import Observation, State

Pixels = npt.NDArray[np.uint8]


def rgb(
    scene: State | Observation | Grid,
    tile: int = 32,
    *,
    view: Observation | None = None,
    hide_unseen: bool = False,
    theme: Theme | str = LIGHT,
    overlays: Sequence[Overlay] | Overlay = (),
) -> Pixels:
    """A picture of a state, an observation or a grid.

    A state's picture shows what boxes hold, an observation's does not. Several agents differ in color, and on tiles of
    28 pixels and more by their number, in their observations as well; from that size on, colors have a letter.

    Args:
        scene: what to draw.
        tile: width and height of a cell in pixels, 1 to 256.
        view: what an agent perceives of a state; the rest of the state is darkened.
        hide_unseen: whether what `view` does not show is left out instead.
        theme: the colors of floor, walls and darkness; "light", "dark" or one of your own.
        overlays: drawn in this order, `Heat` on the floor, the others on top.

    Returns:
        uint8[height * tile, width * tile, 3]; wider by two cells if a `Heat` asks for its bar. The state of a game without a grid
        is a table, uint8[8 * tile, 8 * tile, 3], without overlays.

    Raises:
        TypeError: a scene, a view or an overlay is something else.
        ValueError: a size that cannot be drawn, no such theme, a view with an observation, none to hide by, or an
            overlay of another shape or with a place outside the grid.
    """
    drawn, colors = scene_of(scene), theme_of(theme)
    seen = seen_cells(drawn, view, hide_unseen)
    if hide_unseen and seen is not None and isinstance(drawn, State):
        drawn, seen = only_seen(drawn, seen, view), None
    beneath, above = layered(overlays, drawn.grid.shape, colors)
    return painted(drawn, tile, seen, colors, beneath, above, room_beside(overlays))


def painted(
    scene: State | Observation,
    tile: int,
    seen: Mask | None,
    theme: Theme,
    beneath: Sequence[OverlayShape] = (),
    above: Iterable[OverlayShape] = (),
    beside: int = 0,
) -> Pixels:
    """A picture of what has been made sure of.

    Args:
        scene: what to draw.
        tile: pixels of a cell.
        seen: bool[height, width], which cells are not darkened; None for all.
        theme: the colors.
        beneath: marks on the floor.
        above: marks on top.
        beside: how many cells of room there are on the right, for marks alone.
    """
    grid = scene.grid
    table = drawn_table(scene) if isinstance(scene, State) else None
    if table is not None:
        return _painted_table(table, SIDE * tile, theme)
    atlas = Atlas.of(grid.vocabulary, tile, agent_count(scene), theme)
    size = atlas.size
    whole = np.empty((grid.height * size, (grid.width + beside) * size, 3), np.uint8)
    whole[:, grid.width * size :] = theme.floor
    out = whole[:, : grid.width * size]
    if beneath:
        paint_cells(grid, beneath, size, theme, out)
        draw_signs(grid.cells, atlas, out)
        if grid.vocabulary.edge_layer >= 0:
            draw_walls(grid.layers[grid.vocabulary.edge_layer], atlas, out)
    else:
        draw_grid(grid, atlas, out)
    if isinstance(scene, State):
        draw_contents(grid, atlas, out)
    for i, agent in listed_agents(scene):
        draw_agent(agent, i, atlas, out)
    if seen is not None:
        for y, x in np.argwhere(~seen).tolist():
            blend(atlas.shadow, out, y * size, x * size)
    for mark in above:
        lay(mark, whole, size)
    return whole


def _painted_table(drawing: Drawing, side: int, theme: Theme) -> Pixels:
    """A drawing in the unit square as a picture of `side` x `side` pixels."""
    whole = np.empty((side, side, 3), np.uint8)
    for shape in drawing:
        lay(OverlayShape(shape, theme.shade(shape.color, theme.plain)), whole, side)
    return whole
