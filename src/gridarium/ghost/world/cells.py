"""The cells and walls of a map as users edit them: how they are checked, and how edits are noticed."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Text

from gridarium.ghost.world.paths import Place

KEYS = ("colour", "items", "is_goal", "is_start", "text")
COLOURS = (0, 1, 2)


class CheckedAttribute:
    """An attribute that is checked when it is set. It is read from its owner's dictionary, without a call.

    Args:
        check: `(name, value, *others)` returns the value to keep, or raises.
        others: the names of the owner's attributes that the check needs.
    """

    if TYPE_CHECKING:

        def __get__(self, instance: Any, owner: type | None = None) -> Any: ...

    def __init__(self, check: Callable[..., Any], *others: str) -> None:
        self.check, self.others = check, others

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __set__(self, instance: Any, value: Any) -> None:
        others = [getattr(instance, name) for name in self.others]
        instance.__dict__[self.name] = self.check(self.name, value, *others)


class Setting(CheckedAttribute):
    """A checked attribute that sets its owner's `settings_changed`."""

    def __set__(self, instance: Any, value: Any) -> None:
        super().__set__(instance, value)
        instance.settings_changed = True


class CellTracker:
    """Notices when cells of a grid are edited.

    Cells that it has made set a dirty flag. Other dictionaries that users have put into the grid are compared with a copy.
    (To compare all cells with copies would take 1.4 us for 20 cells, a quarter of a step of the environment.) Whether a
    cell was exchanged for another dictionary the owner sees by `grid.tobytes()`, the addresses of the cells.

    Attributes:
        dirty: whether a cell of its own was edited since `accept`.
    """

    def __init__(self) -> None:
        self.dirty = True
        self._cells: list[Any] = []
        self._foreign: list[Any] = []
        self._copies: list[Any] = []

    def new_grid(self, cells: Sequence[Sequence[Any]]) -> npt.NDArray[Any]:
        """object[rows, cols] of tracked copies of cells; what is not a dictionary is taken as it is."""
        made = np.empty((len(cells), len(cells[0])), object)
        for row, col in np.ndindex(made.shape):
            cell = cells[row][col]
            made[row, col] = TrackedCell(cell, self) if isinstance(cell, dict) else cell
        return made

    def accept(self, cells: list[Any]) -> None:
        """Take the cells as they are now for unedited."""
        self._cells = cells  # while they are kept, no other object can have their addresses
        self._foreign = [cell for cell in cells if not self._tracks(cell)]
        self._copies = copy.deepcopy(self._foreign)
        self.dirty = False

    def has_edits(self) -> bool:
        """Whether a cell was edited since `accept`."""
        if self.dirty or not self._foreign:
            return self.dirty
        try:
            return self._foreign != self._copies
        except ValueError:  # there are arrays in them
            return True

    def _tracks(self, cell: Any) -> bool:
        if type(cell) is not TrackedCell or cell.tracker is not self:
            return False
        items = cell.get("items")
        return type(items) is TrackedList and items.tracker is self


class TrackedList(list[Any]):
    """A list that tells its tracker when it is edited."""

    def __init__(self, items: Iterable[Any], tracker: CellTracker) -> None:
        super().__init__(items)
        self.tracker = tracker

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, (list(self),)


class TrackedCell(dict[str, Any]):
    """A cell that tells its tracker when it, or its list of items, is edited."""

    def __init__(self, cell: dict[str, Any], tracker: CellTracker) -> None:
        super().__init__(cell)
        self.tracker = tracker
        if isinstance(cell.get("items"), list):
            self["items"] = TrackedList(cell["items"], tracker)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return dict, (dict(self),)


def _marking(method: Callable[..., Any]) -> Callable[..., Any]:
    def edit(self: Any, *args: Any, **keywords: Any) -> Any:
        self.tracker.dirty = True
        return method(self, *args, **keywords)

    return edit


