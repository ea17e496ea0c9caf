"""What Python asks anew each time is not asked once, when a rule is compiled."""

from __future__ import annotations

import enum
import functools
import types
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

from gridarium.compiled.cache.watched_globals import Watched
from gridarium.compiled.source_pass.source import Unsupported
from gridarium.rules.transition_functions import move_agent
from gridarium.world import Floor, GridObject, Position, Wall
from gridarium.world.members import check_kinds
from tests.compiled.compiling import both, compiled


class Counter:
    """Everything about it changes each time that it is asked."""

    asked = 0

    def __get__(self, thing: Any, cls: Any) -> int:
        self.asked += 1
        return self.asked

    def __eq__(self, other: object) -> bool:
        self.asked += 1
        return self.asked % 2 == 0

    def __hash__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[int]:
        self.asked += 1
        return iter((self.asked, 2))

    def __getattr__(self, name: str) -> int:
        if name.startswith("__"):
            raise AttributeError(name)
        self.asked += 1
        return self.asked


class Listing(type):
    asked = 0

    def __getitem__(cls, name: str) -> int:
        cls.asked += 1
        return cls.asked

    def __iter__(cls) -> Iterator[int]:
        cls.asked += 1
        return iter((cls.asked, 2))


class Listed(metaclass=Listing):
    pass


class Config:
    level = Counter()
    speed = 3

    @functools.cached_property
    def limit(self) -> int:
        return 7


class Backwards(tuple[Any, ...]):
    def __iter__(self) -> Iterator[Any]:
        return iter([self[k] for k in range(len(self) - 1, -1, -1)])


class Empty(tuple[Any, ...]):
    def __len__(self) -> int:
        return 0


class Odd(str):
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1


class Pair(NamedTuple):
    a: int
    b: int


class Tenfold(int, enum.Enum):
    ONE = 1

    def __new__(cls, number: int) -> Tenfold:
        made = int.__new__(cls, number)
        made._value_ = number * 10
        return made


class Corner(tuple[int, int], enum.Enum):
    A = (1, 2)
    B = (3, 4)


class Priced(enum.Enum):
    A = 1

    @enum.property
    def price(self) -> int:
        return CONFIG.level


LATER = Config()
ITEMS, COUNTER, CONFIG, LAZY = iter((1, 2, 3)), Counter(), Config(), types.ModuleType("lazy")
LAZY.__getattr__ = lambda name: CONFIG.level  # type: ignore[method-assign]
PLAIN, BACKWARDS, EMPTY, PAIR, WORD, RANGE = (
    (1, 2),
    Backwards((1, 2)),
    Empty((1, 2)),
    Pair(1, 2),
    Odd("a"),
    range(3),
)


def items_of_an_iterator(x: int) -> int:
    return sum(n for n in tuple(ITEMS)) + x


def length_of_an_iterator(x: int) -> int:
    return len(list(ITEMS)) + x


def searched_iterator(x: int) -> bool:
    return x in ITEMS


def items_of_an_object(x: int) -> int:
    return sum(n for n in tuple(COUNTER)) + x


def items_of_a_class(x: int) -> int:
    for n in Listed:
        x += n
    return x


def item_of_a_class(x: int) -> int:
    return Listed["x"] + x


def compared(x: int) -> int:
    return x if COUNTER == 3 else 2


def compared_in_a_tuple(x: int) -> int:
    return x if (COUNTERS == PLAIN) else 2


def descriptor(x: int) -> int:
    return CONFIG.level + x


def descriptor_of_a_class(x: int) -> int:
    return Config.level + x


def unknown_attribute(x: int) -> int:
    return COUNTER.other + x


def attribute_of_a_module(x: int) -> int:
    return LAZY.other + x


def attribute_of_pythons_class(x: int) -> int:
    return Fraction.numerator + x  # type: ignore[operator]


def property_of_a_member(x: int) -> int:
    return Priced.A.price + x


def last_of_a_subclass(x: int) -> int:
    for n in BACKWARDS:
        x += n
    return n


def loop_that_looks_empty(x: int) -> int:
    for n in EMPTY:
        x = n
    return x


def any_of_a_subclass(x: int) -> bool:
    return any(n > x for n in EMPTY)


def text_of_a_class(x: int) -> int:
    return x if WORD == "b" else 2


def enum_of_tuples(x: int) -> bool:
    return (Corner.A if x > 1 else Corner.B) == (1, 2)


class Coin(GridObject, register=False):
    """Declares how it looks in text."""

    glyph = "c"


COIN = Coin()


def glyph_of_a_kind(x: int) -> bool:
    return Coin.glyph == "c"


def glyph_of_an_object(x: int) -> bool:
    return COIN.glyph == "c"


def tenfold(x: int, k: int = 0) -> int:
    return x * 10 + k


class OtherCall(functools.partial):  # type: ignore[type-arg]
    def __call__(self, *given: Any, **named: Any) -> int:
        return 3


PARTIAL, OTHER_CALL = functools.partial(tenfold, k=1), OtherCall(tenfold, k=1)
PARTIAL.price = 3  # type: ignore[attr-defined]


def attribute_of_a_partial(x: int) -> int:
    return x + PARTIAL.price  # type: ignore[attr-defined]


def called_in_another_way(x: int) -> int:
    return OTHER_CALL(x)


class Changing(types.ModuleType):
    @property
    def rate(self) -> int:
        return Counter.asked


class Alternating(classmethod):  # type: ignore[type-arg]
    def __get__(self, thing: Any, cls: Any = None) -> Any:
        return tenfold if Counter.asked % 2 else Changing


class Unreadable(property):
    def __get__(self, thing: Any, cls: Any = None) -> Any:
        return Counter.asked


