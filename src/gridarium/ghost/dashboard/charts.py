"""Small line charts as SVG, fast enough to be drawn again in every round."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 300, 150
LEFT, RIGHT, TOP, LOWER = 30, 8, 24, 22
"""Pixels around the area of the curves."""
GREY = "#999"


@dataclass(frozen=True)
class Series:
    """A line of a chart.

    Attributes:
        name: its label.
        values: a number from 0 on for each round.
        color: a CSS color.
    """

    name: str
    values: Sequence[float]
    color: str


def chart(title: str, lines: Sequence[Series], most: float | None = None) -> str:
    """A chart over rounds, as an SVG document.

    Args:
        title: of the chart.
        lines: of equal lengths.
        most: the upper limit of the axis; by default the largest value, rounded up.
    """
    top = most or _round_up(max((v for line in lines for v in line.values), default=1.0))
    last = max(10, *(len(line.values) - 1 for line in lines))
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - LOWER

    def x(k: float) -> float:
        return LEFT + wide * k / last

    def y(v: float) -> float:
        return TOP + high * (1 - v / top)

    parts = [f"<title>{title}</title>", _text(LEFT, 14, title, "start", "#222", 12)]
    for part in (0.0, 0.5, 1.0):
        parts.append(_line(LEFT, y(top * part), WIDTH - RIGHT, y(top * part), "#e4e4e4"))
        parts.append(_text(LEFT - 4, y(top * part) + 3, f"{top * part:g}", "end"))
        parts.append(_text(x(last * part), HEIGHT - 8, f"{last * part:g}", "middle"))
    for k, line in enumerate(lines):
        points = " ".join(f"{x(i):.1f},{y(v):.1f}" for i, v in enumerate(line.values))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{line.color}" stroke-width="2"/>')
        if line.values:
            at = len(line.values) - 1
            parts.append(
                f'<circle cx="{x(at):.1f}" cy="{y(line.values[at]):.1f}" r="3" fill="{line.color}"/>'
            )
        parts.append(_text(WIDTH - RIGHT - 62 * k, 14, line.name, "end", line.color, 11))
    return _document(WIDTH, HEIGHT, "".join(parts))


def side_by_side(*charts: str) -> str:
    """Charts in a row, as one SVG document."""
    placed = (re.sub("^<svg", f'<svg x="{WIDTH * k}"', one, count=1) for k, one in enumerate(charts))
    return _document(WIDTH * len(charts), HEIGHT, "".join(placed))


def _document(width: int, height: int, body: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" font-family="sans-serif">'
        f'<rect width="{width}" height="{height}" fill="#fff"/>{body}</svg>'
    )


def _text(x: float, y: float, text: str, anchor: str, color: str = GREY, size: int = 10) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{color}" text-anchor="{anchor}">{text}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, color: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}"/>'


def _round_up(value: float) -> float:
    """The next of 1, 2, 4, 6, 8, ..."""
    return next((step for step in (1.0, 2.0) if value <= step), 2.0 * -(-value // 2))
