"""Grids: what stands where, with walls on edges and declared numbers per cell."""

from __future__ import annotations

import copy
import functools
import itertools
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.compiled.data_types.primitives import trusted
from gridarium.world import (
    Area,
    Box,
    Color,
    Door,
    Exit,
    Field,
    Floor,
    Grid,
    GridObject,
    Hidden,
    Key,
    Lava,
    Orientation,
    Position,
    State,
    Vocabulary,
    Wall,
    random_position,
)
from tests.compiled.compiling import compiled_for, places_of, state_at

F, B, L, R = Orientation.F, Orientation.B, Orientation.L, Orientation.R
RED = Color.RED
WORDS = Vocabulary([Wall, Exit, Door, Key, Box], [RED])
FULL = Vocabulary(
    [Wall, Exit, Door, Key, Box], [RED], edges=True, cell_fields=[Field("heat"), Field("wet", "bool")]
)
THINGS = [
    Floor(),
    Wall(),
    Exit(),
    Exit(RED),
    Door(Door.Status.CLOSED, RED),
    Key(RED),
    Box(Key(RED)),
    Box(Floor()),
]


def grid(text: str, vocabulary: Vocabulary = WORDS) -> Grid:
    """A grid of digits, each the place of an object in THINGS."""
    return Grid.from_objects([[THINGS[int(c)] for c in row] for row in text.split("/")], vocabulary)


def digits(grid: Grid) -> str:
    known = {**{t: str(i) for i, t in enumerate(THINGS)}, Hidden(): "?"}
    return "/".join("".join(known[thing] for thing in row) for row in grid.objects)


grids = (
    st.integers(1, 4)
    .flatmap(
        lambda width: st.lists(st.text("01234567", min_size=width, max_size=width), min_size=1, max_size=4)
    )
    .map("/".join)
)
orientations = st.sampled_from(list(Orientation))


class TestCells:
    def test_an_object_is_read_as_it_was_written(self) -> None:
        g = Grid.from_shape((2, 3), vocabulary=WORDS)
        for thing in THINGS:
            g[1, 2] = thing
            assert g[1, 2] == g[Position(1, 2)] == thing
            assert type(g[1, 2]) is type(thing)
        g[Position(0, 1)] = Wall()
        assert digits(g) == "010/007"

    @pytest.mark.parametrize("place", [(-1, 0), (0, -1), (2, 0), (0, 3), (100, 100)])
    def test_there_is_nothing_outside(self, place: tuple[int, int]) -> None:
        g = Grid.from_shape((2, 3), vocabulary=WORDS)
        message = rf"\({place[0]}, {place[1]}\) is outside the grid of 2 x 3"
        for where in (place, Position(*place)):
            with pytest.raises(IndexError, match=message):
                g[where]
            with pytest.raises(IndexError, match=message):
                g[where] = Wall()
        assert not g.contains(Position(*place))
        assert g.get(place) == Floor()
        assert g.get(Position(*place), Wall) == Wall()

    @pytest.mark.parametrize("place", [0, "a", None, (0,), (0, 0, 0), (1.0, 0), (0, 0.5)])
    def test_a_place_is_a_position_or_a_pair_of_whole_numbers(self, place: Any) -> None:
        g = Grid.from_shape((2, 3), vocabulary=WORDS)
        for use in (g.__getitem__, g.get, lambda p: g.__setitem__(p, Wall())):
            with pytest.raises(TypeError, match="expected a Position or|integer"):
                use(place)
        assert digits(g) == "000/000"

    @pytest.mark.parametrize("thing", [Wall, "#", None, 3])
    def test_a_cell_holds_an_object(self, thing: Any) -> None:
        with pytest.raises(TypeError, match="a cell holds a GridObject, not"):
            grid("00")[0, 0] = thing

    def test_a_cell_holds_what_the_world_knows(self) -> None:
        with pytest.raises(ValueError, match="Lava is not among this world's objects"):
            grid("00")[0, 0] = Lava()

    def test_an_object_in_a_cell_cannot_be_changed(self) -> None:
        with pytest.raises(AttributeError, match=r"assign a new one: grid\[p\] = Door\(...\)"):
            grid("4")[0, 0].status = Door.Status.OPEN

    @pytest.mark.parametrize("name", ["cells", "shape", "objects", "colour"])
    def test_a_grid_has_nothing_to_assign_to(self, name: str) -> None:
        with pytest.raises(
            AttributeError, match=f"Grid.{name} cannot be assigned; values are immutable: create a new one"
        ):
            setattr(grid("0"), name, 1)

    def test_it_is_made_of_rows(self) -> None:
        rows = [[Wall(), Floor()], [Exit(), Key(RED)]]
        g = Grid.from_objects(rows, WORDS)
        assert g.objects == rows
        assert (g.shape.as_tuple, g.height, g.width, g.area) == ((2, 2), 2, 2, Area((0, 1), (0, 1)))
        assert list(g.positions()) == list(g.area.positions())
        assert g.object_types() == {Wall, Floor, Exit, Key}
        assert g.count(Wall) == 1
        assert g.count((Wall, Key, GridObject)) == 4

    def test_rows_of_one_length(self) -> None:
        for rows in ([], [[]], [[Wall()], [Wall(), Wall()]]):
            with pytest.raises(ValueError, match="a grid is made of rows of one length"):
                Grid.from_objects(rows, WORDS)

    @given(grids)
    def test_swapping_and_filling(self, text: str) -> None:
        g = grid(text)
        p, q = Position(0, 0), Position(g.height - 1, g.width - 1)
        first, last = g[p], g[q]
        g.swap(p, q)
        assert (g[p], g[q]) == (last, first)
        g.fill(Wall)
        assert g.object_types() == {Wall}
        g.fill(functools.partial(Key, RED))
        assert g.object_types() == {Key}
        g.fill(lambda: Box(Exit()))
        assert {g[r] for r in g.positions()} == {Box(Exit())}

    def test_it_is_shown_as_a_picture(self) -> None:
        assert repr(grid("01/24")) == "Grid(2 x 2)\n.#\nED"


