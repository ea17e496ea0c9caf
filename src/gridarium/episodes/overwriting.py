"""Overwriting items of a buffer that gives arrays: form, number and space are checked before anything changes."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium.episodes.checking import misfit
from gridarium.episodes.errors import EpisodeIndexError
from gridarium.episodes.storage import Storage
from gridarium.episodes.structs import Struct, batch, leaves, map_structs


def overwrite_arrays(
    storage: Storage, positions: list[int], new_data: Any, spaces: Struct, *, single: bool
) -> None:
    """Write a struct of arrays, or one item, over the items at some positions.

    Args:
        storage: what is changed.
        positions: which items.
        new_data: as many items as there are positions, or, if `single`, one item without a time axis.
        spaces: of one item (see `space_struct`), or None if anything of the right shape goes.
        single: whether new_data is one item.

    Raises:
        EpisodeIndexError: another number of items, another form or shape, or values outside the space (naming the leaf).
    """
    if single:
        new_data = map_structs(lambda _, leaf: np.asarray(leaf)[None], new_data)
    elif isinstance(new_data, list):
        if len(new_data) == len(positions) == 0:
            return
        new_data = batch(new_data)
    stored = dict(leaves(storage.struct()))
    found = {path: np.asarray(leaf) for path, leaf in leaves(new_data)}
    if stored.keys() != found.keys():
        raise EpisodeIndexError(f"new data has the leaves {sorted(found)}, stored are {sorted(stored)}")
    for path, leaf in found.items():
        wanted = (len(positions), *stored[path].shape[1:])
        if leaf.shape != wanted:
            raise EpisodeIndexError(f"{path or 'new data'}: the shape is {leaf.shape}, needed is {wanted}")
    wrong = misfit(spaces, new_data) if spaces is not None else None
    if wrong is not None:
        raise EpisodeIndexError(f"new data: {wrong}")
    storage.assign(positions, new_data)
