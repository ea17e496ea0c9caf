"""Boards of games under the pieces: in pixels, compiled and not, and in SVG documents."""

import re
import typing

import numpy as np
import pytest

from gridarium import World
from gridarium.draw import Heat, rgb, svg
from gridarium.draw.boards import GROUNDS, STAR, grounds_of
from gridarium.draw.pixels import tiles
from gridarium.rules.games import blokus
from gridarium.view.replay.frames import FrameEncoder
from gridarium.view.replay.symbols import SymbolTable
from gridarium.world import Floor, Grid, Stone, Vocabulary
from gridarium.world.vocabulary import BOARDS, Board


def grid(board: Board, height: int, width: int) -> Grid:
    return Grid.from_shape((height, width), vocabulary=Vocabulary([Floor, Stone], board=board))


def test_every_board_has_drawings() -> None:
    assert tuple(GROUNDS) == BOARDS == typing.get_args(Board)
    for board, drawings in GROUNDS.items():
        used = {k for shape in ((3, 3), (9, 9), (3, 9), (14, 14)) for k in grounds_of(grid(board, *shape))}
        assert used == set(range(len(drawings)))
        drawn = [tiles.tile(Floor(), 16, ground=drawing).tobytes() for drawing in drawings]
        assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize(("side", "stars"), [(7, 0), (9, 5), (13, 5), (15, 5), (19, 9)])
def test_boards_of_go_have_stars(side: int, stars: int) -> None:
    assert grounds_of(grid("intersections", side, side)).count(STAR) == stars


def test_boards_of_blokus_show_where_players_begin() -> None:
    for name in ("Blokus-14x14-2p", "Blokus-20x20-4p"):
        state = World(name, compiled=False).reset(0)
        starts = {blokus._start(state, number, k).yx for number in range(len(state.agents)) for k in (0, 1)}
        shown = np.reshape(grounds_of(state.grid), state.grid.shape.as_tuple)
        assert set(map(tuple, np.argwhere(shown).tolist())) == starts


def test_white_edges_of_hex_are_seen_on_a_white_page() -> None:
    side = rgb(grid("hexagons", 5, 5), 32)[40:120]
    assert max(side[:, 0].max(), side[:, -1].max()) < 128
    assert min(side[:, 2].min(), side[:, -3].min()) > 240


def test_lines_end_at_the_edge_of_each_layer() -> None:
    numbers = np.reshape(grounds_of(grid("lines", 3, 9)), (3, 3, 3))
    assert (numbers == np.arange(9).reshape(3, 1, 3)).all()


def test_batches_draw_the_same_pixels() -> None:
    world = World("TicTacToe-4p", representation={"name": "rgb", "tile": 8}, compiled=False)
    batch = world.batch(2)
    batch.reset(seed=0)
    for _ in range(3):
        image = batch.step(batch.sample_actions(np.random.default_rng(0))).observations["image"]
    assert np.array_equal(image[1], rgb(batch.state(1), 8))


def test_pieces_lie_over_marks_and_marks_over_the_board() -> None:
    board = grid("intersections", 5, 5)
    board[2, 2] = Stone(Stone.Status.WHITE)
    plain, marked = rgb(board, 16), rgb(board, 16, overlays=Heat(np.ones((5, 5))))
    middle = (slice(38, 42), slice(38, 42))
    assert np.array_equal(plain[middle], marked[middle]) and not np.array_equal(
        plain[:16, :16], marked[:16, :16]
    )


def test_svg_documents_use_each_drawing_of_the_board_once() -> None:
    document = svg(grid("checkered", 4, 4))
    assert len(re.findall("<use ", document)) == 16 and len(re.findall("<g id=", document)) == 2


def test_pages_have_a_symbol_for_each_object_on_each_ground() -> None:
    world, symbols = World("TicTacToe-2p", compiled=False), SymbolTable()
    state = world.step(world.reset(0), [4, 4])[0]
    frame = FrameEncoder(symbols, world).frame(state)
    assert len(set(frame["grid"])) == 9
    assert [symbols.since(0)[k]["name"] for k in frame["grid"]] == [
        *["Floor"] * 4,
        "Mark, cross",
        *["Floor"] * 4,
    ]