class TestParts:
    def test_cells_outside_are_hidden(self) -> None:
        g = grid("012/345")
        assert digits(g.subgrid(Area((0, 1), (1, 2)))) == "12/45"
        assert digits(g.subgrid(Area((-1, 0), (1, 4)))) == "????/12??"
        assert digits(g.subgrid(Area((7, 8), (7, 7)))) == "?/?"

    def test_a_part_is_a_grid_of_its_own(self) -> None:
        g = grid("012/345")
        part = g.subgrid(g.area)
        assert part == g
        part[0, 0] = Wall()
        assert digits(g) == "012/345"

    def test_turning_shows_it_as_seen_by_someone_who_faces_that_way(self) -> None:
        g = grid("012/345")
        assert digits(g * F) == "012/345"
        assert digits(R * g) == digits(g * R) == "25/14/03"
        assert digits(g * L) == "30/41/52"
        assert digits(g * B) == "543/210"

    @given(grids, orientations, orientations)
    def test_turning_is_an_action_of_the_group(self, text: str, a: Orientation, b: Orientation) -> None:
        g = grid(text)
        assert (g * a) * -a == g
        assert (g * a) * b == g * (a * b)
        assert (g * a).shape.as_tuple == (g.shape.as_tuple if a in (F, B) else g.shape.as_tuple[::-1])


