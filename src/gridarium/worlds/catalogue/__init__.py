"""The built-in worlds, a YAML file each in this folder."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from gridarium.worlds import yaml_io
from gridarium.worlds.description import Description
from gridarium.worlds.problems import known

_FOLDER = Path(__file__).parent


@functools.cache
def names() -> tuple[str, ...]:
    """The names of all worlds, in alphabetical order, small before large."""
    return tuple(sorted((file.stem for file in _FOLDER.glob("*.yaml")), key=_order))


def path(name: str) -> Path:
    """The file of the world called `name`.

    Raises:
        ValueError: there is no such world; with the nearest names.
    """
    if name not in names():
        raise ValueError(f"no world {name!r} in the catalogue; {known(name, names(), limit=100)}")
    return _FOLDER / f"{name}.yaml"


@functools.cache
def description(name: str) -> Description:
    """The world called `name`, or by one of its aliases.

    Raises:
        ValueError: there is no such world; with the nearest names.
    """
    document = yaml_io.read_file(path(canonical(name) or name))
    return Description.from_dict(document.data, document=document)


@functools.cache
def aliases() -> dict[str, str]:
    """Each alias, such as `GV-Keydoor-9x9-v0`, with the world's name."""
    return {alias: name for name in names() for alias in description(name).aliases}


def canonical(name: str) -> str | None:
    """The name of the world called `name`: itself, an alias, or an id such as `gridarium/KeyDoor-9x9-v0`."""
    stem = re.sub(r"-v\d+$", "", name.removeprefix("gridarium/"))
    return stem if stem in names() else aliases().get(name)


def _order(name: str) -> tuple[str | int, ...]:
    return tuple(int(part) if part.isdigit() else part.lower() for part in re.split(r"(\d+)", name))
