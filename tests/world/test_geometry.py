"""Geometry as the group that it is. Orientations turn, transforms move; both orders of `*` mean the same."""

from __future__ import annotations

import copy
import itertools
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.compiled.data_types.primitives import trusted
from gridarium.world import (
    Area,
    Orientation,
    Position,
    Shape,
    Transform,
    Vocabulary,
    distance_function_factory,
    get_manhattan_boundary,
)
from gridarium.world.geometry import from_quarter_turns
from tests.compiled.compiling import compiled_for

F, B, L, R = Orientation.F, Orientation.B, Orientation.L, Orientation.R
ORIGIN, IDENTITY = Position(0, 0), Transform(Position(0, 0), F)

coordinates = st.integers(-1000, 1000)
positions = st.builds(Position, coordinates, coordinates)
orientations = st.sampled_from(list(Orientation))
transforms = st.builds(Transform, positions, orientations)
ranges = st.tuples(st.integers(-8, 8), st.integers(0, 6)).map(lambda pair: (pair[0], sum(pair)))
areas = st.builds(Area, ranges, ranges)


def cells(area: Area) -> set[Position]:
    return set(area.positions())


class TestOrientation:
    def test_there_are_four_with_gridverses_numbers_names_and_aliases(self) -> None:
        assert [(o.name, o.value) for o in Orientation] == [
            ("FORWARD", 0),
            ("BACKWARD", 1),
            ("LEFT", 2),
            ("RIGHT", 3),
        ]
        assert (Orientation.FORWARD, Orientation.BACKWARD, Orientation.LEFT, Orientation.RIGHT) == (
            F,
            B,
            L,
            R,
        )
        assert len(Orientation) == 4
        assert Orientation["LEFT"] is L is Orientation(2)
        assert repr(R) == "Orientation.RIGHT"

    def test_it_is_a_group_with_forward_as_one(self) -> None:
        for a, b, c in itertools.product(Orientation, repeat=3):
            assert a * b in list(Orientation)
            assert (a * b) * c == a * (b * c)
            assert a * b == b * a
            assert a * F == a
            assert a * -a == F

    def test_two_quarter_turns_make_a_half_turn(self) -> None:
        assert (R * R, L * L, R * L, B * B) == (B, B, F, F)
        assert (-F, -B, -L, -R) == (F, B, R, L)

    def test_quarter_turns_count_clockwise(self) -> None:
        assert [o.quarter_turns for o in (F, R, B, L)] == [0, 1, 2, 3]
        assert [from_quarter_turns(n) for n in range(-4, 8)] == [F, R, B, L] * 3

    def test_steps_turn_along(self) -> None:
        assert [Position.from_orientation(o).yx for o in (F, R, B, L)] == [(-1, 0), (0, 1), (1, 0), (0, -1)]
        step = Position(2, 5)
        assert [(o * step).yx for o in (F, B, R, L)] == [(2, 5), (-2, -5), (5, -2), (-5, 2)]

    @given(orientations, orientations, positions)
    def test_it_acts_on_steps(self, a: Orientation, b: Orientation, p: Position) -> None:
        assert (a * b) * p == a * (b * p)
        assert F * p == p
        assert -(a * p) == a * -p

    @given(orientations, positions, positions)
    def test_it_keeps_sums_and_distances(self, o: Orientation, p: Position, q: Position) -> None:
        assert o * (p + q) == o * p + o * q
        assert Position.manhattan_distance(o * p, o * q) == Position.manhattan_distance(p, q)

    @pytest.mark.parametrize("number", [-1, 4, 100])
    def test_another_number_is_refused(self, number: int) -> None:
        with pytest.raises(ValueError, match=f"an orientation is 0, 1, 2 or 3, not {number}"):
            Orientation(number)

    def test_another_name_is_refused(self) -> None:
        with pytest.raises(KeyError, match="no orientation 'UP'; there are FORWARD, BACKWARD, LEFT, RIGHT"):
            Orientation["UP"]

    def test_copies_are_the_same_one(self) -> None:
        for o in Orientation:
            assert (
                copy.copy(o)
                is copy.deepcopy(o)
                is pickle.loads(pickle.dumps(o))
                is Orientation(np.int64(o.value))
                is o
            )


