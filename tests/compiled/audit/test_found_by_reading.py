"""What audits found that read the source: rules that did otherwise compiled, each the same now, or refused with a reason."""

from __future__ import annotations

import enum
import functools
import math
from typing import NamedTuple

import numba
import numpy as np
import pytest

from gridarium.compiled.data_types.value_class import value
from gridarium.rules.calling import call_rule, rng_or_default
from gridarium.rules.live_actions import in_range
from gridarium.world import Color, Door, Key, Orientation, Position, Wall
from tests.compiled.fuzz.trial import attempt

FEW = (3, 4)
MAKERS = (functools.partial(Key, color=Color.RED), functools.partial(Key, color=Color.RED))
PRICES = {"a": 3.0}
VALUES = PRICES.values()


class Share(float, enum.Enum):
    HALF = 0.5


class Mood(enum.Enum):
    CALM = 0
    ANGRY = 1


@value
class Shadow:
    x: int

    def count(self, p=None):
        return sum(1 if p is None else 2 for p in FEW)


def wants(state, action, *, rng=None):
    state.n = rng_or_default(state, rng).integers(1000)


BOUND = functools.partial(wants, rng=None)


def sometimes(rule):
    @functools.wraps(rule)
    def wrapper(state, action, *, rng):
        if rng.random() < 0.5:
            rule(state, action)

    return wrapper


@sometimes
def drift(state, action):
    state.n = 77


def some_kind(state, kind=None):
    return sum(kind is None or isinstance(state.grid[p], kind) for p in state.grid.positions())


def first_wall(state, x):
    for p in state.grid.positions():
        if p.x == x and isinstance(state.grid[p], Wall):
            return p.y
    return None


def halves(state):
    yield 0.5
    yield state.flag


def member_by_number(state, action):
    x = 0.5 if state.flag else 1.0
    state.n = 1 if x is Share.HALF else 2


def text_as_a_color(state, action):
    w = "RED" if state.flag else "GREEN"
    state.grid[0, 0] = Key(w)


def member_as_a_color(state, action):
    w = Mood.CALM if state.flag else Mood.ANGRY
    state.grid[0, 0] = Door(0, w)


def luck_or_none(state, action, *, rng):
    chance = rng if state.flag else None
    state.n = rng_or_default(state, chance).integers(1000)


def rule_with_luck_or_none(state, action, *, rng):
    call_rule(wants, (state, action), rng if state.flag else None)


def rule_with_luck(state, action, *, rng):
    call_rule(wants, (state, action), rng)


def rule_with_bound_luck(state, action, *, rng):
    call_rule(BOUND, (state, action), rng)


def rule_in_a_wrapper(state, action, *, rng):
    call_rule(drift, (state, action), rng)


def shadowed_none(state, action):
    state.n = Shadow(1).count()


def texts_told_by_identity(state, action):
    w, v = ("go left!", "stay!") if state.flag else ("stay!", "stay!")
    state.n = 1 if w is v else 2


def values_of_a_dict(state, action):
    for price in tuple(VALUES):
        state.h += price


def keyword_of_a_function_of_c(state, action):
    state.h = math.atan2(y=state.h, x=1.0)


def truth_in_a_tuple(state, action):
    pair = (0.5, 1.0)
    if state.n > 3:
        pair = (state.flag, 2.0)
    state.h = math.atan2(-pair[0], -1.0)


def truth_yielded(state, action):
    for x in halves(state):
        state.h += (x * state.n) % 8


def kind_or_none(state, action):
    state.n = some_kind(state) + 100 * some_kind(state, Wall)


def number_or_none(state, action):
    found = first_wall(state, 2)
    state.n = 1 if found == 1 else 2 if found in (3, None) else 3


def search_in_a_range(state, action):
    state.n = 1 if state.n in range(-2, 9, 3) and state.agent.position.y not in range(2) else 2


@value
class Paint:
    color: int


@value
class Heading:
    number: int

    def __eq__(self, other):
        return self.number == other.value

    def __hash__(self):
        return 1


def numbers_called_color(state, action):
    one, other = Paint(state.n + 1000), Paint(state.n + 1000)
    state.n = 1 if one.color is other.color else 2


def equality_of_its_own(state, action):
    state.n = 1 if Heading(0) is Orientation.FORWARD else 2


def partials_of_kinds(state, action):
    k = state.n % 2
    state.n = 1 if MAKERS[k] == MAKERS[1 - k] else 2


def far_away(state, action):
    for thing in state.things:
        state.n += in_range(state, thing, 2**62)


def above(d, limit=np.sqrt(0.25)):  # noqa: B008
    return (d > limit) + (d > limit - 1.0)


