"""Value classes: frozen, cast, comparable with anything, the same in compiled code."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from typing import Any, ClassVar

import numba
import numpy as np
import pytest

from gridarium.compiled.data_types.primitives import trusted
from gridarium.compiled.data_types.value_class import Static, is_value, is_value_class, value
from tests.compiled.compiling import both, compiled


@value
class Point:
    """With all that a value class can have."""

    y: int
    x: int

    ORIGIN: ClassVar[Any]

    @property
    def mirrored(self) -> Point:
        return Point(self.x, self.y)

    @staticmethod
    def diagonal(n: int) -> Point:
        return Point(n, n)

    def plus(self, other: Point, times: int = 1) -> Point:
        return Point(self.y + times * other.y, self.x + times * other.x)


@value
class Mixed:
    whole: int
    real: float
    truth: bool
    other: Any


@value
class Segment:
    start: Point
    end: Point


@value
class Row:
    """A view: assigning to a property changes the array behind it."""

    numbers: Any

    @property
    @trusted
    def first(self) -> int:
        return int(self.numbers[0])

    @first.setter
    @trusted
    def first(self, new: int) -> None:
        self.numbers[0] = new

    @property
    @trusted
    def last(self) -> int:
        return int(self.numbers[-1])


class TestRecords:
    def test_fields_are_cast_and_numpy_numbers_become_plain(self) -> None:
        mixed = Mixed(np.uint16(3), np.int8(2), np.int64(7), "as it is")
        assert (mixed.whole, mixed.real, mixed.truth, mixed.other) == (3, 2.0, True, "as it is")
        assert [type(x) for x in (mixed.whole, mixed.real, mixed.truth)] == [int, float, bool]

    def test_casts_hold_although_annotations_are_text(self) -> None:
        assert Point.__annotations__["y"] == "int"
        assert type(Point(np.int32(1), np.uint8(2)).y) is int

    def test_casts_hold_for_annotations_that_are_types(self) -> None:
        plain: Any = type("Plain", (), {"__annotations__": {"n": int, "t": bool}, "__module__": __name__})
        made = value(plain)(np.int64(3), 0)
        assert (type(made.n), type(made.t)) == (int, bool)

    def test_what_cannot_be_cast_is_refused_where_it_is_made(self) -> None:
        with pytest.raises((TypeError, ValueError)):
            Point("here", 1)  # type: ignore[arg-type]

    @pytest.mark.parametrize("arguments", [(), (1,), (1, 2, 3)])
    def test_all_fields_are_given(self, arguments: tuple[int, ...]) -> None:
        with pytest.raises(TypeError):
            Point(*arguments)

    def test_fields_can_be_named(self) -> None:
        assert Point(x=1, y=2) == Point(2, 1)

    def test_it_is_shown_as_it_is_made(self) -> None:
        assert (
            repr(Segment(Point(0, 1), Point(2, 3))) == "Segment(start=Point(y=0, x=1), end=Point(y=2, x=3))"
        )

    def test_class_variables_are_no_fields(self) -> None:
        assert Point.__value_fields__ == ("y", "x")  # type: ignore[attr-defined]
        assert (is_value(Point(1, 2)), is_value_class(Point)) == (True, True)
        assert not any(
            is_value(thing) or is_value_class(thing) for thing in (3, int, Point.plus, None, Static())
        )


class TestFrozen:
    @pytest.mark.parametrize("name", ["y", "mirrored", "plus", "unknown"])
    def test_a_value_cannot_be_assigned_to(self, name: str) -> None:
        point = Point(1, 2)
        with pytest.raises(
            AttributeError, match=f"Point.{name} cannot be assigned; values are immutable: create a new one"
        ):
            setattr(point, name, 3)
        assert point == Point(1, 2)

    def test_what_can_be_assigned_is_listed(self) -> None:
        row = Row(np.arange(3))
        with pytest.raises(AttributeError, match="Row.last cannot be assigned; can be assigned: first"):
            row.last = 1
        with pytest.raises(AttributeError, match="can be assigned: first"):
            row.fisrt = 1  # type: ignore[attr-defined]

    def test_setters_change_what_lies_behind(self) -> None:
        row = Row(np.arange(3))
        row.first = 9
        row.first += 1
        assert row.numbers.tolist() == [10, 1, 2]

    def test_nothing_can_be_deleted(self) -> None:
        point = Point(1, 2)
        with pytest.raises(AttributeError, match="Point.y cannot be deleted"):
            del point.y
        assert point.y == 1

    def test_there_is_no_room_for_more(self) -> None:
        assert not hasattr(Point(1, 2), "__dict__")


class TestEquality:
    def test_it_covers_class_and_fields(self) -> None:
        assert Point(1, 2) == Point(1, 2)
        assert Point(1, 2) != Point(2, 1)
        assert Segment(Point(1, 2), Point(3, 4)) == Segment(Point(1, 2), Point(3, 4))

    @pytest.mark.parametrize(
        "other", [None, 1, (1, 2), "Point(y=1, x=2)", Mixed(1, 2, True, 0), np.array([1, 2])]
    )
    def test_anything_else_is_different(self, other: Any) -> None:
        assert (Point(1, 2) == other) is False
        assert (Point(1, 2) != other) is True

    def test_equal_values_have_equal_hashes(self) -> None:
        assert len({Point(1, 2), Point(1, 2), Point(2, 1)}) == 2
        assert hash(Mixed(1, 2, True, None)) == hash(Mixed(1, 2.0, 1, None))

    @pytest.mark.exhaustive
    def test_hashes_of_numbers_are_the_same_in_every_process(self) -> None:
        script = (
            "from gridarium.world import *; print(list({Position(y, x) for y in range(9) for x in range(9)}))"
        )
        told = {
            subprocess.run(
                [sys.executable, "-c", script],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                check=True,
            ).stdout
            for seed in ("1", "2")
        }
        assert len(told) == 1

    def test_arrays_are_compared_and_hashed_by_content(self) -> None:
        assert Row(np.arange(3)) == Row(np.arange(3))
        assert Row(np.arange(3)) != Row(np.arange(4))
        assert hash(Row(np.arange(3))) == hash(Row(np.arange(3)))
        assert Row(np.arange(3)) == Row(np.arange(3, dtype=np.int8))
        assert hash(Row(np.arange(3))) == hash(Row(np.arange(3, dtype=np.int8)))

    def test_an_own_equality_is_kept(self) -> None:
        @value
        class Angle:
            degrees: int

            def __eq__(self, other: Any) -> bool:
                return self.degrees % 360 == other.degrees % 360

            def __hash__(self) -> int:
                return self.degrees % 360

        assert Angle(30) == Angle(390)
        assert len({Angle(30), Angle(390)}) == 1

    def test_copies(self) -> None:
        for record in (Point(1, 2), Segment(Point(1, 2), Point(3, 4)), Row(np.arange(3))):
            assert copy.copy(record) is record
            assert copy.deepcopy(record) == record
            assert pickle.loads(pickle.dumps(record)) == record
        row = Row(np.arange(3))
        copy.deepcopy(row).first = 5
        assert row.first == 0


class TestDeclarations:
    def test_without_fields(self) -> None:
        with pytest.raises(TypeError, match="value class Empty declares no fields; annotate at least one"):
            value(type("Empty", (), {}))

    def test_with_a_base(self) -> None:
        with pytest.raises(TypeError, match="value class Child may not inherit from another class"):
            value(type("Child", (Point,), {"__annotations__": {"z": int}}))

    def test_with_a_default(self) -> None:
        with pytest.raises(
            TypeError, match="value class Bad: field 'n' has a default; pass it to the constructor"
        ):
            value(type("Bad", (), {"__annotations__": {"n": int}, "n": 3}))

    def test_with_a_constructor_of_its_own(self) -> None:
        with pytest.raises(
            TypeError, match="value class Bad has an __init__ of its own; write a function that creates one"
        ):
            value(type("Bad", (), {"__annotations__": {"n": int}, "__init__": lambda self, n: None}))

    def test_two_classes_of_one_name_do_not_mix(self) -> None:
        def pair(*names: str) -> Any:
            return value(
                type("Pair", (), {"__annotations__": dict.fromkeys(names, int), "__module__": __name__})
            )

        first, second = pair("a", "b"), pair("b", "c")
        assert first(1, 2) != second(1, 2)
        assert compiled(_are_equal, pair=first)(3, 4) == (True, False)
        assert compiled(_are_equal, pair=second)(3, 4) == (True, False)


def _are_equal(a: int, b: int, *, pair: Any) -> tuple[bool, bool]:
    return pair(a, b) == pair(a, b), pair(a, b) == pair(a, a)


# in compiled code


def casts(n: int) -> tuple[int, float, bool, int]:
    mixed = Mixed(n == 7, n, n, Point(n, n))
    return mixed.whole, mixed.real, mixed.truth, mixed.other.x


def members(n: int) -> tuple[int, int, int, int, int]:
    p = Point(n, 2 * n)
    q = p.plus(Point.diagonal(3))
    return p.mirrored.y, q.x, p.plus(q, 2).y, p.plus(times=3, other=q).x, Point(x=1, y=n).y


def comparisons(n: int) -> tuple[bool, bool, bool, bool]:
    p, q = Point(n, 1), Point(1, n)
    return p == q, p != q, Segment(p, q) == Segment(q, p), p == p.mirrored.mirrored


def nested(n: int) -> int:
    s = Segment(Point(n, n + 1), Point(n + 2, n + 3))
    return Segment(s.end, s.start).end.x - s.start.mirrored.y


@pytest.mark.parametrize("n", [0, 1, 7, -3])
def test_values_are_the_same_in_compiled_code(n: int) -> None:
    assert both(casts, n) == (int(n == 7), float(n), bool(n), n)
    assert both(members, n) == (2 * n, 2 * n + 3, 3 * n + 6, 8 * n + 9, n)
    assert both(comparisons, n) == (n == 1, n != 1, n == 1, True)
    assert both(nested, n) == 0


def halved(n: int) -> int:
    return Point(n / 2, n).y


def test_a_fraction_is_no_whole_number_in_compiled_code_either() -> None:
    with pytest.raises(TypeError, match=r"Point takes \(y: int, x: int\), not \(2.0, 4\)"):
        halved(4)
    with pytest.raises(numba.TypingError, match="Point takes whole numbers"):
        compiled(halved)(4)


@trusted
def assigning(numbers):  # type: ignore[no-untyped-def]
    row = Row(numbers)
    row.first = row.first + 5
    row.first *= 2
    return row.first


def test_setters_work_in_compiled_code() -> None:
    mine, its = np.arange(1, 4), np.arange(1, 4)
    assert assigning(mine) == compiled(assigning)(its) == 12
    assert mine.tolist() == its.tolist() == [12, 2, 3]


@trusted
def assign_field(n: int) -> int:
    p = Point(n, n)
    p.y = 3
    return p.y


@trusted
def assign_read_only(numbers):  # type: ignore[no-untyped-def]
    row = Row(numbers)
    row.last = 3
    return row.last


def test_what_cannot_be_assigned_cannot_be_compiled_either() -> None:
    import numba

    with pytest.raises(numba.core.errors.NumbaError, match="Point.y cannot be assigned"):
        compiled(assign_field)(1)
    with pytest.raises(
        numba.core.errors.NumbaError, match="Row.last cannot be assigned; can be assigned: first"
    ):
        compiled(assign_read_only)(np.arange(3))
