"""Locates the rule and line that raised an exception."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from gridarium.compiled.source_pass.generated_pages import is_page, rule_called, source_location
from gridarium.compiled.source_pass.source import LIBRARY, unbound

_MACHINERY = tuple(str(LIBRARY / room) for room in ("engine", "world", "compiled"))


def locate_error(error: BaseException, rules: Iterable[Callable[..., Any]]) -> str:
    """The rule and line that raised an exception, such as `rule drift, rules.py:12`, or an empty string.

    If a check rejected a rule's result or effect, the line is its `def`.

    Args:
        error: the exception.
        rules: the rules of the world, with or without bound parameters.
    """
    codes = {code for rule in rules if (code := _code(rule)) is not None}
    rule, raised_at, called = "", "", None
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if not rule and code in codes:
            rule = code.co_qualname
        if is_page(code.co_filename):
            known = {name: r for name, r in trace.tb_frame.f_globals.items() if _code(r) in codes}
            called = rule_called(code.co_filename, trace.tb_lineno, known)
        elif not code.co_filename.startswith(_MACHINERY):
            raised_at = f"{code.co_filename}:{trace.tb_lineno}"
            helper = code.co_qualname
        trace = trace.tb_next
    if not raised_at:
        return _at_its_def(called)
    inside = f" (in {helper})" if helper != rule else ""
    return f"rule {rule or helper}{inside}, {raised_at}"


def also_raised_in(others: list[int]) -> str:
    """A note on other worlds in which rules raised, or an empty string."""
    if not others:
        return ""
    listed = ", ".join(str(e) for e in others[:8])
    more = f" and {len(others) - 8} more" if len(others) > 8 else ""
    return f"rules have raised in other worlds as well: {listed}{more}"


def _at_its_def(rule: Any) -> str:
    location = None if rule is None else source_location(rule)
    return "" if location is None else f"rule {rule.__qualname__}, {location[0]}:{location[1]}"


def _code(rule: Any) -> Any:
    return getattr(unbound(rule), "__code__", None)
