"""Spaces and items for the tests."""

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete, Tuple

NESTED = Dict(
    {
        "kind": Discrete(4),
        "picture": Box(0, 255, (2, 3), np.uint8),
        "rest": Tuple([MultiDiscrete([2, 3]), Box(-1.0, 1.0, (1,), np.float32), MultiBinary(2)]),
    }
)


def samples(space, n, seed=0):
    space.seed(seed)
    return [space.sample() for _ in range(n)]


def same(a, b):
    """Equal in form, types and values."""
    if isinstance(a, dict):
        return type(a) is type(b) and list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if type(a) is not type(b):
        return False
    if isinstance(a, (np.ndarray, np.generic)):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    return a == b or (a != a and b != b)
