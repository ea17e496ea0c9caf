"""Games by name: those that are registered, and every world of the catalogue with several agents."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable

from gridarium.games.base_environment import BaseEnvironment
from gridarium.games.world_game import game_class
from gridarium.worlds import catalogue

GameClass = type[BaseEnvironment]
COLOSSEUM = {
    "tictactoe": "tictactoe:TicTacToe2PlayerEnv",
    "tictactoe_3p": "tictactoe:TicTacToe3PlayerEnv",
    "tictactoe_4p": "tictactoe:TicTacToe4PlayerEnv",
    "tron": "tron:TronGridEnvironment",
    "blokus": "blokus:BlokusEnvironment",
    "rps": "rps:RPSTwoPlayerEnvironment",
    "rps_3p": "rps:RPSThreePlayerEnvironment",
    "kuhn_poker": "poker:KuhnPokerEnvironment",
    "random_matrix": "random_matrix:RandomMatrixEnvironment",
    "test": "test_game:TestGame",
}
"""The games of ColosseumRL, in modules of `gridarium.games.colosseum`."""


def _importing(place: str) -> Callable[[], GameClass]:
    """A function that imports a class when it is called."""
    module, _, attribute = place.partition(":")
    if not attribute:
        raise ValueError(f"{place!r} is not of the form module:name")
    return lambda: getattr(importlib.import_module(module), attribute)


ENVIRONMENT_CLASSES: dict[str, Callable[[], GameClass]] = {
    name: _importing(f"gridarium.games.colosseum.{place}") for name, place in COLOSSEUM.items()
}
"""Registered games: functions without arguments that return the class, which may import its module."""


def register_environment(name: str, given: GameClass | str) -> None:
    """Register a game.

    Args:
        name: its name.
        given: a subclass of `BaseEnvironment`, or `module:name` of one, which is imported when it is needed.

    Raises:
        ValueError: another game has the name.
        TypeError: it is no game.
    """
    if isinstance(given, str):
        find = _importing(given)
    elif isinstance(given, type) and issubclass(given, BaseEnvironment):
        find = lambda: given  # noqa: E731
    else:
        raise TypeError(f"a game is a subclass of BaseEnvironment, not {given!r}")
    if name in available_environments() and not _same_place(name, given):
        raise ValueError(f"there is another game called {name}")
    ENVIRONMENT_CLASSES[name] = find


def available_environments() -> list[str]:
    """The names of all games, sorted."""
    worlds = (name for name in catalogue.names() if len(catalogue.description(name).agents) > 1)
    return sorted({*ENVIRONMENT_CLASSES, *worlds})


def get_environment(name: str) -> GameClass:
    """The class of a registered game, or of a world of the catalogue, which is also found by the name of its family.

    Raises:
        KeyError: there is no such game; the message lists similar ones.
    """
    if name in ENVIRONMENT_CLASSES:
        return ENVIRONMENT_CLASSES[name]()
    world, known = catalogue.canonical(name), available_environments()
    if world in known:
        return game_class(name if name in catalogue.families() else world)  # a family takes a size
    if world is not None:
        raise KeyError(f"{name} has a single agent, and is no game; games are worlds with several")
    similar = difflib.get_close_matches(name, known, n=4, cutoff=0.4)
    hint = f"similar are {', '.join(similar)}" if similar else f"there are {', '.join(known)}"
    raise KeyError(f"no game is called {name!r}; {hint}")


def _same_place(name: str, given: GameClass | str) -> bool:
    """Whether a class is defined again where that of the name was (a notebook cell)."""
    find = ENVIRONMENT_CLASSES.get(name)
    if find is None or isinstance(given, str):
        return False
    before = find()
    return (before.__module__, before.__qualname__) == (given.__module__, given.__qualname__)
