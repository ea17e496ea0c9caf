"""Conversion of spaces to plain data, as JSON and msgpack can hold it, and back."""

from __future__ import annotations

import base64
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from gridarium.episodes.errors import EpisodeError

spaces = gym.spaces


def space_to_state(space: gym.Space[Any]) -> dict[str, Any]:
    """A space as dicts, lists, numbers and texts.

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
    """The space of which `space_to_state` returned the state.

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
    """An array without loss, including infinities."""
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
