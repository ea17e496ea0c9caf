"""Converts the arguments of overlays to arrays of numbers or texts, and rejects invalid ones."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.world.geometry import Orientation, Position
from gridarium.world.geometry import Shape as GridShape

Floats = npt.NDArray[np.float64]


def read_numbers(given: Any, name: str, *shapes: str) -> Floats:
    """An array of numbers; None is NaN, and an `Orientation` its number.

    Args:
        given: an array, or lists in lists.
        name: how messages begin.
        shapes: those that are allowed, as they are written: "[height, width]".

    Raises:
        ValueError: something else than numbers, or another number of dimensions.
    """
    allowed = " or ".join(shapes)
    try:
        array: Floats = np.array(_nested(given, _number), np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} are numbers{allowed}, not {given!r}") from None
    if array.ndim not in [1 + shape.count(",") for shape in shapes]:
        raise ValueError(f"{name} are numbers{allowed}, not an array of shape {list(array.shape)}")
    array.flags.writeable = False
    return array


def read_points(given: Any, name: str) -> Floats:
    """Positions, or pairs (y, x), as float[n, 2]; None is a pair of NaN.

    Raises:
        ValueError: something is neither.
    """
    try:
        points = np.array([_pair(point) for point in given], np.float64).reshape(-1, 2)
    except (TypeError, ValueError):
        raise ValueError(f"{name} are positions or pairs (y, x), not {given!r}") from None
    points.flags.writeable = False
    return points


def read_texts(given: Any, name: str) -> npt.NDArray[np.object_]:
    """Texts in rows, numbers in few digits; None and NaN are empty.

    Raises:
        ValueError: rows of several lengths, or no rows.
    """
    cells = np.array(_nested(given, _text), dtype=object)
    if cells.ndim != 2:
        raise ValueError(f"{name} are texts[height, width], not {given!r}")
    cells.flags.writeable = False
    return cells


def check_orientations(array: Floats, name: str) -> None:
    """Make sure that numbers stand for orientations, where they are not NaN.

    Raises:
        ValueError: one is none of 0 to 3.
    """
    wrong = array[~(np.isnan(array) | np.isin(array, range(4)))]
    if wrong.size:
        raise ValueError(f"{name} are orientations, 0 to 3 (or None), not {wrong[0]:g}")


def check_shape(array: Any, shape: GridShape, name: str) -> None:
    """Make sure that there is something for each cell of a grid.

    Raises:
        ValueError: another number of rows or columns.
    """
    height, width = shape
    if array.shape[:2] != (height, width):
        given = " x ".join(map(str, array.shape[:2]))
        raise ValueError(f"{name} are for a grid of {given} cells, but this one has {height} x {width}")


def check_inside(points: Floats, shape: GridShape, name: str) -> None:
    """Make sure that points, as far as they are known, lie in the cells of a grid.

    Raises:
        ValueError: one does not.
    """
    height, width = shape
    for y, x in points.tolist():
        if y < -0.5 or y > height - 0.5 or x < -0.5 or x > width - 0.5:
            raise ValueError(
                f"{name}: ({y:g}, {x:g}) lies outside the grid of {height} x {width} cells; points are (y, x),"
                f" rows 0 to {height - 1} and columns 0 to {width - 1}"
            )


def short(number: float) -> str:
    """A number in so few digits that it fits a cell: 0.05, -3.1, 250, 1e+07."""
    size = abs(number)
    if not size < 99_999.5:
        return f"{number:.0e}" if math.isfinite(number) else str(number)
    text = f"{number:.{2 if size < 10 else 1 if size < 100 else 0}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _nested(given: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(given, np.ndarray) and given.dtype.kind in "biuf" and change is _number:
        return given
    if isinstance(given, list | tuple | np.ndarray):
        return [_nested(part, change) for part in given]
    return change(given)


def _number(thing: Any) -> Any:
    if isinstance(thing, Orientation):
        return thing.value
    return math.nan if thing is None else thing


def _text(thing: Any) -> str:
    if thing is None or (isinstance(thing, float | np.floating) and math.isnan(thing)):
        return ""
    return short(float(thing)) if isinstance(thing, float | np.floating) else str(thing)


def _pair(point: Any) -> Any:
    if point is None:
        return (math.nan, math.nan)
    y, x = point.yx if isinstance(point, Position) else point
    return y, x
