"""Loops over many items: compiled (_loops.c) if that was built, else in Python.

`alike`, `columns`, `pack` and `put_ones` are the compiled forms of the functions below, or these functions themselves.
"""

from __future__ import annotations

from math import prod
from operator import attrgetter, countOf, itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["COMPILED", "alike", "columns", "pack", "put_ones"]

Shape = tuple[int, ...]


def alike_in_python(value: Any, dtype: np.dtype[Any], shape: Shape) -> bool:
    """Return whether a value is exactly a `numpy.ndarray`, of this type and shape."""
    return type(value) is np.ndarray and value.dtype == dtype and value.shape == shape


def columns_in_python(
    values: list[Any],
    kind: type[dict[Any, Any]] | type[tuple[Any, ...]],
    keys: tuple[Any, ...],
    same: bool = False,
) -> list[list[Any]] | None:
    """Return the values of dicts, or tuples, under each of their keys; None if one of them has another class or other keys.

    Args:
        values: of which each should be exactly of this class.
        kind: `dict` or `tuple`.
        keys: all keys of each; 0, 1, ... for tuples.
        same: all are known to be such, and are not checked again. (Compiled code checks in any case, which costs little.)
    """
    n = len(values)
    if not same and not countOf(map(type, values), kind) == n == countOf(map(len, values), len(keys)):
        return None
    try:
        return [list(map(itemgetter(key), values)) for key in keys]
    except KeyError:
        return None


def pack_in_python(
    values: list[Any], dtype: np.dtype[Any], shape: Shape, same: bool = False
) -> bytearray | None:
    """Return the bytes of arrays, one array behind the other; None if one of the values is not `alike`.

    Args:
        values: of which each should be such an array.
        dtype: of numbers: None is returned for dtypes with objects, whose bytes are not values.
        shape: of each.
        same: all are known to be such arrays, and are not checked again. (Compiled code checks in any case, which costs little.)
    """
    n = len(values)
    if dtype.hasobject:
        return None
    if not same and not (
        n
        == countOf(map(type, values), np.ndarray)
        == countOf(map(attrgetter("shape"), values), shape)
        == countOf(map(attrgetter("dtype"), values), dtype)
    ):
        return None
    try:  # several times as fast as numpy's own ways to stack
        data = bytearray().join(values)
    except (BufferError, ValueError, TypeError):  # not contiguous
        data = bytearray(np.stack(values, dtype=dtype).tobytes())
    replaced = len(data) != n * prod(shape) * dtype.itemsize  # by the caller, after the arrays were checked
    return None if replaced else data


def put_ones_in_python(
    numbers: npt.NDArray[np.int64], bounds: npt.NDArray[np.int64], vectors: npt.NDArray[np.float32], at: int
) -> int:
    """Write a 1 into one-hot vectors for each number of each item; several numbers have their vectors side by side.

    Args:
        numbers: [n] or [n, ...], k of them for an item.
        bounds: [2, k]: the smallest of the values that each number may have, and how many there are.
        vectors: [m, all values of all numbers], zeros.
        at: the row of the first item.

    Returns:
        Which item has a number outside, the first one; -1 for none.
    """
    starts, sizes = bounds
    from_zero = numbers.reshape(-1, len(sizes)) - starts
    outside = from_zero.view(np.uint64) >= sizes.view(np.uint64)  # below the start: very large
    if outside.any():
        return int(outside.any(axis=1).argmax())
    rows = np.arange(at, at + len(from_zero))[:, None]
    vectors.put(rows * vectors.shape[1] + np.cumsum(sizes) - sizes + from_zero, 1.0)
    return -1


try:
    from gridarium.episodes._loops import alike, columns, pack, put_ones
except ImportError:  # no compiler where this was installed
    COMPILED = False
    alike, columns, pack, put_ones = alike_in_python, columns_in_python, pack_in_python, put_ones_in_python
else:
    COMPILED = True
