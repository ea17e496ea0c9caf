"""Batches of made-up items of a space."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np

from gridarium.episodes.encoding import one_hot_encoder, plain_encoder, space_struct
from gridarium.episodes.structs import Struct, batch, map_structs


def get_dummy_batch_for_space(
    space: gym.Space[Any],
    batch_size: int = 32,
    *,
    fill_value: float | str = 0.0,
    time_size: int | None = None,
    time_major: bool = False,
    one_hot_discrete: bool = False,
) -> Struct:
    """A struct of arrays in the form of a space.

    Args:
        space: of one item.
        batch_size: length of the batch axis; 0 for no such axis.
        fill_value: every number of the items, or "random" for samples of the space.
        time_size: length of a time axis after the batch axis; None for no such axis.
        time_major: put the time axis first.
        one_hot_discrete: vectors for the discrete parts, see `InfiniteLookbackBuffer.get`.

    Returns:
        Arrays [batch_size, time_size, ...], in the types of the space.
    """
    lengths = [batch_size] if batch_size else []
    if time_size is not None:
        lengths.insert(0 if time_major else len(lengths), time_size)
    parts = space_struct(space)
    encoder = one_hot_encoder(parts) if one_hot_discrete else plain_encoder(parts)
    if fill_value == "random":
        n = int(np.prod(lengths))
        samples = [encoder.one(space.sample()) for _ in range(n)]
        if not lengths:
            return map_structs(lambda _, leaf: np.asarray(leaf), samples[0])
        return map_structs(lambda _, leaf: leaf.reshape(*lengths, *leaf.shape[1:]), batch(samples))
    return map_structs(
        lambda _, leaf: np.broadcast_to(leaf, (*lengths, *leaf.shape)).copy(), encoder.filled(fill_value)
    )
