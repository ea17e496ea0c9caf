"""Condenses numba's errors to a few lines: rule, file, line and reason."""

from __future__ import annotations

import ast
import builtins
import difflib
import linecache
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from gridarium.compiled.cache import store
from gridarium.compiled.data_types.value_class import shown_name
from gridarium.compiled.source_pass.generated_pages import is_page, rule_called, source_location
from gridarium.compiled.source_pass.source import LIBRARY

MOST_REASONS = 3
_OPERATORS = dict(
    zip(
        [
            "add",
            "sub",
            "mul",
            "truediv",
            "floordiv",
            "mod",
            "pow",
            "eq",
            "ne",
            "lt",
            "le",
            "gt",
            "ge",
            "and_",
            "or_",
            "xor",
            "lshift",
            "rshift",
            "neg",
            "getitem",
            "setitem",
            "contains",
            "invert",
            "matmul",
            "not_",
        ],
        [
            "+",
            "-",
            "*",
            "/",
            "//",
            "%",
            "**",
            "==",
            "!=",
            "<",
            "<=",
            ">",
            ">=",
            "&",
            "|",
            "^",
            "<<",
            ">>",
            "-",
            "[]",
            "[]=",
            "in",
            "~",
            "@",
            "not",
        ],
        strict=True,
    )
)


def explain(message: str, rules: Mapping[str, Callable[..., Any]] | None = None) -> str:
    """Summarize a numba error in at most five lines: the rule and its line, and up to three reasons.

    Args:
        message: numba's message.
        rules: the rules by name in the composed source.
    """
    reasons = list(dict.fromkeys(_reasons(_readable(message))))[:MOST_REASONS]
    return "\n".join([_source_location(message, rules or {}), *(f"  {reason}" for reason in reasons)])


# where


def _source_location(message: str, rules: Mapping[str, Callable[..., Any]]) -> str:
    """`rule (file, line N): source`, for the innermost line in user code, or else in a built-in rule.

    Problems with the call or the result of a rule are reported at its `def`.
    """
    frames = [
        (match[1] or match[3], int(match[2] or match[4]))
        for match in re.finditer(r" at (.+) \((\d+)\)$|File \"(.+?)\", line (\d+)", message, re.MULTILINE)
        if "numba/" not in (match[1] or match[3])
    ]
    if not frames:
        return "a rule"
    path, line = min(frames, key=lambda frame: _distance(frame[0]))
    if is_page(path) and (rule := rule_called(path, line, rules)) is not None:
        path, line = source_location(rule) or (path, line)
    known = path if path.startswith("<") else str(Path(path).absolute())
    source = linecache.getline(known, line).strip()
    return f"{_function(known, line)} ({known}, line {line}): {source}".rstrip(": ")


def _distance(path: str) -> int:
    """A file's distance from the user: 0 for user code, 1 for built-in rules, 2 for composed source, 3 otherwise."""
    if is_page(path):
        return 2
    whole = Path(path).resolve()
    if whole.is_relative_to(LIBRARY.resolve() / "rules"):
        return 1
    return (
        3 if whole.is_relative_to(LIBRARY.resolve()) or whole.is_relative_to(store.folder().resolve()) else 0
    )


def _function(path: str, line: int) -> str:
    try:
        tree = ast.parse("".join(linecache.getlines(path)))
    except SyntaxError:
        return "a rule"
    around = [
        n
        for n in ast.walk(tree)
        if isinstance(n, ast.FunctionDef) and n.lineno <= line <= (n.end_lineno or 0)
    ]
    return max(around, key=lambda n: n.lineno).name if around else "a rule"


# why


def _readable(message: str) -> str:
    """The message with user-facing names of types."""
    text = _without_members(message)
    for pattern, replacement in _NAMES:
        text = re.sub(pattern, replacement, text)
    return text


_NAMES = (
    (r"Literal\[(\w+)\]\([^)]*\)", r"\1"),
    (r"(?:view|array)\([^)]*\)", "array"),
    (r"\brange_state_int64\b", "range"),
    (r"(?:[\w.]+ )?generator\(func=.*?has_finalizer=\w+\)", "a generator"),
    (r"\bSymbol\b", "text, color or enum member"),
    (r"\bint64\b", "int"),
    (r"\bfloat64\b", "float"),
    (r"(?:(?<=\()|(?<=, ))none(?=[),])", "None"),
    (r"OptionalType\(([^()]*)\)", r"\1 or None"),
    (r"UniTuple\((\w+) x (\d+)\)", r"tuple of \2 \1"),
    (r"\bTuple\(", "tuple("),
    (r"omitted\(default=([^)]*)\)", r"\1"),
    (r"BoundFunction\(\(<class '[\w.]*?(\w+)Type'>, '(\w+)'\) for [^()]*\)", r"method \1.\2"),
    (r"type\(CPUDispatcher\(<function (\w+) at 0x\w+>\)\)", r"\1"),
    (r"Function\(<(?:class|function|built-in function) '?(?:[\w.]+\.)?(\w+)'?(?: at 0x\w+)?>\)", r"\1"),
    (r"No definition for lowering .*\(None,\) -> bool", "None is no truth value; write False"),
)


