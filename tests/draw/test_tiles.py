"""Tiles: every object looks like itself, at every size."""

import itertools

import numpy as np
import pytest

from gridarium.draw import Rectangle
from gridarium.draw.drawings import AGENT_COLORS, BUILT_IN
from gridarium.draw.pixels import tiles
from gridarium.world import (
    Apple,
    AreaTile,
    Ball,
    Basket,
    Beacon,
    Block,
    Box,
    Color,
    Counter,
    Crate,
    Dish,
    DishDispenser,
    Dog,
    Door,
    DropOffTile,
    Evader,
    Exit,
    Floor,
    Flower,
    Food,
    Goal,
    GridObject,
    Hidden,
    Item,
    Key,
    Landmark,
    Lava,
    Mark,
    MovingObstacle,
    NoneGridObject,
    Onion,
    OnionDispenser,
    Orientation,
    Passenger,
    Pawn,
    Pot,
    ServingWindow,
    Shelf,
    Smoke,
    SnakeBody,
    Soup,
    Square,
    Stone,
    StorageSpace,
    Telepod,
    Tile,
    Token,
    Trail,
    TwoFlowers,
    Wall,
    Workstation,
)
from tests.draw.kinds import CUSTOM, PINK, Gate, Hedge, Ice, Lever

SIZES = (8, 16, 32, 64)
PLAIN = (NoneGridObject, Hidden, Floor, Wall, MovingObstacle, Lava, Evader)
COLORED = (Exit, Key, Telepod, Beacon, Ball, Goal, Block, Landmark, Passenger)
TILES = (Tile, Dog, Flower, TwoFlowers)
TEAM = (
    *(
        Basket,
        Counter,
        Crate,
        Dish,
        DishDispenser,
        Food,
        Onion,
        OnionDispenser,
        Pot,
        ServingWindow,
        Shelf,
        Soup,
    ),
    *(StorageSpace, Workstation),
)
"""Kinds that teams and porters work with; all without a color."""
PIECES = (Mark, Pawn, Stone, Token)
LIVE = (AreaTile, DropOffTile, Item, Smoke)
ARCADE = (Apple, SnakeBody, Square, Trail)
"""Kinds of games; all without a color."""


def in_every_form(color: Color) -> list[GridObject]:
    """An object of each kind and status, in one color."""
    things = [kind() for kind in PLAIN] + [kind(color) for kind in COLORED]
    things += [Door(status, color) for status in Door.Status] + [Box(Key(color))]
    things += [kind(status, color) for kind in TILES for status in kind.statuses()]
    for kind in (*TEAM, *LIVE, *PIECES, *ARCADE, *CUSTOM):
        colors = [color] if kind.colored else []
        things += [kind(*([s] if kind.Status else []), *colors) for s in kind.statuses()]
    return things


def test_every_built_in_kind_has_a_drawing() -> None:
    assert set(BUILT_IN) == {*PLAIN, *COLORED, *TILES, *TEAM, *LIVE, *PIECES, *ARCADE, Door, Box}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("color", [Color.NONE, Color.RED, PINK])
def test_different_objects_look_different(size: int, color: Color) -> None:
    things = in_every_form(color)
    drawn = [tiles.tile(thing, size).astype(int) for thing in things]
    for (a, first), (b, second) in itertools.combinations(zip(things, drawn, strict=True), 2):
        assert np.abs(first - second).max() >= 16, f"{a} and {b}"


@pytest.mark.parametrize("size", SIZES)
def test_colors_look_different(size: int) -> None:
    for kind in (*COLORED, Gate):
        made = [kind(*([2] if kind is Gate else []), color) for color in (*Color, PINK)]
        drawn = [tiles.tile(thing, size).astype(int) for thing in made]
        for first, second in itertools.combinations(drawn, 2):
            assert np.abs(first - second).max() >= 40, kind


def test_large_tiles_have_a_mark_for_their_color() -> None:
    twin = Color("DRAW_TEST_ROSE", rgb=PINK.rgb, mark="q")
    assert np.array_equal(tiles.tile(Key(PINK), 16), tiles.tile(Key(twin), 16))
    assert not np.array_equal(tiles.tile(Key(PINK), 32), tiles.tile(Key(twin), 32))


def test_a_tile_is_an_array_of_bytes() -> None:
    for size in (1, 5, 40):
        tile = tiles.tile(Wall(), size)
        assert tile.dtype == np.uint8
        assert tile.shape == (size, size, 3)


@pytest.mark.parametrize("size", [0, 257, 8.0, True, "8"])
def test_a_size_is_a_number_of_pixels(size: object) -> None:
    with pytest.raises(ValueError, match="a whole number of pixels from 1 to 256"):
        tiles.tile(Wall(), size)  # type: ignore[arg-type]


def test_a_kind_that_inherits_looks_like_its_parent_unless_it_has_a_glyph() -> None:
    for status in Door.Status:
        assert np.array_equal(tiles.tile(Gate(status, PINK), 16), tiles.tile(Door(status, PINK), 16))
    assert not np.array_equal(tiles.tile(Hedge(), 16), tiles.tile(Wall(), 16))


def test_a_declared_drawing_is_used() -> None:
    assert tiles.tile(Ice(Ice.Status.SMOOTH), 8)[4, 4].tolist() == [200, 230, 250]


def test_a_drawing_must_have_all_statuses() -> None:
    class Half(Lever, register=False):
        drawing = {"LEFT": (Rectangle(0, 0, 1, 1),)}

    with pytest.raises(ValueError, match=r"Half.drawing has no status MIDDLE; it has LEFT"):
        tiles.tile(Half(Lever.Status.MIDDLE), 8)


def test_a_drawing_is_made_of_shapes() -> None:
    class Odd(GridObject, register=False):
        drawing = ("circle",)

    with pytest.raises(TypeError, match=r"Odd.drawing is a tuple of shapes \(Rectangle, Disc, Ring"):
        tiles.tile(Odd(), 8)


def test_agents_turn() -> None:
    for size in SIZES:
        up = tiles.agent(0, Orientation.FORWARD, size)
        assert np.array_equal(np.rot90(up, -1), tiles.agent(0, Orientation.RIGHT, size))
        assert np.array_equal(np.rot90(up, 1), tiles.agent(0, Orientation.LEFT, size))
        assert np.array_equal(np.rot90(up, 2), tiles.agent(0, Orientation.BACKWARD, size))
        assert not np.array_equal(up, np.rot90(up, 2))


def test_agents_are_told_apart_by_color_and_number() -> None:
    count = len(AGENT_COLORS)
    for i, j in itertools.combinations(range(count), 2):
        first, second = (tiles.agent(k, Orientation.FORWARD, 8).astype(int) for k in (i, j))
        assert np.abs(first - second).max() >= 30
    same = [tiles.agent(k, Orientation.FORWARD, 32, numbered=True) for k in (3, 3 + count)]
    assert not np.array_equal(*same)


def test_an_agent_without_a_heading_is_a_figure_that_faces_nowhere() -> None:
    figure = tiles.agent(0, None, 32)
    assert np.array_equal(figure, figure[:, ::-1])  # not to one side
    assert all(not np.array_equal(figure, tiles.agent(0, o, 32)) for o in Orientation)
    assert not np.array_equal(tiles.agent(0, None, 32, numbered=True), figure)


def test_colors_are_premultiplied_by_alpha() -> None:
    for picture in (tiles.picture(Key(Color.RED), 16), tiles.agent(1, Orientation.LEFT, 32, numbered=True)):
        assert (picture[..., :3] <= picture[..., 3:]).all()