class TestWalls:
    def edges(self, g: Grid) -> list[tuple[Position, Position]]:
        steps = (Position(0, 1), Position(1, 0))
        return [(p, p + s) for p in g.positions() for s in steps if g.contains(p + s)]

    def test_a_wall_stands_between_two_cells_only(self) -> None:
        g = Grid.from_shape((3, 3), vocabulary=FULL)
        for p, q in self.edges(g):
            g.set_wall(p, q)
            assert [edge for edge in self.edges(g) if g.has_wall(*edge)] == [(p, q)]
            assert g.has_wall(q, p)
            g.set_wall(q, p, False)
            assert not g.has_wall(p, q)

    def test_only_neighbours_have_one(self) -> None:
        g = Grid.from_shape((3, 3), vocabulary=FULL)
        for q in ((0, 0), (1, 1), (2, 0)):
            with pytest.raises(ValueError, match="are not neighbours"):
                g.set_wall(Position(0, 0), Position(*q))
        with pytest.raises(IndexError, match="is outside the grid"):
            g.set_wall(Position(0, 0), Position(-1, 0))
        assert not g.has_wall(Position(0, 0), Position(-1, 0))

    def test_a_world_says_that_it_has_them(self) -> None:
        g = Grid.from_shape((3, 3), vocabulary=WORDS)
        assert not g.has_wall(Position(0, 0), Position(0, 1))
        with pytest.raises(ValueError, match="this world has no walls on edges; set `edges: true`"):
            g.set_wall(Position(0, 0), Position(0, 1))

    @given(orientations, st.integers(1, 4), st.integers(1, 4), st.randoms(use_true_random=False))
    def test_they_turn_along(self, o: Orientation, height: int, width: int, random: Any) -> None:
        g = Grid.from_shape((height, width), vocabulary=FULL)
        for edge in self.edges(g):
            g.set_wall(*edge, random.random() < 0.5)
        turned = g * o
        corner = Position(min(0, 0), 0)
        back = {}
        for p in g.positions():
            q = -o * (p - corner)
            back[p] = q
        shift = Position(-min(q.y for q in back.values()), -min(q.x for q in back.values()))
        for p, q in self.edges(g):
            assert turned.has_wall(back[p] + shift, back[q] + shift) == g.has_wall(p, q)
        assert turned * -o == g


class TestNumbers:
    def test_they_are_read_as_they_were_written(self) -> None:
        g = Grid.from_shape((2, 3), vocabulary=FULL)
        p, q = Position(1, 2), Position(0, 0)
        g.set_number("heat", p, 1)
        g.set_number("wet", p, 7)
        assert (g.number("heat", p), g.number("wet", p)) == (1.0, True)
        assert [type(g.number(name, p)) for name in ("heat", "wet")] == [float, bool]
        assert (g.number("heat", q), g.number("wet", q)) == (0.0, False)

    def test_they_are_declared_and_inside(self) -> None:
        g = Grid.from_shape((2, 3), vocabulary=FULL)
        for act in (lambda n, p: g.number(n, p), lambda n, p: g.set_number(n, p, 1)):
            with pytest.raises(
                AttributeError, match=r"no cell field 'cold' is declared \(declared: heat, wet\)"
            ):
                act("cold", Position(0, 0))
            with pytest.raises(IndexError, match="is outside the grid of 2 x 3"):
                act("heat", Position(0, 3))

    def test_they_go_along_with_cells(self) -> None:
        g = Grid.from_shape((2, 3), vocabulary=FULL)
        g.set_number("heat", Position(0, 2), 2.5)
        assert (g * R).number("heat", Position(0, 0)) == 2.5
        assert g.subgrid(Area((-1, 0), (2, 3))).number("heat", Position(1, 0)) == 2.5


class TestMasks:
    def test_a_place_is_a_position_or_a_pair(self) -> None:
        mask = Grid.from_shape((2, 3), vocabulary=WORDS).mask()
        mask[Position(1, 2)] = True
        mask[0, 1] = True
        assert mask.tolist() == [[False, True, False], [False, False, True]]
        assert mask[Position(0, 1)] is True
        assert mask[1, np.int64(1)] is False
        assert mask.shape == (2, 3)

    @pytest.mark.parametrize("place", [(-1, 0), (2, 0), (0, 3), (0, -3)])
    def test_there_is_nothing_outside(self, place: tuple[int, int]) -> None:
        mask = Grid.from_shape((2, 3), vocabulary=WORDS).mask(True)
        for where in (place, Position(*place)):
            with pytest.raises(IndexError, match="is outside the mask of 2 x 3"):
                mask[where]
            with pytest.raises(IndexError, match="is outside the mask of 2 x 3"):
                mask[where] = False

    def test_it_is_a_numpy_array(self) -> None:
        mask = Grid.from_shape((2, 3), vocabulary=WORDS).mask(True)
        mask[0] = False
        mask[:, 2] = False
        assert (~mask).sum() == 4
        assert (mask & np.array([True, False, True])).tolist() == [[False] * 3, [True, False, False]]
        assert mask[mask].tolist() == [True, True]
        assert pickle.loads(pickle.dumps(mask)).tolist() == mask.tolist()


