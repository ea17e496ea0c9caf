"""Plain data of descriptions, validated and made immutable."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from gridarium.worlds.entries.problems import Collector, Path

MAX_DEPTH = 24
MAX_TEXT = 20_000
MAX_NUMBER = 1 << 63


def freeze(data: Any, problems: Collector, path: Path = ()) -> Any:
    """A copy with tuples for lists. Anything that is not plain data is added to `problems` and omitted."""
    if len(path) > MAX_DEPTH:
        problems.add(path, f"nested deeper than {MAX_DEPTH} levels")
    elif data is None or isinstance(data, bool | int | float | str):
        reason = _reason_against(data)
        if reason:
            problems.add(path, reason)
        return data
    elif isinstance(data, Mapping):
        copied = {}
        for key, part in data.items():
            if isinstance(key, str):
                copied[key] = freeze(part, problems, (*path, key))
            else:
                problems.add(path, f"a key must be a string, not {key!r}")
        return copied
    elif isinstance(data, list | tuple):
        return tuple(freeze(part, problems, (*path, i)) for i, part in enumerate(data))
    else:
        problems.add(
            path, f"is a {type(data).__name__}; a description holds numbers, texts, lists and mappings"
        )
    return None


def thaw(data: Any) -> Any:
    """A copy with lists for tuples, as in YAML and JSON."""
    if isinstance(data, tuple | list):
        return [thaw(part) for part in data]
    if isinstance(data, Mapping):
        return {key: thaw(part) for key, part in data.items()}
    return data.plain() if hasattr(data, "plain") else data


def _reason_against(data: Any) -> str:
    if isinstance(data, str) and len(data) > MAX_TEXT:
        return f"a text of {len(data)} characters; at most {MAX_TEXT}"
    if isinstance(data, float) and not math.isfinite(data):
        return f"{data} is not a finite number"
    if isinstance(data, int) and abs(data) >= MAX_NUMBER:
        return "a number that does not fit into 64 bits"
    return ""
