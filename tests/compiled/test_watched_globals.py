"""What compiled rules read and what has changed since is refused, with rule and name; what is equal has not changed."""

from __future__ import annotations

import builtins
import contextlib
import copy
import functools
import math
import re
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.compiled.cache.fingerprint import Unhashable, fingerprint
from gridarium.compiled.cache.watched_globals import StaleProgramError, Watched
from gridarium.compiled.source_pass.fixed_values import operators_of
from gridarium.rules.transition_functions import move_agent
from gridarium.world import Area, Color, Key, Wall

PAGE = """
import enum, functools, math, types, typing
from dataclasses import dataclass
import numpy as np
from gridarium.compiled.data_types.value_class import value
from gridarium.world import Area, Color, GridObject, Key

class Level(enum.Enum):
    EASY = 1
    HARD = 2

class Config:
    width = 3

    def __init__(self):
        self.level, self.odds, self.unread = 1, 0.5, 0
        self.kinds = ["Key", ["Wall"]]

    @property
    def doubled(self):
        return 1000 * self.level

    def sum(self):
        return self.level + self.odds

class Bare:
    level = 1

class Slotted:
    __slots__ = ("level", "unread")

    def __init__(self):
        self.level, self.unread = 1, 0

@dataclass
class Record:
    level: int = 1
    unread: int = 0

class Levels(list):
    pass

class Step(typing.NamedTuple):
    cost: float

@value
class Amount:
    number: int

class Coin(GridObject):
    worth = 1

BARE, MEMORY, HUGE = Bare(), bytearray(3), 10**5000
CONFIG, HANDED, SLOTTED, RECORD, MODULE = Config(), Config(), Slotted(), Record(), types.ModuleType("levels")
SPACE = types.SimpleNamespace(level=1, unread=0)
LEVEL, ODDS, MODE, COLOR, AREA = 1, math.nan, Level.EASY, Color.RED, Area((0, 1), (0, 1))
TABLE, LEVELS, ARRAY, KINDS = [1, [2.0, 3], (4, {"five": 5})], Levels([1]), np.array([1.0, np.nan]), {Key, Coin}
LARGE = np.zeros(5000)
STEPS, AMOUNT = (Step(0.5),), Amount(7)
MODULE.level = LEVELS.level = 1

def by_level(config):
    return config.level

def helper(x):
    return x * LEVEL * max(1, x)

def partly(x, *, times):
    return x * times

twice = functools.partial(partly, times=2)

def within(cell):
    def rule(default=[1], *, named=(1, 2)):
        things = CONFIG.level + CONFIG.odds + CONFIG.doubled + CONFIG.sum() + len(CONFIG.kinds) + by_level(HANDED)
        more = by_level(BARE), MEMORY[0], HUGE
        others = SLOTTED.level + RECORD.level + SPACE.level + MODULE.level + Config.width + LEVELS.level
        plain = ODDS, MODE, COLOR, AREA.ymin, TABLE[1][0], LEVELS.index(1), ARRAY.sum(), LARGE.sum(), KINDS, np.absolute(1)
        costs = [step.cost + AMOUNT.number for step in STEPS]
        return costs, things, more, others, plain, helper(1), twice(1), Coin(), cell[0], default, named
    return rule

cell = [1]
rule = within(cell)
"""

Names = dict[str, Any]


@pytest.fixture
def page() -> Names:
    """Somebody's module of rules, executed anew for each test."""
    return executed(PAGE)


def executed(text: str) -> Names:
    names: Names = {"__name__": "somebodys_rules"}
    exec(compile(text, "rules.py", "exec", dont_inherit=True), names)
    return names


def refusal(watched: Watched) -> str:
    with pytest.raises(StaleProgramError) as refused:
        watched.check("World")
    return str(refused.value)


