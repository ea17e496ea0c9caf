"""What a compiled program depends on: everything that changes its meaning, and nothing else.

Each change below is made to a module of a small package. What is told apart here is compiled anew by `test_compile`.
"""

from __future__ import annotations

import builtins
import dataclasses
import enum
import functools
import json
import linecache
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from gridarium.compiled.cache.fingerprint import Unhashable, fingerprint, library_digest, names_in
from gridarium.world import Color, Door, Key, Position, Vocabulary, Wall, colors
from gridarium.world.compiled.resolver import WorldResolver

FILES = {
    "far/__init__.py": "",
    "far/away.py": """
        LIMIT = 3
        UNUSED = 1
        RATES = {"slow": 1, "fast": 2}
        """,
    "helpers.py": """
        from helpers_of_helpers import deeper
        OFFSET = 10
        def helper(x):
            return deeper(x) + OFFSET
        """,
    "helpers_of_helpers.py": """
        def deeper(x, step=1):
            return x + step
        """,
    "values.py": """
        import enum
        from dataclasses import dataclass
        from gridarium.compiled.data_types.value_class import value
        @value
        class Spot:
            y: int
            x: int
            @property
            def far(self):
                return self.y > 5
            @staticmethod
            def middle():
                return Spot(4, 4)
            def plus(self, other):
                return Spot(self.y + other.y, self.x + other.x)
        class Base:
            FACTOR = 2
        class Settings(Base):
            BONUS = 7
            def __init__(self):
                self.nothing = 0
        class Mode(enum.Enum):
            SLOW = 1
            FAST = 2
            def is_fast(self):
                return self.value == 2
        @dataclass(frozen=True)
        class Config:
            speed: int = 3
        HOME = Spot(1, 2)
        CONFIG = Config()
        NAMES = frozenset({"a", "b", "c", "d", "e"})
        """,
    "kinds.py": """
        from gridarium.world import GridObject
        class Plant(GridObject):
            POINTS = 1
        class Tree(Plant):
            glyph = "t"
            blocks_movement = True
        """,
    "rules.py": """
        import math
        import far.away
        import values as v
        from helpers import helper
        from kinds import Tree
        from math import sin
        from numpy import sqrt
        def make(bonus):
            def closed(x):
                return x + bonus
            return closed
        closed = make(5)
        def rule(x, *, most=9):
            if v.HOME.far or x > far.away.LIMIT or v.Mode.FAST.is_fast():
                return helper(x) + closed(x) + v.Settings.BONUS + v.Settings.FACTOR
            if x in v.NAMES:
                return v.CONFIG.speed + sqrt(x) + math.cos(x) + sin(x)
            return min(x, most) + sum(y for y in range(Tree.POINTS))
        """,
}

