"""Texts that fit a room: smaller, then shorter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gridarium.draw import font
from gridarium.draw.shapes import Label

ELLIPSIS = "…"
LEAST = 3
"""A text is not cut to fewer characters: it would say nothing."""
SMALLEST = 0.1
"""The smallest height of capitals in documents, in cells; below it a text is shortened instead."""
AIR = 0.93
"""The share of its room that a label takes in documents; in pixels, where each counts, it may take all of it."""


def shortened(text: str, most: int) -> str:
    """A text in at most so many characters: a number by digits that matter least, any other text by its end.

    What fits is returned as it is, and nothing where less than three characters would be left of more.
    """
    if len(text) <= most:
        return text
    for shorter in _numbers(text):
        if len(shorter) <= most:
            return shorter
    return text[: most - 1].rstrip() + ELLIPSIS if most >= LEAST else ""


def in_room(label: Label) -> Label | None:
    """A label that keeps to its room, at any size; None if nothing is left of its text."""
    text = label.text
    if not label.room:
        return label
    if _height(label, text) < SMALLEST:
        text = shortened(text, _most(SMALLEST / font.HEIGHT, AIR * label.room, SMALLEST * label.weight))
    return (
        replace(label, text=text, height=min(label.height, _height(label, text)), room=0.0) if text else None
    )


def in_pixels(label: Label, size: int) -> Label | None:
    """A label whose strokes are whole pixels apart, for cells of `size` pixels; None if nothing is left of its text."""
    unit, text = max(1, int(label.height * size / font.HEIGHT)), label.text
    if label.room:
        room = label.room * size
        while unit > 1 and font.columns(text) * unit + _stroke(label, unit) > room:
            unit -= 1
        text = shortened(text, _most(unit, room, _stroke(label, unit)))
    return replace(label, text=text, height=unit * font.HEIGHT / size, room=0.0) if text else None


def _height(label: Label, text: str) -> float:
    """The largest height at which a text keeps to the label's room."""
    return AIR * label.room / (font.columns(text) / font.HEIGHT + label.weight)


def _most(unit: float, room: float, stroke: float) -> int:
    """The number of characters that fit a room, given the widths of columns and strokes."""
    return max(0, int((room - stroke - unit * font.WIDTH) / (unit * font.ADVANCE) + 1 + 1e-9))


def _stroke(label: Label, unit: int) -> float:
    """The width of strokes in pixels: as drawn, or as they should be if that is larger."""
    exact = unit * font.HEIGHT * label.weight
    return max(exact, min(max(1, round(exact)), unit))


def _numbers(text: str) -> Iterator[str]:
    """Shorter and shorter forms of a number, none for another text."""
    try:
        number = float(text)
    except ValueError:
        return
    for digits in range(6, 0, -1):
        for written in (f"{number:.{digits}g}", f"{number:.{digits - 1}e}"):
            head, exponent, power = written.partition("e")
            plain = head.rstrip("0").rstrip(".") if "." in head else head
            yield f"{plain}e{int(power)}" if exponent else plain