CHANGES: dict[str, Any] = {
    "CONFIG.level was 1, is now 2": lambda p: setattr(p["CONFIG"], "level", 2),
    "CONFIG.kinds[1][0] was 'Wall', is now 'Door'": lambda p: p["CONFIG"].kinds[1].__setitem__(0, "Door"),
    "CONFIG.kinds was ['Key', ['Wall']], is now ['Key', ['Wall'], 'Door']": lambda p: p[
        "CONFIG"
    ].kinds.append("Door"),
    "HANDED.level was 1, is now 2": lambda p: setattr(p["HANDED"], "level", 2),
    "BARE.level was nothing, is now 2": lambda p: setattr(p["BARE"], "level", 2),
    "Bare.level was 1, is now 2": lambda p: setattr(p["Bare"], "level", 2),
    "MEMORY was bytearray(b'\\x00\\x00\\x00'), is now bytearray(b'\\x00\\x01\\x00')": lambda p: p[
        "MEMORY"
    ].__setitem__(1, 1),
    "HUGE was ": lambda p: p.update(HUGE=0),
    "SLOTTED.level was 1, is now 2": lambda p: setattr(p["SLOTTED"], "level", 2),
    "RECORD.level was 1, is now 2": lambda p: setattr(p["RECORD"], "level", 2),
    "RECORD.level was 1, is now nothing": lambda p: p.update(RECORD=object()),
    "SPACE.level was 1, is now 1.0": lambda p: setattr(p["SPACE"], "level", 1.0),
    "MODULE.level was 1, is now True": lambda p: setattr(p["MODULE"], "level", True),
    "Config.width was 3, is now 4": lambda p: setattr(p["Config"], "width", 4),
    "LEVEL was 1, is now 2": lambda p: p.update(LEVEL=2),
    "ODDS was nan, is now 0.0": lambda p: p.update(ODDS=0.0),
    "MODE was <Level.EASY: 1>, is now <Level.HARD: 2>": lambda p: p.update(MODE=p["Level"].HARD),
    "COLOR was Color.RED, is now Color.BLUE": lambda p: p.update(COLOR=Color.BLUE),
    "AREA.ymin was 0, is now -1": lambda p: p.update(AREA=Area((-1, 1), (0, 1))),
    "TABLE[1][0] was 2.0, is now 2.5": lambda p: p["TABLE"][1].__setitem__(0, 2.5),
    "TABLE[2][1]['five'] was 5, is now 6": lambda p: p["TABLE"][2][1].update(five=6),
    "TABLE[2][1] was {'five': 5}, is now {'five': 5, 'six': 6}": lambda p: p["TABLE"][2][1].update(six=6),
    "TABLE was [1, [2.0, 3], (4, {'five': 5})], is now None": lambda p: p.update(TABLE=None),
    "LEVELS was [1], is now [1, 2]": lambda p: p["LEVELS"].append(2),
    "LEVELS.level was 1, is now 2": lambda p: setattr(p["LEVELS"], "level", 2),
    "ARRAY was array([ 1., nan]), is now array([-0., nan])": lambda p: p["ARRAY"].__setitem__(0, -0.0),
    "is now another one": lambda p: p["LARGE"].__setitem__(2000, 1),
    "is now set()": lambda p: p["KINDS"].clear(),
    "times was 2, is now 3": lambda p: p["twice"].keywords.update(times=3),
    "cell[0] was 1, is now 2": lambda p: p["cell"].__setitem__(0, 2),
    "cell was [1], is now 5": lambda p: setattr(p["rule"].__closure__[0], "cell_contents", 5),
    "default[0] was 1, is now 2": lambda p: p["rule"].__defaults__[0].__setitem__(0, 2),
    "default was [1], is now 2": lambda p: setattr(p["rule"], "__defaults__", (2,)),
    "named[1] was 2, is now 3": lambda p: p["rule"].__kwdefaults__.update(named=(1, 3)),
    "helper was helper (rules.py:": lambda p: p.update(helper=p["partly"]),
    "helper was helper (rules.py": lambda p: setattr(p["helper"], "__code__", p["by_level"].__code__),
    "max was nothing, is now <built-in function min>": lambda p: p.update(max=min),
    "np was <module 'numpy'": lambda p: p.update(np=math),
    "Step.cost was nothing, is now 0.0": lambda p: setattr(p["Step"], "cost", 0.0),
    "AMOUNT.number was 7, is now 8": lambda p: object.__setattr__(p["AMOUNT"], "number", 8),
    "Coin.worth was 1, is now 2": lambda p: setattr(p["Coin"], "worth", 2),
}


def test_a_replaced_builtin_is_told(page: Names, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtins, "FACTOR", 3, raising=False)
    exec("def scaled(x):\n    return max(x, FACTOR)", page)
    watched = Watched(page["scaled"])
    watched.check("World")
    monkeypatch.setattr(builtins, "FACTOR", 4)
    assert "FACTOR was 3, is now 4" in refusal(watched)
    monkeypatch.setattr(builtins, "FACTOR", 3)
    monkeypatch.setattr(builtins, "max", min)
    assert "max was" in refusal(watched)


