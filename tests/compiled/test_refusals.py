"""All that the source pass refuses in a world's rules is told at once."""

from __future__ import annotations

import re
import textwrap
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gridarium import Spec, World
from gridarium.compiled.source_pass.refusals import MOST, Refusal
from gridarium.compiled.source_pass.source import Unsupported
from tests.compiled.compiling import compiled, imported, linker, refused

FINE = ("a = b + 1", "b += a", "c = a\nb = c", "if a > b:\n    d = 1\nelse:\n    d = 2\nb = d")
WRONG = (
    "a = len([1, 2])",
    "e = {}\nb = e",
    "print(a)",
    "import os\nos.getcwd()",
    "def inner(x):\n    return x\nb = inner(a)",
    "b = (lambda x: x)(a)",
    "f = f'{a}'",
    "a = undefined_name",
    "while (g := b) > 3:\n    b -= g",
)
AROUND = ("if a > b:", "for i in range(3):", "while b < 0:", "if (lambda: 1)():", "with open('x') as file:")


def indented(text: str) -> str:
    return textwrap.indent(text, "    ")


blocks = st.recursive(
    st.sampled_from((*FINE, *WRONG)),
    lambda inner: st.builds(
        lambda around, parts: f"{around}\n" + indented("\n".join(parts)),
        st.sampled_from(AROUND),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)
BEGINS_WRONG = {text.partition("\n")[0] for text in (*WRONG, *AROUND[3:])}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(blocks, max_size=4))
def test_each_wrong_line_is_told_and_no_other(parts: list[str], tmp_path: Path) -> None:
    text = "def rule(a, b):\n" + indented("\n".join([*parts, "return a"])) + "\n"
    wanted = [i for i, line in enumerate(text.splitlines(), 1) if line.strip() in BEGINS_WRONG]
    assert [line for line, _ in refused(imported(tmp_path, text).rule)] == wanted


def test_what_follows_from_something_refused_is_not_told_as_well(tmp_path: Path) -> None:
    text = """\
        def rule(state):
            global there
            there = state
            try:
                found = there
            except ValueError as error:
                raise error
            import os as system
            names = [found]
            for name in names:
                name.append(system)
            return names
    """
    told = refused(imported(tmp_path, textwrap.dedent(text)).rule)
    assert [line for line, _ in told] == [2, 4, 8, 9]


def test_helpers_loops_and_every_variable_that_may_be_unset_count(tmp_path: Path) -> None:
    text = """\
        def helper(x):
            return len({x})

        def rule(state):
            if state > 1:
                a = b = 1
            total = sum(len([x]) for x in range(3))
            for f in (helper, abs):
                total += helper(state) + len({})
            return a + b + total
    """
    told = refused(imported(tmp_path, textwrap.dedent(text)).rule)
    assert [line for line, _ in told] == [2, 7, 9, 10, 10]
    assert [reason for line, reason in told if line == 10] == [
        f"{name} may not be set here; give it a value first" for name in "ab"
    ]


def test_ten_are_told_in_full(tmp_path: Path) -> None:
    body = "\n".join(f"    print({i})" for i in range(MOST + 3))
    with pytest.raises(Unsupported) as caught:
        linker().link_whole(imported(tmp_path, f"def rule(state):\n{body}\n").rule)
    lines = str(caught.value).splitlines()
    assert len(lines) == MOST + 1 and lines[-1] == "and 3 more"
    assert re.fullmatch(r"rule \(.*refused_\d+\.py, line 2\): print works interpreted only", lines[0])


def test_a_linker_does_not_keep_what_was_refused(tmp_path: Path) -> None:
    module = imported(
        tmp_path, "def rule(state):\n    print(state)\n\ndef fine(state):\n    return state + 1\n"
    )
    links = linker()
    for _ in range(2):
        with pytest.raises(Refusal, match="print works interpreted only"):
            links.link_whole(module.rule)
    with pytest.raises(Unsupported, match="print works interpreted only"):
        links.link(module.rule)
    assert links.link_whole(module.fine) is links.link(module.fine)


# in a world


def loud(state: Any, action: Any) -> None:
    print(state)
    state.agent.position = chosen([state.agent.position])


def chosen(positions: Any) -> Any:
    return len({*positions})


def wordy(state: Any, action: Any, next_state: Any) -> float:
    return float(len(f"{action}"))


def patient(state: Any, action: Any, next_state: Any) -> bool:
    try:
        return bool(next_state.tick > 3)
    finally:
        assert action


