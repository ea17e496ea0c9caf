"""Channels and pictures, interpreted and compiled, for several agents and walls on edges."""

import numpy as np
import pytest

from gridarium import draw
from gridarium.engine import Batch, World
from gridarium.engine.composed_world import ComposedWorld
from gridarium.rules.observation_functions import fully_transparent
from gridarium.world import Orientation, Position, Transform
from tests.env.worlds import VIEW, furnished

REPRESENTATIONS = ["no-overlap", "symbolic", {"name": "rgb", "tile": 7}]


def batch(representation, n=3, *, agents=2, observe="both", compiled=False):
    spec = World(furnished(agents=agents), representation=representation, compiled=False).spec
    return Batch(ComposedWorld(spec, compiled=compiled, observe=observe), n)


@pytest.mark.exhaustive
@pytest.mark.parametrize("representation", REPRESENTATIONS, ids=str)
def test_compiled_arrays_are_the_interpreted_ones(representation):
    plain, fast = (batch(representation, compiled=compiled) for compiled in (False, True))
    assert fast.composed.compiled
    first, second = plain.reset(0), fast.reset(0)
    rng = np.random.default_rng(0)
    for _ in range(40):
        for name, array in first.items():
            assert np.array_equal(array, second[name]), name
        actions = rng.integers(4, size=(3, 2))
        first, second = plain.step(actions).observations, fast.step(actions).observations


def test_each_channel_says_one_thing():
    world = batch("symbolic", 1, observe="state")
    grid = world.reset(0)["state.grid" if "state.grid" in world.composed.outputs[0].name else "grid"][0]
    state = world.state(0)
    kinds, colors = list(state.vocabulary.kinds.values()), list(state.vocabulary.colors.values())
    statuses = 3  # of doors
    objects = len(kinds) + statuses + len(colors)
    assert grid.shape == (2, 5, 5, objects + 5 + 2)
    for p in state.grid.positions():
        thing, channels = state.grid[p], grid[0][p.y, p.x]
        assert channels[: len(kinds)].tolist() == [isinstance(thing, k) and type(thing) is k for k in kinds]
        assert channels[len(kinds) : len(kinds) + statuses].tolist() == [
            thing.state_index == s for s in range(3)
        ]
        assert channels[len(kinds) + statuses : objects].tolist() == [thing.color == c for c in colors]
        walls = [
            state.grid.contains(q) and state.grid.has_wall(p, q)
            for q in (p + Position(0, 1), p + Position(1, 0))
        ]
        assert channels[-2:].tolist() == walls
    for me in range(2):
        mine = np.argwhere(grid[me][..., objects] == 1)
        assert mine.tolist() == [list(state.agents[me].position.yx)]
        others = np.argwhere(grid[me][..., objects + 1 : objects + 5] == 1)
        other = state.agents[1 - me]
        assert others.tolist() == [[*other.position.yx, other.orientation.value]]


def test_a_group_with_one_member_gets_no_channel():
    world = World("Empty-4x4", representation="symbolic", compiled=False)
    kinds = len(world.spec.vocabulary.kinds)
    assert {o.name: o.shape for o in world.composed.outputs} == {"grid": (7, 7, kinds + 1), "item": (kinds,)}


def test_what_is_held_is_shown():
    world = batch("symbolic", 1, agents=1, observe="observation")
    world.reset(0)
    state = world.state(0)
    state.agent.position, state.agent.orientation = Position(1, 2), state.agent.orientation
    state.agent.grid_object = state.grid[1, 2]
    world.set_state(0, state)
    item = world.observe()["item"][0]
    kinds, colors = list(state.vocabulary.kinds.values()), list(state.vocabulary.colors.values())
    assert np.flatnonzero(item).tolist() == [
        kinds.index(type(state.grid[1, 2])),
        len(kinds),
        len(kinds) + 3 + colors.index(state.grid[1, 2].color),
    ]


def test_a_picture_is_what_is_drawn_elsewhere():
    world = batch({"name": "rgb", "tile": 9}, 2, agents=1)
    images = world.reset(3)
    for i in range(2):
        state = world.state(i)
        seen = fully_transparent(state, area=VIEW)
        assert np.array_equal(images["image"][i], draw.rgb(seen, tile=9))
        assert np.array_equal(images["state.image"][i], draw.rgb(state, tile=9))


def test_each_agent_sees_itself_as_the_first_one():
    world = batch({"name": "rgb", "tile": 32}, 1, observe="observation")
    image = world.reset(0)["image"][0]
    mine, its = (image[agent, 70:90, 38:58] for agent in range(2))  # without walls on edges
    assert np.array_equal(mine, its)
    state = world.state(0)
    state.agents[1].transform = Transform(state.agents[0].front(), state.agents[0].orientation)
    world.set_state(0, state)
    ahead = world.observe()["image"][0, 0, 38:58, 38:58]
    assert not np.array_equal(ahead, mine)


def test_walls_between_cells_are_an_array_of_their_own():
    world = batch("default", 1, agents=1, observe="state")
    walls = world.reset(0)["walls"][0]
    state = world.state(0)
    assert walls[1, 1] == 2
    assert walls[2, 1] == 1
    assert walls.sum() == 3
    assert state.grid.has_wall(Position(1, 1), Position(2, 1))


@pytest.mark.parametrize("orientation", list(Orientation))
def test_walls_turn_with_the_view(orientation):
    world = batch("default", 1, agents=1, observe="observation")
    world.reset(0)
    state = world.state(0)
    state.agent.position, state.agent.orientation = Position(2, 2), orientation
    world.set_state(0, state)
    walls = world.observe()["walls"][0]
    to_world = state.agent.transform * -Transform(Position(2, 1), Orientation.FORWARD)
    for y, x in np.ndindex(3, 3):
        here = Position(y, x)
        for step, bit in ((Position(0, 1), 1), (Position(1, 0), 2)):
            if (here + step).y < 3 and (here + step).x < 3:
                p, q = to_world * here, to_world * (here + step)
                inside = state.grid.contains(p) and state.grid.contains(q)
                assert bool(walls[y, x] & bit) == (inside and state.grid.has_wall(p, q)), (p, q)
