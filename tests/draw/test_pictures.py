"""Pictures of states and observations, and their files."""

import sys
from pathlib import Path

import numpy as np
import pytest

from gridarium.draw import rgb, save
from gridarium.world import Agent, Color, Exit, Floor, Grid, Key, Observation, Position, State, Vocabulary

WORDS = Vocabulary([Floor, Exit, Key], [Color.RED])


def small() -> State:
    state = State.blank((2, 3), WORDS, agents=2)
    state.agents[1].position = Position(1, 1)
    state.grid[0, 2] = Key(Color.RED)
    return state


def view_of(state: State) -> Observation:
    return Observation(Grid.from_shape((1, 1), vocabulary=WORDS), Agent(state.bodies[0], WORDS))


def test_a_picture_has_the_shape_of_the_world() -> None:
    state = small()
    for tile in (8, 32):
        assert rgb(state, tile).shape == (2 * tile, 3 * tile, 3)
        assert rgb(state, tile).dtype == np.uint8
    assert rgb(Observation(state.grid, state.agent), 8).shape == (16, 24, 3)


def test_drawing_changes_nothing() -> None:
    state = small()
    before = state.copy()
    first = rgb(state, 16)
    assert np.array_equal(first, rgb(state, 16))
    assert state.identical(before)


def test_a_view_darkens_the_rest() -> None:
    state = small()
    bright, marked = rgb(state, 8), rgb(state, 8, view=view_of(state))
    assert np.array_equal(bright[:8, :8], marked[:8, :8])
    assert (marked[8:] < bright[8:]).mean() > 0.9


def test_a_view_is_of_a_state() -> None:
    view = view_of(small())
    with pytest.raises(ValueError, match="a view is marked in the picture of a state"):
        rgb(view, 8, view=view)


def test_a_picture_is_saved_as_it_is(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    picture = rgb(small(), 16)
    save(tmp_path / "world.png", picture)
    with image.open(tmp_path / "world.png") as read:
        assert np.array_equal(np.asarray(read), picture)


def test_what_is_no_picture_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a picture is uint8\[height, width, 3\], not float64\[2, 2\]"):
        save(tmp_path / "world.png", np.zeros((2, 2)))


def test_without_pillow_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=r"install gridarium\[pictures\]"):
        save(tmp_path / "world.png", rgb(small(), 8))
