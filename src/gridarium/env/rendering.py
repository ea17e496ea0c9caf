"""What environments show when they are asked to render."""

from __future__ import annotations

from typing import Any

from gridarium import draw
from gridarium.engine import World
from gridarium.world.state import State


def rendered(world: World, state: State, mode: str, tile: int) -> Any:
    """A state as a text ("ansi") or as a picture ("rgb_array").

    With one agent, what it does not see is darkened in the picture.
    """
    if mode == "ansi":
        return draw.text(state)
    view = world.observe(state) if world.spec.agents == 1 else None
    return draw.rgb(state, tile=tile, view=view)