CHANGES = {
    "nothing": None,
    "a comment": ("helpers.py", "def helper(x):", "# a comment\n        def helper(x):"),
    "what no rule reads": ("far/away.py", "UNUSED = 1", "UNUSED = 2"),
    "a glyph": ("kinds.py", 'glyph = "t"', 'glyph = "T"'),
    "a helper": ("helpers.py", "deeper(x) + OFFSET", "deeper(x) - OFFSET"),
    "a helper of a helper": ("helpers_of_helpers.py", "x + step", "x - step"),
    "a default": ("helpers_of_helpers.py", "step=1", "step=2"),
    "a keyword's default": ("rules.py", "most=9", "most=8"),
    "a constant of a helper": ("helpers.py", "OFFSET = 10", "OFFSET = 11"),
    "a constant in a third module": ("far/away.py", "LIMIT = 3", "LIMIT = 4"),
    "the type of a constant": ("far/away.py", "LIMIT = 3", "LIMIT = 3.0"),
    "a constant in a rule": ("rules.py", "range(Tree.POINTS)", "range(Tree.POINTS + 1)"),
    "an operator": ("rules.py", "x > far", "x < far"),
    "a property of a value class": ("values.py", "self.y > 5", "self.y > 6"),
    "a method of a value class": ("values.py", "self.x + other.x", "self.x - other.x"),
    "a static method": ("values.py", "Spot(4, 4)", "Spot(4, 5)"),
    "a field's type": ("values.py", "y: int", "y: float"),
    "a value": ("values.py", "HOME = Spot(1, 2)", "HOME = Spot(2, 2)"),
    "a constant of a class": ("values.py", "BONUS = 7", "BONUS = 8"),
    "a constant of a base class": ("values.py", "FACTOR = 2", "FACTOR = 3"),
    "a member of an enum": ("values.py", "SLOW = 1", "SLOW = 3"),
    "a member of an enum that is exchanged": (
        "values.py",
        "HOME =",
        "type.__setattr__(Mode, 'FAST', Mode.SLOW)\n        HOME =",
    ),
    "a method of an enum": ("values.py", "self.value == 2", "self.value != 2"),
    "a record's default": ("values.py", "speed: int = 3", "speed: int = 4"),
    "an item of a set": ("values.py", '"e"}', '"f"}'),
    "a constant of a kind's base": ("kinds.py", "POINTS = 1", "POINTS = 2"),
    "a flag of a kind": ("kinds.py", "blocks_movement = True", "blocks_movement = False"),
    "a base of a kind": ("kinds.py", "class Tree(Plant):", "class Tree(GridObject):\n            POINTS = 1"),
    "a closure's value": ("rules.py", "make(5)", "make(6)"),
    "a function of numpy": ("rules.py", "import sqrt", "import cbrt as sqrt"),
    "a parameter by position": ("helpers_of_helpers.py", "step=1):", "step=1, /):"),
    "a function of Python": ("rules.py", "import sin", "import tan as sin"),
}
WITHOUT_MEANING = ("nothing", "a comment", "what no rule reads", "a glyph")

