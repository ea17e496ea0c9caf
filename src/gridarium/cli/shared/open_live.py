"""Opens the live worlds that are named on the command line."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
from pydantic import ConfigDict, PydanticUserError, TypeAdapter, ValidationError

from gridarium.cli.shared.importing import import_file
from gridarium.cli.shared.open_world import YAML
from gridarium.live import CatalogueBuilder, GridWorld, WorldBuilder, load_builder
from gridarium.live.worlds import live_worlds

Builder = WorldBuilder | CatalogueBuilder


def open_live_world(
    given: str, parameters: Mapping[str, Any], *, compiled: bool = True, resume: Path | None = None
) -> GridWorld:
    """Open a live world.

    Args:
        given: the name of one that comes along, a YAML file, or a Python file, which makes a `WorldBuilder` or has a function
            that returns one, or a `GridWorld`: `file.py` or `file.py:name`.
        parameters: arguments of the function that returns the builder.
        compiled: False runs the core's rules as plain Python.
        resume: the file of a world that was saved, from which it goes on.

    Raises:
        click.ClickException: there is no such world or parameter, or it is wrong.
    """
    stem, _, name = given.partition(":")
    try:
        if given in live_worlds:
            made = _called(live_worlds[given], given, parameters)
        elif stem.endswith(".py"):
            made = _builder_in(stem, name, parameters)
        elif given.endswith(YAML):
            _no_parameters(given, parameters)
            made = load_builder(Path(given), allow_imports=True)
        else:
            raise click.ClickException(
                f"there is no live world {given!r}; there are {', '.join(live_worlds)}, YAML files and Python files"
            )
        world = made if isinstance(made, GridWorld) else made.get_world(compiled=compiled)
        if resume is not None:
            world.load(resume)
        return world
    except FileNotFoundError as error:
        raise click.ClickException(f"there is no file {given}") from error
    except ValueError as error:
        raise click.ClickException(str(error)) from error


class KeptRuns:
    """Writes what is to be kept of a live world when a run of it ends, and says so.

    Args:
        save: the file of the first run; those of later ones have numbers. None for none.
        checkpoint: the file of the world. None for none.

    Raises:
        click.ClickException: there is no such folder.
    """

    def __init__(self, save: Path | None, checkpoint: Path | None) -> None:
        for file in filter(None, (save, checkpoint)):
            if not file.parent.is_dir():
                raise click.ClickException(f"there is no folder {file.parent}")
        self._file, self._checkpoint, self._count = save, checkpoint, 0

    def __call__(self, world: GridWorld) -> None:
        """Write what is to be kept of a world, unless it has not begun."""
        if world.current_nr_ticks == 0:
            return
        self._count += 1
        file = self._file
        if file is not None and self._count > 1:
            file = file.with_stem(f"{file.stem}-{self._count}")
        self._write(file, "the run", lambda to: world.as_run().save(to))
        self._write(self._checkpoint, "the world", world.save)

    @staticmethod
    def _write(file: Path | None, what: str, write: Callable[[Path], None]) -> None:
        if file is None:
            return
        try:
            write(file)
        except Exception as failed:  # what a class of somebody's own raises need not lose the other file
            click.echo(f"{what} could not be kept in {file}: {failed}", err=True)
        else:
            click.echo(f"{what} is in {file}")


def _called(
    make: Callable[..., Builder | GridWorld], given: str, parameters: Mapping[str, Any]
) -> Builder | GridWorld:
    known = inspect.signature(make).parameters
    for name in parameters:
        if name not in known:
            raise click.ClickException(
                f"{given} has no parameter {name!r}; it has {', '.join(known) or 'none'}"
            )
    made = make(**{name: _fitting(make, given, name, value) for name, value in parameters.items()})
    if not isinstance(made, Builder | GridWorld):
        raise click.ClickException(f"{given} returned {made!r}; a WorldBuilder or a GridWorld is needed")
    return made


def _fitting(make: Callable[..., object], given: str, name: str, value: object) -> object:
    """A value as the type of a function's parameter, as far as that has one that can be checked.

    Raises:
        click.ClickException: it is of another type.
    """
    try:
        hint = typing.get_type_hints(make)[name]
        wanted = TypeAdapter(hint, config=ConfigDict(arbitrary_types_allowed=True))
    except (KeyError, NameError, TypeError, PydanticUserError):
        return value
    try:
        return wanted.validate_python(value)
    except ValidationError as error:
        pair = "; two numbers are written as 2x2" if typing.get_origin(hint) is tuple else ""
        why = error.errors()[0]["msg"]
        raise click.ClickException(f"--set {name}={value} of {given}: {why}{pair}") from None


def _no_parameters(given: str, parameters: Mapping[str, Any]) -> None:
    if parameters:
        raise click.ClickException(f"{given} has no parameters to set")


def _builder_in(path: str, name: str, parameters: Mapping[str, Any]) -> Builder | GridWorld:
    """The builder that a Python file makes."""
    module = import_file(path)
    found = {key: value for key, value in vars(module).items() if isinstance(value, Builder)}
    if name and callable(function := getattr(module, name, None)):
        return _called(function, f"{path}:{name}", parameters)
    _no_parameters(path, parameters)
    if name in found or (not name and len(found) == 1):
        return found[name or next(iter(found))]
    if name or not found:
        raise click.ClickException(
            f"{path} has no builder{f' {name!r}' if name else ''}; give one a name, as in: builder = WorldBuilder(...), or "
            f"name a function that returns one, as in {path}:build"
        )
    raise click.ClickException(
        f"{path} has several builders: write one of {', '.join(f'{path}:{key}' for key in found)}"
    )
