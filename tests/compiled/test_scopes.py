"""Which names of a function are its variables, the module's, or the source pass's own: as Python decides, or refused."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest

from gridarium.compiled.source_pass.source import Unsupported
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