def numbers_of_numpy_as_defaults(state, action):
    state.n = above(state.tick)


def first_of(d, limits=((1, np.int64(2)), 3)):  # noqa: B008
    return d + limits[0][1]


def numbers_of_numpy_in_defaults(state, action):
    state.n = first_of(state.tick)


class Offset(NamedTuple):
    y: int
    x: int

    def __add__(self, other):
        return Offset(self.y + other[0], self.x + other[1])


class Degrees(int):
    def __add__(self, other):
        return Degrees((int(self) + int(other)) % 360)


def moved(d, by=Offset(1, 5)):  # noqa: B008
    return len(by + (3, 4)) + d  # noqa: RUF005


def tuples_with_sums_of_their_own(state, action):
    state.n = moved(state.tick)


def turned(d, by=Degrees(270)):  # noqa: B008
    return by + 100 + d


def numbers_with_sums_of_their_own(state, action):
    state.n = turned(state.tick)


@value
class Dial:
    x: int

    def turned(self, by=Degrees(270)):  # noqa: B008
        return by + 100 + self.x


def numbers_with_sums_of_their_own_in_methods(state, action):
    state.n = Dial(1).turned()


class Place(Position):
    def __add__(self, other):
        return Place(99, 99)


@value
class Pair:
    limit: object


@value
class Walker:
    x: int

    def moved(self, by=Place(1, 2)):  # noqa: B008
        return (by + Position(1, 1)).y + self.x

    def over(self, pair=Pair(np.float64(0.5))):  # noqa: B008
        return (self.x > pair.limit) + (self.x > pair.limit - 1)


def records_with_sums_of_their_own_in_methods(state, action):
    state.n = Walker(1).moved()


def numbers_of_numpy_in_records(state, action):
    state.n = Walker(1).over() + (Pair(1.0).limit > 0.5)


def records_that_may_be_none(state, action):
    pair, found = Pair(state.h - state.h), None
    if state.tick % 2 == 0:
        found = pair
    state.n = 1 if found in (pair, Pair(1.0)) else 2


def tuples_that_may_be_none(state, action):
    pair, found = (state.h - state.h, 1.0), None
    if state.tick % 2 == 0:
        found = pair
    state.n = 1 if found in (pair, (1.0, 2.0)) else 2


def places_that_may_be_none(state, action):
    found, pair = None, None
    for p in state.grid.positions():
        if p.x == state.tick % 3:
            found, pair = p, (p.y, p.x)
    state.n = 1 if found in (Position(0, 1), Position(3, 2)) else 2
    state.n += 4 if pair in ((3, 1), (3, 2)) else 8


@numba.njit
def noise(y, x):
    return (y * 7919 + x * 104729) * 2654435761


def functions_of_numba(state, action):
    state.n = 1 if noise(state.tick, 2**40) > 0 else 2


@value
class Lamp:
    x: int

    def lit(self, on=np.bool_(True)):  # noqa: B008
        return on + on + self.x


def numbers_of_numpy_as_defaults_of_methods(state, action):
    state.n = Lamp(1).lit()


def whole_step(x, by=(1, 3)):
    return x * by[0] + by[1]


def real_step(x, by=(1.0, 3.0)):
    return x * by[0] + by[1]


def equal_tuples_as_defaults(state, action):
    big = 2**53 + 1 + 2 * state.tick
    state.h = whole_step(big) % 7
    state.g = real_step(big) % 10 + 10 * (real_step(state.tick, (2, 5)) % 10)


def upward(x, zero=0.0, by=1):
    return x * by + math.copysign(1.0, zero)


def downward(x, zero=-0.0, by=1):
    return x * by + math.copysign(1.0, zero)


def equal_zeros_as_defaults(state, action):
    state.h = upward(state.tick, by=2)
    state.g = downward(state.tick, by=3) + downward(state.tick)


@value
class Item:
    number: int
    weight: float

    def __eq__(self, other):
        return isinstance(other, Item) and self.number == other.number

    def __hash__(self):
        return hash(self.number)


@value
class Ladder:
    x: int

    def steps(self, by=(1, 3)):
        return (self.x - 1 + 2**53) * by[0] + by[1]

    def strides(self, by=(1.0, 3.0)):
        return (self.x - 1 + 2**53) * by[0] + by[1]

    def signed(self, zero=0.0, by=1):
        return by * math.copysign(self.x, zero)

    def turned(self, zero=-0.0, by=1):
        return by * math.copysign(self.x, zero)

    def light(self, item=Item(1, 2.0)):  # noqa: B008
        return self.x * item.weight

    def heavy(self, item=Item(1, 3.0)):  # noqa: B008
        return self.x * item.weight


