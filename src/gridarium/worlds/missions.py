"""Missions: a description's task in words, with the names of objects of the state inserted."""

from __future__ import annotations

import re

from gridarium.rules.reset_functions.target import target
from gridarium.world.colors import Color
from gridarium.world.objects import GridObject
from gridarium.world.state import State

TARGET = "{target}"


def mission(text: str, state: State) -> str:
    """The mission in a state.

    Args:
        text: the text in the description, such as `fetch a {target}`.
        state: a state of the world; its target is that of `gridarium.rules.reset_functions.target`.
    """
    return text.replace(TARGET, in_words(target(state))) if depends_on_state(text) else text


def depends_on_state(text: str) -> bool:
    """Return whether a mission differs between states."""
    return TARGET in text


def in_words(thing: GridObject) -> str:
    """Name an object by its color and kind: 'red key'."""
    kind = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", type(thing).__name__).lower()
    colored = thing.colored and thing.color != Color.NONE
    return f"{thing.color.name.lower().replace('_', ' ')} {kind}" if colored else kind


def check_mission(text: str) -> str:
    """Validate the text of a mission and return it.

    Raises:
        ValueError: it contains another placeholder than the target.
    """
    unknown = re.findall(r"[{}][^{}]*}?", text.replace(TARGET, ""))
    if unknown:
        raise ValueError(f"a mission can name {TARGET}, not {unknown[0]!r}")
    return text