for _name in ("__setitem__", "__delitem__", "__iadd__", "__imul__", "append", "extend", "insert", "pop", "remove",
              "clear", "reverse", "sort"):  # fmt: skip
    setattr(TrackedList, _name, _marking(getattr(list, _name)))
for _name in ("__setitem__", "__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault", "update"):
    setattr(TrackedCell, _name, _marking(getattr(dict, _name)))


def as_grid(name: str, value: Any, rows: int, cols: int) -> npt.NDArray[Any]:
    """object[rows, cols] of cells; an array of the right kind is kept, so that its owner may go on writing into it.

    Raises:
        ValueError: another shape, or not dictionaries.
    """
    grid = value if isinstance(value, np.ndarray) and value.dtype == object else _as_array(value, object)
    if grid is None or grid.shape != (rows, cols) or not all(isinstance(cell, dict) for cell in grid.flat):
        raise ValueError(
            f"{name} is an array, or a list of rows, of {rows} x {cols} cells, which are dictionaries; got {_shown(value)}"
        )
    return grid


def as_walls(name: str, value: Any, rows: int, cols: int) -> npt.NDArray[np.bool_]:
    """bool[rows, cols]; an array of the right kind is kept.

    Raises:
        ValueError: another shape, or numbers besides 0 and 1.
    """
    walls = _as_array(value, None)
    if walls is None or walls.shape != (rows, cols) or not _is_binary(walls):
        raise ValueError(f"{name} is bool[{rows}, {cols}]; got {_shown(value)}")
    return walls if walls.dtype == np.bool_ else walls.astype(np.bool_)


def check_cell(cell: Any, position: tuple[int, int], texts: Text) -> None:
    """Check a cell.

    Args:
        cell: the dictionary.
        position: its row and column.
        texts: the space of texts.

    Raises:
        ValueError: not a dictionary, a key is missing, or a value is of the wrong kind.
    """
    where = f"the cell {list(position)}"
    if not isinstance(cell, dict):
        raise ValueError(f"{where} is a dictionary with {', '.join(KEYS)}, got {cell!r}")
    missing = [key for key in KEYS if key not in cell]
    if missing:
        raise ValueError(f"{where} lacks {', '.join(missing)}")
    colour, items, text = cell["colour"], cell["items"], cell["text"]
    if isinstance(colour, bool) or not isinstance(colour, int | np.integer) or colour not in COLOURS:
        raise ValueError(f"{where}: colour is 0 (none), 1 (red) or 2 (green), got {colour!r}")
    if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
        raise ValueError(f"{where}: items is a list of words, such as ['dog'], got {items!r}")
    for key in ("is_goal", "is_start"):
        if not isinstance(cell[key], int | np.integer | np.bool_) or cell[key] not in (0, 1):
            raise ValueError(f"{where}: {key} is True or False, got {cell[key]!r}")
    if not isinstance(text, str) or len(text) > texts.max_length:
        raise ValueError(f"{where}: text is a word of at most {texts.max_length} characters, got {text!r}")
    unknown = [letter for letter in text if letter not in texts.character_set]
    if unknown:
        known = "".join(sorted(texts.character_set))
        raise ValueError(
            f"{where}: {unknown[0]!r} in the text {text!r} cannot be observed; the space has {known}"
        )


def goals(grid: npt.NDArray[Any]) -> list[Place]:
    """The positions of goals, row by row."""
    return [divmod(i, grid.shape[1]) for i, cell in enumerate(grid.flat) if cell["is_goal"]]


def _as_array(value: Any, dtype: Any) -> npt.NDArray[Any] | None:
    try:
        return np.asarray(value, dtype)
    except ValueError:  # rows of different lengths
        return None


def _is_binary(values: npt.NDArray[Any]) -> bool:
    return values.dtype == np.bool_ or (values.dtype.kind in "iu" and bool(np.isin(values, (0, 1)).all()))


def _shown(value: Any) -> str:
    """An array as type and shape, other values in a few characters."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
