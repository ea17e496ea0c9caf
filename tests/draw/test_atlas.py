"""Pictures made from an atlas: interpreted and compiled code give the same bytes."""

import functools
import math
import pickle
from typing import Any

import numpy as np
import pytest

from gridarium.compiled.compile import compile_standalone
from gridarium.compiled.data_types.primitives import trusted
from gridarium.compiled.numba_backend.linker import Linker
from gridarium.draw import Atlas, Rectangle, render, render_observation, rgb, shade_unseen, text
from gridarium.draw.pixels import tiles
from gridarium.draw.pixels.atlas import UNKNOWN
from gridarium.draw.themes import DARK, LIGHT
from gridarium.world import (
    Action,
    Agent,
    Area,
    Box,
    Color,
    Door,
    Exit,
    Floor,
    Grid,
    GridObject,
    Hidden,
    Key,
    Lava,
    NoneGridObject,
    Observation,
    Orientation,
    Position,
    State,
    Vocabulary,
    Wall,
)
from gridarium.world.compiled.resolver import WorldResolver
from tests.differential import random_states
from tests.draw.kinds import CUSTOM, PINK
from tests.draw.scenes import PLAIN

KINDS = (Floor, Wall, Exit, Door, Key, Box, Lava, *CUSTOM)
WORDS = Vocabulary(KINDS, [Color.RED, Color.YELLOW, PINK])
EDGES = Vocabulary(KINDS, [Color.RED, PINK], edges=True)
BOARD = Vocabulary(KINDS, [Color.RED, PINK], board="lines")
FIELDS = ("tiles", "lookup", "small", "agents", "shadow", "wall", "board", "per_ground")


def picture(state: State, size: int, agents: int = 1) -> Any:
    out = np.zeros((state.grid.height * size, state.grid.width * size, 3), np.uint8)
    render(state, Atlas.of(state.vocabulary, size, agents), out)
    return out


def look(state: State) -> Observation:
    """The 3 x 5 cells ahead of the agent in focus, some of them unseen."""
    agent = state.agent
    grid = state.grid.subgrid(agent.transform * Area((-2, 0), (-2, 2))) * agent.orientation
    grid[0, 0] = grid[1, 4] = Hidden()
    seen = Agent(agent.agent_row.copy(), state.vocabulary, 0)
    seen.position, seen.orientation = Position(2, 2), Orientation.FORWARD
    return Observation(grid, seen)


@trusted
def draw_all(seen, atlas_arrays, outs, *, vocabulary):  # type: ignore[no-untyped-def]
    """What is compiled: a state, a state with its unseen parts darkened, and an observation."""
    (cells, layers, data, agent_rows, scratch), view_arrays = seen
    tile, lookup, small, agents, shadow, wall, board, per_ground = atlas_arrays
    atlas = Atlas(tile, lookup, small, agents, shadow, wall, board, per_ground, vocabulary)
    state = State(cells, layers, data, agent_rows, scratch, 0, vocabulary)
    view = Observation(
        Grid(view_arrays[0], view_arrays[1], scratch, vocabulary), Agent(view_arrays[2], vocabulary, 0)
    )
    render(state, atlas, outs[0])
    render(state, atlas, outs[1])
    shade_unseen(state, view, atlas, outs[1])
    render_observation(view, atlas, outs[2])


@pytest.mark.exhaustive
@pytest.mark.slow
@pytest.mark.parametrize("vocabulary", [WORDS, EDGES, BOARD], ids=["plain", "edges", "board"])
def test_compiled_pictures_have_the_same_bytes(vocabulary: Vocabulary) -> None:
    linker = Linker(WorldResolver(vocabulary), inner=True)
    compiled = compile_standalone(linker.link_whole(functools.partial(draw_all, vocabulary=vocabulary)))
    for size in (1, 5, 8, 30):
        atlas = Atlas.of(vocabulary, size, agents=3, theme=DARK if size == 5 else LIGHT)
        for state in random_states(vocabulary, 6, (4, 6), agents=3, seed=size):
            view = look(state)
            arrays = (
                (
                    (state.cells, state.layers, state.data, state.agent_rows, state.scratch),
                    (view.grid.cells, view.grid.layers, view.agent.agent_row),
                ),
                tuple(getattr(atlas, name) for name in FIELDS),
            )
            shapes = [state.cells.shape, state.cells.shape, view.grid.cells.shape]
            mine, its = (
                tuple(np.full((h * size, w * size, 3), fill, np.uint8) for h, w in shapes) for fill in (3, 7)
            )
            draw_all(*arrays, mine, vocabulary=vocabulary)
            compiled(*arrays, its)
            for wanted, got in zip(mine, its, strict=True):
                assert np.array_equal(wanted, got)


@pytest.mark.parametrize("size", [8, 32])
def test_cells_are_copies_of_tiles(size: int) -> None:
    for state in random_states(WORDS, 5, (3, 4)):
        state.agent.active = False
        out = picture(state, size)
        for p in state.grid.positions():
            thing = state.grid[p]
            cell = out[p.y * size : (p.y + 1) * size, p.x * size : (p.x + 1) * size]
            assert np.array_equal(cell, tiles.tile(thing, size)) == isinstance(thing.content, NoneGridObject)


def test_what_a_box_holds_shows_in_a_state_and_not_in_an_observation() -> None:
    state = State.blank((1, 3), WORDS)
    state.grid[0, 1], state.grid[0, 2] = Box(Key(Color.RED)), Box(Key(Color.YELLOW))
    out = picture(state, 16)
    assert not np.array_equal(out[:, 16:32], out[:, 32:])
    render_observation(Observation(state.grid, state.agent), Atlas.of(WORDS, 16), out)
    assert np.array_equal(out[:, 16:32], out[:, 32:])