class TestPosition:
    @pytest.mark.parametrize("pair", [(1.5, 2), (1, 2.0), ("1", 2), (None, 0), (np.float64(1), 0)])
    def test_it_is_two_whole_numbers(self, pair: Any) -> None:
        with pytest.raises(TypeError, match=r"Position takes \(y: int, x: int\), not \("):
            Position(*pair)
        assert Position(np.int16(1), np.uint8(2)) == Position(1, 2)

    @given(positions, positions, positions)
    def test_it_is_a_group_under_addition(self, p: Position, q: Position, r: Position) -> None:
        assert (p + q) + r == p + (q + r)
        assert p + q == q + p
        assert p + ORIGIN == p
        assert p + -p == ORIGIN
        assert p - q == p + -q

    @given(positions, positions, positions)
    def test_distances_are_distances(self, p: Position, q: Position, r: Position) -> None:
        for distance in (Position.manhattan_distance, Position.euclidean_distance):
            assert distance(p, q) == distance(q, p) >= 0
            assert (distance(p, q) == 0) == (p == q)
            assert distance(p, r) <= distance(p, q) + distance(q, r) + 1e-9
        assert Position.euclidean_distance(p, q) == pytest.approx(math.dist(p.yx, q.yx))
        assert type(Position.manhattan_distance(p, q)) is float

    @given(positions)
    def test_what_is_no_position_is_another_thing(self, p: Position) -> None:
        assert p != p.yx
        assert p != None  # noqa: E711
        assert p == Position(*p.yx)
        assert hash(p) == hash(Position(*p.yx))

    def test_numpy_numbers_become_plain_ones(self) -> None:
        p = Position(np.int64(3), np.uint8(4))
        assert [type(n) for n in p.yx] == [int, int]

    def test_two_positions_have_no_product(self) -> None:
        with pytest.raises((TypeError, AttributeError)):
            ORIGIN * ORIGIN

    def test_distance_functions_by_name(self) -> None:
        assert distance_function_factory("manhattan")(ORIGIN, Position(3, -4)) == 7.0
        assert distance_function_factory("euclidean")(ORIGIN, Position(3, -4)) == 5.0
        with pytest.raises(ValueError, match="no distance function 'chess'; there are manhattan, euclidean"):
            distance_function_factory("chess")


class TestShape:
    def test_it_unpacks_as_height_and_width(self) -> None:
        height, width = Shape(4, 7)
        assert (height, width) == Shape(4, 7).as_tuple == (4, 7)
        assert repr(Shape(4, 7)) == "Shape(height=4, width=7)"


class TestArea:
    @given(areas)
    def test_it_holds_its_cells_row_by_row(self, area: Area) -> None:
        listed = list(area.positions())
        assert len(listed) == area.height * area.width
        assert listed == sorted(listed, key=lambda p: p.yx)
        assert listed == [Position(y, x) for y in area.y_coordinates() for x in area.x_coordinates()]
        assert all(area.contains(p) for p in listed)
        assert area == Area(area.ys, area.xs) == Area.from_positions(listed)

    @given(areas, st.builds(Position, st.integers(-20, 20), st.integers(-20, 20)))
    def test_it_contains_its_cells_alone(self, area: Area, p: Position) -> None:
        assert area.contains(p) == (p in cells(area))

    @given(areas)
    def test_border_and_inside_make_up_the_whole(self, area: Area) -> None:
        border, inside = list(area.positions("border")), list(area.positions("inside"))
        assert len(border) + len(inside) == area.height * area.width
        assert set(border) | set(inside) == cells(area)
        assert all(p.y in area.ys or p.x in area.xs for p in border)

    @given(areas, orientations)
    def test_turning_it_turns_its_cells(self, area: Area, o: Orientation) -> None:
        assert cells(o * area) == {o * p for p in area.positions()}
        assert area * o == o * area

    @given(areas, positions)
    def test_shifting_it_shifts_its_cells(self, area: Area, step: Position) -> None:
        assert cells(area + step) == {p + step for p in area.positions()}
        assert step + area == area + step

    def test_bounds_may_not_decrease(self) -> None:
        with pytest.raises(ValueError, match="ymin 2 is above ymax 1"):
            Area((2, 1), (0, 0))
        with pytest.raises(ValueError, match="xmin 5 is above xmax 4"):
            Area((1, 1), (5, 4))

    def test_there_are_three_selections(self) -> None:
        with pytest.raises(ValueError, match="selection must be 'all', 'border' or 'inside', not 'edge'"):
            list(Area((0, 1), (0, 1)).positions("edge"))  # type: ignore[arg-type]

    def test_it_is_written_and_pickled_as_it_is_made(self) -> None:
        area = Area((-6, 0), (-3, 3))
        assert repr(area) == "Area((-6, 0), (-3, 3))"
        assert pickle.loads(pickle.dumps(area)) == area == copy.deepcopy(area)