class Odds:
    module = types
    counted = Unreadable()

    @Alternating
    def alternating(self, x: int) -> int:
        return 1


ODDS, CHANGING = Odds(), Changing("changing")


def property_of_a_module(x: int) -> int:
    return x + CHANGING.rate


def other_class_method(x: int) -> int:
    return Odds.alternating(x)


def property_without_getter(x: int) -> int:
    return x + ODDS.counted


def module_in_a_class(x: int) -> int:
    return x + Odds.module.rate  # type: ignore[attr-defined]


def _rate_of(x: int, module: Any) -> int:
    return x + module.rate


module_as_a_parameter = functools.partial(_rate_of, module=types)


class Measured(np.ndarray):  # type: ignore[type-arg]
    unit = 2


MEASURED = np.zeros(2).view(Measured)


def attribute_of_an_array(x: int) -> int:
    return x + MEASURED.unit


class Names(dict):  # type: ignore[type-arg]
    """Python asks it for each name anew."""

    def __getitem__(self, name: str) -> Any:
        return Counter.asked if name == "Counter" else super().__getitem__(name)


def _asks(x: int) -> int:
    return x + Counter.asked


names_of_a_class = types.FunctionType(_asks.__code__, Names(globals()))

COUNTERS = (COUNTER, 2)
ANEW = "a property or the like, which is asked anew each time"
REFUSED = [
    (items_of_an_iterator, "ITEMS is a tuple_iterator"),
    (length_of_an_iterator, "list cannot be used in compiled code"),
    (searched_iterator, "ITEMS is a tuple_iterator"),
    (items_of_an_object, "COUNTER is a Counter"),
    (items_of_a_class, "Listed is a Listing"),
    (item_of_a_class, "Listed is a Listing"),
    (compared, "COUNTER is a Counter"),
    (compared_in_a_tuple, "COUNTERS is a tuple"),
    *((rule, ANEW) for rule in (descriptor, descriptor_of_a_class, unknown_attribute, attribute_of_a_module)),
    (property_of_a_member, ANEW),
    (attribute_of_pythons_class, "Fraction.numerator is of Python's own workings; write its value"),
    *((rule, "glyph is for pictures") for rule in (glyph_of_a_kind, glyph_of_an_object)),
    (names_of_a_class, "its names are looked up in a dict of a class of its own"),
    (attribute_of_a_partial, "PARTIAL.price is an attribute of a partial; name its value"),
    (called_in_another_way, "OTHER_CALL is a OtherCall"),
    *((rule, ANEW) for rule in (property_of_a_module, other_class_method, property_without_getter)),
    (module_in_a_class, "Odds.module.rate: what a module holds is read by the module's name"),
    (module_as_a_parameter, "module.rate: what a module holds is read by the module's name"),
    (attribute_of_an_array, "MEASURED.unit is an attribute of a Measured; name its value"),
    (last_of_a_subclass, "BACKWARDS is a Backwards"),
    (loop_that_looks_empty, "EMPTY is a Empty"),
    (any_of_a_subclass, "EMPTY is a Empty"),
    (text_of_a_class, "text of a class of its own, Odd"),
    (enum_of_tuples, "members of Corner are tuples as well"),
]


@pytest.mark.parametrize(("rule", "why"), REFUSED, ids=lambda thing: getattr(thing, "__name__", ""))
def test_what_is_asked_anew_each_time_is_refused_and_not_asked(rule: Callable[[int], Any], why: str) -> None:
    before = Counter.asked, vars(COUNTER).copy(), Listing.asked, vars(vars(Config)["level"]).copy()
    with pytest.raises(Unsupported, match=why):
        compiled(rule)
    assert before == (Counter.asked, vars(COUNTER), Listing.asked, vars(vars(Config)["level"]))
    assert next(ITEMS, 0) == 1
    globals()["ITEMS"] = iter((1, 2, 3))


def set_on_a_class(x: int) -> int:
    return x + Position.price  # type: ignore[attr-defined]


def set_on_a_base(x: int) -> int:
    return x + Coin.price  # type: ignore[attr-defined]


def set_on_a_function(x: int) -> int:
    return x + move_agent.price  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("rule", "of"), [(set_on_a_class, Position), (set_on_a_base, GridObject), (set_on_a_function, move_agent)]
)
def test_what_users_set_on_what_is_the_librarys_is_refused(
    rule: Callable[[int], Any], of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(of, "price", 3, raising=False)
    with pytest.raises(Unsupported, match="price is set on what belongs to this library or Python"):
        compiled(rule)


def test_a_number_that_users_set_on_a_kind_of_the_library_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Floor, "price", 3, raising=False)
    with pytest.raises(Unsupported, match="price is set on a kind of this library"):
        check_kinds([Floor])
    check_kinds([Wall])


def fixed(x: int) -> int:
    total = CONFIG.speed + Config.speed + CONFIG.limit + PAIR.a + Tenfold.ONE + Tenfold.ONE.value
    for n in PAIR:
        total = total * 2 + n
    for n in tuple(RANGE):
        total = total * 2 + n * x
    return total + (1 if PAIR == PLAIN else 0) + Priced.A.value


def test_what_is_the_same_each_time_is_compiled() -> None:
    assert CONFIG.limit == 7
    both(fixed, 3)


def by_what_is_not_computed_yet(x: int) -> int:
    return LATER.limit + x


def test_what_an_object_has_not_computed_yet_is_not_computed_by_compiling() -> None:
    with pytest.raises(Unsupported):
        compiled(by_what_is_not_computed_yet)
    watched = Watched(by_what_is_not_computed_yet)
    watched.check("World")
    assert "limit" not in vars(LATER)
