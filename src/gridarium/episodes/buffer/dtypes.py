"""Which dtypes hold which values exactly. NumPy does not keep large integers among floats, nor zeros at the end of texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.episodes.errors import EpisodeError

NUMERIC = "biufc"
"""The kinds (`dtype.kind`) of numeric dtypes."""

EXACT = 2**53
"""A float64 holds every integer up to this one."""

MIN_FAST_INT, MAX_FAST_INT = -(2**30) + 1, 2**30 - 1
"""Python compares integers between these in one step."""


@cache
def holds(dtype: np.dtype[Any], other: np.dtype[Any]) -> bool:
    """Whether a dtype holds every number of another dtype exactly. Other than numeric dtypes hold only themselves."""
    if dtype == other:
        return True
    if other.kind in "iu" and dtype.kind in "fc" and np.iinfo(other).max > _largest(dtype):
        return False
    return dtype.kind in NUMERIC and other.kind in NUMERIC and np.result_type(dtype, other) == dtype


def _largest(dtype: np.dtype[Any]) -> int:
    """Floats of a dtype hold every integer up to this one."""
    return int(2 ** (np.finfo(dtype).nmant + 1))


def check_exact(path: str, values: npt.NDArray[Any], dtype: np.dtype[Any]) -> None:
    """Check that integers keep their values in arrays of another dtype.

    Raises:
        EpisodeError: they would become floats, and one of them is too large for that.
    """
    if values.dtype.kind not in "iu" or dtype.kind not in "fc" or not values.size:
        return
    largest = _largest(dtype)
    for value in (int(values.min()), int(values.max())):
        if abs(value) > largest:
            raise EpisodeError(
                f"{path or 'data'}: the whole number {value} stands among numbers of type {dtype}, which hold whole "
                f"numbers only up to {largest}"
            )


def check_texts(path: str, values: Iterable[Any]) -> None:
    """Check that texts keep their values in an array.

    Raises:
        EpisodeError: one of them ends with a zero character, which NumPy takes for padding.
    """
    for value in values:
        if isinstance(value, (str, bytes)) and value and value[-1] in ("\0", 0):
            raise EpisodeError(
                f"{path or 'data'}: {value!r} ends with a zero character, which arrays of texts do not keep"
            )


def overwritten_dtypes(arrays: Sequence[npt.NDArray[Any]], others: Sequence[Any]) -> list[np.dtype[Any]]:
    """The dtypes of arrays after others are written into them; floats may be rounded to the stored dtype.

    Raises:
        EpisodeError: numbers that no common dtype holds exactly.
    """
    types: list[np.dtype[Any]] = []
    for array, other in zip(arrays, others, strict=True):
        types.append(common_dtype(array.dtype, other, round_floats=True))
        for values in (array, np.asarray(other)):
            check_exact("", values, types[-1])
    return types


def common_dtype(dtype: np.dtype[Any], new: Any, *, round_floats: bool = False) -> np.dtype[Any]:
    """The dtype that holds both. Integers that fit into the stored dtype do not widen it."""
    new = np.asarray(new)
    if dtype == new.dtype or (round_floats and dtype.kind == new.dtype.kind == "f"):
        return dtype
    if dtype.kind in "iu" and new.dtype.kind in "iu" and new.size:
        limits = np.iinfo(dtype)
        if limits.min <= int(new.min()) and int(new.max()) <= limits.max:
            return dtype
    return np.result_type(dtype, new.dtype)
