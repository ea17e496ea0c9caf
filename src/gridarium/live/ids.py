"""Ids of objects and agents, made of their names."""

from __future__ import annotations

import re
from collections.abc import Container


def id_for(name: str, taken: Container[str], *, lower: bool = False) -> str:
    """The id for a name: without #, with _ for spaces; a number is added to one that is taken."""
    base = re.sub(r"_+", "_", re.sub(r"\s+", "_", name.replace("#", "").strip())) or "object"
    base = base.lower() if lower else base
    found, count = base, 0
    while found in taken:
        count += 1
        found = f"{base}_{count}"
    return found
