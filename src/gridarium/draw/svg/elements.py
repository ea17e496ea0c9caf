"""Shapes and marks of overlays as SVG elements, and the escaping of all text that is written into SVG or HTML."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence

from gridarium.draw import font
from gridarium.draw.label_fitting import in_room
from gridarium.draw.overlays.marks import FAINT, OverlayShape, outline
from gridarium.draw.pixels.raster import Pixels, color_of, lay
from gridarium.draw.shapes import (
    RGB,
    Disc,
    Drawing,
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
from gridarium.draw.themes import Theme

BACKDROP = 8
"""Pixels of a cell of the picture in which it is found out what color stands out from what lies beneath."""
_FORBIDDEN = {code: "\N{REPLACEMENT CHARACTER}" for code in range(32) if chr(code) not in "\t\n\r"}
_FORBIDDEN |= dict.fromkeys(
    (*range(0x7F, 0xA0), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF), "\N{REPLACEMENT CHARACTER}"
)


def elements(drawing: Drawing, rgb: RGB, theme: Theme) -> str:
    """A drawing of an object of color `rgb`, as SVG elements; what leaves the unit square is cut off."""
    drawn = "".join(element(shape, hexadecimal(theme.shade(shape.color, rgb))) for shape in drawing)
    inside = all(min(x0, y0, 1 - x1, 1 - y1) >= 0 for x0, y0, x1, y1 in map(bounds, drawing))
    return drawn if inside else f'<svg width="1" height="1">{drawn}</svg>'


def element(shape: Shape, color: str, opacity: float = 1.0) -> str:
    """A shape as an SVG element.

    Args:
        shape: its own color is not looked at.
        color: as CSS understands it.
        opacity: 0 to 1.
    """
    faint = "" if opacity >= 1 else f' opacity="{number(max(opacity, 0.0))}"'
    paint = f'fill="{color}"{faint}'
    match shape:
        case Rectangle():
            return _rectangle(shape, paint)
        case Disc():
            return (
                f'<circle cx="{number(shape.x)}" cy="{number(shape.y)}" r="{number(shape.radius)}" {paint}/>'
            )
        case Ring():
            stroke = f'fill="none" stroke="{color}" stroke-width="{number(shape.width)}"{faint}'
            return (
                f'<circle cx="{number(shape.x)}" cy="{number(shape.y)}" r="{number(shape.radius)}" {stroke}/>'
            )
        case Polygon():
            points = " ".join(f"{number(x)},{number(y)}" for x, y in shape.points)
            return f'<polygon points="{points}" fill-rule="evenodd" {paint}/>'
        case Line():
            return _strokes([shape.points], shape.width, color, faint)
        case Label():
            return _label(shape, color, faint)


def hexadecimal(rgb: RGB) -> str:
    """A color as CSS writes it."""
    text = "#" + bytes(rgb).hex()
    return "#" + text[1::2] if text[1::2] == text[2::2] else text


def number(value: float) -> str:
    """A number in at most four decimals, without a zero before them."""
    sign, size = "-" if value < 0 else "", f"{abs(value):.4f}".rstrip("0").rstrip(".")
    return "0" if size == "0" else sign + size.removeprefix("0")


def escaped(text: str) -> str:
    """Text for an SVG or HTML document: markup is shown as it is written, characters that XML forbids are replaced."""
    return html.escape(text.translate(_FORBIDDEN))


def _rectangle(shape: Rectangle, paint: str) -> str:
    width, height = shape.x1 - shape.x0, shape.y1 - shape.y0
    place = f'x="{number(shape.x0)}" y="{number(shape.y0)}" ' if shape.x0 or shape.y0 else ""
    size = f'width="{number(width)}" height="{number(height)}"'
    radius = min(shape.radius, width / 2, height / 2)
    corners = f' rx="{number(radius)}"' if radius else ""
    # Neighbouring cells that are filled to the edge show no seam at any size.
    crisp = (
        ' shape-rendering="crispEdges"'
        if (shape.x0, shape.y0, shape.x1, shape.y1, radius) == (0, 0, 1, 1, 0)
        else ""
    )
    return f"<rect {place}{size}{corners} {paint}{crisp}/>"


def _label(given: Label, color: str, faint: str) -> str:
    """A label as strokes of Gridarium's own font, or where that lacks a character, as text."""
    label = in_room(given)
    if label is None:
        return ""
    if font.has(label.text.replace(" ", "")):
        unit = label.height / font.HEIGHT
        left, top = label.x - unit * font.columns(label.text) / 2, label.y - label.height / 2
        paths = font.strokes(label.text, left, top, unit)
        return _strokes(paths, label.height * label.weight, color, faint)
    wide = sum(unicodedata.east_asian_width(c) in "FW" for c in label.text) if given.room else 0
    share = len(label.text) / (len(label.text) + wide)
    size = number(label.height * 1.4 * share)  # capitals are about 0.7 em high
    place = f'x="{number(label.x)}" y="{number(label.y + label.height / 2)}" font-size="{size}"'
    style = f'font-family="sans-serif" text-anchor="middle" fill="{color}"{faint}'
    return f"<text {place} {style}>{escaped(label.text)}</text>"


def _strokes(paths: Iterable[tuple[Point, ...]], width: float, color: str, faint: str) -> str:
    path = "".join(_path(points) for points in paths)
    round_ends = 'stroke-linecap="round" stroke-linejoin="round"'
    return (
        f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{number(width)}" {round_ends}{faint}/>'
    )


def _path(points: tuple[Point, ...]) -> str:
    """Through some points; a single one is a line of no length, which round ends make a dot."""
    (x0, y0), *rest = points if len(points) > 1 else (*points, *points)
    return f"M{number(x0)} {number(y0)}L" + " ".join(f"{number(x)} {number(y)}" for x, y in rest)


def mark_elements(
    marks: Sequence[OverlayShape], backdrop: Callable[[int], Pixels] | None = None
) -> Iterator[str]:
    """Some marks, their halos beneath them.

    Args:
        marks: the first one at the bottom.
        backdrop: gives a picture of what lies beneath them, for so many pixels of a cell; for marks without a color.
    """
    below = backdrop(BACKDROP) if backdrop is not None and any(m.rgb is None for m in marks) else None
    for mark in marks:
        shape = in_room(mark.shape) if isinstance(mark.shape, Label) else mark.shape
        if shape is None:
            continue
        color = _color(mark, below)
        if mark.halo > 0:
            faint = hexadecimal(readable_on(color))
            yield element(outline(shape, mark.halo), faint, FAINT * mark.alpha)
        yield element(shape, hexadecimal(color), mark.alpha)


def _color(mark: OverlayShape, below: Pixels | None) -> RGB:
    """The color of a mark, which then covers what lies beneath the next one."""
    if below is None:
        return mark.rgb or readable_on((255, 255, 255))
    if mark.rgb is not None:
        lay(mark, below, BACKDROP)
    return color_of(mark, below, BACKDROP)
