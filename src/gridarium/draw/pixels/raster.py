"""Marks of overlays as pixels, over a whole picture, anti-aliased by their distance from each pixel's middle."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.draw import font
from gridarium.draw.label_fitting import in_pixels
from gridarium.draw.overlays.marks import FAINT, OverlayShape
from gridarium.draw.pixels.tiles import fitted
from gridarium.draw.shapes import (
    RGB,
    Disc,
    Label,
    Line,
    Point,
    Polygon,
    Rectangle,
    Ring,
    Shape,
    bounds,
    readable_on,
)

Pixels = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
SMALLEST_TEXT = 0.7
"""Labels whose strokes would be closer to each other than so many pixels are left out, unless they may be shortened."""


def lay(mark: OverlayShape, out: Pixels, size: int) -> None:
    """Draw a mark on a picture whose cells have `size` x `size` pixels; what lies outside is cut off."""
    shape = _readable(mark.shape, size) if isinstance(mark.shape, Label) else mark.shape
    if shape is None:
        return
    rows, columns = _around(shape, out, size, 2 + math.ceil(mark.halo * size))
    part = out[rows, columns]
    if part.size == 0:
        return
    y = (np.arange(rows.start, rows.stop)[:, None] + 0.5) / size
    x = (np.arange(columns.start, columns.stop)[None, :] + 0.5) / size
    away, alpha = distance(shape, x, y, size) * size, min(max(mark.alpha, 0.0), 1.0)
    color = color_of(mark, out, size)
    if mark.halo > 0:
        _mix(part, away - mark.halo * size, readable_on(color), FAINT * alpha)
    _mix(part, away, color, alpha)


def color_of(mark: OverlayShape, out: Pixels, size: int) -> RGB:
    """The color of a mark; where it has none, the one that stands out from what a picture shows there."""
    if mark.rgb is not None:
        return mark.rgb
    part = out[_around(mark.shape, out, size, 0)].reshape(-1, 3)
    red, green, blue = part.mean(axis=0).round().astype(int).tolist() if len(part) else (0, 0, 0)
    return readable_on((red, green, blue))


def _around(shape: Shape, out: Pixels, size: int, margin: int) -> tuple[slice, slice]:
    """The rows and columns of a picture that a shape covers, and so many pixels around it."""
    left, upper, right, lower = (value * size for value in bounds(shape))
    rows = slice(max(0, int(upper) - margin), min(out.shape[0], max(0, int(lower) + margin + 1)))
    columns = slice(max(0, int(left) - margin), min(out.shape[1], max(0, int(right) + margin + 1)))
    return rows, columns


def _mix(part: Pixels, away: Floats, color: RGB, alpha: float) -> None:
    """Mix a color into the pixels of a part, by their distance in pixels from an outline."""
    cover = np.clip(0.5 - away, 0.0, 1.0)[..., None] * alpha
    part[...] = np.rint(part * (1 - cover) + np.array(color) * cover).astype(np.uint8)


def distance(shape: Shape, x: Any, y: Any, size: int) -> Any:
    """The distances of points from the outline of a shape, in cells; negative inside.

    Args:
        shape: in cells.
        x: float[1, n], in cells.
        y: float[m, 1], in cells.
        size: pixels of a cell; labels are fitted to them.

    Returns:
        float[m, n].
    """
    match shape:
        case Rectangle():
            r = min(shape.radius, (shape.x1 - shape.x0) / 2, (shape.y1 - shape.y0) / 2)
            dx = np.abs(x - (shape.x0 + shape.x1) / 2) - (shape.x1 - shape.x0) / 2 + r
            dy = np.abs(y - (shape.y0 + shape.y1) / 2) - (shape.y1 - shape.y0) / 2 + r
            outside = np.hypot(np.maximum(dx, 0.0), np.maximum(dy, 0.0))
            return outside + np.minimum(np.maximum(dx, dy), 0.0) - r
        case Disc():
            return np.hypot(x - shape.x, y - shape.y) - shape.radius
        case Ring():
            return np.abs(np.hypot(x - shape.x, y - shape.y) - shape.radius) - shape.width / 2
        case Polygon():
            outline = _from_path((*shape.points, shape.points[0]), x, y)
            return np.where(_inside(shape.points, x, y), -outline, outline)
        case Line():
            return _from_path(shape.points, x, y) - shape.width / 2
        case Label():
            paths, width = fitted(shape, size)
            return np.minimum.reduce([_from_path(path, x, y) for path in paths]) - width / 2


def _from_path(points: tuple[Point, ...], x: Any, y: Any) -> Floats:
    """The distances of points from a path."""
    nearest = np.full(np.broadcast_shapes(np.shape(x), np.shape(y)), np.inf)
    for p, q in itertools.pairwise(points) if len(points) > 1 else [(points[0], points[0])]:
        dx, dy = q[0] - p[0], q[1] - p[1]
        along = np.clip(((x - p[0]) * dx + (y - p[1]) * dy) / (dx * dx + dy * dy or 1.0), 0.0, 1.0)
        np.minimum(nearest, np.hypot(x - p[0] - along * dx, y - p[1] - along * dy), out=nearest)
    return nearest


def _inside(points: tuple[Point, ...], x: Any, y: Any) -> npt.NDArray[np.bool_]:
    """Even-odd rule: a ray to the right crosses the outline an odd number of times."""
    inside = np.zeros(np.broadcast_shapes(np.shape(x), np.shape(y)), np.bool_)
    for (x0, y0), (x1, y1) in zip(points, (*points[1:], points[0]), strict=True):
        if y0 != y1:
            inside ^= ((y0 <= y) != (y1 <= y)) & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    return inside


def _readable(label: Label, size: int) -> Label | None:
    """A label in characters that the font has, its strokes whole pixels apart, or None if it is too small to read."""
    text = "".join(c if c == " " or font.has(c) else "?" for c in label.text)
    if not text.strip() or (not label.room and label.height * size < SMALLEST_TEXT * font.HEIGHT):
        return None
    return in_pixels(replace(label, text=text), size)
