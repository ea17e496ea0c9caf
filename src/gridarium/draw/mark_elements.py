"""Marks of overlays as SVG elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gridarium.draw.elements import element, hexadecimal
from gridarium.draw.fitting import in_room
from gridarium.draw.marks import FAINT, Mark, outline
from gridarium.draw.raster import Pixels, color_of, lay
from gridarium.draw.shapes import RGB, Label, readable_on

BACKDROP = 8
"""Pixels of a cell of the picture by which it is found out what stands out from what lies beneath."""


def mark_elements(marks: Sequence[Mark], backdrop: Callable[[int], Pixels] | None = None) -> Iterator[str]:
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


def _color(mark: Mark, below: Pixels | None) -> RGB:
    """The color of a mark, which then covers what lies beneath the next one."""
    if below is None:
        return mark.rgb or readable_on((255, 255, 255))
    if mark.rgb is not None:
        lay(mark, below, BACKDROP)
    return color_of(mark, below, BACKDROP)
