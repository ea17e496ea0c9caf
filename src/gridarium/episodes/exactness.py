"""What arrays of numpy do not keep as it is: large whole numbers among floats, and zeros at the end of texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.episodes.errors import EpisodeError

EXACT = 2**53
"""Up to here a float64 holds every whole number."""

LEAST, MOST = -(2**30) + 1, 2**30 - 1
"""Between them, Python compares whole numbers at once."""


def check_exact(path: str, values: npt.NDArray[Any], dtype: np.dtype[Any]) -> None:
    """Check that whole numbers stay what they are in arrays of another type.

    Raises:
        EpisodeError: they are to become floats, and one of them is too large for that.
    """
    if values.dtype.kind not in "iu" or dtype.kind not in "fc" or not values.size:
        return
    largest = 2 ** (np.finfo(dtype).nmant + 1)
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
