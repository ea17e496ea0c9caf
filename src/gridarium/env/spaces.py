"""Gymnasium spaces of a world's actions and observations."""

from __future__ import annotations

import string
from collections.abc import Iterable
from typing import Any

import numpy as np
from gymnasium import spaces

from gridarium.engine import World
from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.observe.representation import Output
from gridarium.env.action_parts import ActionParts
from gridarium.worlds.missions import longest


def box(output: Output) -> spaces.Box:
    """The space of one array, without an agent axis."""
    low = np.broadcast_to(np.asarray(output.low, output.dtype), output.shape)
    high = np.broadcast_to(np.asarray(output.high, output.dtype), output.shape)
    return spaces.Box(low, high, output.shape, output.dtype)


def observation_space(outputs: Iterable[Output]) -> spaces.Dict:
    """The space of an agent's observation: a dictionary of arrays."""
    return spaces.Dict({output.name: box(output) for output in outputs})


def action_space(composed: ComposedWorld, parts: ActionParts | None = None) -> spaces.Space[Any]:
    """The space of an agent's actions: indices into the world's list, or arrays of their parts."""
    return spaces.Discrete(composed.action_table.shape[1]) if parts is None else parts.space


def mission_space(world: World) -> spaces.Text:
    """The space of a world's missions in words.

    Raises:
        ValueError: the world has no mission.
    """
    described = world.spec.description.mission
    if not described:
        raise ValueError(f"{world.name} has no mission; its description can have one")
    return spaces.Text(longest(described, world.spec.vocabulary.world_fields), charset=string.printable)