def test_all_rules_of_a_world_are_told_in_one_warning() -> None:
    world = World(
        Spec.build(
            name="Wrong",
            shape=(4, 4),
            objects=["Floor", "Wall", "Exit"],
            reset="empty",
            transitions=["move_agent", loud],
            rewards=[wordy, "reach_exit"],
            terminations=[patient],
        )
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert not world.composed.compiled
    (warning,) = caught
    told = re.findall(r"^(\w+) \(.*test_refusals\.py, line \d+\): (.+)$", str(warning.message), re.MULTILINE)
    assert told == [
        ("loud", "print works interpreted only"),
        ("loud", "a list cannot be built in compiled code; write a tuple"),
        ("chosen", "a set cannot be built in compiled code; write a tuple"),
        ("wordy", "text cannot be made in compiled code"),
        ("patient", "try/except cannot be compiled"),
    ]


def test_a_library_function_that_works_interpreted_only_is_told_where_it_is_called(tmp_path: Path) -> None:
    text = """\
        from gridarium.world import State

        def rule(state):
            first = State.blank((3, 3))
            second = State.blank((4, 4))
            return 1
    """
    told = refused(imported(tmp_path, textwrap.dedent(text)).rule)
    assert [line for line, _ in told] == [4, 5]
    assert all("works interpreted only" in reason for _, reason in told)


EIGHT, HALF = np.uint8(200), np.float64(0.5)


def compares_by_equality(a: int) -> int:
    return -(EIGHT == 0) + a


def compares_by_order(a: int) -> int:
    return -(HALF < 1) + a


def chooses(a: int) -> int:
    return a if EIGHT != 200 else 1


@pytest.mark.parametrize("function", [compares_by_equality, compares_by_order, chooses])
def test_constants_of_numpy_are_not_compared_at_compile_time(function: Any) -> None:
    ((_, reason),) = refused(function)
    assert "is a number of numpy, which computes otherwise" in reason


NO_LINE_OF_ITS_OWN = {
    "a partial by position": (
        "return partly(2)\n\ndef two(a, b): return a + b\n\nimport functools\npartly = functools.partial(two, 1)",
        2,
        "a partial with positional arguments; name them",
    ),
    "too many branches": (
        "if x == 0: return 0\n"
        + "".join(f"    elif x == {k}: return {k}\n" for k in range(1, 1000))
        + "    return 1",
        1,
        "its expressions or branches are nested too deeply",
    ),
}


SAYS_WHAT_TO_WRITE = {
    "any of a tuple": ("return any((x > 3, x < 1))", 2, "any cannot be used in compiled code; write any(x for x in ...)"),
    "sorted": (
        "return sorted((x, 1))[0]", 2,
        "sorted cannot be used in compiled code; write a loop that keeps the least, or sort what is constant outside of the rule",
    ),
    "a named tuple": (
        "return Cost(x).step\n\nfrom typing import NamedTuple\nclass Cost(NamedTuple):\n    step: int", 2,
        "Cost is a type; objects of classes decorated with @value can be made, and kinds be asked for by isinstance",
    ),
    "an attribute by its name": ("return getattr(x, 'worth', 0)", 2, "getattr cannot be used in compiled code; write thing.name"),
    "a member by its number": (
        "return Season(x) == Season.DRY\n\nimport enum\nclass Season(enum.Enum):\n    DRY = 0", 2,
        "Season: a member is not looked up by its number, nor are members counted; compare numbers, name members, or make the object, as `Door(1)`",
    ),
    "a loop that is left": (
        "for k, w in enumerate(W):\n        if w > x: break\n    return k\n\nW = (0.1, 0.9)", 2,
        "break, continue or else in a loop over a fixed sequence; write for k in range(len(ITEMS)), and ITEMS[k]",
    ),
    "a pattern": (
        "match x:\n        case (0, _): return 1\n    return 0", 3,
        "match sequence cannot be compiled; write if and elif, with == and isinstance",
    ),
    "a function with a cache": (
        "return cached(x)\n\nimport functools\n@functools.lru_cache\ndef cached(x):\n    return x", 2,
        "cached is a _lru_cache_wrapper; take the cache off: compiled functions are fast without",
    ),
    "a method of a dict": (
        "return TABLE.get(x, 0)\n\nTABLE = {1: 2}", 2,
        "TABLE.get is a builtin_function_or_method; write TABLE[key], or a function with if and elif",
    ),
    "itertools": (
        "return sum(a for a in itertools.chain((x,), (x,)))\n\nimport itertools", 2,
        "itertools.chain is a type; write loops, and fields of the state for what is kept",
    ),
    "Python's library": (
        "return statistics.mean(a for a in range(x))\n\nimport statistics", 2,
        "statistics.mean is of Python's library, which cannot be compiled; write a loop or a function",
    ),
    "a class": ("return type(x) is Gem\n\nclass Gem:\n    pass", 2, "`is` asks for one and the same object; write isinstance(x, Gem)"),
    "an equal text": ('return MODE is "fast"\n\nMODE = "fast"', 2, "`is` asks for one and the same object; write =="),
    "an equal number": ("return 1 if LIMIT is not OTHER else x\n\nLIMIT, OTHER = 1000, 1000", 2, "`is` asks for one and the same object; write =="),
    "an equal value": ("return 1 if HOME is GOAL else x\n\nfrom gridarium.world import Position\nHOME, GOAL = Position(1, 1), Position(1, 1)", 2,
        "`is` asks for one and the same object; write =="),
    "an equal partial": ("return 1 if F is G else x\n\nimport functools\nF, G = functools.partial(min, 1), functools.partial(min, 1)", 2,
        "`is` asks for one and the same object; write =="),
    "an equal array": ("return 1 if A is B else x\n\nimport numpy as np\nA, B = np.zeros(2), np.zeros(2)", 2,
        "`is` asks for one and the same object; write =="),
    "lists of one and the same NaN": (
        "return 1 if A == B else x\n\nimport math\nA, B = [math.nan], [math.nan]", 2,
        "the list [nan] can be looped over, indexed and searched in compiled code, nothing else; write a tuple",
    ),
    "an equal range": ("return 1 if A is B else x\n\nA, B = range(3), range(3)", 2, "`is` asks for one and the same object; write =="),
    "what an array has besides its numbers": (
        "return x if A.base is None else 0\n\nimport numpy as np\nA = np.zeros(2)", 2,
        "A.base is a property or the like, which is asked anew each time; call a function",
    ),
    "an attribute that is kept in C": (
        "return E.args[0]\n\nclass Own(Exception):\n    pass\nE = Own(1)", 2,
        "E.args is a property or the like, which is asked anew each time; call a function",
    ),
    "an aside of a value": (
        "return P.note\n\nfrom gridarium.compiled.data_types.value_class import value\n@value\nclass Place:\n    a: int\n"
        "    __asides__ = ('note',)\nP = Place(1)\nobject.__setattr__(P, 'note', 2)", 2,
        "P.note is an aside, and no part of the value; make it a field",
    ),
    "kinds in a list": (
        "return isinstance(x, KINDS)\n\nfrom gridarium.world import Floor, Wall\nKINDS = [Floor, Wall]", 2,
        "isinstance takes classes in a tuple, not in a list",
    ),
    "a tuple of kinds and a kind": (
        "return isinstance(x, (Floor, Wall) | Key)\n\nfrom gridarium.world import Floor, Key, Wall", 2,
        "isinstance with a class that is not known before compiling",
    ),
    "members that hash themselves": (
        "return x in LEVELS\n\nimport enum\nclass Level(enum.IntEnum):\n    LOW = 1\n    def __hash__(self):\n        return hash(self.name)\n"
        "LEVELS = {Level.LOW, 2}", 2,
        "Level has __hash__ of its own; members are compared, nothing else",
    ),
    "a property of a class": (
        "return Level.low\n\nclass Level:\n    @classmethod\n    @property\n    def low(cls):\n        return 1", 2,
        "Level.low is a property or the like, which is asked anew each time; call a function",
    ),
    "a class that chooses its instances": (
        "return isinstance(x, Any)\n\nclass Meta(type):\n    def __instancecheck__(cls, thing): return True\nclass Any(metaclass=Meta):\n    pass", 2,
        "isinstance with Any, whose metaclass Meta chooses its instances; leave that out, and derive from the class",
    ),
    "an abstract base class": (
        "return isinstance(x, Movable)\n\nimport abc\nclass Movable(abc.ABC):\n    pass", 2,
        "isinstance with Movable, whose metaclass ABCMeta chooses its instances; leave that out, and derive from the class",
    ),
    "an attribute set on a member of Python's": (
        "return SIGNAL.cost\n\nimport signal\nSIGNAL = signal.SIGINT\nSIGNAL.cost = 1.0", 2,
        "SIGNAL.cost is set on what belongs to this library or Python; give it a place of your own",
    ),
    "flags": (
        "return x & ~Bits.A\n\nimport enum\nclass Bits(enum.IntFlag):\n    A = 1\n    B = 2", 2,
        "members of Bits are flags, of which Python keeps the known bits only; write Bits.A.value, or a constant FLAG = int(Bits.A)",
    ),
    "an item that a loop assigns": (
        "for i, x.arr[i] in enumerate((2, 1)):\n        pass", 2,
        "a loop that assigns something else than variables; do so in its first statement",
    ),
    "in the loop of a sum": ("return sum(sorted((x, y))[0] for y in range(3))", 2, "sorted cannot be used in compiled code; "
        "write a loop that keeps the least, or sort what is constant outside of the rule"),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize(("body", "line", "why"), SAYS_WHAT_TO_WRITE.values(), ids=SAYS_WHAT_TO_WRITE)
def test_a_refusal_says_what_to_write_and_in_which_rule(
    body: str, line: int, why: str, tmp_path: Path
) -> None:
    rule = imported(tmp_path, f"def rule(x):\n    {body}\n").rule
    assert refused(rule) == [(line, why)]
    with pytest.raises(Unsupported) as caught:
        compiled(rule)
    assert caught.value.function == "rule"


@pytest.mark.parametrize(("body", "line", "why"), NO_LINE_OF_ITS_OWN.values(), ids=NO_LINE_OF_ITS_OWN)
def test_the_rule_and_its_line_are_told(body: str, line: int, why: str, tmp_path: Path) -> None:
    assert refused(imported(tmp_path, f"def rule(x):\n    {body}\n").rule) == [(line, why)]
