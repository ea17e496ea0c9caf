"""Imports of what users name: functions, classes and games."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

from gridarium.worlds.resolving.importing import import_from_folder, make_importable


def import_named(text: str) -> Any:
    """The object that `module:name` stands for; modules are also searched in the current folder.

    Raises:
        ImportError: there is no such module.
        AttributeError: the module does not have the name.
    """
    module, _, name = text.partition(":")
    make_importable(Path.cwd())
    return named(importlib.import_module(module), name)


def import_python_file(path: Path) -> ModuleType:
    """The module of a Python file.

    Raises:
        ValueError: there is no such file, or its name is not that of a module.
        ImportError: another module has its name.
    """
    check_python_file(path)
    return import_from_folder(path.stem, path.resolve().parent)


def check_python_file(path: Path) -> None:
    """Check that a file can be imported.

    Raises:
        ValueError: there is no such file, or its name is not that of a module.
    """
    if not path.is_file():
        raise ValueError(f"there is no file {path}")
    if not path.stem.isidentifier():
        raise ValueError(f"{path} cannot be imported: {path.stem!r} is not a name; rename the file")


def named(module: ModuleType, name: str) -> Any:
    """An object of a module.

    Raises:
        AttributeError: there is none of the name.
    """
    if not hasattr(module, name):
        raise AttributeError(f"{module.__name__} has no function or class {name!r}")
    return getattr(module, name)
