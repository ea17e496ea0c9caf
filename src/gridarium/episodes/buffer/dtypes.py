"""What arrays of numpy do not keep as it is: large whole numbers among floats, and zeros at the end of texts."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.episodes.errors import EpisodeError

NUMERIC = "biufc"
"""The kinds of types of numbers."""

EXACT = 2**53
"""Up to here a float64 holds every whole number."""

LEAST, MOST = -(2**30) + 1, 2**30 - 1
"""Between them, Python compares whole numbers at once."""


@cache
def holds(dtype: np.dtype[Any], other: np.dtype[Any]) -> bool:
    """Whether an array of a type holds every number of another type exactly. Types that are no numbers hold only themselves."""
    if dtype == other:
        return True
    if other.kind in "iu" and dtype.kind in "fc" and np.iinfo(other).max > _largest(dtype):
        return False
    return dtype.kind in NUMERIC and other.kind in NUMERIC and np.result_type(dtype, other) == dtype


def _largest(dtype: np.dtype[Any]) -> int:
    """Up to here floats of a type hold every whole number."""
    return int(2 ** (np.finfo(dtype).nmant + 1))


def check_exact(path: str, values: npt.NDArray[Any], dtype: np.dtype[Any]) -> None:
    """Check that whole numbers stay what they are in arrays of another type.

    Raises:
        EpisodeError: they are to become floats, and one of them is too large for that.
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
    """Check that texts come back from an array.

    Raises:
        EpisodeError: one of them ends with a zero character, which numpy takes for padding.
    """
    for value in values:
        if isinstance(value, (str, bytes)) and value and value[-1] in ("\0", 0):
            raise EpisodeError(
                f"{path or 'data'}: {value!r} ends with a zero character, which arrays of texts do not keep"
            )
