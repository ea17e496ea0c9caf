"""What the command line may be given for a world or a policy, and opening it.

Only files and modules that the user names on the command line are imported; the folder that they lie in, and the
current one, are where their own imports are found.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from gridarium.engine import World

YAML = (".yaml", ".yml")


def _as_parameters(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[str, Any]:
    """Parameters of a world, each given as NAME=VALUE.

    Raises:
        click.BadParameter: one that is not of this form, whose value cannot be read, or that is given twice.
    """
    from gridarium.worlds import DescriptionError
    from gridarium.worlds.yaml_io import read_text

    parameters: dict[str, Any] = {}
    for text in given:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not name or not equals:
            raise click.BadParameter(f"{text!r} is not of the form NAME=VALUE", context, option)
        if name in parameters:
            raise click.BadParameter(f"{name} is given twice", context, option)
        sides = re.fullmatch(r"(\d+)x(\d+)", value)
        try:
            parameters[name] = [int(side) for side in sides.groups()] if sides else read_text(value).data
        except DescriptionError as error:
            raise click.BadParameter(f"{text!r}: {error}", context, option) from error
    return parameters


set_option = click.option(
    "--set", "parameters", multiple=True, metavar="NAME=VALUE", callback=_as_parameters,
    help="Give a parameter of the world anew, as in shape=7x7 or num_obstacles=4; can be given several times.",
)  # fmt: skip
"""The option of commands that open a world, whose `parameters` are those of `open_world`."""


def open_world(given: str, *, compiled: bool = True, parameters: Mapping[str, Any] | None = None) -> World:
    """The world of a name in the catalogue, of a YAML file, or of a Python file that makes one (`file.py:name`).

    Args:
        given: what names it.
        compiled: False runs its rules as plain Python.
        parameters: parts of its description to replace, see `gridarium.worlds.with_parameters`.

    Raises:
        click.ClickException: there is no such world or parameter, or its description is wrong.
    """
    from gridarium.engine import World
    from gridarium.worlds import opened

    stem, _, name = given.partition(":")
    is_file = given.endswith(YAML) or Path(given).is_file()
    world: Any = given
    if is_python := stem.endswith(".py"):
        found = _world_in(import_file(stem), stem, name)
        world = found.spec if isinstance(found, World) else found
    try:
        spec = opened(world, allow_imports=is_file and not is_python, parameters=parameters)
        return World(spec, compiled=compiled)
    except FileNotFoundError as error:
        raise click.ClickException(f"there is no file {given}") from error
    except ValueError as error:
        raise click.ClickException(str(error)) from error


def begin_interpreted(*, quiet: bool = False) -> None:
    """To the end of this command, worlds that have yet to be compiled begin at once, interpreted (see `compiling_in_background`)."""
    from gridarium.engine import compiling_in_background

    click.get_current_context().with_resource(compiling_in_background(quiet=quiet))


def open_policy(given: str) -> Any:
    """A policy: a name such as `random` (see `gridarium.agents.named_policies`), `module:name`, or `file.py:name`.

    Raises:
        click.ClickException: there is no such policy.
    """
    from gridarium.agents.named_policies import POLICIES

    if given in POLICIES:
        return POLICIES[given]
    stem, _, name = given.rpartition(":")
    if not stem or not name:
        raise click.ClickException(
            f"a policy is {', '.join(POLICIES)}, module:name or file.py:name, not {given!r}"
        )
    module = import_file(stem) if stem.endswith(".py") else import_module(stem)
    if not callable(getattr(module, name, None)):
        raise click.ClickException(f"{stem} has no function or class {name!r}")
    return getattr(module, name)


def check_writable(path: str | Path) -> None:
    """Refuse a file that cannot be written, before there is anything to write.

    Raises:
        click.ClickException: why not.
    """
    place = Path(path)
    if place.is_dir():
        raise click.ClickException(f"{path} is a folder: name a file in it")
    if not place.parent.is_dir():
        raise click.ClickException(f"{path} cannot be written: there is no folder {place.parent}")
    if not os.access(place.parent, os.W_OK):
        raise click.ClickException(f"{path} cannot be written: no permission")


def import_file(path: str) -> Any:
    """The module in a Python file.

    Raises:
        click.ClickException: there is no such file, or it has the name of another module.
    """
    place = Path(path).resolve()
    if not place.is_file():
        raise click.ClickException(f"there is no file {path}")
    if not place.stem.isidentifier():
        raise click.ClickException(
            f"{path} cannot be imported: {place.stem!r} is not a name; rename the file"
        )
    _make_importable(place.parent)
    module = import_module(place.stem)
    if Path(getattr(module, "__file__", None) or "").resolve() != place:
        raise click.ClickException(f"{path} has the name of another module, {place.stem}; rename the file")
    return module


def import_module(name: str) -> Any:
    """A module, from the current folder too.

    Raises:
        click.ClickException: there is no such module.
    """
    _make_importable(Path.cwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise
        raise click.ClickException(f"there is no module {name} here, nor an installed one") from error


def _make_importable(folder: Path) -> None:
    from gridarium.worlds.importing import make_importable

    make_importable(folder)


def worlds_in(module: Any) -> dict[str, Any]:
    """The worlds that a module has made, by their names in it."""
    from gridarium.engine import World
    from gridarium.worlds import Description, Spec

    return {
        name: thing for name, thing in vars(module).items() if isinstance(thing, World | Spec | Description)
    }


def _world_in(module: Any, path: str, name: str) -> Any:
    found = worlds_in(module)
    if not found:
        raise click.ClickException(f"{path} makes no world; give one a name, as in: world = Spec.build(...)")
    if name and name not in found:
        raise click.ClickException(f"{path} has no world {name!r}; it has {', '.join(found)}")
    if not name and len(found) > 1:
        raise click.ClickException(
            f"{path} has several worlds: write one of {', '.join(f'{path}:{n}' for n in found)}"
        )
    return found[name or next(iter(found))]
