"""Which names of a function are its variables, the module's, or the source pass's own: as Python decides, or refused."""

from __future__ import annotations

import functools
import textwrap
from pathlib import Path
from typing import Any

import pytest

from gridarium.compiled.data_types.primitives import trusted
from gridarium.compiled.data_types.vectors import new_integers
from gridarium.compiled.source_pass.resolver import is_primitive
from gridarium.compiled.source_pass.source import Unsupported, read_unit
from tests.compiled.compiling import both, compiled, imported, refused

MODULE = """\
MODE, LIMIT, COUNT = "a", 2, 0

def scale(x):
    return 2 * x

def counted():
    return COUNT

def late():
    return 1
    yield 2

def rule(x):
"""
UNSET = "may not be set here; give it a value first"
GLOBAL = "global variables cannot be assigned in compiled code"
YIELD = "a yield that is never reached, which makes this a generator that does nothing; remove it"

NEVER_REACHED = {
    "assigned behind a return": ("return abs(x)\nabs = 5", 14, f"abs {UNSET}"),
    "only annotated": ("abs: int\nreturn abs(x)", 15, f"abs {UNSET}"),
    "a function": ("if MODE == 'b':\n    def scale(x): return x\nreturn scale(x)", 16, f"scale {UNSET}"),
    "an import": ("if MODE == 'b':\n    import math as LIMIT\nreturn LIMIT", 16, f"LIMIT {UNSET}"),
    "a class": ("if MODE == 'b':\n    class LIMIT: pass\nreturn LIMIT", 16, f"LIMIT {UNSET}"),
    "an exception": (
        "return LIMIT\ntry: scale(x)\nexcept ValueError as LIMIT: pass", 14, f"LIMIT {UNSET}"
    ),
    "deleted": ("if MODE == 'b':\n    del LIMIT\nreturn LIMIT", 16, f"LIMIT {UNSET}"),
    "in a generator expression": (
        "if MODE == 'b':\n    LIMIT = 3\nreturn sum(LIMIT + n for n in range(x))", 16, f"LIMIT {UNSET}"
    ),
    "declared as global": ("if MODE == 'b':\n    global COUNT\nCOUNT = 5\nreturn counted()", 15, GLOBAL),
    "a yield behind a return": ("return x\nyield x", 15, YIELD),
    "a yield in another mode": ("if MODE == 'b':\n    yield x", 15, YIELD),
    "a yield in a helper": ("return 1 if late() else 2", 11, YIELD),
}  # fmt: skip


@pytest.mark.parametrize(("body", "line", "why"), NEVER_REACHED.values(), ids=NEVER_REACHED)
def test_statements_that_are_never_reached_decide_what_a_name_is(
    body: str, line: int, why: str, tmp_path: Path
) -> None:
    rule = imported(tmp_path, MODULE + textwrap.indent(body, "    ") + "\n").rule
    assert refused(rule) == [(line, why)]


def test_what_is_never_reached_is_not_compiled(tmp_path: Path) -> None:
    body = "if MODE == 'b':\n    import os\n    return os.getcwd()\nreturn scale(x)\nprint(x)"
    both(imported(tmp_path, MODULE + textwrap.indent(body, "    ") + "\n").rule, 3)


def test_a_variable_that_is_only_declared_is_nothing(tmp_path: Path) -> None:
    for body in (
        "LIMIT: int\nreturn x + 1",
        "LIMIT: int\nLIMIT = 2\nfor i in range(x):\n    LIMIT += i\nreturn LIMIT",
    ):
        both(imported(tmp_path, MODULE + textwrap.indent(body, "    ") + "\n").rule, 3)


def made(filled: bool) -> Any:
    def rule(x: int) -> int:
        return limit + x

    if filled:
        limit = 3
    return rule


def test_variables_of_an_enclosing_function_may_be_unset() -> None:
    both(made(True), 4)
    with pytest.raises(Unsupported, match="the name 'limit' is not defined"):
        compiled(made(False))


# names of the source pass's own

OWN_NAMES = """\
from math import sqrt
ITEMS = (1, 0)

def is_float(v):
    return v > 2

def with_lost(a, b):
    return a * 3 + b

def bool(x):
    return x > 5

def range_of(n):
    for i in range(n - 5):
        yield i

range_of.__name__ = "range"

def owner(x):
    return x

owner.__name__ = "_given_0"

def RuntimeError(x):
    return x * 2

class Spot:
    pass

"""
OF_USERS = {
    "counts": "return sum(1 for n in range(5) if is_float(n)) + x",
    "adds": "return sum(with_lost(n, 1) for n in range(x))",
    "any_of": "first = bool(3)\nreturn any(n + x for n in ITEMS)",
    "raises": "RuntimeError(x)\nif x > 99:\n    raise ValueError\nreturn x",
    "gives": "a = b = owner(x)\nc = d = b\nreturn a + b + c + d",
}  # fmt: skip


@pytest.mark.parametrize("name", OF_USERS)
def test_names_of_users_do_not_replace_those_of_the_source_pass(name: str, tmp_path: Path) -> None:
    text = f"{OWN_NAMES}def {name}(x):\n" + textwrap.indent(OF_USERS[name], "    ")
    both(getattr(imported(tmp_path, text), name), 3)


def test_a_function_called_range_may_give_nothing(tmp_path: Path) -> None:
    text = f"{OWN_NAMES}def rule(x):\n    for n in range_of(5):\n        last = n\n    return last\n"
    assert [reason for _, reason in refused(imported(tmp_path, text).rule)] == [f"last {UNSET}"]


# attributes that say what a function is


@trusted
def trusted_one(x: int) -> int:
    return x


@functools.wraps(new_integers)
def twice_as_many(scratch: Any, count: int) -> Any:
    return new_integers(scratch, 2 * count)


@functools.wraps(trusted_one)
def not_trusted(x: int) -> int:
    return x


def first(items: Any) -> int:
    return 100


first.__module__, first.__name__ = "builtins", "sum"


def asks_first(x: int) -> int:
    return first(n for n in range(x))


def test_a_function_that_has_taken_over_attributes_of_another_is_not_taken_for_it() -> None:
    assert is_primitive(new_integers)
    assert not is_primitive(twice_as_many)
    assert read_unit(trusted_one).is_library_code
    assert not read_unit(not_trusted).is_library_code
    with pytest.raises(Unsupported, match="a generator expression outside any, all, sum"):
        compiled(asks_first)


def test_functions_of_ones_own_may_be_called_like_pythons(tmp_path: Path) -> None:
    text = (
        "def len(x):\n    return x + 5\n\ndef range(x):\n    return len(x) * 2\n\ndef rule(x):\n    return range(x) + len(x)\n\n"
        "def plain(x):\n    return x * 3\n"
    )
    module = imported(tmp_path, text)
    for name in ("rule", "len", "range", "plain"):
        both(getattr(module, name), 3)
