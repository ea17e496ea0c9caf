"""The keys of a browser for the actions of a world: arrows and letters, as in the window."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_lowercase

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


RESERVED = "prnv"
"""The letters of the page's own commands."""


def keys_for(actions: Iterable[Action], *, letters: bool = False) -> dict[str, list[str]]:
    """The keys of each of an agent's actions, by its name.

    Args:
        actions: without arguments.
        letters: whether actions that have no keys elsewhere get letters, those of their names first, instead of digits.
    """
    names = [action.name for action in actions]
    towards = towards_of(names)
    found: dict[str, list[str]] = {}
    for name in names:
        keys = []
        for scheme in map(KEY_SCHEMES.__getitem__, OFFERED):
            directions = dict(zip(towards, scheme.directions, strict=True))
            keys.append(directions.get(name) or scheme.special.get(name))
        found[name] = [BROWSERS.get(key, key) for key in keys if key]
    taken = {*RESERVED, *(key for keys in found.values() for key in keys)}
    for name in names:
        if not found[name]:
            wanted = [*name.lower(), *ascii_lowercase] if letters else "1234567890"
            free = [key for key in wanted if key.isalnum() and key not in taken][:1]
            taken.update(free)
            found[name] = free
    return found
