"""Do values lie in their space? Asked of whole arrays at once; the answer names the leaf and the step."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np

from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.limits import SIMPLE, Limits
from gridarium.episodes.structs import Struct, batch, leaves


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


def misfit_of_items(spaces: Struct, items: list[Any], *, path: str = "") -> str | None:
    """The same as `misfit` of a list of items, whose form may differ, and whose values may be tuples themselves.

    Args:
        spaces: as there.
        items: a value for each step.
        path: how the items are called.
    """
    if not isinstance(spaces, (dict, tuple)):
        wrong = _misfit(spaces, items) if not isinstance(spaces, SIMPLE) else _misfit_of_leaf(spaces, items)
        return wrong and f"{path or 'value'}{wrong}"
    wanted = spaces if isinstance(spaces, dict) else dict(enumerate(spaces))
    for step, item in enumerate(items):
        where = f", at step {step}" if step else ""
        if not isinstance(item, type(spaces)):
            return f"{path or 'value'}: a {type(spaces).__name__} is needed, not {item!r}{where}"
        found = item if isinstance(item, dict) else dict(enumerate(item))
        odd = [(key, "data" if key in found else "space") for key in (*found, *wanted)]
        odd = [(key, side) for key, side in odd if (key in wanted) != (key in found)]
        if odd:
            told = ", ".join(f"{path}[{key!r}]: only in the {side}" for key, side in odd)
            return told + where
    for key, space in wanted.items():
        wrong = misfit_of_items(space, [item[key] for item in items], path=f"{path}[{key!r}]")
        if wrong is not None:
            return wrong
    return None


def _misfit_of_leaf(space: gym.Space[Any], items: list[Any]) -> str | None:
    try:
        if not isinstance(values := batch(items), (dict, tuple)):
            return _misfit(space, values)
    except EpisodeError as error:  # items of different forms: one of them is to blame
        values = error
    for step, item in enumerate(items):
        one = batch([item])
        wrong = f": {item!r} is no value" if isinstance(one, (dict, tuple)) else _misfit(space, one)
        if wrong is not None:
            return f"{wrong.replace(' at step 0', '')}, at step {step}"
    return f": {values}"


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
