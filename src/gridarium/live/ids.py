"""Ids of objects and agents, made of their names."""

from __future__ import annotations

import re
from collections.abc import Container

RESERVED = "World"
"""The name under which states tell of the world itself."""


def id_for(name: str, taken: Container[str], *, lower: bool = False) -> str:
    """The id for a name: without #, with _ for spaces; a number is added to one that is taken."""
    base = re.sub(r"_+", "_", re.sub(r"\s+", "_", name.replace("#", "").strip())) or "object"
    base = base.lower() if lower else base
    if base not in taken and base != RESERVED:
        return base
    free = 1
    while f"{base}_{free}" in taken:
        free *= 2
    known = free // 2
    while (
        free - known > 1
    ):  # one of the numbers between is the first free one, or, after removals, one of them
        middle = (known + free) // 2
        known, free = (middle, free) if f"{base}_{middle}" in taken else (known, middle)
    return f"{base}_{free}"
