"""Which rule raised an exception, and where."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

_LIBRARY = Path(__file__).parent.parent
_MACHINERY = tuple(str(_LIBRARY / room) for room in ("engine", "world", "compiled"))


def blame(error: BaseException, rules: Iterable[Callable[..., Any]]) -> str:
    """The rule and the line from which an exception came, or an empty text: `rule drift, in rules.py:12`.

    Args:
        error: as it was caught.
        rules: the rules of the world, with or without bound parameters.
    """
    codes = {code for rule in rules if (code := getattr(_unbound(rule), "__code__", None)) is not None}
    rule, place = "", ""
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if not rule and code in codes:
            rule = code.co_qualname
        if not code.co_filename.startswith(("<gridarium ", *_MACHINERY)):
            place = f"{code.co_filename}:{trace.tb_lineno}"
            helper = code.co_qualname
        trace = trace.tb_next
    if not place:
        return ""
    inside = f" (in {helper})" if helper != rule else ""
    return f"rule {rule or helper}{inside}, {place}"


def also_in(others: list[int]) -> str:
    """In which other worlds rules have raised, or an empty text."""
    if not others:
        return ""
    listed = ", ".join(str(e) for e in others[:8])
    more = f" and {len(others) - 8} more" if len(others) > 8 else ""
    return f"rules have raised in other worlds as well: {listed}{more}"


def _unbound(rule: Any) -> Any:
    while isinstance(rule, functools.partial):
        rule = rule.func
    return rule
