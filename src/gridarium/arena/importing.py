"""Imports of what users name: functions, classes and games."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from gridarium.worlds.resolving.importing import error_location, import_from_folder, make_importable


def import_named(text: str) -> Any:
    """The object that `module:name` stands for; modules are also searched in the current folder.

    Raises:
        ImportError: there is no such module, or it raises; the message says where.
        AttributeError: the module does not have the name.
    """
    module, _, name = text.partition(":")
    make_importable(Path.cwd())
    with _locating(text):
        found = importlib.import_module(module)
    return named(found, name)


def import_python_file(path: Path) -> ModuleType:
    """The module of a Python file.

    Raises:
        ValueError: there is no such file, or its name is not that of a module.
        ImportError: another module has its name, or it raises; the message says where.
    """
    if not path.is_file():
        raise ValueError(f"there is no file {path}")
    if not path.stem.isidentifier():
        raise ValueError(f"{path} cannot be imported: {path.stem!r} is not a name; rename the file")
    with _locating(str(path)):
        return import_from_folder(path.stem, path.resolve().parent)


def named(module: ModuleType, name: str) -> Any:
    """An object of a module.

    Raises:
        AttributeError: there is none of the name.
    """
    if not hasattr(module, name):
        raise AttributeError(f"{module.__name__} has no function or class {name!r}")
    return getattr(module, name)


@contextlib.contextmanager
def _locating(text: str) -> Iterator[None]:
    """Say where a module raises while it is imported."""
    try:
        yield
    except Exception as error:
        said = f"{type(error).__name__}: {error}{error_location(error)}"
        raise ImportError(f"{text} cannot be imported: {said}") from error
