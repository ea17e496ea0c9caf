"""Snapshots keep references to what is in a world: a switch that knows its door goes on knowing it."""

from __future__ import annotations

import copy
from contextvars import ContextVar
from typing import Any, TypeVar

from gridarium.live.objects.property_dict import READ_ONLY

T = TypeVar("T")
_in_snapshot: ContextVar[bool] = ContextVar("in_snapshot", default=False)


def copied_for_snapshot(value: T) -> T:
    """A deep copy in which worlds and their objects are not copied."""
    before = _in_snapshot.set(True)
    try:
        return copy.deepcopy(value)
    finally:
        _in_snapshot.reset(before)


class KeptByReference:
    """A world or an object of one, which is copied by `copy.deepcopy`, and kept in snapshots."""

    def __deepcopy__(self, memo: dict[Any, Any]) -> Any:
        if _in_snapshot.get():
            return self
        memo[READ_ONLY] = True
        made = memo[id(self)] = object.__new__(type(self))
        state = copy.deepcopy(vars(self), memo)
        getattr(made, "__setstate__", vars(made).update)(state)
        return made