def test_what_modules_of_python_hold_is_watched(page: Names, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["train.py", "--easy"])
    exec(
        "import os, sys\ndef easy():\n    return '--easy' in sys.argv, os.path.sep, os.environ['LEVEL']", page
    )
    monkeypatch.setenv("LEVEL", "1")
    watched = Watched(page["easy"])
    watched.check("World")
    monkeypatch.setenv("LEVEL", "2")
    assert "os.environ['LEVEL'] was '1', is now '2'" in refusal(watched)
    monkeypatch.setenv("LEVEL", "1")
    watched.check("World")
    sys.argv.pop()
    assert "sys.argv was ['train.py', '--easy'], is now ['train.py']" in refusal(watched)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("told", CHANGES)
def test_what_changes_is_told(page: Names, told: str) -> None:
    watched = Watched(page["rule"])
    watched.check("World")
    CHANGES[told](page)
    assert told in refusal(watched)
    assert told in refusal(watched)  # and it stays so


def test_a_refusal_names_world_rule_and_helper_and_says_what_to_do(page: Names) -> None:
    watched = Watched(functools.partial(page["rule"]))
    page["LEVEL"] = 2
    page["ODDS"] = 0.5
    assert refusal(watched) == (
        "World is compiled, and what its rules read has changed since:\n"
        "  rule 'rule': ODDS was nan, is now 0.5\n"
        "  rule 'rule', in helper: LEVEL was 1, is now 2\n"
        "Compiled rules would go on with what it was. Make it a field of the world, which rules read from the state, "
        "or a number among the rule's parameters; or make a new World, which compiles anew."
    )


def test_what_is_as_it_was_goes_on(page: Names) -> None:
    watched = Watched(page["rule"])
    page["CONFIG"].level = 2
    refusal(watched)
    page["CONFIG"].level = 1
    watched.check("World")


OPERATORS = """
from gridarium.compiled.data_types.value_class import value

def less():
    return LESS

BONUS, LESS = 1, 1

@value
class Score:
    n: int
    K = 3

    def __add__(self, other, times=1):
        return self.n + other + BONUS * times

    def __sub__(self, other):
        return self.n - other - less()

    def __iter__(self):
        yield self.K

def rule():
    return Score(1) + 2 - 3, [n for n in Score(1)]
"""
OPERATOR_CHANGES: dict[str, Any] = {
    "in Score.__add__: BONUS was 1, is now 50": lambda p: p["Score"].__add__.__globals__.update(BONUS=50),
    "in less: LESS was 1, is now 2": lambda p: p["less"].__globals__.update(LESS=2),
    "Score.K was 3, is now 4": lambda p: setattr(p["Score"], "K", 4),
    "in Score.__add__: times was 1, is now 2": lambda p: setattr(p["Score"].__add__, "__defaults__", (2,)),
    "Score.__sub__ was Score.__sub__": lambda p: setattr(
        p["Score"].__sub__, "__code__", p["Score"].__add__.__code__
    ),
    "Score.__iter__ was Score.__iter__": lambda p: setattr(p["Score"], "__iter__", lambda self: iter(())),
    "Score.__eq__ was __eq__": lambda p: setattr(p["Score"], "__eq__", lambda self, other: True),
    "Score.__len__ was nothing": lambda p: setattr(p["Score"], "__len__", lambda self: 1),
}


@pytest.mark.parametrize("told", OPERATOR_CHANGES)
def test_changes_of_what_operators_of_a_value_class_read_are_told(told: str) -> None:
    page = executed(OPERATORS)
    watched = Watched(page["rule"])
    again = executed("\n" + OPERATORS)
    page.update({name: thing for name, thing in again.items() if name not in ("__builtins__", "rule")})
    watched.check("World")
    OPERATOR_CHANGES[told](page)
    assert told in refusal(watched)


