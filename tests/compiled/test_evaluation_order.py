"""What Python evaluates first is evaluated first, or refused."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from numba.core.errors import TypingError

from tests.compiled.compiling import both, compiled, imported, refused

KEPT = {
    "a start behind what is assigned": "for i, n in enumerate(((s := 5), x), s):\n    x += i * n\nreturn x",
    "a start that is called": "for i, n in enumerate((x, 3), abs(x)):\n    x += i * n\nreturn x",
    "two assignments": "return (y := abs(x)) * (z := abs(2)) + y * z",
    "an assigned constant": "return abs(x) + (y := 3) * y",
    "a default that is asked": "return min((n for n in range(x) if n > 9), default=abs(x))",
    "a sum from what is called": "return sum((n for n in range(abs(x))), abs(x))",
    "a default that is not asked": "return min((n + x for n in ITEMS), default=-1)",
    "a generator of constants": "return sum(n for n in constants(x)) + int()",
    "a member behind what is looked for": "return 10 * ((y := abs(x)) in ((z := y), 2)) + z",
    "next or a call": "return next((n for n in range(abs(x)) if n > 5), abs(x))",
}
LATE = "an assignment (:=) after something that it may depend on; make it a statement of its own"
PERHAPS = "an assignment (:=) that may not happen"
LOST = {
    "a start assigned behind the items": ("y = 1\nreturn sum((n for n in range(y)), (y := 3))", LATE),
    "one variable twice": ("return (y := x) + (y := 2)", LATE),
    "behind an attribute": ("c = STUB\nreturn c.more - (y := c.more) + y", LATE),
    "behind an operator": ("c = STUB\nreturn (c + 1) - (y := c + 5) + y", LATE),
    "in the target of a loop": ("for x[(y := 1)] in range(3): pass\nreturn y", PERHAPS),
    "a target without a value": ("STUB.field[x].name: int\nreturn x", "a type without a value; leave it out"),
    "a default of something fixed": (
        "return min((n + x for n in ITEMS), default=abs(x))",
        "min over a fixed sequence that is not empty needs no default",
    ),
    "a start that names the loop's variable": (
        "n = 3\nreturn sum((n for n in range(abs(x))), abs(n))",
        "sum with a variable of its loop beside its items; give it a name first",
    ),
}


PAGE = """\
STUB, ITEMS = None, (1, 2)

def constants(x):
    yield 1
    if x > 2:
        yield 3

def rule(x):
"""


def rule(folder: Path, body: str) -> Any:
    return imported(folder, PAGE + textwrap.indent(body, "    ") + "\n").rule


@pytest.mark.sampled(3)
@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_the_order_is_kept(body: str, tmp_path: Path) -> None:
    for x in (-3, 0, 2):
        both(rule(tmp_path, body), x)


@pytest.mark.parametrize(("body", "why"), LOST.values(), ids=LOST)
def test_what_would_be_evaluated_in_another_order_is_refused(body: str, why: str, tmp_path: Path) -> None:
    assert [reason for _, reason in refused(rule(tmp_path, body))] == [why]


@pytest.mark.exhaustive
def test_asserts_are_left_out_where_python_leaves_them_out(tmp_path: Path) -> None:
    rule(tmp_path, "assert (x := x + 1) > 99\nreturn x")
    (page,) = tmp_path.glob("*.py")
    text = f"from tests.compiled.compiling import compiled\nfrom {page.stem} import rule\nprint(rule(1), compiled(rule)(1))"
    path = os.pathsep.join([str(tmp_path), *sys.path])
    env = {**os.environ, "PYTHONPATH": path}
    run = subprocess.run(
        [sys.executable, "-O", "-c", text], check=True, capture_output=True, text=True, env=env
    )
    assert run.stdout.split() == ["1", "1"]


KEPT_GENERATOR = "a generator cannot be (kept in a variable|handed on); loop over it where it is made"
GENERATORS = {
    "made in a loop": "g = upward(x)\nfor k in range(2):\n    g = upward(k)\nreturn sum(n for n in g)",
    "looped over twice": "z = zip((1, 2), (3, x))\nreturn sum(a for a, _ in z) + sum(b for _, b in z)",
    "counted twice": "z = enumerate((1, x))\nreturn sum(a for a, _ in z) + sum(b for _, b in z)",
    "held by another": "return sum(n for n in interleaved(x))",
}
UPWARD = """\
def upward(n):
    for k in range(n):
        yield k

def interleaved(n):
    g = upward(n)
    for a in g:
        yield a
        for b in g:
            yield b
            break

"""


@pytest.mark.parametrize("body", GENERATORS.values(), ids=GENERATORS)
def test_a_generator_that_is_kept_is_refused(body: str, tmp_path: Path) -> None:
    text = f"{UPWARD}def rule(x):\n{textwrap.indent(body, '    ')}\n"
    with pytest.raises(TypingError, match=KEPT_GENERATOR):
        compiled(imported(tmp_path, text).rule)(3)
