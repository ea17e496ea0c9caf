"""Painters give the pictures of `draw.rgb`, however they come by what is seen."""

import functools

import numpy as np
import pytest

from gridarium import World
from gridarium.draw import Atlas, rgb
from gridarium.engine.kernel_args import FRAME_LENGTH, KernelArg, address
from gridarium.engine.observe.full_pictures import Paint, paint
from gridarium.engine.observe.pixels import header
from gridarium.engine.painter import Painter
from gridarium.rules.observation_functions import observation_function_registry
from gridarium.testing.states import random_states
from gridarium.world import Area, Box, Floor, Key, Observation, Wall
from gridarium.world.vocabulary import BOARDS
from gridarium.worlds import Spec, catalogue
from gridarium.worlds.description import Description


def sideways(state) -> Observation:
    """An observation rule of the user's own."""
    return observation_function_registry["fully_transparent"](state, area=Area((0, 1), (-1, 0)))


def own(name: str, **more) -> Spec:
    """A small world that is never run."""
    given = {
        "reset": "empty",
        "transitions": ["move_agent"],
        "objects": [Floor, Wall, Key, Box],
        "colors": ["RED"],
    }
    return Spec.build(name=name, shape=(4, 5), **{**given, **more})


WORLDS = {
    "plain": functools.partial(own, "Plain"),
    "edges": functools.partial(own, "Edges", edges=True),
    "full": functools.partial(own, "Full", observation="full_grid"),
    "own view": functools.partial(own, "Own", observation=sideways),
    "pixels": functools.partial(own, "Pixels", representation={"name": "rgb", "tile": 3}),
    "two agents": functools.partial(own, "Two", agents=2),
    "board, partly seen": functools.partial(own, "Checkered", board="checkered"),
}


def wanted(world: World, state, tile: int):
    return rgb(state, tile, view=world.observe(state) if world.spec.agents == 1 else None)


@pytest.mark.slow
@pytest.mark.parametrize("make", WORLDS.values(), ids=WORLDS)
@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "interpreted"])
def test_pictures_are_those_of_draw(make, compiled: bool) -> None:
    world = World(make(), compiled=compiled)
    for tile in (5, 32):
        painter = Painter(world, tile)
        for state in random_states(world.spec.vocabulary, 8, (4, 5), agents=world.spec.agents, seed=tile):
            assert np.array_equal(painter.picture(world, state), wanted(world, state, tile))


@pytest.mark.parametrize("board", BOARDS)
def test_every_cell_is_painted_on_its_part_of_the_board(board: str) -> None:
    """The painter's program, interpreted: all of the board is seen, on sizes with stars and with several small boards."""
    vocabulary = own("Board", board=board).vocabulary
    for shape in [(9, 9), (19, 19), (3, 9), (4, 5)]:
        state = next(iter(random_states(vocabulary, 1, shape, seed=0)))
        atlas = Atlas.of(vocabulary, 8)
        table, veiled, out = header(atlas), atlas.tiles, np.empty((8 * shape[0], 8 * shape[1], 3), np.uint8)
        frame = np.zeros(FRAME_LENGTH, np.int64)
        given = {
            Paint.HEIGHT: shape[0],
            Paint.WIDTH: shape[1],
            Paint.AGENTS: len(state.agent_rows),
            Paint.AGENT_ROW_LENGTH: vocabulary.agent_row_length,
            Paint.CELLS: address(state.cells),
            Paint.CONTENTS: address(state.layers[vocabulary.content_layer]),
            Paint.AGENT_ROWS: address(state.agent_rows),
            Paint.VEILED: address(veiled),
            Paint.OUT: address(out),
            KernelArg.ATLAS_TABLE: address(table),
        }
        for index, number in given.items():
            frame[index] = number
        paint(frame, 0, 0, 1, 0)
        assert np.array_equal(out, rgb(state, 8))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["default", "compact"])
def test_what_is_seen_follows_from_the_arrays_of_a_compiled_world(name: str) -> None:
    data = catalogue.description("KeyDoor-5x5").to_dict()
    world = World(Description.from_dict({**data, "representation": name}))
    batch = world.batch(1)
    painter = Painter(world, 8)
    batch.reset(3)
    assert world.composed.ready
    for action in np.random.default_rng(0).integers(len(world.actions), size=40):
        arrays = {key: array[0] for key, array in batch.step(np.array([action])).observations.items()}
        state = batch.state(0)
        picture = wanted(world, state, 8)
        assert np.array_equal(painter.picture(world, state, arrays), picture)
        assert np.array_equal(painter.picture(world, state), picture)


def test_pictures_are_the_callers_own() -> None:
    world = World(own("Plain"), compiled=False)
    painter = Painter(world, 4)
    state = next(iter(random_states(world.spec.vocabulary, 1, (4, 5), seed=0)))
    first = painter.picture(world, state)
    kept = first.copy()
    first[...] = 0
    assert np.array_equal(painter.picture(world, state), kept)


def test_a_size_is_a_number_of_pixels() -> None:
    with pytest.raises(ValueError, match="a whole number of pixels from 1 to 256"):
        Painter(World(own("Plain"), compiled=False), 0)
