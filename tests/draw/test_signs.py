"""Signs: what is wanted hangs on the wall, in every kind of picture."""

import functools

import numpy as np
import pytest

from gridarium import World, draw
from gridarium.draw.pixels import tiles
from gridarium.draw.signs import has_signs, sign_wall, signs
from gridarium.draw.svg.document import sign_symbol
from gridarium.engine.painter import Painter
from gridarium.view.replay.frames import FrameEncoder
from gridarium.view.replay.symbols import SymbolTable
from gridarium.world import Ball, Color, Floor, Hidden, Key, Orientation, Position, Wall
from gridarium.worlds import catalogue
from tests.compiled_worlds import INTERPRETED_AND_COMPILED

SIZE = 32


@functools.cache
def fetch(compiled=False):
    return World("Fetch-8x8", compiled=compiled)


def corner(picture, place=(0, 0), size=SIZE):
    y, x = (n * size for n in place)
    return picture[y : y + size, x : x + size]


def hung(thing, size=SIZE):
    """A wall with a thing on a plate."""
    small = tiles.small_picture(thing, size)
    tile = tiles.tile(Wall(), size).copy()
    inset = (size - len(small)) // 2
    part = tile[inset : inset + len(small), inset : inset + len(small)]
    kept = part * (255 - small[..., 3:]).astype(np.uint16) + 128
    part[...] = small[..., :3] + ((kept + (kept >> 8)) >> 8).astype(np.uint8)
    return tile


@pytest.mark.parametrize("name", catalogue.names())
@pytest.mark.sampled(4)
def test_only_what_is_wanted_is_a_sign(name):
    world = World(name, compiled=False)
    for seed in range(3):
        state = world.reset(seed)
        places = [p.yx for p, _ in signs(state.grid)]
        assert places == ([(0, 0)] if "{target}" in world.spec.description.mission else [])
        assert has_signs(state.cells) == bool(places)


def test_it_is_drawn_on_a_plate_on_the_wall():
    state = fetch().reset(3)
    wanted = hung(state.grid[0, 0])
    assert np.array_equal(corner(draw.rgb(state, SIZE)), wanted)
    values = np.full(state.grid.shape.as_tuple, np.nan)
    values[4, 4] = 1.0
    assert np.array_equal(corner(draw.rgb(state, SIZE, overlays=draw.Heat(values))), wanted)
    assert not np.array_equal(wanted, tiles.tile(state.grid[0, 0], SIZE))


@pytest.mark.parametrize("orientation", list(Orientation))
def test_it_hangs_there_in_what_the_agent_sees(orientation):
    state = fetch().reset(3)
    state.agent.orientation = orientation
    view = fetch().observe(state)
    places = [p for p, _ in signs(view.grid)]
    assert [view.grid[p] for p in places] == [state.grid[0, 0]]
    assert np.array_equal(corner(draw.rgb(view, SIZE), places[0].yx), hung(state.grid[0, 0]))


@pytest.mark.parametrize("compiled", INTERPRETED_AND_COMPILED)
def test_environments_draw_it_likewise(compiled):
    world = World("UnlockPickup", compiled=compiled)  # the corner is out of sight, so it lies in the dark
    for seed in range(3):
        state = world.reset(seed)
        wanted = draw.rgb(state, SIZE, view=world.observe(state))
        assert np.array_equal(Painter(world, SIZE).picture(world, state), wanted)


def test_documents_and_pages_hang_it_too():
    state = fetch().reset(3)
    drawn = sign_symbol(state.grid[0, 0], Wall())
    assert drawn in draw.svg(state)
    symbols = SymbolTable()
    frame = FrameEncoder(symbols, fetch()).frame(state)
    assert frame["mission"] == fetch().mission(state)
    picture = symbols.since(0)[frame["grid"][0]]
    assert picture["light"] == drawn
    assert picture["name"].startswith("Sign: ")


def test_a_thing_in_a_corner_of_a_room_is_none():
    state = fetch().blank_state()
    for p in state.grid.area.positions("border"):
        state.grid[p] = Wall()
    state.grid[1, 1] = Key(Color.RED)
    assert not has_signs(state.cells)
    state.grid[0, 0] = Ball(Color.RED)
    assert [p for p, _ in signs(state.grid)] == [Position(0, 0)]
    state.grid[0, 1] = Floor()  # one can get there
    assert not has_signs(state.cells)
    state.grid[0, 1] = Hidden()
    assert sign_wall(state.cells, 0, 0) == 0