class TestEquality:
    @given(grids, grids)
    def test_it_covers_shape_and_objects(self, first: str, second: str) -> None:
        a, b = grid(first), grid(second)
        assert (a == b) == (first == second)
        assert (a != b) == (first != second)
        assert a == grid(first)
        assert hash(a) == hash(grid(first))

    def test_it_covers_walls_and_numbers(self) -> None:
        edits = [
            lambda g: g.set_wall(Position(0, 0), Position(0, 1)),
            lambda g: g.set_wall(Position(0, 0), Position(1, 0)),
            lambda g: g.set_number("heat", Position(1, 1), 0.5),
            lambda g: g.set_number("wet", Position(1, 1), True),
        ]
        made = [Grid.from_shape((2, 2), vocabulary=FULL) for _ in range(5)]
        for edit, g in zip(edits, made[1:], strict=True):
            edit(g)
        assert all((made[i] == made[j]) == (i == j) for i, j in itertools.product(range(5), repeat=2))

    def test_it_is_nothing_else(self) -> None:
        g = grid("0")
        for other in (None, 0, "0", [[Floor()]], g.cells):
            assert g != other

    def test_what_equal_numbers_mean_must_be_equal(self) -> None:
        kinds = [type(name, (GridObject,), {}, register=False) for name in ("Moth", "Wasp")]
        moth, wasp = (Grid.from_objects([[k()]], Vocabulary([k])) for k in kinds)
        assert moth.cells == wasp.cells
        assert moth != wasp
        pink, blue = (Color(name, (1, 2, 3)) for name in ("PINK_OF_TESTS", "SKY_OF_TESTS"))
        assert Grid.from_objects([[Key(pink)]], Vocabulary([Key], [pink])) != Grid.from_objects(
            [[Key(blue)]], Vocabulary([Key], [blue])
        )

    def test_a_grid_outside_any_world_can_be_compared_with_a_world_s(self) -> None:
        mine, its = Grid.from_objects([[Wall(), Key(RED)]]), Grid.from_objects([[Wall(), Key(RED)]], WORDS)
        small = Grid.from_objects([[Wall(), Key(RED)]], Vocabulary([Wall, Key], [RED]))
        assert mine == its == small == mine
        assert hash(mine) == hash(its) == hash(small)
        its[0, 0] = Floor()
        assert mine != its
        assert Grid.from_objects([[Box(Wall())]]) != Grid.from_objects([[Box(Floor())]], WORDS)

    def test_copies(self) -> None:
        g = grid("0123")
        for other in (pickle.loads(pickle.dumps(g)), copy.deepcopy(g)):
            assert other == g
            other[0, 0] = Wall()
            assert other != g


def test_random_position() -> None:
    g = grid("0100/1111/0001")
    drawn = {random_position(g, np.random.default_rng(seed)) for seed in range(200)}
    assert drawn == {p for p in g.positions() if g[p] == Floor()}
    assert random_position(g, np.random.default_rng(0), Wall) in {p for p in g.positions() if g[p] == Wall()}
    with pytest.raises(ValueError, match="no cell holds a Exit"):
        random_position(g, np.random.default_rng(0), Exit)


# interpreted and compiled


def brick() -> GridObject:
    return Box(Wall())


