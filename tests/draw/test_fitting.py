"""Texts that fit: smaller, then shorter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.draw import Label, font
from gridarium.draw.label_fitting import in_pixels, in_room, shortened
from gridarium.draw.pixels.tiles import fitted
from gridarium.draw.shapes import bounds


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("word", 4, "word"),
        ("long word", 6, "long…"),
        ("long word", 7, "long w…"),
        ("-12.345", 6, "-12.35"),
        ("-12.345", 5, "-12.3"),
        ("-12.345", 4, "-12"),
        ("123456789", 6, "1.23e8"),
        ("0.000123", 6, "1.2e-4"),
        ("99.96", 4, "100"),
        ("12345", 2, ""),
        ("ab", 2, "ab"),
    ],
)
def test_texts_are_shortened_by_what_matters_least(text: str, most: int, shown: str) -> None:
    assert shortened(text, most) == shown


@given(st.floats(-1e300, 1e300), st.integers(3, 12))
def test_a_shortened_number_is_near_the_number(number: float, most: int) -> None:
    shown = shortened(str(number), most)
    assert 0 < len(shown) <= most
    if "…" not in shown:
        assert float(shown) == pytest.approx(number, rel=0.5)


@given(
    st.text(st.characters(codec="ascii"), min_size=1, max_size=30), st.floats(0.05, 1), st.integers(1, 256)
)
def test_labels_keep_to_their_room(text: str, height: float, size: int) -> None:
    label = Label(text, 0.5, 0.5, height, room=0.9)
    for made in (in_room(label), in_pixels(label, size)):
        if made is not None:
            x0, _, x1, _ = bounds(made)
            assert x1 - x0 <= 0.9 + 1e-6 and made.height <= max(height, font.HEIGHT / size)
    made = in_pixels(label, size)
    if made is not None and font.has(made.text):
        paths, width = fitted(made, size)
        xs = [x for path in paths for x, _ in path]
        assert max(xs) - min(xs) + width <= 0.9 + 1e-6


def test_a_label_without_a_room_is_left_as_it_is() -> None:
    label = Label("a long text indeed", 0.5, 0.5, 0.3)
    assert in_room(label) == label
    assert in_pixels(label, 40).text == label.text
