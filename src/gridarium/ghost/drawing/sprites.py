"""Colors, sprites and texts of pictures in CustomGridEnv's style."""

from __future__ import annotations

import functools
import math

import numpy as np
import numpy.typing as npt

from gridarium.draw import font
from gridarium.draw.overlays.marks import OverlayShape
from gridarium.draw.pixels.raster import lay
from gridarium.draw.pixels.tiles import paint, stack
from gridarium.draw.shapes import RGB, Disc, Drawing, Label, Line, Polygon, Rectangle, Ring
from gridarium.draw.tile_drawings import TILES
from gridarium.world import Dog

Picture = npt.NDArray[np.uint8]

WHITE: RGB = (255, 255, 255)
BLACK: RGB = (0, 0, 0)
RED: RGB = (255, 100, 100)
GREEN: RGB = (100, 200, 100)
YELLOW: RGB = (255, 220, 100)
BLUE: RGB = (100, 150, 255)
PURPLE: RGB = (180, 100, 220)
CYAN: RGB = (100, 220, 220)
GREY: RGB = (200, 200, 200)
DARK: RGB = (80, 80, 80)
ORANGE: RGB = (255, 180, 100)
PETAL: RGB = (236, 130, 190)
STEM: RGB = (60, 140, 60)


def _flower(x: float, y: float, r: float) -> Drawing:
    around = ((0.0, -1.0), (0.95, -0.31), (0.59, 0.81), (-0.59, 0.81), (-0.95, -0.31))
    petals = tuple(Disc(x + r * dx, y + r * dy, 0.75 * r, PETAL) for dx, dy in around)
    return (Line(((x, y + r), (x, y + 2.6 * r)), 0.03, STEM), *petals, Disc(x, y, 0.6 * r, YELLOW))


SPRITES: dict[str, Drawing] = {
    "dog": TILES[Dog]["PLAIN"][1:],  # without the tile itself
    "flower": _flower(0.5, 0.45, 0.13),
    "two_flowers": (*_flower(0.33, 0.4, 0.1), *_flower(0.67, 0.52, 0.1)),
    "one_note": (Disc(0.83, 0.3, 0.05, BLACK), Line(((0.87, 0.3), (0.87, 0.12), (0.93, 0.17)), 0.025, BLACK)),
    "two_notes": (
        Disc(0.72, 0.3, 0.05, BLACK),
        Disc(0.88, 0.27, 0.05, BLACK),
        Line(((0.76, 0.3), (0.76, 0.12), (0.92, 0.09), (0.92, 0.27)), 0.025, BLACK),
    ),
    "ghost": (
        Disc(0.5, 0.42, 0.24, CYAN),
        Rectangle(0.26, 0.42, 0.74, 0.7, CYAN),
        Polygon(((0.26, 0.69), (0.34, 0.8), (0.42, 0.69)), CYAN),
        Polygon(((0.42, 0.69), (0.5, 0.8), (0.58, 0.69)), CYAN),
        Polygon(((0.58, 0.69), (0.66, 0.8), (0.74, 0.69)), CYAN),
        Disc(0.41, 0.42, 0.06, WHITE),
        Disc(0.59, 0.42, 0.06, WHITE),
        Disc(0.42, 0.43, 0.03, BLACK),
        Disc(0.6, 0.43, 0.03, BLACK),
    ),
    "robot": (
        Line(((0.5, 0.3), (0.5, 0.17)), 0.03, DARK),
        Disc(0.5, 0.15, 0.04, RED),
        Rectangle(0.3, 0.28, 0.7, 0.74, (150, 150, 150), 0.05),
        Rectangle(0.36, 0.34, 0.64, 0.5, CYAN, 0.03),
        Disc(0.44, 0.42, 0.03, BLACK),
        Disc(0.56, 0.42, 0.03, BLACK),
        Label("GPS", 0.5, 0.62, 0.11, BLACK),
        Disc(0.38, 0.78, 0.07, BLACK),
        Disc(0.62, 0.78, 0.07, BLACK),
    ),
    "collision": (Ring(0.5, 0.5, 0.42, 0.05, (230, 30, 30)), Label("!", 0.8, 0.5, 0.3, (230, 30, 30))),
}


@functools.lru_cache(256)
def sprite(name: str, size: int) -> Picture:
    """uint8[size, size, 4] of one of `SPRITES`."""
    return paint(SPRITES[name], BLACK, size)


def put(out: Picture, name: str, row: int, col: int, size: int) -> None:
    """Draw a sprite into a cell of `size` pixels."""
    part = out[row * size : (row + 1) * size, col * size : (col + 1) * size]
    part[...] = stack(sprite(name, size), part)


def write(
    out: Picture,
    text: str,
    x: float,
    y: float,
    height: float,
    rgb: RGB,
    *,
    size: int = 100,
    align: str = "left",
) -> None:
    """Write a text around (x, y), with capitals of `height`, in units of `size` pixels."""
    shown = "".join(c if c == " " or font.has(c) else "?" for c in text)
    if not shown.strip():
        return
    cover = _letters(shown, height * size / font.HEIGHT)
    rows, columns = cover.shape[:2]
    top = round(y * size - rows / 2)
    left = round(x * size - {"left": 0.0, "centre": columns / 2, "right": columns}[align])
    rows_in, columns_in = max(0, -top), max(0, -left)
    part = out[max(0, top) : top + rows, max(0, left) : left + columns]
    kept = cover[rows_in : rows_in + part.shape[0], columns_in : columns_in + part.shape[1]]
    part[...] = part * (1 - kept) + np.array(rgb) * kept


@functools.lru_cache(1024)
def _letters(text: str, unit: float) -> npt.NDArray[np.float64]:
    """float64[rows, columns, 1]: how much of each pixel a text covers; a stroke is about `unit` pixels wide."""
    edge = font.TAIL + 1  # above as below, so that capitals are in the middle
    width, height = math.ceil((font.columns(text) + 2) * unit), math.ceil((font.HEIGHT + 2 * edge) * unit)
    out = np.zeros((height, width, 3), np.uint8)
    for path in font.strokes(text, unit, edge * unit, unit):
        lay(OverlayShape(Line(tuple((x, y + 0.5) for x, y in path), max(1.0, 0.85 * unit)), WHITE), out, 1)
    covered: npt.NDArray[np.float64] = out[..., :1] / 255
    return covered
