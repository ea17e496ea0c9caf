"""The cells of a grid, which users may edit in any way, and whether that was done since they were last looked at."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt


class Watch:
    """Knows whether the cells of a grid were edited since `look` was called.

    Cells that it has made tell when they are edited. Any other dictionary that was written into the grid stays its
    writer's, and is compared with a copy. Whether other dictionaries lie in the grid than before, its owner sees by
    `grid.tobytes()`, their addresses: no way to write into an array escapes that.

    Attributes:
        rung: whether a cell has told that it was edited.
        others: the cells that do not tell.
    """

    def __init__(self) -> None:
        self.rung = True
        self.others: list[Any] = []
        self._copies: list[Any] = []
        self._cells: list[Any] = []

    def grid(self, cells: Sequence[Sequence[Any]]) -> npt.NDArray[Any]:
        """object[rows, cols] of these cells, watched; what is no dictionary stays as it is."""
        made = np.empty((len(cells), len(cells[0])), object)
        for place in np.ndindex(made.shape):
            cell = cells[place[0]][place[1]]
            made[place] = WatchedCell(cell, self) if isinstance(cell, dict) else cell
        return made

    def look(self, cells: list[Any]) -> None:
        """From now on, this is how they are."""
        self._cells = cells  # while they are kept, nothing else can have their addresses
        self.others = [cell for cell in cells if not self._is_watched(cell)]
        self._copies = copy.deepcopy(self.others)
        self.rung = False

    def others_differ(self) -> bool:
        """Whether one of the `others` was edited."""
        try:
            return self.others != self._copies
        except ValueError:  # arrays among what is compared
            return True

    def _is_watched(self, cell: Any) -> bool:
        if type(cell) is not WatchedCell or cell.watch is not self:
            return False
        items = cell.get("items")
        return type(items) is WatchedList and items.watch is self


def _telling(name: str, plain: Any) -> Any:
    def changing(self: Any, *args: Any, **keywords: Any) -> Any:
        self.watch.rung = True
        return plain(self, *args, **keywords)

    changing.__name__, changing.__doc__ = name, plain.__doc__
    return changing


def _watching(names: Iterable[str]) -> Any:
    """A class decorator: the inherited methods of these names ring."""

    def dress(cls: Any) -> Any:
        for name in names:
            setattr(cls, name, _telling(name, getattr(cls, name)))
        return cls

    return dress


@_watching(("__setitem__", "__delitem__", "__iadd__", "__imul__", "append", "extend", "insert", "pop", "remove",
            "clear", "reverse", "sort"))  # fmt: skip
class WatchedList(list[Any]):
    """A list that tells when it is changed."""

    def __init__(self, items: Iterable[Any], watch: Watch) -> None:
        super().__init__(items)
        self.watch = watch

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, (list(self),)


@_watching(("__setitem__", "__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault", "update"))
class WatchedCell(dict[str, Any]):
    """A cell: a dictionary that tells when it, or its list of items, is changed."""

    def __init__(self, cell: dict[str, Any], watch: Watch) -> None:
        super().__init__(cell)
        self.watch = watch
        if isinstance(cell.get("items"), list):
            self["items"] = WatchedList(cell["items"], watch)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return dict, (dict(self),)
