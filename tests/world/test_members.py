"""What kinds have of their own: properties and constants, which rules read the same interpreted and compiled."""

from __future__ import annotations

import enum
import functools
from typing import Any

import pytest

from gridarium.compiled.cache.fingerprint import fingerprint
from gridarium.compiled.data_types.value_class import value
from gridarium.compiled.source_pass.source import Unsupported
from gridarium.testing import compare
from gridarium.world import (
    Action,
    Box,
    Color,
    Door,
    Floor,
    GridObject,
    Key,
    MovingObstacle,
    NoneGridObject,
    State,
    Vocabulary,
    Wall,
    table,
)
from gridarium.world.compiled.resolver import WorldResolver
from gridarium.world.field_array import Table
from tests.differential import check, random_states

RATE = 3


class Gate(GridObject, register=False):
    """Open where a door is closed, and so on."""

    class Status(enum.IntEnum):
        SHUT = 0
        OPEN = 1
        LOCKED_OPEN = 2

    glyph = "g"
    worth = 2.5
    tint = Color.RED
    value = 7

    @property
    def is_open(self) -> bool:
        return self.status != Gate.Status.SHUT

    @property
    def is_locked(self) -> bool:
        return self.status == 2

    @property
    def toll(self) -> float:
        return RATE * self.worth + self.status if self.is_open else 0.5


class Flap(Door, register=False):
    """A door that only a lock holds shut."""

    glyph = "f"
    worth = 4

    @property
    def is_open(self) -> bool:
        return not self.is_locked


class Vault(Box, register=False):
    glyph = "V"

    @property
    def is_open(self) -> bool:
        return isinstance(self.content, Key)

    @property
    def full(self) -> bool:
        return self.content.full if isinstance(self.content, Vault) else not isinstance(self.content, Floor)

    @property
    def secret(self) -> str:
        return f"{self.content}"


KINDS = (Wall, Door, Key, Box, MovingObstacle, Gate, Flap, Vault)
WORDS = Vocabulary(KINDS, (Color.RED, Color.BLUE))
STATES = random_states(WORDS, 6, (4, 5))
judge = functools.partial(check, "reward", states=STATES, actions=(Action.WAIT, Action.ACTUATE))


def openings(state, action, next_state):  # type: ignore[no-untyped-def]
    found = 0
    for p in state.grid.positions():
        thing = state.grid[p]
        if isinstance(thing, Door | Gate | Vault):
            found += 1 + 10 * thing.is_open
        if isinstance(thing, Door | Gate):
            found += 1000 * thing.is_locked
    return found


def prices(state, action, next_state):  # type: ignore[no-untyped-def]
    total = 0.0
    for p in state.grid.positions():
        thing = state.grid[p]
        if isinstance(thing, Gate | Flap):
            total += thing.worth
        if isinstance(thing, Gate):
            total += 100 * thing.toll + 1000 * (thing.tint == Color.RED)
    return total


@value
class Offer:
    worth: int
    toll: float


def others_have_them_too(state, action, next_state):  # type: ignore[no-untyped-def]
    offer = Offer(state.agent.position.y, 0.5)
    return offer.worth + offer.toll + action.value


def open_walls(state, action, next_state):  # type: ignore[no-untyped-def]
    return state.grid[state.agent.position].is_open


def told(state, action, next_state):  # type: ignore[no-untyped-def]
    return state.grid[state.agent.position].secret == 3


def fill(state, action, next_state):  # type: ignore[no-untyped-def]
    return state.grid[state.agent.position].full


def contents(state, action, next_state):  # type: ignore[no-untyped-def]
    found = 0
    for p in state.grid.positions():
        held = state.grid[p].content
        nothing = isinstance(held, NoneGridObject)
        found += nothing + 10 * (held == NoneGridObject()) + 100 * (held is None or held == None)  # noqa: E711
        found += 1000 * held.blocks_vision + 10_000 * isinstance(held.content, NoneGridObject)
    return found


def statuses(state, action, next_state):  # type: ignore[no-untyped-def]
    found = 0
    for p in state.grid.positions():
        found += state.grid[p].status is Door.Status.OPEN
        found += 100 * (state.grid[p].state is not Gate.Status.SHUT)
        found += 10_000 * (state.grid[p].status == Gate.Status.SHUT)
    return found


@pytest.mark.sampled(2)
@pytest.mark.parametrize("rule", [openings, prices, others_have_them_too, contents, statuses])
def test_rules_read_the_same_interpreted_and_compiled(rule: Any) -> None:
    outcomes = judge(rule)
    assert len(set(outcomes)) > 1
    assert not any(isinstance(outcome, Exception) for outcome in outcomes)


