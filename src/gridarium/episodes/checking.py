"""Do values lie in their space? Asked of whole arrays at once; the answer names the leaf and the step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gymnasium as gym
import numpy as np

from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.limits import SIMPLE, Limits
from gridarium.episodes.structs import Struct, batch


def misfit(spaces: Struct, values: Struct, *, path: str = "") -> str | None:
    """What is wrong with values with a leading time axis; None if all of them lie in the space.

    Numbers of another width than the space's are accepted if they have the same kind.

    Args:
        spaces: of one item, as `gridarium.episodes.encoding.space_struct` gives it.
        values: a struct of arrays, or of lists.
        path: how the values are called.
    """
    if not isinstance(spaces, (dict, tuple)):
        kind = type(values).__name__
        wrong = f": a {kind} is no value" if isinstance(values, (dict, tuple)) else _misfit(spaces, values)
        return wrong and f"{path or 'value'}{wrong}"
    other = _other_form(spaces, values, path)
    return other or _first(
        misfit(space, values[key], path=f"{path}[{key!r}]") for key, space in _parts(spaces)
    )


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
    for step, item in enumerate(items):
        other = _other_form(spaces, item, path)
        if other is not None:
            return f"{other}, at step {step}" if step else other
    return _first(
        misfit_of_items(space, [item[key] for item in items], path=f"{path}[{key!r}]")
        for key, space in _parts(spaces)
    )


def _parts(struct: Struct) -> Iterable[tuple[Any, Struct]]:
    return struct.items() if isinstance(struct, dict) else enumerate(struct)


def _other_form(spaces: Struct, value: Struct, path: str) -> str | None:
    """How a value differs from a dict or a tuple of spaces, in its class or its keys."""
    if not isinstance(value, type(spaces)):
        return f"{path or 'value'}: a {type(spaces).__name__} is needed, not {value!r}"
    wanted, found = ([key for key, _ in _parts(struct)] for struct in (spaces, value))
    odd = [(key, "data") for key in found if key not in wanted] + [
        (key, "space") for key in wanted if key not in found
    ]
    return ", ".join(f"{path}[{key!r}]: only in the {side}" for key, side in odd) or None


def _first(told: Iterable[str | None]) -> str | None:
    return next((text for text in told if text is not None), None)


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
