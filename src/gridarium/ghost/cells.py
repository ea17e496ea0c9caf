"""Maps as users may write them, checked: arrays of cells and of walls."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Text

KEYS = ("colour", "items", "is_goal", "is_start", "text")
COLOURS = (0, 1, 2)


def as_grid(name: str, value: Any, rows: int, cols: int) -> npt.NDArray[Any]:
    """object[rows, cols] of cells: the array itself if it is one, so that its owner may go on writing into it.

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
    """bool[rows, cols]: the array itself if it is one.

    Raises:
        ValueError: another shape, or numbers besides 0 and 1.
    """
    walls = _as_array(value, None)
    if walls is None or walls.shape != (rows, cols) or not _is_binary(walls):
        raise ValueError(f"{name} is bool[{rows}, {cols}]; got {_shown(value)}")
    return walls if walls.dtype == np.bool_ else walls.astype(np.bool_)


def check_cell(cell: Any, place: tuple[int, int], texts: Text) -> None:
    """Refuse what is no cell.

    Args:
        cell: the dictionary.
        place: its row and column.
        texts: the space of texts.

    Raises:
        ValueError: it is no dictionary, something is missing, or of another kind than it should be.
    """
    where = f"the cell {list(place)}"
    if not isinstance(cell, dict):
        raise ValueError(f"{where} is a dictionary with {', '.join(KEYS)}, got {cell!r}")
    missing = [key for key in KEYS if key not in cell]
    if missing:
        raise ValueError(f"{where} lacks {', '.join(missing)}")
    if not _is_whole(cell["colour"]) or cell["colour"] not in COLOURS:
        raise ValueError(f"{where}: colour is 0 (none), 1 (red) or 2 (green), got {cell['colour']!r}")
    items = cell["items"]
    if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
        raise ValueError(f"{where}: items is a list of words, such as ['dog'], got {items!r}")
    for key in ("is_goal", "is_start"):
        if not isinstance(cell[key], int | np.integer | np.bool_) or cell[key] not in (0, 1):
            raise ValueError(f"{where}: {key} is True or False, got {cell[key]!r}")
    _check_text(cell["text"], where, texts)


def _check_text(text: Any, where: str, texts: Text) -> None:
    if not isinstance(text, str) or len(text) > texts.max_length:
        raise ValueError(f"{where}: text is a word of at most {texts.max_length} characters, got {text!r}")
    strange = [letter for letter in text if letter not in texts.character_set]
    if strange:
        known = "".join(sorted(texts.character_set))
        raise ValueError(
            f"{where}: {strange[0]!r} in the text {text!r} cannot be observed; the space has {known}"
        )


def _as_array(value: Any, dtype: Any) -> npt.NDArray[Any] | None:
    try:
        return np.asarray(value, dtype)
    except ValueError:  # rows of different lengths
        return None


def _is_binary(values: npt.NDArray[Any]) -> bool:
    return values.dtype == np.bool_ or (values.dtype.kind in "iu" and bool(np.isin(values, (0, 1)).all()))


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    """An array by its kind and shape, something else by a few characters."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    shown = repr(value)
    return shown if len(shown) <= 60 else shown[:57] + "..."
