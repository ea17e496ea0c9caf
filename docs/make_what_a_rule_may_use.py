"""Writes what-a-rule-may-use.md from the snippets and differences that the tests run: `python -m docs.make_what_a_rule_may_use`."""

from __future__ import annotations

import ast
import inspect
import itertools
import re
from pathlib import Path
from typing import Any

from tests.compiled import snippets
from tests.compiled.differences import DIFFERENCES, Difference
from tests.compiled.snippets import SNIPPETS, Snippet

PAGE = Path(__file__).parent / "what-a-rule-may-use.md"
INTRODUCTION = """\
# What a rule may use

<!-- Written by docs/make_what_a_rule_may_use.py from tests/compiled/snippets.py and differences.py. Do not edit. -->

A rule is an ordinary Python function. Run interpreted, it may use all of Python. To run compiled it keeps to the part
shown here: every snippet below is run by the tests, and gives the same bytes interpreted and compiled. What does not
is [listed at the end](#where-compiled-code-is-not-python).

What cannot be compiled is refused when the world first runs. The world then runs interpreted, much slower (tens of times in one world, thousands in a batch),
and one warning lists the lines of all its rules that are refused, each with the reason (the first ten of them). What follows from
types comes to light once these are gone, one line at a time. `gridarium check FILE` tells the same at any time.
"""

DIFFERENT = """\
## Where compiled code is not Python

Most of what would not mean the same is refused. What is left is listed here, and the tests run it. Where compiled code
raises an error that Python does not, the world runs that one step interpreted and goes on, with a `RuntimeWarning`.

| what | for example, in row 1 | interpreted | compiled |
| --- | --- | --- | --- |
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
    return "\n".join([*parts, DIFFERENT + "".join(_row(d) for d in DIFFERENCES)])


def _row(difference: Difference) -> str:
    written = ast.parse(inspect.getsource(difference.rule)).body[0]
    assert isinstance(written, ast.FunctionDef)
    example = "<br>".join(f"`{ast.unparse(line)}`" for line in written.body)
    compiled = "an error" if difference.compiled is None else f"`{difference.compiled}`"
    return f"| {difference.remark} | {example} | `{difference.interpreted}` | {compiled} |\n"


def _shown(snippet: Snippet) -> str:
    code = [_source(snippet.rule), *(_helper(name) for name in snippet.helpers)]
    said = re.sub(r"\\(.)", r"\1", snippet.refused)
    reason = f" Refused with: `{said}`." if said else ""
    return f"{snippet.remark}{reason}\n\n```python\n{chr(10).join(code)}```\n"


def _helper(name: str) -> str:
    thing = getattr(snippets, name)
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
