"""Resolution of indices to positions of stored items and numbers of filled items.

A buffer holds `total` items, of which the first `lookback` are history. Index 0 is the first item after the history.
A negative index counts back from the end, through the history; or, with `neg_index_as_lookback`, from index 0 into it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium.episodes.errors import EpisodeError

PLAIN = (int, slice, list, type(None))


def plain_indices(indices: Any) -> Any:
    """Indices as an int, a list, a slice, or None; those of NumPy are converted.

    Raises:
        EpisodeError: indices of another type.
    """
    if isinstance(indices, PLAIN):
        return indices
    if isinstance(indices, (np.integer, np.ndarray)) and indices.ndim <= 1 and indices.dtype.kind in "iu":
        return indices.tolist()
    raise EpisodeError(f"indices are an int, a list of ints, a slice or None, got {indices!r}")


def position(i: int, total: int, lookback: int, *, neg_index_as_lookback: bool = False) -> int | None:
    """Return the position of the item with index `i`; None if there is no such item."""
    at = lookback + i if i >= 0 or neg_index_as_lookback else total + i
    return at if 0 <= at < total else None


def span(
    s: slice, total: int, lookback: int, neg_index_as_lookback: bool = False, fill: bool = False
) -> tuple[int, int, int, int, int]:
    """Return the positions of a slice. Without `fill` the parts of it where nothing is stored are left out.

    No start means index 0, and no stop the end, also where the step is negative. How many items are filled in does not
    depend on the step.

    Returns:
        start, stop, step, left, right: the stored positions `start, start + step, ...` before `stop`, between `left` and
        `right` filled items. With a negative step `stop` may be -1: down to the first item.

    Raises:
        ValueError: a step of 0.
    """
    start, stop = s.start, s.stop
    base = lookback if neg_index_as_lookback else total
    start = lookback if start is None else start + (lookback if start >= 0 else base)
    stop = total if stop is None else stop + (lookback if stop >= 0 else base)
    step = 1 if s.step is None else s.step
    if step == 1 and 0 <= start <= stop <= total:  # all of it is stored: the usual case
        return start, stop, 1, 0, 0
    if step == 1 and start < 0 < stop <= total:  # it begins before the first item
        return 0, stop, 1, -start if fill else 0, 0
    if step == 0:
        raise ValueError("the step of a slice cannot be zero")
    left, right = _missing(start, stop, step, total) if fill else (0, 0)
    if step > 0:
        start, stop = max(start, 0), min(stop, total)
    else:
        start, stop = min(start, total - 1), max(stop, -1)
    if (step > 0) != (start < stop) or start == stop:
        start = stop = 0
    return start, stop, step, left, right


def _missing(start: int, stop: int, step: int, total: int) -> tuple[int, int]:
    """Return the numbers of items to fill in at the left and at the right end of the result."""
    if start < 0 and stop < 0:
        return abs(start - stop), 0
    if start >= total and stop >= total:
        return 0, abs(start - stop)
    if start < 0:
        return -start, max(stop - total, 0) if step > 0 else 0
    if stop >= total:
        return 0, stop - total
    if stop < 0:
        return max(start - total + 1, 0), -stop - 1
    return 0, 0
