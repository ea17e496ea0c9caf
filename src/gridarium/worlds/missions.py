"""What is wanted in an episode, in words: a description's mission with the names of things of the state in it."""

from __future__ import annotations

import re

from gridarium.rules.reset_functions.wanted import wanted
from gridarium.world.colors import Color
from gridarium.world.objects import GridObject
from gridarium.world.state import State

WANTED = "{wanted}"


def mission(text: str, state: State) -> str:
    """A mission in a state.

    Args:
        text: what the description says, such as `fetch a {wanted}`.
        state: of the world; what is wanted is that of `gridarium.rules.reset_functions.wanted`.
    """
    return text.replace(WANTED, in_words(wanted(state))) if depends_on_state(text) else text


def depends_on_state(text: str) -> bool:
    """Whether a mission is another one in other states."""
    return WANTED in text


def in_words(thing: GridObject) -> str:
    """An object by its color and kind: 'red key'."""
    kind = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", type(thing).__name__).lower()
    colored = thing.colored and thing.color != Color.NONE
    return f"{thing.color.name.lower().replace('_', ' ')} {kind}" if colored else kind


def check_mission(text: str) -> str:
    """The text of a mission as it is.

    Raises:
        ValueError: it names something else than what is wanted.
    """
    unknown = re.findall(r"[{}][^{}]*}?", text.replace(WANTED, ""))
    if unknown:
        raise ValueError(f"a mission can name {WANTED}, not {unknown[0]!r}")
    return text