PROGRAM = """
import importlib, json, sys, pathlib
from gridarium.compiled.cache.fingerprint import fingerprint
from gridarium.world import Vocabulary
found = {}
start = list(sys.path)
for place in sorted(pathlib.Path.cwd().iterdir()):
    for name in [n for n in sys.modules if n.split(".")[0] in ("far", "helpers", "helpers_of_helpers", "values", "kinds", "rules")]:
        del sys.modules[name]
    sys.path[:] = [str(place), *start]
    importlib.invalidate_caches()
    rules = importlib.import_module("rules")
    found[place.name] = fingerprint(rules.rule, Vocabulary([rules.Tree]))
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def fingerprints(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    """The fingerprint of the rule after each change, as two processes with different hash seeds find it."""
    root = tmp_path_factory.mktemp("packages")
    for name, change in CHANGES.items():
        for file, text in FILES.items():
            path = root / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = textwrap.dedent(text)
            if change is not None and change[0] == file:
                old, new = (part.replace("\n        ", "\n") for part in change[1:])
                assert lines.count(old) == 1, (name, old)
                lines = lines.replace(old, new)
            path.write_text(lines)
    return [
        json.loads(
            subprocess.run(
                [sys.executable, "-B", "-c", PROGRAM],
                check=True,
                capture_output=True,
                text=True,
                cwd=root,
                env={**_environment(), "PYTHONHASHSEED": seed},
            ).stdout
        )
        for seed in ("1", "2")
    ]


def _one(x: int) -> int:
    return x + 1


class OtherPartial(functools.partial):  # type: ignore[type-arg]
    """May be called in another way than a partial."""


class OtherProperty(property):
    """May be read in another way than a property."""


class Claims:
    """Has names that this library and numba use."""

    py_func = _one

    def __fingerprint__(self) -> list[Any]:
        return []


class Store:
    def __init__(self) -> None:
        self.items = {"level": 3}

    def __getattr__(self, name: str) -> int:
        return self.items[name]


STORE = Store()


def level(x: int) -> int:
    return STORE.level + x


def test_an_object_that_answers_any_name_is_not_asked() -> None:
    with pytest.raises(Unhashable, match="a Store, whose content cannot be hashed"):
        fingerprint(level)


def smallest(x: int) -> int:
    return min(x, FACTOR)  # type: ignore[name-defined, no-any-return]  # noqa: F821


def test_builtins_that_are_added_or_replaced_count(monkeypatch: pytest.MonkeyPatch) -> None:
    found, ways = [fingerprint(smallest)], (("FACTOR", 3), ("FACTOR", 4), ("min", max))
    for name, thing in ways:
        monkeypatch.setattr(builtins, name, thing, raising=False)
        found.append(fingerprint(smallest))
    assert len(set(found)) == len(found)


def _environment() -> dict[str, str]:
    import os

    return dict(os.environ)


@pytest.mark.exhaustive
def test_two_processes_find_the_same(fingerprints: list[dict[str, str]]) -> None:
    assert fingerprints[0] == fingerprints[1]


@pytest.mark.parametrize("change", WITHOUT_MEANING)
def test_what_has_no_meaning_does_not_count(change: str, fingerprints: list[dict[str, str]]) -> None:
    assert fingerprints[0][change] == fingerprints[0]["nothing"]


@pytest.mark.parametrize("change", [name for name in CHANGES if name not in WITHOUT_MEANING])
def test_what_has_meaning_counts(change: str, fingerprints: list[dict[str, str]]) -> None:
    others = {name: key for name, key in fingerprints[0].items() if name != change}
    assert fingerprints[0][change] not in others.values()


def typed(text: str, **names: Any) -> Any:
    """A function as a cell of a notebook defines it."""
    filename = f"<cell {hash(text)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    scope: dict[str, Any] = {"__name__": "__main__", **names}
    exec(compile(text, filename, "exec"), scope)
    return scope["rule"]


class TestThings:
    def test_a_rule_in_a_notebook(self) -> None:
        first, again, other = (fingerprint(typed(f"def rule(x):\n    return x + {n}\n")) for n in (1, 1, 2))
        assert first == again != other

    def test_variables_of_a_notebook_that_a_rule_does_not_read(self) -> None:
        text = "def rule(state):\n    return state.agent.position.y + len(state.grid.mask())\n"
        first = fingerprint(typed(text, agent=1, position=2, grid=threading.Lock(), mask=object()))
        assert first == fingerprint(typed(text, agent=threading.Lock(), state=threading.Lock()))

    def test_parameters_of_a_partial(self) -> None:
        def rule(x: int, n: int, m: int) -> int:
            return x + n + m

        keys = [
            fingerprint(functools.partial(rule, **given)) for given in ({"n": 1, "m": 2}, {"m": 2, "n": 1})
        ]
        assert keys[0] == keys[1]
        others = [
            functools.partial(rule, n=1),
            functools.partial(rule, n=2),
            functools.partial(rule, n=1.0),
            rule,
        ]
        assert len({*map(fingerprint, others), keys[0]}) == 5

    def test_methods_classes_and_values(self) -> None:
        things: list[Any] = [
            *(Position(1, 2), Position(2, 1), Position(1, 2).turned, Position.turned, Position),
            *(Key(Color.RED), Key(Color.BLUE), Key, Wall, Color.RED, Color.BLUE),
            *(None, True, 1, 1.0, "1", b"1", (1,), [1], {1: 1}, {1}, frozenset({2}), ..., -0.0, 0.0, 1j),
            *(
                np.arange(3),
                np.arange(3.0),
                np.zeros((3, 1)),
                np.int8(3),
                np.int16(3),
                np.sqrt,
                np.sin,
                len,
                max,
            ),
            *(Vocabulary([]), Vocabulary([Wall]), object.__repr__, str.upper, np, sys),
        ]
        keys = [fingerprint(thing) for thing in things]
        assert len(set(keys)) == len(keys)
        assert keys == [fingerprint(thing) for thing in things]
        assert all(len(key) == 40 for key in keys)

    @pytest.mark.parametrize("made", ["NamedTuple", "slots"])
    def test_a_second_name_for_a_field_counts(self, made: str) -> None:
        found = set()
        for field in ("a", "b"):
            text = {
                "NamedTuple": "class Base(NamedTuple):\n    a: int\n    b: int\n",
                "slots": "@dataclass(slots=True)\nclass Base:\n    a: int\n    b: int\n",
            }[made]
            text += f"class Pair(Base):\n    best = Base.{field}\nPAIR = Pair(1, 2)\n"
            text += "def rule(x):\n    return x + PAIR.best\n"
            found.add(fingerprint(typed(text, NamedTuple=NamedTuple, dataclass=dataclasses.dataclass)))
        assert len(found) == 2

    @pytest.mark.parametrize(
        "text",
        [
            "def h(x):\n    return x\nh._value_ = {}\ndef rule(x):\n    return x + h._value_\n",
            "class T(tuple):\n    pass\nS = T((1, 2))\nS._name_ = {}\ndef rule(x):\n    return x + S._name_\n",
            "class P:\n    _abc_impl = {}\ndef rule(x):\n    return x + P._abc_impl\n",
            "class N(ndarray):\n    unit = {}\nS = zeros(2).view(N)\ndef rule(x):\n    return x + S.unit\n",
            "class N(ndarray):\n    pass\nS = zeros(2).view(N)\nS.unit = {}\ndef rule(x):\n    return x + S.unit\n",
            "class P:\n    __slots__ = ('k',)\n@dataclass\nclass D(P):\n    a: int\nS = D(1)\nS.k = {}\ndef rule(x):\n    return x + S.k\n",
            "class T(str):\n    __slots__ = ('__k',)\nS = T('a')\nS._T__k = {}\ndef rule(x):\n    return x + S._T__k\n",
            "S = range(0, 4, {})\ndef rule(x):\n    return x + S.step\n",
            "class P:\n    k = {}\nP.__module__ = 'gridarium.world.geometry'\ndef rule(x):\n    return x + P.k\n",
            "class P:\n    def __init__(self, k):\n        self.k = k\n    def __fingerprint__(self):\n        return []\n"
            "@dataclass\nclass D:\n    k: int\nS = D({})\ndef rule(x):\n    return x + S.k\n",
        ],
    )
    def test_attributes_count_whatever_they_are_called(self, text: str) -> None:
        names = {"ndarray": np.ndarray, "zeros": np.zeros, "dataclass": dataclasses.dataclass}
        assert fingerprint(typed(text.format(3), **names)) != fingerprint(typed(text.format(4), **names))

    def test_equal_things_count_alike_whether_they_are_one_or_two(self) -> None:
        one = (1, 2)
        assert fingerprint([one, one]) == fingerprint([(1, 2), (1, 2)])
        assert fingerprint([Position(1, 1)] * 2) == fingerprint([Position(1, 1), Position(1, 1)])
        wall = Vocabulary([Wall])
        assert fingerprint(wall, wall) == fingerprint(Vocabulary([Wall]), Vocabulary([Wall]))

    def test_sets_count_alike_in_any_order(self) -> None:
        def one() -> int:
            return 1

        def two() -> int:
            return 2

        assert fingerprint({one, two}) == fingerprint({two, one})
        assert fingerprint({one}) != fingerprint({two})

    def test_whole_numbers_of_any_size(self) -> None:
        assert len({fingerprint(10**5000 + n % 2) for n in range(4)}) == 2

    def test_functions_that_call_each_other(self) -> None:
        scope = {}
        text = "def rule(x):\n    return other(x)\ndef other(x):\n    return rule(x) if x else {}\n"
        for n in (1, 2):
            scope[n] = typed(text.format(n))
        assert fingerprint(scope[1]) != fingerprint(scope[2])
        assert fingerprint(scope[1]) == fingerprint(scope[1])

    def test_a_function_compiled_by_numba(self) -> None:
        import numba

        assert fingerprint(numba.njit(_one)) != fingerprint(numba.njit(_two))

    @pytest.mark.parametrize(
        "thing",
        [
            *(threading.Lock(), object(), np.array([object()]), np.random.default_rng(0), Path(), iter([])),
            *(OtherPartial(_one), OtherProperty(), Claims()),
        ],
        ids=lambda thing: type(thing).__name__,
    )
    def test_what_has_no_content_is_refused_by_name(self, thing: Any) -> None:
        with pytest.raises(
            Unhashable, match=f"thing in rule: an? {type(thing).__name__}, whose content cannot be hashed"
        ):
            fingerprint(typed("def rule(x):\n    return x + thing\n", thing=thing))

    def test_a_closure_that_is_not_filled_yet(self) -> None:
        def make() -> Any:
            def rule(x: int) -> int:
                return x + later

            if len(FILES) < 0:
                later = 1
            return rule

        assert len(fingerprint(make())) == 40


def _two(x: int) -> int:
    return x + 2


def test_the_library_counts_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(Position)
    assert len(library_digest()) == 40
    monkeypatch.setattr("gridarium.compiled.cache.fingerprint.library_digest", lambda: "another version")
    assert fingerprint(Position) != before


def test_rooms_whose_code_few_programs_have_count_by_what_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    from gridarium.ghost.world import round_kernel

    def goes_down(*seen: object) -> int:
        return 1

    before = fingerprint(round_kernel.run)
    monkeypatch.setattr(round_kernel, "greedy_move", goes_down)
    assert fingerprint(round_kernel.run) != before


def test_colors_that_others_declare_do_not_count() -> None:
    before = fingerprint(Color), fingerprint(WorldResolver(Vocabulary([Key, Wall])))
    Color("COLOR_OF_ANOTHER_MODULE", rgb=(1, 2, 3))
    assert (fingerprint(Color), fingerprint(WorldResolver(Vocabulary([Key, Wall])))) == before


def test_what_a_class_derived_from_color_adds_is_part_of_a_program() -> None:
    def tint(weight: int) -> Color:
        made: Any = type("Tint", (Color,), {"weight": weight})("TINT OF A TEST", (1, 2, 3))
        return made  # type: ignore[no-any-return]

    first = fingerprint(tint(5))
    assert fingerprint(tint(5)) == first
    vars(colors)["_by_name"].pop("TINT OF A TEST")
    assert fingerprint(tint(8)) != first


def test_what_leads_back_within_sets_or_too_far_is_not_hashed() -> None:
    text = (
        "@dataclass(eq=False)\nclass Room:\n    level: int\n    exits: object\nHALL, CELLAR = Room(1, set()), Room(2, set())\n"
        "HALL.exits.add(CELLAR)\nCELLAR.exits.add(HALL)\nCHAIN = None\nfor _ in range(2000):\n    CHAIN = Room(1, CHAIN)\n"
        "def back(x):\n    return x + HALL.level\ndef far(x):\n    return x + CHAIN.level\n"
    )
    names: dict[str, Any] = {"__name__": __name__, "dataclass": dataclasses.dataclass}
    exec(text, names)
    for rule in ("back", "far"):
        with pytest.raises(Unhashable, match="too far, or back within sets"):
            fingerprint(names[rule])
        assert names_in(names[rule]) is None


def test_unions_and_defaults_that_are_made_each_time_have_a_hash() -> None:
    text = "@dataclass\nclass Room:\n    exits: list = field(default_factory=list)\nBOTH = {}\ndef rule(x):\n    return BOTH, Room\n"
    names = {
        "dataclass": dataclasses.dataclass,
        "field": dataclasses.field,
        "Wall": Wall,
        "Key": Key,
        "Door": Door,
    }
    keys = [
        fingerprint(typed(text.format(both), **names)) for both in ("Wall | Key", "Wall | Key", "Wall | Door")
    ]
    assert keys[0] == keys[1] != keys[2]


def test_the_names_of_a_member_count() -> None:
    text = "class Price(IntEnum):\n    CHEAP = 1\n    DEAR = 5\n    {} = 1\n    {} = 5\ndef rule(x):\n    return Price.APPLE\n"
    names = {"IntEnum": enum.IntEnum}
    keys = [
        fingerprint(typed(text.format(*both), **names)) for both in (("APPLE", "PEAR"), ("PEAR", "APPLE"))
    ]
    assert keys[0] != keys[1]


def test_the_names_of_a_dataclasss_fields_count() -> None:
    text = (
        "@dataclass(init=False, eq=False, repr=False)\nclass Pair:\n    {}: int\n    {}: int\n    def __init__(self, **given):\n"
        "        vars(self).update(given)\nPAIR = Pair({})\ndef rule(x):\n    return PAIR.a\n"
    )
    made = [text.format("a", "b", "a=1, b=5"), text.format("b", "a", "a=5, b=1")]
    keys = [fingerprint(typed(one, dataclass=dataclasses.dataclass)) for one in made]
    assert keys[0] != keys[1]


def test_fields_that_are_not_set_yet_are_left_out() -> None:
    text = "@dataclass\nclass Room:\n    level: int\n    cache: int = field(init=False)\nROOM = Room(1)\ndef rule(x):\n    return ROOM.level\n"
    rule = typed(text, dataclass=dataclasses.dataclass, field=dataclasses.field)
    before = fingerprint(rule)
    rule.__globals__["ROOM"].cache = 2
    assert fingerprint(rule) != before
