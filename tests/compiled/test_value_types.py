"""What numba is taught about value classes: operators, iteration, unpacking, declared fields, static knowledge."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from gridarium.compiled.data_types.primitives import get_float, set_float, trusted
from gridarium.compiled.data_types.value_class import Static, value
from gridarium.compiled.numba_backend.linker import Linker
from gridarium.compiled.source_pass.resolver import Resolver
from gridarium.compiled.source_pass.source import Unsupported
from tests.compiled.compiling import both, compiled


@value
class Vector2:
    """Every operator that compiled code knows."""

    y: int
    x: int

    def __add__(self, other: Any) -> Any:
        return Vector2(self.y + other.y, self.x + other.x)

    def __sub__(self, other: Any) -> Any:
        return Vector2(self.y - other.y, self.x - other.x)

    def __mul__(self, factor: int) -> Any:
        return Vector2(self.y * factor, self.x * factor)

    def __neg__(self) -> Any:
        return Vector2(-self.y, -self.x)

    def __invert__(self) -> Any:
        return Vector2(self.x, self.y)

    def __and__(self, other: Any) -> Any:
        return Vector2(self.y & other.y, self.x & other.x)

    def __or__(self, other: Any) -> Any:
        return Vector2(self.y | other.y, self.x | other.x)

    def __xor__(self, other: Any) -> Any:
        return Vector2(self.y ^ other.y, self.x ^ other.x)

    def __lt__(self, other: Any) -> bool:
        return self.y < other.y

    def __le__(self, other: Any) -> bool:
        return self.y <= other.y

    def __gt__(self, other: Any) -> bool:
        return self.y > other.y

    def __ge__(self, other: Any) -> bool:
        return self.y >= other.y

    def __contains__(self, number: int) -> bool:
        return number == self.y or number == self.x

    def __getitem__(self, i: int) -> int:
        return self.y if i == 0 else self.x

    def __len__(self) -> int:
        return abs(self.y) + abs(self.x)

    def __iter__(self) -> Any:
        yield self.y
        yield self.x


def operators(a: int, b: int) -> tuple[int, int]:
    p, q = Vector2(a, b), Vector2(b, a + 1)
    r = ((p + q) * 3 - -q) ^ (p & ~q) | q
    bits = (
        (p < q)
        + 2 * (p <= q)
        + 4 * (p > q)
        + 8 * (p >= q)
        + 16 * (a in p)
        + 32 * (7 in p)
        + 64 * (7 not in p)
    )
    return r.y * 1000 + r.x, bits + 1000 * (p[0] - p[1]) + 100000 * len(q)


@pytest.mark.parametrize(("a", "b"), [(0, 0), (3, 5), (5, 3), (7, -2), (-4, 7)])
def test_operators(a: int, b: int) -> None:
    both(operators, a, b)


def unpacking(a: int, b: int) -> int:
    y, x = Vector2(a, b)
    record = Vector2(y, 3)
    (u, v) = record
    w, z = x, y
    w, z = z, w
    return y + 10 * x + 100 * u + 1000 * v + 10000 * w + 100000 * z


def iterating(a: int, b: int) -> int:
    total = 0
    for i, n in enumerate(Vector2(a, b)):
        total += (i + 1) * n
    for n in Vector2(b, a):
        if n == 3:
            continue
        total = 10 * total + n
    return total + sum(n * n for n in Vector2(a, b))


def test_values_are_unpacked_and_iterated_over() -> None:
    assert both(unpacking, 1, 2) == 213121
    assert both(iterating, 3, 4) == ((3 + 8) * 10 + 4) + 25


@value
class Pair:
    left: Any
    right: Any

    def swapped(self) -> Any:
        return Pair(self.right, self.left)


def of_any_types(n: int, u: float) -> tuple[float, int, bool]:
    p = Pair(Pair(n, u), Pair(True, Vector2(n, n)))
    q = p.swapped()
    return q.right.right, q.left.right.x, p.right.left


def test_one_class_holds_values_of_any_types() -> None:
    assert both(of_any_types, 3, 0.5) == (0.5, 3, True)


class Words(Static):
    """What is the same for all records of one world."""

    __slots__ = ("fields", "size", "wide")

    def __init__(self, size: int, wide: bool, fields: tuple[str, ...] = ()) -> None:
        self.size, self.wide, self.fields = size, wide, fields

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return "Words"  # the same for all: types must not be told apart by their names

    def __fingerprint__(self) -> list[Any]:
        return [self._key()]

    def _key(self) -> Any:
        return self.size, self.wide, self.fields


class Access:
    """How a declared field is read and written."""

    def __init__(self, kind: str, getter: Any, setter: Any) -> None:
        self.type, self.getter, self.setter, self.layout = kind, getter, setter, None


@trusted
def _get(record: Any) -> float:
    return get_float(record.row, 1)


@trusted
def _put(record: Any, new: Any) -> None:
    set_float(record.row, 1, float(new))


@value
class Body:
    """A view whose fields the static declares."""

    row: Any
    vocabulary: Words

    @property
    def double_size(self) -> int:
        return 2 * self.vocabulary.size if self.vocabulary.wide else self.vocabulary.size

    @staticmethod
    def __compiled_fields__(words: Words, name: str) -> Any:
        return Access("float", _get, _put) if name in words.fields else None

    def __getattr__(self, name: str) -> Any:
        access = None if name.startswith("_") else Body.__compiled_fields__(self.vocabulary, name)
        if access is None:
            raise AttributeError(name)
        return access.getter(self)

    def __setattr__(self, name: str, new: Any) -> None:
        Body.__compiled_fields__(self.vocabulary, name).setter(self, new)


SMALL, LARGE = Words(3, False, ("mood",)), Words(500, True)


def static_sizes(row):  # type: ignore[no-untyped-def]
    return Body(row, SMALL).double_size, Body(row, LARGE).double_size


def declared_field(row):  # type: ignore[no-untyped-def]
    body = Body(row, SMALL)
    body.mood = 2
    body.mood += body.mood * 0.25
    return body.mood


def undeclared_field(row):  # type: ignore[no-untyped-def]
    return Body(row, LARGE).mood


def passed_static(row, words):  # type: ignore[no-untyped-def]
    return Body(row, words).double_size


class TestStatics:
    def test_their_numbers_are_constants(self) -> None:
        row = np.zeros(2, np.int64)
        assert static_sizes(row) == compiled(static_sizes)(row) == (3, 1000)

    def test_they_declare_fields(self) -> None:
        mine, its = np.zeros(2, np.int64), np.zeros(2, np.int64)
        assert declared_field(mine) == compiled(declared_field)(its) == 2.5
        assert mine.tolist() == its.tolist()

    def test_a_field_that_is_not_declared_is_unknown(self) -> None:
        with pytest.raises(numba.core.errors.TypingError, match="Unknown attribute 'mood'"):
            compiled(undeclared_field)(np.zeros(2, np.int64))

    def test_they_are_told_apart_by_content_also_as_arguments(self) -> None:
        run, row = Linker(Resolver()).link(passed_static), np.zeros(2, np.int64)
        assert [run(row, words) for words in (SMALL, LARGE, Words(500, True), Words(4, True))] == [
            3,
            1000,
            1000,
            8,
        ]
        assert len(run.signatures) == 3


def scaled(n: int, factor: int) -> int:
    return n * factor


def many_constants(n: int) -> int:
    return scaled(n, 1) + scaled(n, 2) + scaled(n, 3) + scaled(n, 4) + Vector2(n, 5).y + Vector2(6, n).x


def test_one_compilation_serves_all_constants() -> None:
    run = Linker(Resolver()).link(many_constants)
    assert run(3) == many_constants(3) == 36
    called = next(f for name, f in run.py_func.__globals__.items() if name == "scaled")
    assert len(called.signatures) == 1


def float_of_truth(n: int) -> tuple[float, float, int]:
    return float(n > 3), float(n > 3) + 1, int(n > 3)


def test_a_truth_value_becomes_a_float() -> None:
    assert both(float_of_truth, 5) == (1.0, 2.0, 1)
    assert both(float_of_truth, 3) == (0.0, 1.0, 0)


def test_types_are_found_again_by_another_process() -> None:
    import pickle

    from gridarium.compiled.numba_backend import value_types

    value_types.register(Pair)
    value_types.register(Vector2)
    kind = numba.typeof(Pair(Vector2(1, 2), SMALL))
    assert isinstance(kind, value_types.ValueType)
    again = pickle.loads(pickle.dumps(kind))
    assert again == kind
    assert again != numba.typeof(Pair(Vector2(1, 2), LARGE))
    assert str(kind).startswith("tests.compiled.test_value_types.Pair(")


def test_only_value_classes_are_registered() -> None:
    from gridarium.compiled.numba_backend import value_types

    with pytest.raises(TypeError, match="is not a value class"):
        value_types.register(int)


SPECIAL_METHODS = (
    "__new__",
    "__getattribute__",
    "__getattr__",
    "__setattr__",
    "__init_subclass__",
    "__radd__",
    "__ne__",
)


@pytest.mark.parametrize("name", SPECIAL_METHODS)
def test_special_methods_that_compiled_code_does_not_call_are_refused(name: str) -> None:
    def special(self: Any, *given: Any) -> Any:
        raise AssertionError

    made: Any = value(type("Score", (), {"__annotations__": {"n": int}, name: special, "__module__": "mine"}))
    line = special.__code__.co_firstlineno
    with pytest.raises(Unsupported, match=rf"^Score \({__file__}, line {line}\): it has {name}, which"):
        Linker(Resolver()).link(made)


@value
class Priced:
    n: int

    def price(self, factor: int = 1, *, extra: int) -> int:
        return self.n * factor + extra

    def twice(self) -> int:
        return 2 * self.n

    def times(self, factor: int, /) -> int:
        return self.n * factor


def priced(n: int) -> int:
    return Priced(n).price(extra=n) + Priced(n).price(3, extra=1) + Priced(n).twice()


def price_without(n: int) -> int:
    return Priced(n).price(3)  # type: ignore[call-arg]


def price_by_position(n: int) -> int:
    return Priced(n).price(3, n)  # type: ignore[misc]


def times_by_name(n: int) -> int:
    return Priced(n).times(factor=2)  # type: ignore[call-arg]


def test_keyword_only_parameters_of_methods_may_follow_others_with_defaults() -> None:
    assert both(priced, 5) == 36
    for function, told in (
        (price_without, "Priced.price is called without extra"),
        (price_by_position, "Priced.price takes 1 arguments by position, not 2"),
        (times_by_name, "Priced.times takes factor by position"),
    ):
        with pytest.raises(numba.core.errors.TypingError, match=told):
            compiled(function)(5)


@value
class Chooser:
    """Its names are those that the library's own code has."""

    typer: int
    defaults: int

    def plus(self, chosen: int, first_type: int = 2) -> int:
        return self.typer + self.defaults + chosen + first_type


def names_of_the_library(n: int) -> int:
    return Chooser(n, 1).plus(3) + Chooser(n, 2).plus(n, 4)


def test_fields_and_parameters_may_have_any_names() -> None:
    assert compiled(names_of_the_library)(5) == names_of_the_library(5)


@value
class Swapped:
    a: int
    b: int


Swapped.a = Swapped.b


def first_of_swapped(x: int) -> int:
    return Swapped(x, x + 1).a


def test_a_field_that_is_bound_to_another_is_refused() -> None:
    assert first_of_swapped(1) == 2
    with pytest.raises(numba.core.errors.TypingError, match="Swapped.a leads to b"):
        compiled(first_of_swapped)(1)