def test_members_of_an_enum_that_is_defined_again_are_compared_with_their_values() -> None:
    text = "import enum\nclass Level(enum.{}):\n    LOW = {}\ndef rule(level):\n    return Level.LOW, level\n"
    for base in ("IntEnum", "Enum"):
        page = executed(text.format(base, 100))
        watched, with_the_first = (
            Watched(page["rule"]),
            Watched(functools.partial(page["rule"], page["Level"])),
        )
        page["Level"] = executed(text.format(base, 100))["Level"]
        watched.check("World")
        assert "Level.LOW and Level.LOW led to the same " in refusal(with_the_first)
        page["Level"] = executed(text.format(base, 5000))["Level"]
        assert re.search(r"Level.LOW(.value)? was .*100>?, is now .*5000", refusal(watched))


IDENTITY = """
import enum
class Mode:
    pass
class Level(enum.Enum):
    LOW = 1
def greedy(state):
    return 1
def lazy(state):
    return 1
EASY, HARD = Mode(), Mode()
LISTS = [1], [1]
mode, chosen, strategy, level = EASY, LISTS[0], greedy, Level.LOW
def rule(state):
    return mode is EASY, chosen is LISTS[0], chosen is LISTS[1], strategy is greedy, level is Level.LOW
"""


def test_names_that_led_to_one_object_and_lead_to_equal_ones_now_are_told() -> None:
    for name, change in {
        "mode": lambda page: page["HARD"],
        "chosen": lambda page: page["LISTS"][1],
        "strategy": lambda page: page["lazy"],
        "Level": lambda page: executed(IDENTITY)["Level"],
    }.items():
        page = executed(IDENTITY)
        watched = Watched(page["rule"])
        watched.check("World")
        page[name] = change(page)
        assert re.search(rf"\b{name}\b.* (led|lead) to the same ", refusal(watched))


def test_what_a_partial_of_the_librarys_function_gives_it_is_watched_where_a_rule_names_it() -> None:
    page = executed(
        "import functools\nfrom gridarium.rules.reward_functions import living_reward\n"
        "CHECK = functools.partial(living_reward, reward=1.0)\nALL = (functools.partial(living_reward, reward=1.0),)\n"
        "def rule(state):\n    return CHECK(state) + ALL[0](state)\n"
    )
    watched = Watched(page["rule"])
    watched.check("World")
    for changed, what in ((page["CHECK"], "CHECKreward"), (page["ALL"][0], "reward")):
        changed.keywords["reward"] = 2.0
        assert re.search(r"reward was 1.0, is now 2.0", refusal(watched)), what
        changed.keywords["reward"] = 1.0


NOT_ASKED = """
import collections.abc
class Endless(collections.abc.Sequence):
    def __len__(self):
        return 10
    def __getitem__(self, i):
        return i
class Unlisted(collections.abc.Mapping):
    def __getitem__(self, name):
        return 7
    def __iter__(self):
        raise OSError("cannot be listed")
    def __len__(self):
        raise OSError("cannot be counted")
class Counts:
    count = 0
    @property
    def next(self):
        self.count += 1
        return self.count
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        self.count += 1
        return self.count
class Slotted:
    __slots__ = ("level",)
    def __getattr__(self, name):
        raise OSError("asked")
ENDLESS, UNLISTED, COUNTS, SLOTTED = Endless(), Unlisted(), Counts(), Slotted()
COUNTS.count = 0
def rule(state):
    return ENDLESS[1], UNLISTED["a"], COUNTS.next, COUNTS.luck, SLOTTED.level
"""


def test_no_code_of_users_runs_in_order_to_watch_what_is_not_compiled_anyway() -> None:
    page = executed(NOT_ASKED)
    watched = Watched(page["rule"])
    watched.check("World")
    assert page["COUNTS"].count == 0
    with contextlib.suppress(Unhashable):
        fingerprint(page["rule"])
    assert page["COUNTS"].count == 0


def test_ranges_with_the_same_numbers_and_another_end_differ() -> None:
    page = executed("HOURS = range(0, 4, 3)\ndef rule(state):\n    return HOURS.stop\n")
    watched = Watched(page["rule"])
    page["HOURS"] = range(0, 4, 3)
    watched.check("World")
    page["HOURS"] = range(0, 6, 3)
    assert "HOURS was range(0, 4, 3), is now range(0, 6, 3)" in refusal(watched)


def test_all_that_is_defined_again_alike_is_as_it_was() -> None:
    page = executed(IDENTITY)
    watched = Watched(page["rule"])
    page.update({name: thing for name, thing in executed(IDENTITY).items() if name != "rule"})
    watched.check("World")


