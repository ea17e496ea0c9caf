"""The exception of conformance checks."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gridarium.compiled.source_pass.generated_pages import source_location
from gridarium.compiled.source_pass.source import unbound


class NotConforming(AssertionError):
    """A protocol is violated; the message gives the problem, its location and the expected result."""


class NeedsWorld(NotConforming):
    """A rule cannot be tried without a world that declares what it uses: a field, or actions with arguments."""


def require(condition: object, message: str) -> None:
    """Raise `NotConforming` unless a condition holds."""
    if not condition:
        raise NotConforming(message)


def named(rule: Callable[..., Any], kind: str) -> str:
    """The prefix of messages about a rule: `rules.py:12: transition rule 'drift' (probability=0.5)`."""
    bound: dict[str, Any] = {}
    while isinstance(rule, functools.partial):
        bound, rule = {**rule.keywords, **bound}, rule.func
    given = ", ".join(f"{name}={value_shown(value)}" for name, value in bound.items())
    place = source_location(rule)
    where = "" if place is None else f"{_short(place[0])}:{place[1]}: "
    return f"{where}{kind} rule {value_shown(rule)!r}" + (f" ({given})" if given else "")


def named_kind(kind: type, what: str = "object") -> str:
    """The prefix of messages about a kind of objects, or another class: `things.py:12: object 'Pebble'`."""
    try:
        filename, line = inspect.getsourcefile(kind), inspect.getsourcelines(kind)[1]
    except (OSError, TypeError):
        return f"{what} {kind.__name__!r}"
    return f"{_short(str(filename))}:{line}: {what} {kind.__name__!r}"


def value_shown(value: Any) -> str:
    """A parameter's value in a message: functions and kinds by their names."""
    value = unbound(value)
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(value_shown, value))}]"
    return str(getattr(value, "__qualname__", value if isinstance(value, str) else repr(value)))


def _short(filename: str) -> str:
    """A file's path relative to the current folder."""
    path, here = Path(filename), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else filename
