"""The cells and walls of a map as users edit them: how they are checked, and how edits are noticed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

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

    Cells and lists of the classes below note every edit; only then, or where the grid has other dictionaries, all cells are
    compared with copies. To compare them in each turn would take 2 us for 20 cells and 9 us for 80, where a turn of the
    environment takes 6 us and a round 9 us. Whether cells were exchanged the owner sees by `grid.tobytes()`, their addresses.
    """

    latest_edit: ClassVar[object] = object()
    """A new object after each edit of a cell or list of the classes below, in whatever grid it is."""

    def __init__(self) -> None:
        self._cells: list[Any] = []
        self._copies: list[Any] = []
        self._seen_edit: object = None

    def accept(self, cells: list[dict[str, Any]]) -> None:
        """Take the cells, which are valid, as they are now for unedited."""
        all_tracked = all(type(cell) is TrackedCell and type(cell["items"]) is TrackedList for cell in cells)
        self._seen_edit = CellTracker.latest_edit if all_tracked else None
        self._cells = cells  # while they are kept, no other object can have their addresses
        self._copies = [{**cell, "items": cell["items"][:]} for cell in cells]

    def has_edits(self) -> bool:
        """Whether a cell was edited since `accept`."""
        latest = CellTracker.latest_edit
        if self._seen_edit is latest:
            return False
        try:
            edited = self._cells != self._copies
        except ValueError:  # there are arrays in them
            return True
        if not edited and self._seen_edit is not None:
            self._seen_edit = latest
        return edited


class TrackedList(list[Any]):
    """The items of a cell; every edit is noted in `CellTracker.latest_edit`."""


class TrackedCell(dict[str, Any]):
    """A cell whose items are a `TrackedList`; every edit is noted in `CellTracker.latest_edit`."""


def _tracked(method: Callable[..., Any]) -> Callable[..., Any]:
    def edit(self: Any, *args: Any, **keywords: Any) -> Any:
        CellTracker.latest_edit = object()
        return method(self, *args, **keywords)

    return edit


for _name in ("__setitem__", "__delitem__", "__iadd__", "__imul__", "append", "extend", "insert", "pop", "remove",
              "clear", "reverse", "sort"):  # fmt: skip
    setattr(TrackedList, _name, _tracked(getattr(list, _name)))
for _name in ("__setitem__", "__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault", "update"):
    setattr(TrackedCell, _name, _tracked(getattr(dict, _name)))


def new_grid(cells: Sequence[Sequence[dict[str, Any]]]) -> npt.NDArray[Any]:
    """object[rows, cols] of cells that are tracked."""
    made = np.empty((len(cells), len(cells[0])), object)
    for row, col in np.ndindex(made.shape):
        cell = cells[row][col]
        made[row, col] = TrackedCell(cell | {"items": TrackedList(cell["items"])})
    return made


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
