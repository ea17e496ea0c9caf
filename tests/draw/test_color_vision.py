"""Colors can be told apart without full color vision: by their looks, or by the mark that they carry."""

import itertools

import numpy as np
import pytest

from gridarium.draw import DARK, LIGHT
from gridarium.draw.drawings import AGENT_COLORS, SMALLEST_LABEL, color_mark
from gridarium.draw.overlays.heat import DIVERGING, SCALE
from gridarium.draw.pixels import tiles
from gridarium.draw.shapes import readable_on
from gridarium.draw.svg.document import label_symbol, symbol
from gridarium.draw.svg.elements import elements
from gridarium.world import Ball, Beacon, Color, Door, Exit, Goal, Key, Orientation, Telepod
from tests.draw.vision import MATRICES, contrast, difference, lab, seen

DISTINCT = 20
"""So far apart, colors of small patches are told apart at a glance; 2.3 is just noticeable side by side."""
READABLE = 4.5
"""The contrast that WCAG asks of text."""
PAIRS = list(itertools.combinations(Color, 2))
VISIONS = sorted(MATRICES)
DOOR = Door.Status.LOCKED


def alike(first: Color, second: Color, vision: str) -> bool:
    return difference(tiles.rgb_of(first), tiles.rgb_of(second), vision) < DISTINCT


def in_grey(kind, color: Color):
    """An object of a kind in a grey that carries the mark of another color."""
    twin = Color(f"VISION_{color.name}", rgb=(140, 140, 140), mark=color.mark)
    return kind(*([DOOR] if kind is Door else []), twin)


def test_the_simulation_is_right() -> None:
    white, black = (255, 255, 255), (0, 0, 0)
    for vision in VISIONS:
        assert seen(white, vision) == pytest.approx(np.ones(3), abs=1e-5), "grey stays grey"
        assert difference(white, black, vision) == pytest.approx(100, abs=0.1)
        assert contrast(white, black, vision) == pytest.approx(21, abs=0.01)
    assert (
        difference((255, 0, 0), (94, 94, 0), "deuteranopia")
        < difference((255, 0, 0), (94, 94, 0), "normal") / 3
    )


def test_all_colors_differ_for_full_color_vision() -> None:
    assert not [pair for pair in PAIRS if alike(*pair, "normal")]


def test_some_colors_need_their_mark() -> None:
    """Otherwise the next tests would test nothing."""
    assert alike(Color.BLUE, Color.PURPLE, "protanopia") and alike(Color.RED, Color.GREEN, "deuteranopia")


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_colors_that_look_alike_have_marks_that_differ_and_can_be_read(vision: str, theme) -> None:
    for pair in PAIRS:
        if not alike(*pair, vision):
            continue
        assert pair[0].mark != pair[1].mark
        for color in pair:
            assert not color.mark.isspace()
            ink = theme.shade("dark", tiles.rgb_of(color, theme))
            assert contrast(theme.plate, ink, vision) >= READABLE, color


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", [Ball, Beacon, Door, Exit, Goal, Key, Telepod])
@pytest.mark.parametrize("size", [SMALLEST_LABEL, 32, 64])
def test_tiles_carry_the_mark(kind, size: int) -> None:
    drawn = {color: tiles.tile(in_grey(kind, color), size).astype(int) for color in Color}
    for pair in PAIRS:
        differs = np.abs(drawn[pair[0]] - drawn[pair[1]]).max(axis=2) > 80
        needed = any(alike(*pair, vision) for vision in VISIONS)
        assert differs.sum() >= (3 if needed else 1), "marks are not confused"
        assert not differs[: size // 2].any(), "and nothing else differs"


@pytest.mark.parametrize("kind", [Ball, Beacon, Exit, Goal, Key, Telepod])
def test_svg_always_carries_the_mark(kind) -> None:
    for color in Color:
        if not color.mark.isspace():
            assert elements(color_mark(color), color.rgb, LIGHT) in symbol(kind(color), LIGHT)


def test_agents_that_look_alike_have_numbers() -> None:
    pairs = [
        (i, j)
        for i, j in itertools.combinations(range(len(AGENT_COLORS)), 2)
        if any(difference(AGENT_COLORS[i], AGENT_COLORS[j], vision) < DISTINCT for vision in VISIONS)
    ]
    assert pairs
    for pair in pairs:
        first, second = (
            (
                tiles.agent(i, Orientation.LEFT, SMALLEST_LABEL, numbered=True)
                != tiles.agent(i, Orientation.LEFT, SMALLEST_LABEL)
            ).any(axis=2)
            for i in pair
        )
        assert first.any() and second.any() and (first != second).any()
        assert len({label_symbol(i, Orientation.LEFT).partition("stroke=")[0] for i in pair}) == 2


@pytest.mark.parametrize("vision", VISIONS)
def test_the_scale_of_heat_maps_gets_lighter_for_everyone(vision: str) -> None:
    lightness = lab(seen(np.array(SCALE), vision))[:, 0]
    assert (np.diff(lightness) > 5).all()


@pytest.mark.parametrize("vision", VISIONS)
def test_signs_are_told_apart_by_everyone(vision: str) -> None:
    lightness = lab(seen(np.array(DIVERGING), vision))[:, 0]
    assert (np.diff(lightness[:3]) > 5).all() and (np.diff(lightness[2:]) < -5).all()
    for negative, positive in zip(DIVERGING[:2], DIVERGING[:-3:-1], strict=True):
        assert difference(negative, positive, vision) > DISTINCT


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
@pytest.mark.parametrize("kind", [Exit, Goal])
@pytest.mark.parametrize("vision", VISIONS)
def test_the_goal_stands_out_from_the_floor(vision: str, kind, theme) -> None:
    assert difference(tiles.rgb_of_thing(kind(Color.NONE), theme), theme.floor, vision) > DISTINCT


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("rgb", [*SCALE, *DIVERGING, *(c.rgb for c in Color), LIGHT.brick, DARK.brick])
def test_what_is_written_on_a_color_can_be_read(rgb, vision: str) -> None:
    assert contrast(readable_on(rgb), rgb, vision) >= 3, "what WCAG asks of graphics; there is a halo as well"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
@pytest.mark.parametrize("vision", VISIONS)
def test_walls_floor_and_darkness_differ_for_everyone(vision: str, theme) -> None:
    for pair in itertools.combinations((theme.floor, theme.brick, theme.darkness), 2):
        assert difference(*pair, vision) > DISTINCT - 5
    assert contrast(theme.text, theme.floor, vision) >= READABLE
