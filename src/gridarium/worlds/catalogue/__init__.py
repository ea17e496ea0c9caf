"""The built-in worlds, a YAML file for each family of them in this folder."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from gridarium.worlds.catalogue.world_family import Family
from gridarium.worlds.description import Description
from gridarium.worlds.entries.problems import suggest

FOLDER = Path(__file__).resolve().parent
"""The folder of their files."""


@functools.cache
def names() -> tuple[str, ...]:
    """The names of all worlds, in alphabetical order, small before large."""
    return tuple(sorted((member for name in families() for member in family(name).members), key=_order))


@functools.cache
def families() -> tuple[str, ...]:
    """The names of all families of worlds, in alphabetical order. Each is a world too, its first member."""
    return tuple(sorted((file.stem for file in FOLDER.glob("*.yaml")), key=_order))


@functools.cache
def family(name: str) -> Family:
    """The family called `name`, or that of a world called so.

    Raises:
        ValueError: there is none; with the nearest names.
    """
    if name in families():
        return Family.read(FOLDER / f"{name}.yaml")
    # The longest first: TwoAgents-DoorKey-8x8 is not one of a family TwoAgents.
    for stem in sorted(families(), key=len, reverse=True):
        if name.startswith(f"{stem}-") and name in family(stem).members:
            return family(stem)
    raise ValueError(f"no world {name!r} in the catalogue; {suggest(name, names(), limit=100)}")


def path(name: str) -> Path:
    """The file of the family of the world called `name`.

    Raises:
        ValueError: there is no such world; the message lists the closest names.
    """
    return FOLDER / f"{family(name).name}.yaml"


@functools.cache
def description(name: str) -> Description:
    """The world called `name`, or by one of its aliases; of a family, its first member.

    Raises:
        ValueError: there is no such world; the message lists the closest names.
    """
    member = canonical(name) or name
    return family(member).description(member)


@functools.cache
def aliases() -> dict[str, str]:
    """Map each alias, such as `GV-Keydoor-9x9-v0`, to the world's name."""
    return {alias: name for name in names() for alias in description(name).aliases}


def canonical(name: str) -> str | None:
    """The name of the world called `name`.

    Args:
        name: its own name, that of a family (which is its first member), an alias, or an id such as
            `gridarium/KeyDoor-9x9-v0`; capitals and hyphens do not matter (`key-door-9x9`).
    """
    stem = without_version(name)
    try:
        found = family(stem)
    except ValueError:
        if _letters(stem) not in _by_letters():
            return aliases().get(name)
        stem = _by_letters()[_letters(stem)]
        found = family(stem)
    return stem if stem in found.members else found.members[0]


@functools.cache
def _by_letters() -> dict[str, str]:
    """The names of families and worlds by their letters."""
    return {_letters(name): name for name in (*families(), *names())}


def _letters(name: str) -> str:
    return re.sub(r"[-_ ]", "", name).lower()


def without_version(name: str) -> str:
    """The name in an id: `KeyDoor-9x9` of `gridarium/KeyDoor-9x9-v0`."""
    return re.sub(r"-v\d+$", "", name.removeprefix("gridarium/"))


def _order(name: str) -> tuple[str | int, ...]:
    return tuple(int(part) if part.isdigit() else part.lower() for part in re.split(r"(\d+)", name))