def equal_defaults_of_methods(state, action):
    ladder = Ladder(state.tick + 2)
    state.h = ladder.steps() % 7 + 10 * (ladder.strides() % 10)
    state.g = ladder.signed(by=2) + 100 * ladder.turned(by=3)
    state.n = int(Item(1, 0.0).weight + ladder.light() + 100 * ladder.heavy())


def by_rank(cls):
    cls.__eq__ = lambda self, other: self.rank == other.rank
    cls.__hash__ = lambda self: hash(self.rank)
    return cls


@by_rank
@value
class Card:
    suit: int
    rank: int


def equality_from_a_decorator(state, action):
    state.n = (Card(1, state.m) == Card(2, state.m)) + 2 * (Card(1, state.m) != Card(2, 3))


def equality_from_a_decorator_asked_by_in(state, action):
    state.flag = Card(1, state.m) in (Card(2, 3), Card(2, 4))


@value
class Coin:
    worth: int


Coin.__hash__ = lambda self: id(self)


def hashes_set_later(state, action):
    state.flag = Coin(state.m) in {Coin(1), Coin(2)}


def none_as_a_truth_value(state, action):
    state.n = state.grid.mask(None).count()


PLACES = tuple(Position(k % 6, k // 6) for k in range(33))


@value
class Numbered:
    _kind: int


def kinds_of_what_is_no_object(state, action):
    state.n = 1 if isinstance(Numbered(state.m), Key | Wall) else 2


def agents_as_colors(state, action):
    state.grid[0, 0] = Key(state.agent)


def tuples_of_many_places(state, action):
    here, y = state.agent.position, state.agent.position.y
    state.n = (here in PLACES) + 2 * (y in (y, 1, y, 2, y, 3, y, 4, y, 5, y, 6, y, 7, y, 8, y, 9, y, 1, y, 2, y, 3, y, 4, y, 5, y, 6, y, 7, y, 8))  # fmt: skip


REFUSED = {
    kinds_of_what_is_no_object: "Numbered is no object of the world, whose kind can be asked for",
    agents_as_colors: "the color of an object is a Color, not Agent",
    hashes_set_later: "Coin cannot be in a set; write a tuple",
    none_as_a_truth_value: "None is no truth value; write False",
    equality_from_a_decorator_asked_by_in: "`in` with Card, which has an __eq__ of its own",
    records_that_may_be_none: "`in` with what may be None",
    tuples_that_may_be_none: "`in` with what may be None",
    records_with_sums_of_their_own_in_methods: "is a Place, which may compute otherwise",
    numbers_of_numpy_in_records: "utes otherwise; write float(...) where it is made",
    functions_of_numba: "noise is compiled by numba itself, whose numbers overflow",
    tuples_with_sums_of_their_own: "by is a Offset",
    numbers_with_sums_of_their_own: "by is a Degrees",
    numbers_with_sums_of_their_own_in_methods: "the default of by, 270, is a Degrees, which may compute otherwise",
    numbers_of_numpy_as_defaults: "np.float64(0.5) is a number of numpy",
    numbers_of_numpy_in_defaults: "limits is a tuple",
    numbers_of_numpy_as_defaults_of_methods: "the default of on, np.True_ is a number of numpy",
    member_by_number: "`is` with <Share.HALF: 0.5> and x; write ==",
    texts_told_by_identity: "`is` asks for one and the same object; write ==",
    values_of_a_dict: "values_of_a_dict",
    numbers_called_color: "`is` asks for one and the same object; write ==",
    equality_of_its_own: "`is` asks for one and the same object; write ==",
    partials_of_kinds: "kinds that are known at run time only are not compared",
    keyword_of_a_function_of_c: "atan2 takes no argument by the name y",
    truth_in_a_tuple: "a truth value in one place and a float in another",
    truth_yielded: "a truth value in one place and a float in another",
}
SAME = (
    equal_tuples_as_defaults, tuples_of_many_places, equal_zeros_as_defaults,
    text_as_a_color, member_as_a_color, luck_or_none, rule_with_luck, rule_with_luck_or_none, rule_with_bound_luck,
    places_that_may_be_none, rule_in_a_wrapper, shadowed_none, kind_or_none, number_or_none, search_in_a_range, far_away,
)  # fmt: skip


@pytest.mark.sampled(4)
@pytest.mark.parametrize("rule", [*REFUSED, *SAME], ids=lambda rule: rule.__name__)
def test_a_rule_does_the_same_or_is_refused(rule) -> None:
    found = attempt(rule)
    assert found.verdict == ("refused" if rule in REFUSED else "same"), found.detail
    assert REFUSED.get(rule, "") in found.detail
