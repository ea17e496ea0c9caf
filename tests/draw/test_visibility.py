"""What an agent does not see, darkened or left out."""

import numpy as np
import pytest

from gridarium.draw import rgb, shade_unseen
from gridarium.draw.pixels import tiles
from gridarium.draw.pixels.atlas import Atlas
from gridarium.draw.visibility import only_seen, seen_cells
from gridarium.world import Floor, Hidden, Key, Position, State
from tests.draw.scenes import PLAIN, RICH, left_half, look, states, two_rooms

SEEN = np.array([[True, True, False, False]] * 2)


def test_cells_are_seen_as_the_view_says() -> None:
    state = two_rooms()
    assert np.array_equal(seen_cells(state, left_half(state)), SEEN)
    assert seen_cells(state, None) is None


@pytest.mark.parametrize("seed", range(4))
def test_a_picture_is_darkened_as_the_compiled_one_is(seed: int) -> None:
    for state in states(RICH, agents=2):
        view = look(state)
        atlas = Atlas.of(state.vocabulary, 8, 2)
        wanted = rgb(state, 8)
        shade_unseen(state, view, atlas, wanted)
        assert np.array_equal(rgb(state, 8, view=view), wanted)


def test_only_what_is_seen_is_left() -> None:
    state = two_rooms()
    before = state.copy()
    known = only_seen(state, SEEN)
    assert state.identical(before)
    for p in state.grid.positions():
        assert known.grid[p] == (state.grid[p] if SEEN[p.y, p.x] else Hidden())
    assert known.grid.has_wall(Position(0, 1), Position(0, 2)), "it is seen from the left"
    assert known.agents[0].active and not known.agents[1].active
    assert known.agents[0].grid_object == state.agents[0].grid_object


def test_walls_between_unseen_cells_are_not_known() -> None:
    state = two_rooms()
    state.grid.set_wall(Position(0, 2), Position(0, 3))
    state.grid.set_wall(Position(0, 2), Position(1, 2))
    known = only_seen(state, SEEN)
    assert not known.grid.has_wall(Position(0, 2), Position(0, 3))
    assert not known.grid.has_wall(Position(0, 2), Position(1, 2))


def test_the_agent_that_looks_is_always_there() -> None:
    state = State.blank((1, 2), PLAIN)
    assert only_seen(state, np.zeros((1, 2), bool)).agent.active


def test_hidden_cells_look_like_darkness() -> None:
    state = two_rooms()
    state.grid[0, 2] = Floor()
    out = rgb(state, 16, view=left_half(state), hide_unseen=True)
    assert np.array_equal(out[20:32, 36:], np.tile(tiles.tile(Hidden(), 16), (1, 2, 1))[4:, 4:])
    again = two_rooms()
    again.grid[1, 3] = Key(again.grid[0, 0].color)
    assert np.array_equal(rgb(again, 16, view=left_half(again), hide_unseen=True), out), (
        "nothing shines through"
    )


def test_hiding_needs_a_view() -> None:
    with pytest.raises(ValueError, match=r"hide_unseen needs a view: .* world.observe\(state\)"):
        rgb(two_rooms(), 8, hide_unseen=True)


def test_what_is_not_seen_can_be_made_out() -> None:
    state = two_rooms()
    view = left_half(state)
    bright, dim = (rgb(state, 32, view=v).astype(int)[:, 64:] for v in (None, view))
    assert (dim <= bright + 24).all() and dim.mean() < 0.8 * bright.mean()
    assert np.corrcoef(bright.ravel(), dim.ravel())[0, 1] > 0.9  # things look as before, only darker
    floor = dim[:32, :32]
    assert len(np.unique(floor.reshape(-1, 3), axis=0)) > 2  # striped, not flat
