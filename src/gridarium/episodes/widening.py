"""Which further items arrays take, and of which type they have to be for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.exactness import NUMERIC, check_exact
from gridarium.episodes.layout import Layout
from gridarium.episodes.leaf import Array
from gridarium.episodes.structs import Struct, leaves


def fitting(
    layout: Layout, arrays: Sequence[Array], struct: Struct
) -> tuple[list[Array], list[np.dtype[Any]]]:
    """The leaves of a struct that can be appended to arrays, and the types that hold both; none if there are no arrays.

    Raises:
        EpisodeError: another form, other shapes, or numbers that no common type holds exactly.
    """
    try:
        flat = layout.flatten(struct)
    except (KeyError, IndexError, TypeError) as error:
        raise EpisodeError(f"data has another form than what is stored: {error}") from error
    types: list[np.dtype[Any]] = []
    stored = leaves(layout.build(arrays)) if arrays else ()
    for (path, array), new in zip(stored, map(np.asarray, flat), strict=bool(arrays)):
        if new.shape[1:] != array.shape[1:]:
            raise EpisodeError(f"{path or 'data'}: shape {new.shape[1:]} where {array.shape[1:]} is stored")
        if new.dtype.kind not in NUMERIC and array.dtype.kind in NUMERIC:
            raise EpisodeError(f"{path or 'data'}: not a number where {array.dtype} is stored")
        types.append(common_type(array.dtype, new))
        for values in (array, new):
            check_exact(path, values, types[-1])
    return flat, types


def types_for_both(arrays: Sequence[Array], others: Sequence[Any]) -> list[np.dtype[Any]]:
    """The types of arrays into which others are to be written, whose floats may be rounded to those that are stored.

    Raises:
        EpisodeError: numbers that no common type holds exactly.
    """
    types: list[np.dtype[Any]] = []
    for array, other in zip(arrays, others, strict=True):
        types.append(common_type(array.dtype, other, round_floats=True))
        for values in (array, np.asarray(other)):
            check_exact("", values, types[-1])
    return types


def common_type(dtype: np.dtype[Any], new: Any, *, round_floats: bool = False) -> np.dtype[Any]:
    """The type that holds both. Whole numbers that fit into the stored type are no reason to widen it."""
    new = np.asarray(new)
    if dtype == new.dtype or (round_floats and dtype.kind == new.dtype.kind == "f"):
        return dtype
    if dtype.kind in "iu" and new.dtype.kind in "iu" and new.size:
        limits = np.iinfo(dtype)
        if limits.min <= int(new.min()) and int(new.max()) <= limits.max:
            return dtype
    return np.result_type(dtype, new.dtype)
