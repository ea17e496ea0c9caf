"""Pages that the library writes: which rule a line of one calls, and where its author has written that."""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable, Mapping
from typing import Any

from gridarium.compiled.source import Unsupported, read_unit, unbound


def is_page(filename: str) -> bool:
    """Whether a file is a text that the library has generated."""
    return filename.startswith("<gridarium ")


def rule_called(filename: str, line: int, rules: Mapping[str, Any]) -> Callable[..., Any] | None:
    """The function of a rule, its parameters unbound, that a line of a page calls; None if it calls none of `rules`."""
    called = re.findall(r"\w+(?=\()", linecache.getline(filename, line))
    return unbound(next((rules[name] for name in called if name in rules), None))


def place_of(function: Any) -> tuple[str, int] | None:
    """The file and the line, counted from 1, of a function's `def`; None for what Python does not show, as built-in ones."""
    written: Any = function if hasattr(function, "__code__") else type(function).__call__
    code = getattr(written, "__code__", None)
    if code is None:
        return None
    try:
        return code.co_filename, read_unit(written).node.lineno
    except Unsupported:
        return code.co_filename, code.co_firstlineno
