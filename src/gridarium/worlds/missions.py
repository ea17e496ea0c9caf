"""Missions: a description's task in words, with the target object and declared numbers of the state inserted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from gridarium.rules.reset_functions.target import target
from gridarium.world.colors import Color
from gridarium.world.objects import GridObject
from gridarium.world.state import State
from gridarium.world.text_form.record import world_fields_in_words
from gridarium.world.vocabulary import Field

TARGET = "target"
LONGEST_NAME = 100
"""The maximum number of characters of a target's name, and of a field's word."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def mission(text: str, state: State) -> str:
    """The mission in a state.

    Args:
        text: the text in the description, such as `fetch a {target}`, or `bring blocks in the order {order}` with a field
            of the world called `order`.
        state: a state of the world; its target is that of `gridarium.rules.reset_functions.target`.
    """
    if not depends_on_state(text):
        return text
    fields = world_fields_in_words(state)

    def inserted(placeholder: re.Match[str]) -> str:
        name = placeholder[1]
        return in_words(target(state)) if name == TARGET else listed(fields[name])

    return _PLACEHOLDER.sub(inserted, text)


def listed(value: Any) -> str:
    """A number or a word, or lists of such, in one line: `red, blue, red`."""
    return ", ".join(map(listed, value)) if isinstance(value, list) else str(value)


def longest(text: str, fields: Iterable[Field]) -> int:
    """The maximum number of characters of a mission.

    Args:
        text: the text in the description.
        fields: the declared fields of the world.
    """
    sizes = {field.name: field.size for field in fields}
    return len(text) + sum((LONGEST_NAME + 2) * sizes.get(name, 1) for name in _PLACEHOLDER.findall(text))


def depends_on_state(text: str) -> bool:
    """Return whether a mission differs between states."""
    return _PLACEHOLDER.search(text) is not None


def in_words(thing: GridObject) -> str:
    """Name an object by its color and kind: 'red key'."""
    kind = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", type(thing).__name__).lower()
    colored = thing.colored and thing.color != Color.NONE
    return f"{thing.color.name.lower().replace('_', ' ')} {kind}" if colored else kind


def check_mission(text: str, fields: Iterable[str]) -> None:
    """Check that the text of a mission names only the target and declared fields of the world.

    Args:
        text: the text in the description.
        fields: the names of the fields.

    Raises:
        ValueError: it contains another placeholder.
    """
    known = [f"{{{name}}}" for name in (TARGET, *fields)]
    rest = _PLACEHOLDER.sub(lambda found: "" if found[0] in known else found[0], text)
    unknown = re.findall(r"[{}][^{}]*}?", rest)
    if unknown:
        raise ValueError(f"a mission can name {', '.join(known)}, not {unknown[0]!r}")