def _without_members(text: str) -> str:
    """`package.module.Class(types of its members)` as `Class`."""
    out, rest = "", text
    while match := re.search(r"(?:\w+\.)+([A-Za-z_]\w*)\(", rest):
        depth, end = 1, match.end()
        while depth and end < len(rest):
            depth += {"(": 1, ")": -1}.get(rest[end], 0)
            end += 1
        out, rest = out + rest[: match.start()] + match[1], rest[end:]
    return out + rest


def _reasons(text: str) -> Iterator[str]:
    if own := re.findall(r"gridarium: (.+)", text):
        yield from own
        return
    found = [
        (match.start(), describe(match, text))
        for pattern, describe in _EXPLANATIONS
        for match in re.finditer(pattern, text)
    ]
    reasons = [reason for _, reason in sorted(found) if reason]
    if reasons:
        yield from reasons
        return
    for line in map(str.strip, text.splitlines()):
        if line and not line.startswith(("Failed in", "During:", "File ")):
            yield line
            return


def _attribute(match: re.Match[str], text: str) -> str:
    members = _members_of(match[2])
    if match[1] in members:
        if callable(members[match[1]]):
            return f"{match[1]} is a function of the class: write {match[2]}.{match[1]}(...), with all that it takes"
        return f"{match[1]} is an attribute of the class: write {match[2]}.{match[1]}"
    if match[2] in ("int", "float", "bool") and hasattr(getattr(builtins, match[2]), match[1]):
        instead = "; write x == math.floor(x)" if match[1] == "is_integer" else ""
        return f"{match[1]} of numbers cannot be used in compiled code{instead}"
    if match[2] == "Action":
        return f"no action of this world has {match[1]!r}"
    near = difflib.get_close_matches(match[1], members, 1)
    return f"{match[2]} has no attribute {match[1]!r}" + (f"; did you mean {near[0]}?" if near else "")


def _members_of(shown: str) -> dict[str, Any]:
    from gridarium.compiled.numba_backend.value_types import registered

    classes = [cls for cls in registered() if shown_name(cls) == shown]
    return {name: getattr(cls, name) for cls in classes for name in dir(cls) if not name.startswith("_")}


_WRITTEN = {"truth": "bool", "whole": "int", "rounded": "round"}
"""The names that a rule writes for functions that stand for Python's."""


_COUNTED = ("ActingAgents", "Agents", "CarriedThings", "Things", "ThingsAt")
"""Records that are false in Python if there is nothing in them."""


def _operation(match: re.Match[str], text: str) -> str:
    name, given = match[1], match[2].strip()
    if name == "choose":
        method = re.search(r"resolving callee type: method (\S+)", text[match.end() :])
        return f"{method[1]} cannot be called with ({given.partition(', ')[2]})" if method else ""
    if name in ("truth", "bool"):
        instead = "len(...) > 0" if given in _COUNTED else "`is not None`, isinstance(...) or a comparison"
        return f"{given} is neither true nor false; write {instead}"
    if "slice<" in given:
        return "this cannot be sliced in compiled code; write a loop over range(start, stop)"
    if name in _OPERATORS:
        return f"there is no {_OPERATORS[name]} for {' and '.join(given.split(', '))}"
    instead = "; write for i in range(n), and ITEMS[i]" if name == "zip" else ""
    return f"{_WRITTEN.get(name, name)} cannot be called with ({given}){instead}"


def _arguments(match: re.Match[str], text: str) -> str:
    called = re.search(r"resolving callee type: (\S+)", text[match.end() :])
    return f"{called[1] if called else 'the function'}{match[1]}: {match[2]}"


def _use(match: re.Match[str], text: str) -> str:
    if match[1] == "getiter":
        return f"{match[2]} cannot be looped over"
    return f"{match[1]} cannot be called with ({match[2]})" if match[2] else f"{match[1]} cannot be called"


_EXPLANATIONS: tuple[tuple[str, Callable[[re.Match[str], str], str]], ...] = (
    (r"Unknown attribute '(\w+)' of type (.+)", _attribute),
    (
        r"Cannot resolve setattr: \((.+?)\)\.(\w+) = .+",
        lambda m, _: f"{m[1]}.{m[2]} cannot be assigned: there is no {m[2]}",
    ),
    (r"No implementation of function (\w+) found for signature:\s*>>> \w+\((.*)\)", _operation),
    (r"Cannot bind 'args=.*' to signature '(\(.*?\))' due to \"TypeError: (.+?)\"", _arguments),
    (
        r"Cannot unify (.+?) and (.+?) for '(\w+?)(?:\.\d+)?', defined",
        lambda m, _: f"{m[3]} is {m[1]} in one place and {m[2]} in another; a variable keeps one type",
    ),
    (r"Invalid use of (.+?) with parameters \((.*)\)", _use),
    (r"Cannot cast (.+?) to (\w+)", lambda m, _: f"{m[2]} is needed here, not {m[1]}"),
    (r"NRT required but not enabled", lambda *_: "a list, set or array cannot be made in compiled code"),
    (r"TypingError: ((?:missing a required|too many|got ).+)", lambda m, _: m[1]),
    (
        r"wrong tuple length for .*?expected (\d+), got (\d+)",
        lambda m, _: f"there are {m[2]} values to unpack, not {m[1]}",
    ),
    (
        r"failed to unpack (\w+)",
        lambda m, _: f"{m[1]} cannot be unpacked by a loop; loop with one variable, and unpack that",
    ),
    (r"(Int value is too large.*)", lambda m, _: m[1]),
)