def test_an_agent_that_is_gone_or_outside_is_not_drawn() -> None:
    state = State.blank((2, 2), WORDS)
    shown = picture(state, 8)
    state.agent.active = False
    gone = picture(state, 8)
    state.agent.active, state.agent.position = True, Position(-1, 0)
    outside = picture(state, 8)
    assert np.array_equal(gone, outside)
    assert not np.array_equal(shown, gone)


def test_what_an_agent_holds_shows() -> None:
    state = State.blank((1, 1), WORDS)
    pictures = set()
    for held in (NoneGridObject(), Key(Color.RED), Key(PINK), Lava()):
        state.agent.grid_object = held
        pictures.add(picture(state, 8).tobytes())
    assert len(pictures) == 4


def test_what_an_agent_does_next_does_not_show() -> None:
    state = State.blank((1, 1), WORDS)
    before = picture(state, 8)
    state.agent_rows[0, 7] = Action.ACTUATE.value
    assert np.array_equal(before, picture(state, 8))


def test_several_agents_differ() -> None:
    state = State.blank((1, 3), WORDS, agents=3)
    for i, agent in enumerate(state.agents):
        agent.position = Position(0, i)
    first, second, third = np.split(picture(state, 8, agents=3), 3, axis=1)
    assert not np.array_equal(first, second)
    assert not np.array_equal(second, third)


def test_where_nobody_has_a_heading_none_is_shown() -> None:
    vocabulary = Vocabulary(PLAIN.kinds.values(), PLAIN.colors.values(), headings=False)
    assert vocabulary == PLAIN  # rules cannot tell them apart
    pictures = []
    for orientation in Orientation:
        state = State.blank((1, 2), vocabulary)
        state.agent.orientation = orientation
        pictures.append(rgb(state, 32))
    assert all(np.array_equal(pictures[0], picture) for picture in pictures)
    assert not np.array_equal(rgb(State.blank((1, 2), PLAIN), 32), pictures[0])
    assert pickle.loads(pickle.dumps(vocabulary)).headings is False
    assert "facing" not in text(state) and "facing" in text(State.blank((1, 2), PLAIN))


def test_walls_stand_on_both_sides_of_an_edge() -> None:
    state = State.blank((2, 2), EDGES)
    state.agent.active = False
    open_floor = picture(state, 16)
    state.grid.set_wall(Position(0, 0), Position(0, 1))
    changed = (picture(state, 16) != open_floor).any(axis=2)
    assert changed[:16, 15:17].all()
    assert not changed[:, :14].any()
    assert not changed[:, 18:].any()
    assert not changed[18:].any()


@pytest.mark.parametrize("orientation", list(Orientation))
def test_what_is_not_seen_is_dark(orientation: Orientation) -> None:
    state = State.blank((5, 6), WORDS)
    state.agent.position, state.agent.orientation = Position(2, 3), orientation
    view, bright = look(state), picture(state, 8)
    dark = bright.copy()
    shade_unseen(state, view, Atlas.of(WORDS, 8), dark)
    ahead = [q for q in view.grid.positions() if view.grid[q] != Hidden()]
    visible = [state.agent.transform * (q - view.agent.position) for q in ahead]
    for p in state.grid.positions():
        part = (slice(p.y * 8, p.y * 8 + 8), slice(p.x * 8, p.x * 8 + 8))
        assert np.array_equal(dark[part], bright[part]) == (p in visible)
        assert p in visible or dark[part].mean() < bright[part].mean()


def test_an_atlas_is_drawn_once() -> None:
    again = Vocabulary(KINDS, [Color.RED, Color.YELLOW, PINK])
    assert Atlas.of(WORDS, 8) is Atlas.of(again, 8)


def test_a_kind_that_is_defined_anew_is_drawn_anew() -> None:
    def declare(red: int) -> Vocabulary:
        class Anew(GridObject, register=False):
            drawing = (Rectangle(0, 0, 1, 1, (red, 0, 0)),)

        return Vocabulary([Floor, Anew])

    first, second = declare(10), declare(200)
    assert first == second
    for vocabulary, red in ((first, 10), (second, 200)):
        atlas = Atlas.of(vocabulary, 8)
        assert atlas.tiles[atlas.index(11)][0, 0].tolist() == [red, 0, 0]


def test_an_atlas_has_a_tile_for_every_object() -> None:
    atlas = Atlas.of(WORDS, 8)
    objects = math.prod([len(WORDS.colors), 1 + 3 + 1 + 1]) + 1 + 1 + 1 + 1 + 1 + 1 + 2 + 3 + 3
    assert len(np.unique(atlas.lookup[atlas.lookup != UNKNOWN])) == objects
    assert atlas.tiles.shape == (objects + 1, 8, 8, 3)
    assert atlas.index(WORDS.encode(Door(Door.Status.LOCKED, PINK))) != UNKNOWN


def test_a_word_that_stands_for_nothing_has_a_tile_of_its_own() -> None:
    atlas = Atlas.of(WORDS, 8)
    assert [atlas.index(word) for word in (63, 0xFF03, 0xFF0003)] == [UNKNOWN] * 3


def test_an_atlas_has_agents() -> None:
    with pytest.raises(ValueError, match="at least one agent, not 0"):
        Atlas.of(WORDS, 8, agents=0)


def test_a_picture_must_have_the_right_shape() -> None:
    state = State.blank((2, 3), WORDS)
    with pytest.raises(ValueError, match=r"out must be uint8\[16, 24, 3\], not \(24, 16, 3\)"):
        render(state, Atlas.of(WORDS, 8), np.zeros((24, 16, 3), np.uint8))