ATTRIBUTES = """
def near(state):
    return 1
near.weight = 1.0
class Easy:
    level = 1.0
class Hard:
    level = 2.0
class Own(Easy):
    more = 1
class Bag:
    pass
BAG, STATE = Bag(), Easy()
BAG.level = 1.0
ALL = near, STATE, Own, BAG
def rule(state):
    return sum(one.level + one.weight for one in ALL)
"""


def test_attributes_of_what_a_rule_goes_through_are_watched() -> None:
    for change in (
        "near.weight = 2.0",
        "STATE.__class__ = Hard",
        "Own.__bases__ = (Hard,)",
        "BAG.__dict__ = {'level': 2.0}",
    ):
        page = executed(ATTRIBUTES)
        watched = Watched(page["rule"])
        watched.check("World")
        exec(change, page)
        assert " was " in refusal(watched), change


def test_an_operator_that_an_enum_gets_later_is_told() -> None:
    page = executed(
        "import enum\nclass Price(enum.IntEnum):\n    LOW = 1\ndef rule(state):\n    return Price.LOW + 1\n"
    )
    watched = Watched(page["rule"])
    watched.check("World")
    assert operators_of(page["Price"]) == []
    page["Price"].__add__ = lambda self, other: 7
    assert "Price.__add__ was nothing" in refusal(watched)
    assert operators_of(page["Price"]) == ["__add__"]


def test_an_equality_that_a_plain_class_gets_later_is_told() -> None:
    page = executed("class Mode:\n    pass\nA = B = Mode()\ndef rule(state):\n    return A == B\n")
    watched = Watched(page["rule"])
    watched.check("World")
    page["Mode"].__eq__ = lambda self, other: False
    assert "Mode.__eq__ was nothing" in refusal(watched)


def test_a_field_of_a_value_that_is_bound_to_another_is_told() -> None:
    page = executed(
        "from gridarium.compiled.data_types.value_class import value\n@value\nclass Pair:\n    a: int\n    b: int\n"
        "def rule(state):\n    return Pair(1, 2).a\n"
    )
    watched = Watched(page["rule"])
    watched.check("World")
    page["Pair"].a = page["Pair"].b
    assert "Pair was Pair, is now another one" in refusal(watched)


def test_classes_made_in_a_dictionary_without_a_module_name_are_watched() -> None:
    page: Names = {}
    exec("class C:\n    K = 1\ndef rule():\n    return C.K\n", page)
    watched, before = Watched(page["rule"]), fingerprint(page["rule"])
    page["C"].K = 2
    assert "C.K was 1, is now 2" in refusal(watched)
    assert fingerprint(page["rule"]) != before


def test_what_is_equal_has_not_changed(page: Names) -> None:
    watched = Watched(page["rule"])
    again = executed("\n\n\n" + PAGE)
    page.update({name: thing for name, thing in again.items() if name not in ("__builtins__", "rule")})
    watched.check("World")
    page["TABLE"][1][0] = 7
    assert "TABLE[1][0] was 2.0, is now 7" in refusal(watched)


def test_what_no_rule_reads_may_change(page: Names) -> None:
    watched = Watched(page["rule"])
    for name in ("CONFIG", "HANDED", "SLOTTED", "RECORD", "SPACE"):
        page[name].unread = 5
    page["unread"] = page["PAGE"] = 7
    page["Config"].unread = [1]
    watched.check("World")


def test_an_object_that_holds_itself(page: Names) -> None:
    page["TABLE"].append(page["TABLE"])
    watched = Watched(page["rule"])
    page["TABLE"] = copy.deepcopy(page["TABLE"])
    watched.check("World")
    page["TABLE"][0] = 2
    assert "TABLE[0] was 1, is now 2" in refusal(watched)


def test_a_method_as_a_rule(page: Names) -> None:
    watched = Watched(page["CONFIG"].sum)
    page["CONFIG"].width = 2
    watched.check("World")
    page["CONFIG"].odds = 0.25
    assert "rule 'Config.sum': self.odds was 0.5, is now 0.25" in refusal(watched)


def test_nothing_of_this_library_is_watched() -> None:
    assert not Watched(move_agent, functools.partial(move_agent), Key, Wall)


