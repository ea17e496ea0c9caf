"""What environments show when they are asked to render."""

from __future__ import annotations

import threading
from typing import Any
from weakref import WeakKeyDictionary

from gridarium import draw
from gridarium.engine import World
from gridarium.engine.painter import Painter
from gridarium.engine.threads.outputs import Arrays
from gridarium.world.state import State

_thread = threading.local()
"""Has the painters of a thread, by world and tile, for as long as their worlds are in use."""


def rendered(world: World, state: State, mode: str, tile: int, arrays: Arrays | None = None) -> Any:
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
    painters = _thread.painters.setdefault(world, {})
    if tile not in painters:
        painters[tile] = Painter(world, tile)
    return painters[tile].picture(world, state, arrays)
