"""Shapes as pixels: tiles of objects and agents as uint8 arrays, anti-aliased.

A drawing is sampled on a fine grid once; for each pixel the samples of each shape are counted, and a tile is the mean
of the shapes' colors by these counts. All of it after the sampling is done in whole numbers.
"""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.draw import drawings, font
from gridarium.draw.boards import FLOOR
from gridarium.draw.shapes import RGB, Disc, Drawing, Label, Line, Polygon, Rectangle, Ring, Shape
from gridarium.draw.themes import LIGHT, Theme
from gridarium.world.colors import Color
from gridarium.world.geometry import Orientation
from gridarium.world.objects import GridObject

Pixels = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
LARGEST = 256


def tile(thing: GridObject, size: int, theme: Theme = LIGHT, ground: Drawing = FLOOR) -> Pixels:
    """An object on the floor, or on another ground: uint8[size, size, 3]."""
    return _on_ground(thing, check_size(size), theme, ground)


def picture(thing: GridObject, size: int, theme: Theme = LIGHT) -> Pixels:
    """An object without the floor: uint8[size, size, 4], colors premultiplied by the fourth number, alpha."""
    return paint(drawings.drawing_of(thing), rgb_of_thing(thing, theme), size, theme)


def small_picture(thing: GridObject, size: int, theme: Theme = LIGHT) -> Pixels:
    """An object as it is held, without the floor, for a tile of `size` pixels: uint8[part, part, 4]."""
    part = min(size, max(3, (size * 7 + 8) // 16))
    if size < drawings.SMALLEST_PLATE:
        return picture(thing, part, theme)
    whole = paint(drawings.PLATE, theme.plain, part, theme)
    margin = max(1, part // 12)
    inner = whole[margin:-margin, margin:-margin]
    inner[...] = stack(picture(thing, part - 2 * margin, theme), inner)
    return whole


def agent(
    number: int,
    orientation: Orientation | None,
    size: int,
    *,
    numbered: bool = False,
    theme: Theme = LIGHT,
    figure: Drawing = drawings.FIGURE,
) -> Pixels:
    """An agent without the floor, colored and, if large enough, labelled by its number: uint8[size, size, 4].

    Without an orientation it is a `figure` that faces nowhere.
    """
    rgb = drawings.agent_rgb(number)
    if orientation is None:
        body = paint(figure, rgb, size, theme)
    else:
        body = np.rot90(paint(drawings.AGENT, rgb, size, theme), -orientation.quarter_turns)
    if not numbered or size < drawings.SMALLEST_LABEL:
        return np.ascontiguousarray(body)
    return stack(paint(drawings.agent_label(number, orientation), rgb, size, theme), body)


def rgb_of(color: Color, theme: Theme = LIGHT) -> RGB:
    """The shade of a color in pictures: its own, but a pale one for NONE, which would look like GREY."""
    return theme.plain if color == Color.NONE else color.rgb


def rgb_of_thing(thing: GridObject, theme: Theme = LIGHT) -> RGB:
    """The shade in which an object is painted: that of its color, unless its kind has one of its own without color."""
    if thing.colored and thing.color == Color.NONE:
        for kind in type(thing).__mro__:
            if kind in drawings.UNCOLORED:
                return drawings.UNCOLORED[kind]
    return rgb_of(thing.color, theme)


def mark_of(thing: GridObject, size: int, theme: Theme = LIGHT) -> Pixels | None:
    """The letter of an object's color, uint8[size, size, 4], or None where there is none or no room for it."""
    if not thing.colored or size < drawings.SMALLEST_LABEL or not font.has(thing.color.mark):
        return None
    return paint(drawings.color_mark(thing.color), rgb_of_thing(thing, theme), size, theme)


def paint(drawing: Drawing, rgb: RGB, size: int, theme: Theme = LIGHT) -> Pixels:
    """A drawing in an object's color: uint8[size, size, 4], colors premultiplied by alpha."""
    counts = coverage(drawing, check_size(size))
    samples = samples_per_pixel(size) ** 2
    colors = np.array([(*theme.shade(shape.color, rgb), 255) for shape in drawing], np.int64).reshape(-1, 4)
    total = np.tensordot(counts, colors, axes=(0, 0))
    return ((total + samples // 2) // samples).astype(np.uint8)


def stack(over: Pixels, under: Pixels) -> Pixels:
    """One picture over another, or over a tile: uint8 of the shape of `under`."""
    keep = 255 - over[..., 3:].astype(np.uint16)
    kept = under * keep + 128
    return over[..., : under.shape[-1]] + ((kept + (kept >> 8)) >> 8).astype(np.uint8)


@functools.lru_cache(maxsize=1024)
def coverage(drawing: Drawing, size: int) -> npt.NDArray[np.int64]:
    """The number of samples of each pixel in which a shape is on top: int64[shapes, size, size]."""
    per_pixel = samples_per_pixel(size)
    top = np.zeros((size * per_pixel,) * 2, np.int64)
    for i, shape in enumerate(drawing, 1):
        top[_mask(shape, size, size * per_pixel)] = i
    pixel = np.arange(size).repeat(per_pixel) * (1 + len(drawing))
    numbers = (pixel[:, None] * size + pixel + top).ravel()
    counts = np.bincount(numbers, minlength=size * size * (1 + len(drawing)))
    return np.moveaxis(counts.reshape(size, size, -1), 2, 0)[1:]


def samples_per_pixel(size: int) -> int:
    """Samples along each side of a pixel, so that small tiles are drawn as finely as large ones."""
    return max(4, 192 // size)


def check_size(size: Any) -> int:
    """Make sure that a tile's size can be drawn.

    Raises:
        ValueError: it is not a whole number from 1 to 256.
    """
    if isinstance(size, bool) or not isinstance(size, int | np.integer) or not 1 <= size <= LARGEST:
        raise ValueError(f"a tile's size is a whole number of pixels from 1 to {LARGEST}, not {size!r}")
    return int(size)


@functools.lru_cache(maxsize=4096)
def _on_ground(thing: GridObject, size: int, theme: Theme, ground: Drawing) -> Pixels:
    whole = stack(picture(thing, size, theme), paint(ground, theme.plain, size, theme)[..., :3])
    mark = mark_of(thing, size, theme)
    whole = whole if mark is None else stack(mark, whole)
    whole.flags.writeable = False
    return whole


def _mask(shape: Shape, size: int, n: int) -> Mask:
    """Tests which of n x n samples of a tile of size x size pixels lie in a shape."""
    inside = np.zeros((n, n), np.bool_)
    match shape:
        case Rectangle():
            part, x, y = _window(n, ((shape.x0, shape.y0), (shape.x1, shape.y1)))
            r = min(shape.radius, (shape.x1 - shape.x0) / 2, (shape.y1 - shape.y0) / 2)
            dx = np.maximum(np.maximum(shape.x0 + r - x, x - shape.x1 + r), 0.0)
            dy = np.maximum(np.maximum(shape.y0 + r - y, y - shape.y1 + r), 0.0)
            inside[part] = dx * dx + dy * dy <= r * r
        case Disc():
            _add_ring(inside, shape.x, shape.y, 0.0, shape.radius)
        case Ring():
            _add_ring(
                inside, shape.x, shape.y, shape.radius - shape.width / 2, shape.radius + shape.width / 2
            )
        case Polygon():
            _add_polygon(inside, shape.points)
        case Line():
            _add_path(inside, shape.points, shape.width / 2)
        case Label():
            paths, width = fitted(shape, size)
            for path in paths:
                _add_path(inside, path, width / 2)
    return inside


def _window(n: int, points: Any, margin: float = 0.0) -> tuple[Any, Any, Any]:
    """The part of n x n samples around some points: its slices, and the samples' x and y."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    rows = slice(max(0, int((min(ys) - margin) * n) - 1), max(0, int((max(ys) + margin) * n) + 2))
    columns = slice(max(0, int((min(xs) - margin) * n) - 1), max(0, int((max(xs) + margin) * n) + 2))
    axis = (np.arange(n) + 0.5) / n
    return (rows, columns), axis[None, columns], axis[rows, None]


def _add_ring(inside: Mask, cx: float, cy: float, inner: float, outer: float) -> None:
    part, x, y = _window(len(inside), ((cx, cy),), outer)
    distance = (x - cx) ** 2 + (y - cy) ** 2
    inside[part] |= (distance >= max(inner, 0.0) ** 2) & (distance <= outer**2)


def _add_polygon(inside: Mask, points: Any) -> None:
    """Even-odd rule: a ray to the right crosses the outline an odd number of times."""
    part, x, y = _window(len(inside), points)
    for (x0, y0), (x1, y1) in zip(points, (*points[1:], points[0]), strict=True):
        if y0 != y1:
            inside[part] ^= ((y0 <= y) != (y1 <= y)) & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))


def _add_path(inside: Mask, points: Any, reach: float) -> None:
    """All that lies within reach of a path."""
    for p, q in itertools.pairwise(points) if len(points) > 1 else [(points[0], points[0])]:
        part, x, y = _window(len(inside), (p, q), reach)
        dx, dy = q[0] - p[0], q[1] - p[1]
        along = np.clip(((x - p[0]) * dx + (y - p[1]) * dy) / (dx * dx + dy * dy or 1.0), 0.0, 1.0)
        inside[part] |= (x - p[0] - along * dx) ** 2 + (y - p[1] - along * dy) ** 2 <= reach**2


def fitted(label: Label, size: int) -> tuple[Any, float]:
    """A label's strokes and their width, moved and stretched a little so that they fill whole pixels."""
    unit = max(1, round(label.height * size / font.HEIGHT))
    width = min(max(1, round(label.height * label.weight * size)), unit)
    left = round(label.x * size - unit * font.columns(label.text) / 2 - width / 2) + width / 2
    top = round(label.y * size - unit * font.HEIGHT / 2 - width / 2) + width / 2
    return font.strokes(label.text, left / size, top / size, unit / size), width / size
