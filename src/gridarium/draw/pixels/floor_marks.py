"""Pixels of cells on whose floor overlays lie, beneath the objects that stand there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from gridarium.draw import drawings
from gridarium.draw.boards import GROUNDS, grounds_of
from gridarium.draw.drawings import layers_of
from gridarium.draw.overlays.marks import OverlayShape
from gridarium.draw.pixels import tiles
from gridarium.draw.pixels.raster import lay
from gridarium.draw.themes import Theme
from gridarium.world.grid import Grid


def paint_cells(
    grid: Grid, beneath: Sequence[OverlayShape], size: int, theme: Theme, out: npt.NDArray[np.uint8]
) -> None:
    """Draw the cells of a grid in two layers, with marks between them.

    Args:
        grid: walls on its edges are not drawn.
        beneath: the marks, in grid coordinates.
        size: pixels of a cell.
        theme: the colors of the scenery.
        out: uint8[height * size, width * size, 3], to be drawn on.
    """
    floors = [tiles.paint(g, theme.plain, size, theme)[..., :3] for g in GROUNDS[grid.vocabulary.board]]
    known: dict[int, tuple[tiles.Pixels, tiles.Pixels]] = {}
    for word in np.unique(grid.cells).tolist():
        y, x = np.argwhere(grid.cells == word)[0].tolist()
        known[word] = _painted(grid, y, x, size, theme)
    places = [
        (slice(p.y * size, (p.y + 1) * size), slice(p.x * size, (p.x + 1) * size)) for p in grid.positions()
    ]
    words = grid.cells.ravel().tolist()
    for place, word, number in zip(places, words, grounds_of(grid), strict=True):
        out[place] = tiles.stack(known[word][0], floors[number])
    for mark in beneath:
        lay(mark, out, size)
    for place, word in zip(places, words, strict=True):
        out[place] = tiles.stack(known[word][1], out[place])


def _painted(grid: Grid, y: int, x: int, size: int, theme: Theme) -> tuple[tiles.Pixels, tiles.Pixels]:
    """The ground and the body of what is in a cell, without the floor."""
    try:
        thing = grid[y, x]
    except ValueError:
        return tiles.paint((), theme.plain, size, theme), tiles.paint(
            drawings.UNKNOWN, theme.plain, size, theme
        )
    rgb = tiles.rgb_of_thing(thing, theme)
    ground, body = (tiles.paint(layer, rgb, size, theme) for layer in layers_of(thing))
    mark = tiles.mark_of(thing, size, theme)
    return ground, body if mark is None else tiles.stack(mark, body)
