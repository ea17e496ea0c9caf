"""Writes what-a-rule-may-use.md from the snippets and differences that the tests run: `python -m docs.make_what_a_rule_may_use`."""

from __future__ import annotations

import ast
import inspect
import itertools
import math
import re
from pathlib import Path
from typing import Any

from gridarium.compiled.numba_backend import numeric_semantics, type_rules
from tests.compiled import snippets
from tests.compiled.differences import DIFFERENCES, Difference
from tests.compiled.snippets import SNIPPETS, Snippet

PAGE = Path(__file__).parent / "what-a-rule-may-use.md"
INTRODUCTION = """\
# What a rule may use

<!-- Written by docs/make_what_a_rule_may_use.py from tests/compiled/snippets.py and differences.py. Do not edit. -->

A rule is an ordinary Python function. Interpreted, it may use all of Python. To run compiled, it must use the subset shown here:
the tests run every snippet below and check that it gives the same bytes interpreted and compiled.

There are no silent differences. Code that is not known to mean the same is rejected when the world first runs. The world then
runs interpreted, much slower (tens of times in one world, thousands in a batch), and one warning lists the rejected lines of all
its rules, each with the reason and an alternative (the first ten of them). Type errors are reported once these are fixed, one
line at a time. `gridarium check FILE` reports the same at any time.
"""

PROVED = """\
## Operations on numbers

These are all operators and functions of numbers that compiled code supports. `tests/compiled/test_proved.py` compares each of
them with Python's, bit for bit, on edge cases and on random numbers; all other operations on numbers are rejected.

| | |
| --- | --- |
"""
RAISES = """\
## Where compiled code raises and Python does not

The world then runs that step interpreted, which is correct but slow, and continues, with a `RuntimeWarning`.

| what | for example, in row 1 | Python gives |
| --- | --- | --- |
"""


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION]
    for section, group in itertools.groupby(SNIPPETS, key=lambda s: s.section):
        listed = list(group)
        parts.append(f"## {section}\n")
        parts += [_shown(s) for s in listed if not s.refused]
        refused = [s for s in listed if s.refused]
        if refused:
            parts.append("### Not compiled\n")
            parts += [_shown(s) for s in refused]
    return "\n".join([*parts, _proved(), RAISES + "".join(_row(d) for d in DIFFERENCES)])


def _proved() -> str:
    """The tables of the compiler."""
    whole = [type_rules.SHOWN[o] for o in (*type_rules.WHOLE_RESULT, *type_rules.BITS)]
    real = [type_rules.SHOWN[o] for o in type_rules.REAL_OPERATORS]
    functions = [
        *numeric_semantics.FUNCTIONS,
        *numeric_semantics.CHOICES,
        *(f for f in type_rules.CALLS if f in (abs, bool, float)),
    ]
    of_math = [f"math.{f.__name__}" for f in functions if getattr(math, f.__name__, None) is f]
    built_in = [f.__name__ for f in functions if f.__module__ == "builtins"]
    rows = {
        "whole numbers and truth values": ["/", "**", *whole],
        "with a float": ["**", *real],
        "comparisons of any two": [type_rules.SHOWN[o] for o in type_rules.COMPARED],
        "on the left": ["-", "+", "~", "not"],
        "Python's functions": sorted(built_in),
        "of `math`": sorted(of_math),
    }
    return PROVED + "".join(
        f"| {what} | {' '.join(f'`{_escaped(x)}`' for x in how)} |\n" for what, how in rows.items()
    )


def _escaped(sign: str) -> str:
    return sign.replace("|", "\\|")


def _row(difference: Difference) -> str:
    written = ast.parse(inspect.getsource(difference.rule)).body[0]
    assert isinstance(written, ast.FunctionDef)
    example = "<br>".join(f"`{ast.unparse(line)}`" for line in written.body)
    return f"| {difference.remark} | {example} | `{difference.interpreted}` |\n"


def _shown(snippet: Snippet) -> str:
    code = [_source(snippet.rule), *(_helper(name) for name in snippet.helpers)]
    said = re.sub(r"\\(.)", r"\1", snippet.refused)
    reason = f" Refused with: `{said}`." if said else ""
    return f"{snippet.remark}{reason}\n\n```python\n{chr(10).join(code)}```\n"


def _helper(name: str) -> str:
    thing = inspect.unwrap(getattr(snippets, name))
    if (inspect.isfunction(thing) and thing.__name__ != "<lambda>") or isinstance(thing, type):
        return "\n" + _source(thing)
    lines = inspect.getsource(snippets).splitlines()
    return "\n" + next(line for line in lines if line.startswith(f"{name} = ")) + "\n"


def _source(thing: Any) -> str:
    lines = inspect.getsource(thing).splitlines()
    while lines[0].startswith(("@may", " ", ")")):
        lines.pop(0)
    return re.sub(r"  # noqa.*|, register=False", "", "\n".join(lines)) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