@trusted
def everything(places, heading, out, *, vocabulary):  # type: ignore[no-untyped-def]
    state = state_at(places, vocabulary)
    state.scratch[0] = 0
    g = state.grid
    o = Orientation(heading)
    k = 0
    for view in (g, g * o, o * g, g.subgrid(Area((-1, 1), (0, 5))), g.subgrid(g.area)):
        out[k], out[k + 1] = view.shape
        out[k + 2] = view.height * 100 + view.width
        out[k + 3] = (g == view) + 2 * (view == view) + 4 * (g != view)
        k += 4
        for i, p in enumerate(view.positions()):
            thing = view[p]
            bits = thing.blocks_movement + 2 * thing.blocks_vision + 4 * thing.holdable
            bits += (
                8 * isinstance(thing, Door)
                + 16 * isinstance(thing, (Key, Box))
                + 32 * isinstance(thing, Hidden)
            )
            bits += 64 * (thing == Key(RED)) + 128 * (thing.color == RED)
            if isinstance(thing, Box):
                bits += 256 * isinstance(thing.content, Key)
            bits += 512 * view.has_wall(p, p + Position(0, 1)) + 1024 * view.has_wall(p, p + Position(1, 0))
            out[k] += (i + 1) * bits
            out[k + 1] += (i + 1) * view.number("heat", p) + view.number("wet", p)
        k += 2
    mask = g.mask(True)
    mask[Position(0, 1)] = False
    mask[1, 0] = False
    for p in g.positions():
        out[k] += mask[p] + 10 * mask[p.y, p.x]
    out[k + 1] = mask.shape[0] * 10 + mask.shape[1]
    outside = (
        g.get(Position(9, 9)),
        g.get((0, -1), Wall),
        g.get((5, 5), Door(Door.Status.LOCKED, RED)),
        g.get((9, 9), brick),
    )
    out[k + 2] = (
        isinstance(outside[0], Floor) + 2 * isinstance(outside[1], Wall) + 4 * outside[2].blocks_vision
    )
    out[k + 3] = isinstance(outside[3].content, Wall) + 2 * isinstance(g.get(Position(0, 0)), Floor)
    g.swap(Position(0, 0), (1, 1))
    g[0, 1] = Box(Key(RED))
    g.set_wall(Position(0, 1), Position(1, 1), not g.has_wall(Position(0, 1), Position(1, 1)))
    g.set_number("heat", Position(1, 0), 1.5 + g.number("heat", Position(0, 0)))
    g.set_number("wet", Position(1, 0), True)
    q = random_position(g, state.stream(2), Box)
    out[k + 4] = 10 * q.y + q.x
    g.subgrid(g.area).fill(Wall)
    if heading == 3:
        g.fill(brick)


def test_compiled_grids_are_the_same() -> None:
    compiled = compiled_for(FULL, everything, vocabulary=FULL)
    rng = np.random.default_rng(1)
    for trial in range(60):
        state = State.blank((2, 3), FULL)
        g = state.grid
        for p in g.positions():
            g[p] = THINGS[rng.integers(len(THINGS))]
            g.set_number("heat", p, rng.random())
            g.set_number("wet", p, rng.integers(2))
            for q in (p + Position(0, 1), p + Position(1, 0)):
                if g.contains(q):
                    g.set_wall(p, q, bool(rng.integers(2)))
        its = state.copy()
        mine_out, its_out = np.zeros(50), np.zeros(50)
        everything(places_of(state), trial % 4, mine_out, vocabulary=FULL)
        compiled(places_of(its), trial % 4, its_out)
        assert mine_out.tolist() == its_out.tolist()
        assert state.identical(its)


@trusted
def touch(places, y, x, what, *, vocabulary):  # type: ignore[no-untyped-def]
    g = state_at(places, vocabulary).grid
    if what == 0:
        return g[y, x].blocks_movement
    if what == 1:
        g[Position(y, x)] = Wall()
    if what == 2:
        return g.mask()[y, x]
    if what == 3:
        g.mask()[Position(y, x)] = True
    if what == 4:
        return g.number("heat", Position(y, x)) > 0
    if what == 5:
        g.set_number("heat", Position(y, x), 1.0)
    if what == 6:
        g.set_wall(Position(0, 0), Position(y, x))
    if what == 7:
        g.swap((0, 0), (y, x))
    return False


def test_compiled_grids_end_at_their_borders_too() -> None:
    compiled = compiled_for(FULL, touch, vocabulary=FULL)
    for what, (y, x) in itertools.product(range(8), [(-1, 0), (0, -1), (2, 0), (0, 3), (1, 2), (1 << 40, 0)]):
        state = State.blank((2, 3), FULL)
        before = state.copy()
        if (y, x) == (1, 2) and what != 6:
            assert compiled(places_of(state), y, x, what) is False
            continue
        for run in (functools.partial(touch, vocabulary=FULL), compiled):
            state.scratch[0] = 0
            with pytest.raises((IndexError, RuntimeError, ValueError)):
                run(places_of(state), y, x, what)
            assert state.identical(before)