def test_what_a_kind_does_not_have_raises_in_both() -> None:
    assert {type(outcome) for outcome in judge(open_walls)} >= {AttributeError}


def test_rules_may_ask_for_what_doors_have_where_there_are_none() -> None:
    states = random_states(Vocabulary([Wall, Key], [Color.RED]), 2)
    assert {*check("reward", openings, states)} == {0}


@pytest.mark.parametrize(
    ("rule", "reason"),
    [(told, r"secret \(.*test_members.py.*text cannot be made"), (fill, "full .* it calls itself")],
)
def test_what_cannot_be_compiled_in_a_property_is_refused(rule: Any, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        judge(rule)


class Haunted:
    @property
    def blocks_movement(self) -> bool:
        return True


class Ghost(Haunted, GridObject, register=False):
    glyph = "h"


class Mirror(GridObject, register=False):
    glyph = "m"

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = GridObject.__hash__


class Lamp(GridObject, register=False):
    class Status(enum.IntEnum):
        OUT = 0
        LIT = 1

        def __bool__(self) -> bool:
            return self is Lamp.Status.OUT

    glyph = "l"


class Welcoming(type):
    def __instancecheck__(cls, thing: object) -> bool:
        return True


class Club(GridObject, register=False, metaclass=Welcoming):
    glyph = "c"


class Unique(GridObject, register=False):
    glyph = "u"

    def __hash__(self) -> int:
        return id(self)


class Lazy(property):
    def __get__(self, *_: Any) -> int:
        return 7


class Sloth(GridObject, register=False):
    glyph = "s"
    speed = Lazy(lambda thing: 0)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (Lamp, "Lamp.Status has __bool__"),
        (Unique, "Unique has __hash__"),
        (Club, "the metaclass of Club has __instancecheck__"),
        (Sloth, "Sloth.speed has __get__"),
    ],
)
def test_special_methods_of_a_kind_that_compiled_code_would_ignore_are_refused(
    kind: Any, reason: str
) -> None:
    with pytest.raises(
        Unsupported, match=rf"{kind.__name__} \(module .*\): {reason}, which compiled code would ignore"
    ):
        WorldResolver(Vocabulary([Wall, kind])).prepare()


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (Ghost, "blocks_movement"),
        (Mirror, "__eq__"),
    ],
)
def test_a_kind_that_is_not_what_compiled_code_takes_it_for_is_refused(kind: Any, name: str) -> None:
    with pytest.raises(
        Unsupported, match=rf"{name} \(.*test_members.py, line \d+\): {kind.__name__} has a {name} of its own"
    ):
        WorldResolver(Vocabulary([Wall, kind])).prepare()


class Odd(GridObject, register=False):
    class Status(enum.IntEnum):
        EVEN = 0
        ODD = 1

    glyph = "o"

    def __init__(self, number: int) -> None:
        super().__init__(number % 2)


def put_odd(state, action):  # type: ignore[no-untyped-def]
    state.grid[0, 0] = Odd(7)


def put_any(state, action):  # type: ignore[no-untyped-def]
    state.grid[0, 0] = Odd(state.agent.position.y)


class Egg(GridObject, register=False):
    class Status(enum.IntEnum):
        WHOLE = 0
        BROKEN = 1

    glyph = "e"

    def __new__(cls, status: int = 0):  # type: ignore[no-untyped-def]
        return Wall() if status == 1 else super().__new__(cls)


def put_egg(state, action):  # type: ignore[no-untyped-def]
    state.grid[0, 0] = Egg(state.agent.position.y % 2)


class Stone(GridObject, register=False):
    glyph = "s"

    def __init__(self) -> None:
        super().__init__()


def fill_with_stones(state, action):  # type: ignore[no-untyped-def]
    state.grid.fill(Stone)


class Loud(functools.partial):  # type: ignore[type-arg]
    def __call__(self, *given, **named):  # type: ignore[no-untyped-def]
        return Wall()


LOUD = Loud(Stone)


