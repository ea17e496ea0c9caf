"""Themes: what looks different in them, and what stays."""

import dataclasses

import numpy as np
import pytest

from gridarium.draw import DARK, LIGHT, Atlas, Rectangle, rgb, theme
from gridarium.draw.pixels.tiles import paint, tile
from gridarium.draw.shapes import SCENERY
from gridarium.world import Color, Door, Floor, Lava, State, Wall
from tests.draw.scenes import PLAIN, RICH, look, states, two_rooms


def test_themes_have_names() -> None:
    assert theme("light") is LIGHT and theme("dark") is DARK and theme(DARK) is DARK
    with pytest.raises(ValueError, match="no theme 'pink'; there are light, dark"):
        theme("pink")


def test_scenery_is_the_themes() -> None:
    for name in SCENERY:
        drawn = paint((Rectangle(0, 0, 1, 1, name),), (1, 2, 3), 4, DARK)
        assert drawn[0, 0, :3].tolist() == list(getattr(DARK, name))


def test_a_dark_world_is_dark() -> None:
    state = State.blank((3, 3), PLAIN)
    assert rgb(state, 16, theme=DARK).mean() < 80
    assert rgb(state, 16).mean() > 200


def test_scenery_changes_and_colors_stay() -> None:
    for thing in (Floor(), Wall()):
        assert not np.array_equal(tile(thing, 16, LIGHT), tile(thing, 16, DARK))
    assert np.array_equal(tile(Lava(), 16, LIGHT), tile(Lava(), 16, DARK))
    middle = (slice(4, 6), slice(3, 6))
    door = Door(Door.Status.CLOSED, Color.RED)
    assert np.array_equal(tile(door, 16, LIGHT)[middle], tile(door, 16, DARK)[middle])


def test_each_theme_has_an_atlas_of_its_own() -> None:
    assert Atlas.of(PLAIN, 8) is Atlas.of(PLAIN, 8, theme=LIGHT) is not Atlas.of(PLAIN, 8, theme=DARK)


def test_a_theme_of_ones_own() -> None:
    red = dataclasses.replace(LIGHT, name="red", floor=(200, 0, 0))
    assert rgb(State.blank((1, 2), PLAIN), 8, theme=red)[4, 12].tolist() == [200, 0, 0]


def test_walls_on_edges_are_the_themes() -> None:
    assert rgb(two_rooms(), 16, theme=DARK)[4, 32].tolist() == list(DARK.mortar)
    assert rgb(two_rooms(), 16)[4, 32].tolist() == list(LIGHT.mortar)


def test_every_state_can_be_drawn_dark() -> None:
    for state in states(RICH, agents=2):
        assert rgb(state, 9, view=look(state), theme=DARK).shape == (36, 54, 3)
