"""Pictures of states and observations, and their files."""

import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

from gridarium import World
from gridarium.draw import DARK, rgb, save, svg
from gridarium.draw.svg.document import agent_symbol, label_symbol
from gridarium.world import (
    Agent,
    Color,
    Exit,
    Floor,
    Grid,
    Key,
    Observation,
    Orientation,
    Position,
    State,
    Vocabulary,
)
from gridarium.world.state import seen_from

WORDS = Vocabulary([Floor, Exit, Key], [Color.RED])


def small() -> State:
    state = State.blank((2, 3), WORDS, agents=2)
    state.agents[1].position = Position(1, 1)
    state.grid[0, 2] = Key(Color.RED)
    return state


def view_of(state: State) -> Observation:
    return Observation(Grid.from_shape((1, 1), vocabulary=WORDS), Agent(state.agent_rows[0], WORDS, 0))


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


def test_a_view_is_an_observation() -> None:
    for draw in (rgb, svg):
        with pytest.raises(
            TypeError, match=r"a view is what an agent perceives, world.observe\(state, agent\), not State"
        ):
            draw(small(), view=small())
    alone = seen_from(view_of(small()), 4, 5)
    with pytest.raises(ValueError, match="the view is that of agent 4, but the state has 2 agents"):
        rgb(small(), view=alone)


def test_a_view_is_that_of_its_own_agent() -> None:
    state = small()
    view = seen_from(
        Observation(Grid.from_shape((1, 1), vocabulary=WORDS), Agent(state.agent_rows[1].copy(), WORDS, 1)),
        1,
        2,
    )
    view.agent.position = Position(0, 0)
    dark = (rgb(state, 8, view=view) != rgb(state, 8)).any(axis=2)
    assert not dark[8:, 8:16].any() and dark[:8, :8].any()
    shown = rgb(state, 8, view=view, hide_unseen=True)
    assert np.array_equal(shown[8:, 8:16], rgb(state, 8)[8:, 8:16])


def test_an_agent_keeps_its_color_and_number_in_its_observation() -> None:
    world = World("TwoAgents-Empty-8x8", compiled=False)
    state = world.reset(1)
    for number in (0, 1):
        state.agents[number].orientation = Orientation.FORWARD
        view = world.observe(state, number)
        p, q = state.agents[number].position, view.agent.position
        own, seen = rgb(state, 32), rgb(view, 32)
        assert np.array_equal(own[p.y * 32 :, p.x * 32 :][:32, :32], seen[q.y * 32 :, q.x * 32 :][:32, :32])
        for part in (
            agent_symbol(number),
            label_symbol(number, Orientation.FORWARD),
            f"Agent {number} at",
            f"by agent {number}<",
        ):
            assert part in svg(view)
    assert world.observe(state, 0) == world.observe(state, 0)
    assert pickle.loads(pickle.dumps(view)) == view


def test_a_theme_may_be_named() -> None:
    assert np.array_equal(rgb(small(), 8, theme="dark"), rgb(small(), 8, theme=DARK))
    assert svg(small(), theme="dark") == svg(small(), theme=DARK)
    for name in ("pink", 3, ["dark"]):
        with pytest.raises(ValueError, match="there are light, dark, or a Theme of your own"):
            rgb(small(), theme=name)


def test_a_grid_is_drawn_without_agents() -> None:
    state = small()
    grid, document = rgb(state.grid, 16), svg(state.grid)
    for agent in state.agents:
        agent.active = False
    assert np.array_equal(grid, rgb(state, 16))
    assert "<title>Grid of 2 x 3 cells</title>" in document and "Agent" not in document


@pytest.mark.parametrize("draw", [rgb, svg])
def test_what_cannot_be_drawn_is_named(draw) -> None:
    with pytest.raises(
        TypeError, match=r"a state, an observation or a grid, not World; its reset\(seed\) gives a state"
    ):
        draw(World("Empty-4x4", compiled=False))
    for thing in (None, 3, np.zeros((2, 3))):
        with pytest.raises(
            TypeError, match=f"a state, an observation or a grid, not {type(thing).__name__}$"
        ):
            draw(thing)


def test_a_document_is_saved_as_it_is(tmp_path: Path) -> None:
    save(tmp_path / "world.SVG", svg(small()))
    assert (tmp_path / "world.SVG").read_text() == svg(small()) + "\n"
    with pytest.raises(ValueError, match="in a file that ends in .svg, not 'world.png'"):
        save(tmp_path / "world.png", svg(small()))
    with pytest.raises(ValueError, match="is an SVG document"):
        save(tmp_path / "world.svg", "words")
    with pytest.raises(ValueError, match="pixels are not an SVG document"):
        save(tmp_path / "world.svg", rgb(small(), 8))


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
