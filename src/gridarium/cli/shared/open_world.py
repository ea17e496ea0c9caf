"""Opens the worlds that are named on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from gridarium.cli.shared.importing import import_file
from gridarium.engine import World, compiling_in_background
from gridarium.games import WorldGame, get_environment
from gridarium.games.base_environment import games_in
from gridarium.games.registry import ENVIRONMENT_CLASSES
from gridarium.worlds import Description, Spec, open_spec
from gridarium.worlds.parameters import parse_parameters

YAML = (".yaml", ".yml")


def _as_parameters(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[str, Any]:
    """Parse parameters of a world, each of the form NAME=VALUE.

    Raises:
        click.BadParameter: one has another form, an invalid value, or is given twice.
    """
    try:
        return parse_parameters(given)
    except ValueError as error:
        raise click.BadParameter(str(error), context, option) from error


set_option = click.option(
    "--set", "parameters", multiple=True, metavar="NAME=VALUE", callback=_as_parameters,
    help="Override a parameter of the world, as in shape=7x7, time_limit=null or num_obstacles=4; can be given several "
    "times.",
)  # fmt: skip
"""The option `--set` of commands that open a world; its values are the `parameters` of `open_world`."""


def open_world(given: str, *, compiled: bool = True, parameters: Mapping[str, Any] | None = None) -> World:
    """Open a world of the catalogue, of a YAML file, or of a Python file that makes one (`file.py:name`).

    Args:
        given: its name or file; a registered game that is a world has the meaning that it has in matches.
        compiled: False runs its rules as plain Python.
        parameters: parts of its description to override, see `gridarium.worlds.with_parameters`.

    Raises:
        click.ClickException: there is no such world or parameter, or its description is wrong.
    """
    stem, _, name = given.partition(":")
    is_file = given.endswith(YAML) or Path(given).is_file()
    world: Any = given
    if is_python := stem.endswith(".py"):
        found = _world_in(import_file(stem), stem, name)
        world = found.spec if isinstance(found, World) else found
    if given in ENVIRONMENT_CLASSES:
        game = get_environment(given)
        if not issubclass(game, WorldGame):
            raise _plain_game(given)
        world = game().world.spec
    try:
        spec = open_spec(world, allow_imports=is_file and not is_python, parameters=parameters)
        return World(spec, compiled=compiled)
    except FileNotFoundError as error:
        raise click.ClickException(f"there is no file {given}") from error
    except ValueError as error:
        raise click.ClickException(str(error)) from error


def begin_interpreted(*, quiet: bool = False) -> None:
    """Run worlds interpreted until they are compiled, to the end of this command (see `compiling_in_background`)."""
    click.get_current_context().with_resource(compiling_in_background(quiet=quiet))


def worlds_in(module: Any) -> dict[str, Any]:
    """Return the worlds among a module's variables, by name."""
    return {
        name: thing for name, thing in vars(module).items() if isinstance(thing, World | Spec | Description)
    }


def _plain_game(name: str) -> click.ClickException:
    return click.ClickException(
        f"{name} is a game in plain Python and no world: it is for gridarium match, play and tournament"
    )


def _world_in(module: Any, path: str, name: str) -> Any:
    found = worlds_in(module)
    if not found and any(not issubclass(game, WorldGame) for game in games_in(module).values()):
        raise _plain_game(path)
    if not found:
        raise click.ClickException(f"{path} makes no world; give one a name, as in: world = Spec.build(...)")
    if name and name not in found:
        raise click.ClickException(f"{path} has no world {name!r}; it has {', '.join(found)}")
    if not name and len(found) > 1:
        raise click.ClickException(
            f"{path} has several worlds: write one of {', '.join(f'{path}:{n}' for n in found)}"
        )
    return found[name or next(iter(found))]
