"""What is asked when things are compared, searched, counted or told from None: what Python asks, or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from numba.core.errors import TypingError

from gridarium.compiled.data_types.value_class import value
from gridarium.compiled.source_pass.source import Unsupported
from gridarium.world import Position
from tests.compiled.compiling import both, compiled


@value
class Anything:
    """Equal to everything."""

    a: int

    def __eq__(self, other: object) -> bool:
        return True

    def is_nothing(self) -> bool:
        return self == None  # noqa: E711

    def __len__(self) -> float:  # type: ignore[override]
        return self.a + 0.5

    def __hash__(self) -> int:
        return 1


@value
class Box:
    x: Any

    def told(self, other: Any) -> int:
        return 1 if other is None else 2

    def equal(self, other: Any) -> int:
        return 1 if other == None else 2  # noqa: E711

    def below(self, other: Any) -> int:
        return 1 if other < None else 2


@value
class Single:
    x: int
    __single__: ClassVar[bool] = True


def single(x: int) -> Single:
    return Single(x)


def known_late(x: int) -> int:
    spot = None
    if x > 3:
        spot = Position(x, x)
    return Box(0.5).told(spot) + 10 * Box(0.5).equal(spot)


def own_equality(x: int) -> bool:
    return Anything(x) == Anything(2) and Anything(x) == 3


@pytest.mark.parametrize("rule", [known_late, own_equality])
def test_the_same_as_in_python(rule: Callable[[int], Any]) -> None:
    for x in (1, 5):
        both(rule, x)


def nothing(x: int) -> bool:
    return Anything(x) == None  # noqa: E711


def nothing_on_the_left(x: int) -> bool:
    return Anything(x) == None  # noqa: E711


def nothing_in_a_method(x: int) -> bool:
    return Anything(x).is_nothing()


def perhaps_nothing(x: int) -> bool:
    a = None
    if x > 3:
        a = Anything(x)
    return a == None  # noqa: E711


def on_the_right(x: int) -> bool:
    return Box(x) == Anything(x)


def on_the_right_of_a_position(x: int) -> bool:
    return Position(x, x) == Anything(x)


def in_a_field(x: int) -> bool:
    return Box(x) == Box(Anything(x))


def written_out(x: int) -> bool:
    return Anything(x) in (Anything(1), Anything(x))


def in_a_variable(x: int) -> bool:
    box, boxes = Box(x * 0.5), (Box(1.5), Box(x * 0.5))
    return box in boxes


def is_in_a_chain(x: int) -> bool:
    p = Position(x, x)
    return p is p is not None


def long_by_half(x: int) -> int:
    return len(Anything(x))


def is_by_decree(x: int) -> bool:
    return single(x) is single(x)


def below_none(x: int) -> int:
    return Box(x).below(x)


OWN = "Python may ask the __eq__ of Anything; write a method with an ordinary name"
REFUSED = [
    *((rule, OWN) for rule in (nothing, nothing_on_the_left, nothing_in_a_method, perhaps_nothing)),
    *((rule, OWN) for rule in (on_the_right, on_the_right_of_a_position)),
    (in_a_field, "Box.x: compared are numbers, and tuples of whole numbers"),
    (written_out, "`in` with Anything, which has an __eq__ of its own; write a == b or a == c"),
    (in_a_variable, "`in` a tuple that has a name; write its items"),
    (is_in_a_chain, "`is` asks for one and the same object; write =="),
    (long_by_half, "__len__ has to return a whole number"),
    (below_none, "No implementation of function Function.<built-in function lt>"),
]


def test_a_class_of_a_user_does_not_say_that_it_is_like_the_librarys() -> None:
    with pytest.raises(Unsupported, match="it has __single__, which compiled code does not call"):
        compiled(is_by_decree)


@pytest.mark.parametrize(("rule", "why"), REFUSED, ids=lambda thing: getattr(thing, "__name__", ""))
def test_what_would_be_asked_otherwise_is_refused(rule: Callable[[int], Any], why: str) -> None:
    with pytest.raises(TypingError, match=why):
        compiled(rule)(1)


def maybe(x: int) -> Any:
    return x if x > 2 else None


def maybe_half(x: int) -> Any:
    return 0.5 * x if x > 2 else None


def what_may_be_none_is_compared(x: int, y: int) -> int:
    answers = 0
    if maybe(x) == 3:
        answers += 1
    if 3 != maybe(x):  # noqa: SIM300
        answers += 2
    if maybe(x) == maybe(y):
        answers += 4
    if maybe_half(x) != maybe_half(y):
        answers += 8
    if maybe_half(y) == 1.5:
        answers += 16
    if maybe(x) in (3, None):
        answers += 32
    return answers


def test_what_may_be_none_is_compared_as_in_python_without_raising() -> None:
    twin = compiled(what_may_be_none_is_compared)
    for x in range(6):
        for y in range(6):
            assert twin(x, y) == what_may_be_none_is_compared(x, y)
