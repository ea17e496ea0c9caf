"""Networks in ONNX as policies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.engine import World
from gridarium.engine.threads.outputs import Arrays
from gridarium.world import Action

MASK = "action_mask"
NUMPY_NAMES = {"float": "float32", "double": "float64", "float16": "float16"}
"""Where numpy has another name for a type of ONNX."""


def onnx_policy(session: Any) -> Callable[..., int]:
    """A network in ONNX as a policy: its first output scores the actions, of which the best legal one is taken.

    Its inputs have the names of the world's observations, with a first axis of 1; `action_mask` [1, actions] is 1 for legal
    actions. A single input with another name gets all arrays, flat, one after another in the order of their names. These are
    the networks that also play in matches, see `gridarium.arena`.

    Args:
        session: an `onnxruntime.InferenceSession`.

    Returns:
        A policy. It raises a `ValueError` for an input that the world does not show, and for another number of scores.
    """
    inputs = list(session.get_inputs())

    def choose(observation: Arrays, actions: tuple[Action, ...], world: World) -> int:
        legal = [world.actions.index(action) for action in actions]
        mask = np.zeros(len(world.actions), np.uint8)
        mask[legal] = 1
        arrays: dict[str, npt.NDArray[Any]] = {**observation, MASK: mask}
        if len(inputs) == 1 and inputs[0].name not in arrays:
            parts = [observation[name].reshape(-1).astype(np.float64) for name in sorted(observation)]
            arrays = {inputs[0].name: np.concatenate(parts)}
        missing = [one.name for one in inputs if one.name not in arrays]
        if missing:
            raise ValueError(
                f"the network asks for {', '.join(missing)}; {world.name} shows {', '.join(arrays)}"
            )
        feeds = {one.name: arrays[one.name][None].astype(_dtype(one.type)) for one in inputs}
        scores = np.asarray(session.run(None, feeds)[0]).reshape(-1)
        if len(scores) != len(world.actions):
            raise ValueError(
                f"the network has {len(scores)} scores; {world.name} has {len(world.actions)} actions"
            )
        return max(legal, key=lambda index: float(scores[index]))

    return choose


def _dtype(onnx_type: str) -> np.dtype[Any]:
    name = onnx_type.removeprefix("tensor(").removesuffix(")")
    return np.dtype(NUMPY_NAMES.get(name, name))
