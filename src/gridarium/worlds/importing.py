"""Modules beside a world's file: where they are looked for, and that it is they that are found."""

from __future__ import annotations

import importlib
import sys
import traceback
from pathlib import Path
from types import ModuleType

_MACHINERY = (str(Path(__file__).parent.parent), str(importlib.__file__), "<frozen ")


def import_beside(name: str, folder: Path | None) -> ModuleType:
    """The module called `name`: the one in a folder, where there is one, otherwise as Python finds it.

    The folder goes to the front of `sys.path`, as that of a script does, and stays there: modules that are imported
    later, and processes that are started, need it as well.

    Raises:
        ImportError: another module of this name has been imported before, from elsewhere.
        Exception: whatever importing it raises.
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


def raised_at(error: Exception) -> str:
    """` (file:line)` of the user's line that has raised while a module was imported; empty where it was not found at all."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(_MACHINERY)
    ]
    return f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""


def make_importable(folder: Path) -> None:
    """Let modules be imported from a folder."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
