"""The drawing model: what shapes are, and what they cover."""

import itertools
from typing import Any

import numpy as np
import pytest

from gridarium.draw import Disc, Label, Line, Polygon, Rectangle, Ring, font
from gridarium.draw.pixels.tiles import coverage, paint, samples_per_pixel
from gridarium.draw.shapes import Drawing
from gridarium.draw.themes import LIGHT

SQUARE = ((0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75))


def covered(drawing: Drawing, size: int = 64) -> float:
    """The share of the unit square that a drawing covers."""
    return float(coverage(drawing, size).sum() / (size * samples_per_pixel(size)) ** 2)


@pytest.mark.parametrize(
    ("shape", "area"),
    [
        (Rectangle(0.25, 0.5, 0.75, 1), 0.25),
        (Rectangle(0, 0, 1, 1, radius=0.5), np.pi / 4),
        (Disc(0.5, 0.5, 0.25), np.pi / 16),
        (Ring(0.5, 0.5, 0.3, 0.1), np.pi * (0.35**2 - 0.25**2)),
        (Polygon(((0, 0), (1, 0), (0, 1))), 0.5),
        (Polygon((*SQUARE, SQUARE[0], (0, 0), (1, 0), (1, 1), (0, 1), (0, 0))), 0.75),
        (Line(((0.25, 0.5), (0.75, 0.5)), 0.2), 0.1 + np.pi / 100),
        (Line(((0.5, 0.5),), 0.4), np.pi * 0.04),
        (Rectangle(-1, -1, 0.5, 2), 0.5),
        (Disc(0, 0, 0.5), np.pi / 16),
        (Rectangle(2, 2, 3, 3), 0),
    ],
)
def test_a_shape_covers_what_it_says(shape: Any, area: float) -> None:
    assert covered((shape,)) == pytest.approx(area, abs=0.003)


def test_edges_are_smooth() -> None:
    half = paint((Rectangle(0, 0, 0.25, 1, (200, 100, 0)),), (0, 0, 0), 2)
    assert half[0].tolist() == [[100, 50, 0, 128], [0, 0, 0, 0]]


def test_later_shapes_lie_on_top() -> None:
    drawing = (Rectangle(0, 0, 1, 1, (9, 9, 9)), Rectangle(0.5, 0, 1, 1, (200, 0, 0)))
    assert paint(drawing, (0, 0, 0), 2)[..., :3].tolist() == [[[9, 9, 9], [200, 0, 0]]] * 2


def test_y_grows_downward() -> None:
    picture = paint((Rectangle(0, 0.5, 0.5, 1, (7, 7, 7)),), (0, 0, 0), 2)
    assert picture[..., 3].tolist() == [[0, 0], [255, 0]]


def test_roles_are_shades_of_the_object() -> None:
    assert LIGHT.shade("object", (200, 100, 50)) == (200, 100, 50)
    assert sum(LIGHT.shade("dark", (200, 100, 50))) < 350 < sum(LIGHT.shade("light", (200, 100, 50)))
    assert LIGHT.shade((1, 2, 3), (200, 100, 50)) == (1, 2, 3)


def test_letters_fill_whole_pixels_of_small_tiles() -> None:
    alpha = paint((Label("H", 0.5, 0.5, 0.75, "dark"),), (0, 0, 0), 8)[..., 3]
    full = alpha > 200
    assert full.sum() == 17
    assert full.any(axis=0).sum() == 5
    assert full.any(axis=1).sum() == 7


def test_every_printable_character_has_strokes_of_its_own() -> None:
    printable = [chr(code) for code in range(33, 127)]
    assert font.has("".join(printable))
    pictures = {c: paint((Label(c, 0.5, 0.5, 0.6),), (0, 0, 0), 24).tobytes() for c in printable}
    assert all(pictures[a] != pictures[b] for a, b in itertools.combinations(printable, 2))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Rectangle(0.5, 0, 0.5, 1), "is empty"),
        (lambda: Disc(0.5, float("nan"), 0.1), "Disc: y is a number, not nan"),
        (lambda: Disc(0.5, 0.5, -0.1), "Disc: radius is not negative"),
        (lambda: Disc(0.5, 0.5, 0.1, "pink"), "Disc: color is object, dark, light, floor, .* or three"),
        (lambda: Disc(0.5, 0.5, 0.1, (0, 0, 256)), "not \\(0, 0, 256\\)"),
        (lambda: Polygon(((0, 0), (1, 1))), "at least three points"),
        (lambda: Line((), 0.1), "Line: points are pairs of numbers"),
        (lambda: Line(((0, 0, 0),), 0.1), "Line: points are pairs of numbers"),  # type: ignore[arg-type]
        (lambda: Label("", 0.5, 0.5, 0.5), "Label: text is one or more characters"),
    ],
)
def test_what_is_no_shape_is_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
