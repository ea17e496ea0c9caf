"""The keys of a browser for the actions of a world: arrows and letters, as in the window."""

from __future__ import annotations

from collections.abc import Iterable

from gridarium.view.play.keyboard import KEY_SCHEMES, towards_of
from gridarium.world import Action

OFFERED = ("arrows", "wasd")
BROWSERS = {
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "space": " ",
    "return": "Enter",
}
"""JavaScript's names (`KeyboardEvent.key`) of keys that have another name here."""


def keys_for(actions: Iterable[Action]) -> dict[str, list[str]]:
    """The keys of each of an agent's actions, by its name; actions that have none elsewhere get digits."""
    names = [action.name for action in actions]
    towards = towards_of(names)
    digits = iter("1234567890")
    found: dict[str, list[str]] = {}
    for name in names:
        keys = []
        for scheme in map(KEY_SCHEMES.__getitem__, OFFERED):
            directions = dict(zip(towards, scheme.directions, strict=True))
            keys.append(directions.get(name) or scheme.special.get(name))
        known = [BROWSERS.get(key, key) for key in keys if key]
        found[name] = known or [digit for digit in [next(digits, "")] if digit]
    return found
