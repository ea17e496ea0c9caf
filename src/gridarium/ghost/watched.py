"""Mappings, lists and arrays that tell when they are changed, so that users may edit a world's cells in place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np


class Alarm:
    """Whether something was changed since this was last set to False."""

    __slots__ = ("rung",)

    def __init__(self) -> None:
        self.rung = True


def _telling(name: str, plain: Any) -> Any:
    def changing(self: Any, *args: Any, **keywords: Any) -> Any:
        self.alarm.rung = True
        return plain(self, *args, **keywords)

    changing.__name__, changing.__doc__ = name, plain.__doc__
    return changing


def _watching(names: Iterable[str]) -> Any:
    """A class decorator: the inherited methods of these names ring the alarm."""

    def dress(cls: Any) -> Any:
        for name in names:
            setattr(cls, name, _telling(name, getattr(cls, name)))
        return cls

    return dress


@_watching(("__setitem__", "__delitem__", "__iadd__", "__imul__", "append", "extend", "insert", "pop", "remove",
            "clear", "reverse", "sort"))  # fmt: skip
class WatchedList(list[Any]):
    """A list that rings an alarm when it is changed."""

    def __init__(self, items: Iterable[Any], alarm: Alarm) -> None:
        super().__init__(items)
        self.alarm = alarm

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, (list(self),)


@_watching(("__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault", "update"))
class WatchedCell(dict[str, Any]):
    """A cell: a dictionary that rings an alarm when it or its list of items is changed."""

    def __init__(self, cell: dict[str, Any], alarm: Alarm) -> None:
        super().__init__(cell)
        self.alarm = alarm
        self["items"] = cell["items"]

    def __setitem__(self, key: str, value: Any) -> None:
        self.alarm.rung = True
        super().__setitem__(key, WatchedList(value, self.alarm) if key == "items" else value)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return dict, (dict(self),)


class WatchedGrid(np.ndarray[Any, Any]):
    """object[rows, cols] of cells; rings an alarm when a cell is replaced."""

    alarm: Alarm | None

    @staticmethod
    def of(cells: list[list[dict[str, Any]]], alarm: Alarm) -> WatchedGrid:
        """The grid of some cells."""
        made = np.empty((len(cells), len(cells[0])), object).view(WatchedGrid)
        made.alarm = alarm
        for r, row in enumerate(cells):
            for c, cell in enumerate(row):
                made[r, c] = cell
        return made

    def __array_finalize__(self, source: Any) -> None:
        self.alarm = getattr(source, "alarm", None)

    def __setitem__(self, key: Any, value: Any) -> None:
        if self.alarm is not None:
            self.alarm.rung = True
            if isinstance(value, dict):
                value = WatchedCell(value, self.alarm)
        super().__setitem__(key, value)

    def __reduce__(self) -> Any:
        return np.array, (self.tolist(), object)
