"""Renders states for environments."""

from __future__ import annotations

import threading
from typing import Literal, TypeAlias, overload
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from gridarium import draw
from gridarium.engine import World
from gridarium.engine.painter import Painter
from gridarium.engine.threads.outputs import Arrays
from gridarium.world.state import State

Rendered: TypeAlias = str | npt.NDArray[np.uint8]
"""A text, or a picture uint8[height, width, 3]."""
_thread = threading.local()
"""Has the painters of a thread, by world and tile, for as long as their worlds are in use."""


@overload
def rendered(
    world: World, state: State, mode: Literal["rgb_array"], tile: int, arrays: Arrays | None = None
) -> npt.NDArray[np.uint8]: ...


@overload
def rendered(world: World, state: State, mode: str, tile: int, arrays: Arrays | None = None) -> Rendered: ...


def rendered(world: World, state: State, mode: str, tile: int, arrays: Arrays | None = None) -> Rendered:
    """A state as a text ("ansi") or as a picture ("rgb_array").

    A text begins with the mission. With one agent, what it does not see is darkened in the picture.

    Args:
        world: the state's.
        state: what to show.
        mode: how.
        tile: pixels of a cell's side.
        arrays: what the agent perceives as the composed world writes it, if that is known.
    """
    if mode == "ansi":
        return draw.text(state, mission=world.mission(state))
    if not hasattr(_thread, "painters"):
        _thread.painters = WeakKeyDictionary()
    painters: dict[int, Painter] = _thread.painters.setdefault(world, {})
    if tile not in painters:
        painters[tile] = Painter(world, tile)
    return painters[tile].picture(world, state, arrays)
