"""Do values lie in their space? Asked of whole arrays at once; the answer names the leaf and the step."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np

from gridarium.episodes.limits import SIMPLE, Limits
from gridarium.episodes.structs import Struct, leaves


def misfit(spaces: Struct, values: Struct, *, path: str = "") -> str | None:
    """What is wrong with values with a leading time axis; None if all of them lie in the space.

    Numbers of another width than the space's are accepted if they have the same kind.

    Args:
        spaces: of one item, as `gridarium.episodes.encoding.space_struct` gives it.
        values: a struct of arrays, or of lists.
        path: how the values are called.
    """
    found, wanted = dict(leaves(values, path)), dict(leaves(spaces, path))
    if found.keys() != wanted.keys():
        odd = sorted(found.keys() ^ wanted.keys())
        return f"{', '.join(odd)}: only in the {'data' if odd[0] in found else 'space'}"
    for name, space in wanted.items():
        wrong = _misfit(space, found[name])
        if wrong is not None:
            return f"{name or 'value'}{wrong}"
    return None


def _misfit(space: gym.Space[Any], values: Any) -> str | None:
    if not isinstance(space, SIMPLE):
        odd = [i for i, value in enumerate(values) if not space.contains(value)]
        return f" at step {odd[0]}: {values[odd[0]]!r} is outside {space}" if odd else None
    values = np.asarray(values)
    shape = space.shape or ()
    if values.shape[1:] != shape:
        return f": the shape is {values.shape[1:]}, the space's is {shape}"
    if not _same_kind(values.dtype, space.dtype):
        return f": the type is {values.dtype}, the space's is {space.dtype}"
    limits = Limits(space)
    outside = limits.outside(values)
    if outside is None:
        return None
    step = int(outside.argmax())
    return f" at step {step}{limits.told(values[step])}"


def _same_kind(dtype: np.dtype[Any], wanted: Any) -> bool:
    kinds = {"f": "f", "i": "iub", "u": "iub", "b": "iub"}
    return dtype.kind in kinds.get(np.dtype(wanted).kind, dtype.kind)
