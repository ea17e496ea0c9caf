"""Rules of games, a module for each game, which is imported by the worlds that list it among their `modules`."""

from __future__ import annotations

import importlib
import pkgutil


def import_all() -> None:
    """Import every module of this folder, so that their rules are registered."""
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        importlib.import_module(module.name)
