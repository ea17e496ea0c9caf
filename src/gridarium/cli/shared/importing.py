"""Imports the Python files and modules that are named on the command line, and no others.

Their own imports are searched in the folder that contains them and in the current folder.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import click

from gridarium.worlds.resolving.importing import error_location, make_importable


def import_file(path: str) -> Any:
    """Import a Python file.

    Raises:
        click.ClickException: there is no such file, it has the name of another module, or its import raised.
    """
    place = Path(path).resolve()
    if not place.is_file():
        raise click.ClickException(f"there is no file {path}")
    if not place.stem.isidentifier():
        raise click.ClickException(
            f"{path} cannot be imported: {place.stem!r} is not a name; rename the file"
        )
    make_importable(place.parent)
    module = _import(place.stem, path)
    if Path(getattr(module, "__file__", None) or "").resolve() != place:
        raise click.ClickException(f"{path} has the name of another module, {place.stem}; rename the file")
    return module


def import_module(name: str) -> Any:
    """Import a module, also from the current folder.

    Raises:
        click.ClickException: there is no such module, or its import raised.
    """
    make_importable(Path.cwd())
    return _import(name, name)


def _import(name: str, shown: str) -> Any:
    try:
        return importlib.import_module(name)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name and name.startswith(error.name):
            raise click.ClickException(f"there is no module {name} here, nor an installed one") from error
        reason = f"{type(error).__name__}: {error}{error_location(error)}"
        raise click.ClickException(f"{shown} cannot be imported: {reason}") from error
