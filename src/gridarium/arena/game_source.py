"""Where a game comes from, as text that other processes can open."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gridarium.arena.importing import import_named, import_python_file, named
from gridarium.engine import World
from gridarium.games import BaseEnvironment, game_class, get_environment
from gridarium.games.base_environment import check_complete, games_in
from gridarium.worlds import Description, Spec, load

YAML = (".yaml", ".yml")


@dataclass(frozen=True)
class GameSource:
    """A game by name.

    Attributes:
        name: a registered game, a world of the catalogue with several agents, a YAML file of such a world, a Python file
            that defines a game (`game.py` or `game.py:name`), or `module:name`. Files and modules run code.
        config: its parameters, see `BaseEnvironment`.
    """

    name: str
    config: str = ""

    def open(self) -> BaseEnvironment:
        """The game.

        Raises:
            ValueError: there is no such game, or its parameters are wrong.
            ImportError, AttributeError: of a module.
        """
        return self._class()(self.config)

    def _class(self) -> type[BaseEnvironment]:
        stem, _, name = self.name.partition(":")
        if self.name.endswith(YAML):
            if not Path(self.name).is_file():
                raise ValueError(f"there is no file {self.name}")
            return game_class(load(self.name, allow_imports=True), Path(self.name).stem)
        if stem.endswith(".py"):
            module = import_python_file(Path(stem))
            return _as_game(named(module, name) if name else _only_game(module, stem), self.name)
        if name:
            return _as_game(import_named(self.name), self.name)
        try:
            return get_environment(self.name)
        except KeyError as error:
            raise ValueError(error.args[0]) from None


def _as_game(found: Any, text: str) -> type[BaseEnvironment]:
    if isinstance(found, type) and issubclass(found, BaseEnvironment):
        check_complete(found)
        return found
    if isinstance(found, World | Spec | Description):
        return game_class(found.spec if isinstance(found, World) else found, text)
    raise ValueError(f"{text} is {found!r}, which is neither a subclass of BaseEnvironment nor a world")


def _only_game(module: Any, path: str) -> Any:
    """The game that a module defines."""
    found = games_in(module)
    if len(found) != 1:
        several = f"several games, {', '.join(found)}" if found else "no subclass of BaseEnvironment"
        raise ValueError(f"{path} has {several}: write {path}:name")
    return next(iter(found.values()))