def put_by_a_partial_of_its_own(state, action):  # type: ignore[no-untyped-def]
    state.grid[0, 0] = LOUD()


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (put_odd, r"line \d+\): Odd has an __init__ of its own, which compiled code does not call"),
        (put_any, r"line \d+\): Odd has an __init__ of its own, which compiled code does not call"),
        (put_egg, r"line \d+\): Egg has an __new__ of its own, which compiled code does not call"),
        (
            fill_with_stones,
            r"line \d+\): Stone has an __init__ of its own, which compiled code does not call",
        ),
        (put_by_a_partial_of_its_own, "LOUD is a Loud"),
    ],
)
def test_a_constructor_of_its_own_is_not_compiled(rule: Any, why: str) -> None:
    with pytest.raises(Unsupported, match=why):
        check("transition", rule, random_states(Vocabulary([Wall, Odd, Egg, Stone]), 2))


class Paint(Color):
    """A color that equals all others."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1


PAINT = Paint("PAINT", rgb=(1, 2, 3), mark="p")


class Doubled(Table):
    """A table that gives twice its numbers."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        return 2 * super().__getitem__(index)


PLAIN = table([1, 2, 3])
NUMBERS = Doubled(PLAIN.layout, PLAIN.words)


def asks_for_paint(state, action, next_state):  # type: ignore[no-untyped-def]
    return 1.0 if state.grid[0, 0].color == PAINT else 2.0


def reads_a_table_of_its_own(state, action, next_state):  # type: ignore[no-untyped-def]
    return NUMBERS[state.agent.position.y % 2]


@pytest.mark.parametrize(("rule", "why"), [(asks_for_paint, "Paint"), (reads_a_table_of_its_own, "Doubled")])
def test_colors_and_tables_with_operators_of_their_own_are_not_compiled(rule: Any, why: str) -> None:
    with pytest.raises(Unsupported, match=why):
        check("reward", rule, random_states(Vocabulary([Wall], colors=[Color.RED, PAINT]), 2))


def lamp(worth: Any) -> type[GridObject]:
    """A kind declared again at its place, as in a notebook."""
    return type("Lamp", (GridObject,), {"worth": worth, "__qualname__": "Lamp"}, register=False)


def test_what_kinds_have_of_their_own_is_part_of_what_a_program_is_kept_under() -> None:
    def cheap(self):  # type: ignore[no-untyped-def]
        return 1

    def dear(self):  # type: ignore[no-untyped-def]
        return 2

    keys = []
    for worth in (1, 2, property(cheap), property(dear)):
        vocabulary = Vocabulary([Floor, lamp(worth)])
        assert vocabulary == Vocabulary([Floor, lamp(worth)])
        keys.append((vocabulary, fingerprint(WorldResolver(vocabulary))))
    assert len({vocabulary for vocabulary, _ in keys}) == len({key for _, key in keys}) == 4


def test_programs_depend_on_shared_statuses_and_on_what_is_refused() -> None:
    class Lamp(GridObject, register=False):
        class Status(enum.IntEnum):
            OFF = 0
            ON = 1

    class Lantern(Lamp, register=False):
        pass

    def key() -> str:
        return fingerprint(WorldResolver(Vocabulary([Floor, Lamp, Lantern])))

    shared = key()
    Lantern.Status = enum.IntEnum("Status", {"OFF": 0, "ON": 1})  # type: ignore[misc]
    own = key()
    assert own != shared
    Lantern.__eq__ = lambda self, other: False  # type: ignore[method-assign, assignment]
    assert key() not in (own, shared)


def test_programs_depend_on_which_of_two_bases_of_one_name_a_rule_asks_for() -> None:
    def family() -> type[GridObject]:
        class Member(GridObject, register=False):
            pass

        return Member

    red, blue = family(), family()
    coin = type("Coin", (red,), {}, register=False)
    gem = type("Gem", (blue,), {}, register=False)
    vocabulary = Vocabulary([Floor, coin, gem])

    def key(asked: type[GridObject]) -> str:
        return fingerprint(functools.partial(isinstance_of, asked), WorldResolver(vocabulary))

    assert key(red) != key(blue)
    assert key(red) == key(red)


def isinstance_of(kind: type[GridObject], thing: GridObject) -> bool:
    return isinstance(thing, kind)


class Tile(GridObject, register=False):
    glyph = "w"
    holdable = True
    word = 3


def box_a_tile(state, action):  # type: ignore[no-untyped-def]
    state.grid[0, 0] = Box(Tile())


def test_kinds_may_call_their_numbers_as_compiled_objects_do() -> None:
    state = State.blank((2, 2), vocabulary=Vocabulary([Floor, Box, Tile]))
    (outcome,) = compare("transition", box_a_tile, [state], actions=[Action.WAIT])
    assert isinstance(outcome.grid[0, 0].content, Tile)
