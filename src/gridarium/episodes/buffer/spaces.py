"""Spaces: whether values lie in them, and their conversion to plain data, as JSON and msgpack can hold it, and back."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from gridarium.episodes.buffer.structs import Struct, batch
from gridarium.episodes.errors import EpisodeError

Flags = npt.NDArray[np.bool_]
Bound = int | float | np.generic | npt.NDArray[Any]
"""A number for all entries of an item, or an array of the item's shape."""

REDUCE_WIDTH = 64

SIMPLE = (gym.spaces.Box, gym.spaces.Discrete, gym.spaces.MultiDiscrete, gym.spaces.MultiBinary)


class SpaceBounds:
    """The values that a space of numbers allows, from a smallest to a largest one.

    Args:
        space: one of `SIMPLE`.
    """

    def __init__(self, space: gym.Space[Any]) -> None:
        self.space = space
        low, high = _bounds(space)
        self._low, self._high = _one_for_all(low), _one_for_all(high)
        self._uniform = np.ndim(self._low) == np.ndim(self._high) == 0

    def outside(self, values: npt.NDArray[Any]) -> Flags | None:
        """Return the mask, bool[n], of the items [n, ...] that lie outside; None if all lie inside. NaN lies outside of everything."""
        least, most = _extremes(values.dtype)
        above = bool(np.all(self._low <= least))
        below = bool(np.all(self._high >= most))
        if not values.size or (above and below):
            return None
        values = self._as_space_dtype(values)
        if not above:
            above = bool(np.all(self._low <= self._extreme(np.minimum, values)))
        if above and not below:
            below = bool(np.all(self._extreme(np.maximum, values) <= self._high))
        if above and below:
            return None
        return np.asarray(self._is_outside(values).reshape(len(values), -1).any(1))

    def describe(self, value: Any) -> str:
        """Describe the first entry of an item that lies outside."""
        value = np.asarray(value)
        at = np.argwhere(self._is_outside(self._as_space_dtype(value)))[0]
        entry = f", entry {tuple(map(int, at))}" if len(at) else ""
        return f"{entry}: {value[tuple(at)]} is outside {self.space}"

    def _as_space_dtype(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the values in the space's own type, as far as both are floats: its bounds are rounded to it."""
        return values.astype(self.space.dtype, copy=False) if values.dtype.kind == "f" else values

    def _is_outside(self, values: npt.NDArray[Any]) -> Flags:
        with np.errstate(invalid="ignore"):
            odd: Flags = ~((values >= self._low) & (values <= self._high))
        return odd

    def _extreme(self, which: np.ufunc, values: npt.NDArray[Any]) -> Any:
        """Return the smallest or the largest values: of all entries, or of each entry, as the bounds are."""
        if self._uniform:
            return which.reduce(values, None)
        n, item = len(values) // REDUCE_WIDTH * REDUCE_WIDTH, values.shape[1:]
        if n:  # long rows are compared several times as fast as short ones
            rows = which.reduce(values[:n].reshape(n // REDUCE_WIDTH, -1)).reshape(REDUCE_WIDTH, *item)
            values = np.concatenate([rows, values[n:]])
        return which.reduce(values)


def _extremes(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    """Return the smallest and the largest value of a type. NaN is neither: so floats have none."""
    if dtype.kind == "b":
        return 0, 1
    if dtype.kind in "iu":
        return np.iinfo(dtype).min, np.iinfo(dtype).max
    return np.nan, np.inf


def _one_for_all(bound: npt.ArrayLike) -> Bound:
    """Return a bound as one number, if it is the same for all entries."""
    bounds: npt.NDArray[Any] = np.asarray(bound)
    first: Bound = bounds.flat[0] if bounds.size else bounds
    return first if (bounds == first).all() else bounds


def _bounds(space: Any) -> tuple[Any, Any]:
    if isinstance(space, gym.spaces.Box):
        return space.low, space.high
    if isinstance(space, gym.spaces.Discrete):
        return int(space.start), int(space.start + space.n) - 1
    if isinstance(space, gym.spaces.MultiDiscrete):
        return space.start, space.start + space.nvec - 1
    return 0, 1


def find_mismatch(spaces: Struct, values: Struct, *, path: str = "") -> str | None:
    """Return an error message for values with a leading time axis; None if all of them lie in the space.

    Numbers of another width than the space's are accepted if they have the same kind.

    Args:
        spaces: of one item, as of `gridarium.episodes.buffer.encoders.space_struct`.
        values: a struct of arrays, or of lists.
        path: the name of the values, for errors.
    """
    if not isinstance(spaces, (dict, tuple)):
        kind = type(values).__name__
        wrong = (
            f": a {kind} is not a value"
            if isinstance(values, (dict, tuple))
            else _leaf_mismatch(spaces, values)
        )
        return wrong and f"{path or 'value'}{wrong}"
    other = _form_difference(spaces, values, path)
    return other or _first(
        find_mismatch(space, values[key], path=f"{path}[{key!r}]") for key, space in _parts(spaces)
    )


def find_mismatch_in_items(spaces: Struct, items: list[Any], *, path: str = "") -> str | None:
    """Do the same as `find_mismatch` for a list of items. Their forms may differ, and their values may be tuples themselves.

    Args:
        spaces: as of `find_mismatch`.
        items: a value for each step.
        path: the name of the items, for errors.
    """
    if not isinstance(spaces, (dict, tuple)):
        wrong = (
            _leaf_mismatch(spaces, items) if not isinstance(spaces, SIMPLE) else _item_mismatch(spaces, items)
        )
        return wrong and f"{path or 'value'}{wrong}"
    for step, item in enumerate(items):
        other = _form_difference(spaces, item, path)
        if other is not None:
            return f"{other}, at step {step}" if step else other
    return _first(
        find_mismatch_in_items(space, [item[key] for item in items], path=f"{path}[{key!r}]")
        for key, space in _parts(spaces)
    )


def _parts(struct: Struct) -> Iterable[tuple[Any, Struct]]:
    return struct.items() if isinstance(struct, dict) else enumerate(struct)


def _form_difference(spaces: Struct, value: Struct, path: str) -> str | None:
    """Describe the difference between a value and a dict or a tuple of spaces, in its class or its keys."""
    if not isinstance(value, type(spaces)):
        return f"{path or 'value'}: a {type(spaces).__name__} is needed, not {value!r}"
    wanted, found = ([key for key, _ in _parts(struct)] for struct in (spaces, value))
    odd = [(key, "data") for key in found if key not in wanted] + [
        (key, "space") for key in wanted if key not in found
    ]
    return ", ".join(f"{path}[{key!r}]: only in the {side}" for key, side in odd) or None


def _first(texts: Iterable[str | None]) -> str | None:
    return next((text for text in texts if text is not None), None)


def _item_mismatch(space: gym.Space[Any], items: list[Any]) -> str | None:
    try:
        if not isinstance(values := batch(items), (dict, tuple)):
            return _leaf_mismatch(space, values)
    except EpisodeError as error:  # items of different forms: one of them is wrong
        values = error
    for step, item in enumerate(items):
        one = batch([item])
        wrong = f": {item!r} is not a value" if isinstance(one, (dict, tuple)) else _leaf_mismatch(space, one)
        if wrong is not None:
            return f"{wrong.replace(' at step 0', '')}, at step {step}"
    return f": {values}"


def _leaf_mismatch(space: gym.Space[Any], values: Any) -> str | None:
    if not isinstance(space, SIMPLE):
        odd = [i for i, value in enumerate(values) if not space.contains(value)]
        return f" at step {odd[0]}: {values[odd[0]]!r} is outside {space}" if odd else None
    values = np.asarray(values)
    shape = space.shape or ()
    if values.shape[1:] != shape:
        return f": the shape is {values.shape[1:]}, the space's is {shape}"
    if not _same_kind(values.dtype, space.dtype):
        return f": the type is {values.dtype}, the space's is {space.dtype}"
    bounds = SpaceBounds(space)
    outside = bounds.outside(values)
    if outside is None:
        return None
    step = int(outside.argmax())
    return f" at step {step}{bounds.describe(values[step])}"


def _same_kind(dtype: np.dtype[Any], wanted: Any) -> bool:
    kinds = {"f": "f", "i": "iub", "u": "iub", "b": "iub"}
    return dtype.kind in kinds.get(np.dtype(wanted).kind, dtype.kind)


spaces = gym.spaces


def space_to_state(space: gym.Space[Any]) -> dict[str, Any]:
    """Convert a space to dicts, lists, numbers and texts.

    Raises:
        EpisodeError: a kind of space that cannot be converted: graphs, sequences, and custom spaces.
    """
    if isinstance(space, spaces.Box):
        return {"space": "box", "low": _packed(space.low), "high": _packed(space.high)}
    if isinstance(space, spaces.Discrete):
        return {"space": "discrete", "n": int(space.n), "start": int(space.start), "dtype": str(space.dtype)}
    if isinstance(space, spaces.MultiDiscrete):
        return {
            "space": "multi_discrete",
            "nvec": _packed(space.nvec),
            "start": _packed(space.start),
            "dtype": str(space.dtype),
        }
    if isinstance(space, spaces.MultiBinary):
        n = int(space.n) if isinstance(space.n, (int, np.integer)) else [int(side) for side in space.n]
        return {"space": "multi_binary", "n": n}
    if isinstance(space, spaces.Text):
        return {
            "space": "text",
            "min_length": int(space.min_length),
            "max_length": int(space.max_length),
            "characters": "".join(space.character_list),
        }
    if isinstance(space, spaces.Dict):
        return {"space": "dict", "parts": [[key, space_to_state(part)] for key, part in space.spaces.items()]}
    if isinstance(space, spaces.Tuple):
        return {"space": "tuple", "parts": [space_to_state(part) for part in space.spaces]}
    raise EpisodeError(f"a space of kind {type(space).__name__} cannot be kept as plain data")


def space_from_state(state: dict[str, Any]) -> gym.Space[Any]:
    """Restore a space from what `space_to_state` returned.

    Raises:
        EpisodeError: an unknown kind of space, or a description that lacks something.
    """
    kind = state.get("space")
    try:
        if kind == "box":
            low, high = _unpacked(state["low"]), _unpacked(state["high"])
            return spaces.Box(low, high, low.shape, low.dtype.type)
        if kind == "discrete":
            return spaces.Discrete(state["n"], start=state["start"])
        if kind == "multi_discrete":
            return spaces.MultiDiscrete(
                _unpacked(state["nvec"]), np.dtype(state["dtype"]).type, start=_unpacked(state["start"])
            )
        if kind == "multi_binary":
            return spaces.MultiBinary(state["n"])
        if kind == "text":
            return spaces.Text(
                state["max_length"], min_length=state["min_length"], charset=state["characters"]
            )
        if kind == "dict":
            return spaces.Dict({key: space_from_state(part) for key, part in state["parts"]})
        if kind == "tuple":
            return spaces.Tuple([space_from_state(part) for part in state["parts"]])
    except KeyError as error:
        raise EpisodeError(f"the description of a {kind} space lacks {error}") from error
    raise EpisodeError(f"unknown kind of space: {kind!r}")


def _packed(array: npt.NDArray[Any]) -> dict[str, Any]:
    """Return an array without loss, including infinities."""
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
    return {"dtype": array.dtype.str, "shape": list(array.shape), "data": data}


def _unpacked(state: dict[str, Any]) -> npt.NDArray[Any]:
    dtype = np.dtype(state["dtype"])
    if dtype.hasobject:
        raise EpisodeError(f"arrays of {dtype} are not read")
    try:
        return np.frombuffer(base64.b64decode(state["data"]), dtype).reshape(state["shape"]).copy()
    except ValueError as error:
        raise EpisodeError(f"a damaged array: {error}") from error
