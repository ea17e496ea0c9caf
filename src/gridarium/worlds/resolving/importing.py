"""Imports modules from the folder of a world's file."""

from __future__ import annotations

import importlib
import sys
import traceback
from pathlib import Path
from types import ModuleType

from gridarium.compiled.source_pass.source import LIBRARY

_MACHINERY = (str(LIBRARY), str(importlib.__file__), "<frozen ")


def import_from_folder(name: str, folder: Path | None) -> ModuleType:
    """Import the module called `name` from a folder or, if it has none, from Python's search path.

    The folder is added to the front of `sys.path`, like that of a script, and stays there: modules that are imported
    later, and child processes, need it as well.

    Raises:
        ImportError: another module of this name was imported before, from elsewhere.
        Exception: raised by the import.
    """
    if folder is None:
        return importlib.import_module(name)
    make_importable(folder)
    module = importlib.import_module(name)
    top = name.partition(".")[0]
    wanted = next((p for p in (folder / top / "__init__.py", folder / f"{top}.py") if p.is_file()), None)
    loaded = getattr(sys.modules[top], "__file__", None)
    if wanted is not None and loaded is not None and Path(loaded).resolve() != wanted.resolve():
        raise ImportError(f"there is another module {top}, {loaded}; rename {wanted}")
    return module


def error_location(error: Exception) -> str:
    """` (file:line)` of the user's line that raised during an import; empty if the module was not found."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(_MACHINERY)
    ]
    return f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""


def make_importable(folder: Path) -> None:
    """Add a folder to the search path of modules."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