class TestTransform:
    @given(transforms, transforms, transforms)
    def test_it_is_a_group(self, a: Transform, b: Transform, c: Transform) -> None:
        assert (a * b) * c == a * (b * c)
        assert a * IDENTITY == IDENTITY * a == a
        assert a * -a == -a * a == IDENTITY

    @given(transforms, transforms, positions, areas)
    def test_it_acts_on_positions_and_areas(
        self, a: Transform, b: Transform, p: Position, area: Area
    ) -> None:
        assert (a * b) * p == a * (b * p)
        assert -a * (a * p) == p
        assert cells(a * area) == {a * q for q in area.positions()}
        assert -a * (a * area) == area

    @given(transforms, positions, areas, orientations)
    def test_both_orders_mean_the_same(self, t: Transform, p: Position, area: Area, o: Orientation) -> None:
        assert p * t == t * p
        assert area * t == t * area
        assert o * t == t * o == t.orientation * o
        assert p * o == o * p

    @given(transforms, positions)
    def test_it_turns_and_then_moves(self, t: Transform, p: Position) -> None:
        assert t * p == t.position + t.orientation * p
        assert t * ORIGIN == t.position


class TestManhattanBoundary:
    def test_it_runs_clockwise_from_the_top(self) -> None:
        assert [p.yx for p in get_manhattan_boundary(ORIGIN, 1)] == [(-1, 0), (0, 1), (1, 0), (0, -1)]
        ring = [p.yx for p in get_manhattan_boundary(Position(10, 20), 2)]
        assert ring == [(8, 20), (9, 21), (10, 22), (11, 21), (12, 20), (11, 19), (10, 18), (9, 19)]

    @given(positions, st.integers(1, 12))
    def test_it_is_every_cell_at_the_distance_once(self, p: Position, distance: int) -> None:
        ring = get_manhattan_boundary(p, distance)
        assert len(ring) == len(set(ring)) == 4 * distance
        assert all(Position.manhattan_distance(p, q) == distance for q in ring)

    @pytest.mark.parametrize("distance", [0, -1])
    def test_the_distance_is_at_least_one(self, distance: int) -> None:
        with pytest.raises(ValueError, match=f"distance must be at least 1, got {distance}"):
            get_manhattan_boundary(ORIGIN, distance)


# interpreted and compiled: one function that uses every name, called with many numbers


@trusted
def every_name(numbers, out):  # type: ignore[no-untyped-def]
    p, q = Position(numbers[0], numbers[1]), Position(numbers[2], numbers[3])
    a, b = Orientation(int(numbers[4]) & 3), Orientation(int(numbers[5]) & 3)
    s, t = Transform(p, a), Transform(q, b)
    box = Area((numbers[0], numbers[0] + 3), (numbers[1], numbers[1] + numbers[6]))
    k = 0
    for r in (p + q, p - q, -p, a * p, p * a, s * q, q * s, (s * t).position, (-t).position, p.shifted(q)):
        out[k], out[k + 1] = r.yx
        k += 2
    for o in (a * b, -a, s * b, b * s, (s * t).orientation, (-t).orientation):
        out[k], out[k + 1] = o.value, o.quarter_turns
        k += 2
    for c in (box, box + p, p + box, a * box, box * a, s * box, box * s):
        out[k], out[k + 1], out[k + 2], out[k + 3] = c.ymin, c.ymax, c.xmin, c.xmax
        out[k + 4], out[k + 5] = c.height, c.width
        k += 6
    for selection in ("all", "border", "inside"):
        for i, r in enumerate(box.positions(selection)):
            out[k] += (i + 1) * (7 * r.y + r.x)
        k += 1
    for y in box.y_coordinates():
        for x in box.x_coordinates():
            out[k] += y * x + 1 if box.contains(Position(y, x)) else -1
    out[k + 1] = Position.manhattan_distance(p, q)
    out[k + 2] = Position.euclidean_distance(p, q)
    out[k + 3] = (p == q) + 2 * (p != q) + 4 * (a is b) + 8 * (s == t) + 16 * (box == box)
    height, width = Shape(numbers[2], numbers[3])
    out[k + 4] = height - width
    out[k + 5] = a in (Orientation.LEFT, Orientation.RIGHT)
    out[k + 6] = Position.from_orientation(a).y


def test_compiled_geometry_is_the_same() -> None:
    compiled = compiled_for(Vocabulary([]), every_name)
    rng = np.random.default_rng(0)
    for _ in range(300):
        numbers = np.append(rng.integers(-50, 50, 4), rng.integers(0, 5, 3))
        mine, its = np.zeros(90), np.zeros(90)
        every_name(numbers, mine)
        compiled(numbers, its)
        assert mine.tolist() == its.tolist(), numbers


def a_decreasing_area(y: int) -> int:
    return Area((0, y), (0, 0)).height


def an_orientation(number: int) -> int:
    return Orientation(number).value


@pytest.mark.parametrize(("rule", "good", "bad"), [(a_decreasing_area, 2, -1), (an_orientation, 3, 4)])
def test_compiled_geometry_refuses_the_same(rule: Any, good: int, bad: int) -> None:
    compiled = compiled_for(Vocabulary([]), rule)
    assert compiled(good) == rule(good)
    for run in (rule, compiled):
        with pytest.raises((ValueError, RuntimeError)):
            run(bad)
