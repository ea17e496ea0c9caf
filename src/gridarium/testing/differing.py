"""Where two states differ."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from gridarium.world.state import State
from gridarium.world.text_form.record import to_record
from gridarium.worlds.entries.problems import Path, format_path

MOST_SHOWN = 5
"""The number of differences that are listed, at most."""


def differences(first: State, second: State) -> str:
    """The cells, agents and fields in which two states of one vocabulary and size differ: `cells[1][2]: Wall() and Floor()`."""
    found = _differing(_parts(first), _parts(second), ())
    shown = [f"{format_path(path)}: {a!r} and {b!r}" for path, a, b in islice(found, MOST_SHOWN)]
    more = sum(1 for _ in found)
    return "; ".join(shown) + (f"; and {more} more" if more else "")


def _parts(state: State) -> dict[str, Any]:
    """A state's record, with the objects in its cells instead of their numbers."""
    record = to_record(state)
    return {"cells": state.grid.objects} | {
        key: record[key] for key in record if key not in ("vocabulary", "objects", "cells", "focus")
    }


def _differing(a: Any, b: Any, path: Path) -> Iterator[tuple[Path, Any, Any]]:
    if isinstance(a, dict) and a.keys() == b.keys():
        for key in a:
            yield from _differing(a[key], b[key], (*path, key))
    elif isinstance(a, list | tuple) and len(a) == len(b):
        for i, pair in enumerate(zip(a, b, strict=True)):
            yield from _differing(*pair, (*path, i))
    elif a != b:
        yield path, a, b