def test_a_property_that_raises_is_no_change(page: Names) -> None:
    page["SPACE"] = type("Failing", (), {"level": property(lambda self: 1 / 0), "__module__": "mine"})()
    watched = Watched(page["rule"])
    watched.check("World")
    page["SPACE"] = page["RECORD"]
    assert "SPACE.level was nothing, is now 1" in refusal(watched)


plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.complex_numbers()
arrays = st.lists(st.floats(), max_size=3).map(np.array)
keys = st.integers(0, 5) | st.text(max_size=2)
nested = st.recursive(
    plain | arrays,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(keys, inner, max_size=3)
        | st.frozensets(plain, max_size=3)
    ),
    max_leaves=12,
)


def rule_that_reads(data: Any) -> Any:
    names = executed("def rule():\n    return DATA")
    names["DATA"] = data
    return names["rule"]


def alike(one: Any, other: Any) -> bool:
    """Whether two nested things are the same for every rule: compared piece by piece, types and signs as well."""
    if type(one) is not type(other):
        return False
    if isinstance(one, float):
        return one.hex() == other.hex()
    if isinstance(one, complex):
        return alike(one.real, other.real) and alike(one.imag, other.imag)
    if isinstance(one, np.ndarray):
        return alike(one.tolist(), other.tolist()) and one.dtype == other.dtype
    if isinstance(one, dict):
        return alike(list(one.items()), list(other.items()))
    if isinstance(one, frozenset):
        return len(one) == len(other) and all(any(alike(a, b) for b in other) for a in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(one == other)


@given(nested, nested)
def test_data_are_refused_exactly_where_they_differ(data: Any, others: Any) -> None:
    rule = rule_that_reads(data)
    watched = Watched(rule)
    watched.check("World")
    rule.__globals__["DATA"] = copy.deepcopy(data)
    watched.check("World")
    rule.__globals__["DATA"] = others
    if alike(data, others):
        watched.check("World")
    else:
        assert "DATA" in refusal(watched)


def spots(data: Any) -> list[tuple[Any, Any]]:
    """All places in nested data that can be assigned to."""
    if isinstance(data, list | np.ndarray):
        own: list[tuple[Any, Any]] = [(data, i) for i in range(len(data))]
        items = list(data) if isinstance(data, list) else []
    elif isinstance(data, dict):
        own, items = [(data, key) for key in data], list(data.values())
    else:
        own, items = [], list(data) if isinstance(data, tuple) else []
    return own + [spot for item in items for spot in spots(item)]


@given(st.lists(nested, min_size=1, max_size=3), st.data())
def test_any_place_in_nested_data_is_seen(data: Any, choose: Any) -> None:
    watched = Watched(rule_that_reads(data))
    holder, place = choose.draw(st.sampled_from(spots(data)))
    before = holder[place]
    holder[place] = 1234.5
    told = refusal(watched)
    assert "DATA[" in told
    assert "1234.5" in told or isinstance(holder, np.ndarray)
    holder[place] = before
    watched.check("World")


def test_another_class_in_place_of_one_that_is_given_is_a_change_even_with_the_same_content() -> None:
    text = "class Gem:\n    worth = 3\n\ndef rule(thing): return isinstance(thing, Gem)"
    page: dict[str, Any] = {"__name__": "a_notebook"}
    exec(text, page)
    rule, first = page["rule"], page["Gem"]
    watched = Watched(rule, first)
    watched.check("The world")
    exec(text, page)  # the cell is run again
    with pytest.raises(StaleProgramError, match="Gem was Gem, is now another one"):
        watched.check("The world")
    page["Gem"] = first
    watched.check("The world")


def test_what_a_color_of_a_class_of_ones_own_has_besides_is_watched_and_part_of_the_key() -> None:
    page = executed(
        "from gridarium.world import Color\nclass Team(Color):\n    __slots__ = ('points',)\nTEAMS = (Team('TEAM', (1, 2, 3)),)\n"
        "object.__setattr__(TEAMS[0], 'points', 1)\ndef rule(state):\n    return sum(team.points for team in TEAMS)\n"
    )
    watched, before = Watched(page["rule"]), fingerprint(page["rule"])
    watched.check("World")
    object.__setattr__(page["TEAMS"][0], "points", 2)
    assert "TEAMS[0].points was 1, is now 2" in refusal(watched)
    assert fingerprint(page["rule"]) != before
