"""Do values lie in their space? Asked of whole arrays at once; the answer names the leaf and the step."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

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
    if not isinstance(space, _SIMPLE):
        odd = [i for i, value in enumerate(values) if not space.contains(value)]
        return f" at step {odd[0]}: {values[odd[0]]!r} is outside {space}" if odd else None
    values = np.asarray(values)
    shape = space.shape or ()
    if values.shape[1:] != shape:
        return f": the shape is {values.shape[1:]}, the space's is {shape}"
    if not _same_kind(values.dtype, space.dtype):
        return f": the type is {values.dtype}, the space's is {space.dtype}"
    low, high = _bounds(space)
    numbers = values.astype(space.dtype) if values.dtype.kind == "f" else values
    with np.errstate(invalid="ignore"):
        inside = (numbers >= low) & (numbers <= high)
    if inside.all():
        return None
    at = np.argwhere(~inside)[0]
    entry = f", entry {tuple(map(int, at[1:]))}" if len(at) > 1 else ""
    return f" at step {int(at[0])}{entry}: {values[tuple(at)]} is outside {space}"


_SIMPLE = (gym.spaces.Box, gym.spaces.Discrete, gym.spaces.MultiDiscrete, gym.spaces.MultiBinary)


def _bounds(space: Any) -> tuple[npt.NDArray[Any] | int, npt.NDArray[Any] | int]:
    if isinstance(space, gym.spaces.Box):
        return space.low, space.high
    if isinstance(space, gym.spaces.Discrete):
        return int(space.start), int(space.start + space.n) - 1
    if isinstance(space, gym.spaces.MultiDiscrete):
        return space.start, space.start + space.nvec - 1
    return 0, 1


def _same_kind(dtype: np.dtype[Any], wanted: Any) -> bool:
    kinds = {"f": "f", "i": "iub", "u": "iub", "b": "iub"}
    return dtype.kind in kinds.get(np.dtype(wanted).kind, dtype.kind)
