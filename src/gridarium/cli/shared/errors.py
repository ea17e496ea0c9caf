"""Formats errors of user-defined rules and policies."""

from __future__ import annotations

import contextlib
import inspect
import linecache
import re
import traceback
from collections.abc import Callable, Iterator
from typing import Any


def summarize(error: BaseException) -> str:
    """Format an exception in a few lines: its text, its notes, and the line of the rule or policy.

    Exceptions without notes do not come from rules or policies: these are formatted with their traceback.
    """
    notes: list[str] = list(getattr(error, "__notes__", ()))
    if not notes:
        return "".join(traceback.format_exception(error)).rstrip()
    lines = [f"{type(error).__name__}: {error}"]
    for note in notes:
        lines.append(note)
        if (place := _place(note)) is not None:
            lines.append(f"    {linecache.getline(*place).strip()}")
    return "\n".join(lines)


def places_of(error: BaseException) -> list[tuple[str, int]]:
    """The files and lines of rules and policies among an exception's notes."""
    return [place for note in getattr(error, "__notes__", ()) if (place := _place(note)) is not None]


def _place(note: str) -> tuple[str, int] | None:
    found = re.search(r", ([^,]+):(\d+)$", note) if note.startswith(("rule ", "policy ")) else None
    return None if found is None else (found[1], int(found[2]))


@contextlib.contextmanager
def note_policy(name: str, policy: Callable[..., Any]) -> Iterator[None]:
    """Add a note to exceptions: the name of the policy that was playing, and the line in its file if there is one."""
    try:
        yield
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        try:
            home = inspect.getsourcefile(inspect.unwrap(policy))
        except TypeError:
            home = None
        line = next((f", {f.filename}:{f.lineno}" for f in reversed(frames) if f.filename == home), "")
        error.add_note(f"policy {name}{line}")
        raise
