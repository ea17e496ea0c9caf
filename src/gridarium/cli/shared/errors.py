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
    lines = [f"{type(error).__name__}: {error}", *notes]
    for note in notes:
        place = re.search(r", ([^,]+):(\d+)$", note) if note.startswith(("rule ", "policy ")) else None
        if place is not None:
            lines.append(f"    {linecache.getline(place[1], int(place[2])).strip()}")
    return "\n".join(lines)


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
