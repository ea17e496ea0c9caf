"""`BaseEnvironment`: a game as pure functions of a state, in plain Python.

Names and signatures are those of ColosseumRL (2020); what its games did wrong is right here (see docs/games.md).
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Players: TypeAlias = list[int]
Transition: TypeAlias = "tuple[Any, Players, list[float], bool, Players | None]"
"""`(state, players, rewards, terminal, winners)`, see `BaseEnvironment.next_state`."""


class IllegalAction(ValueError):
    """An action that is not legal, or that cannot be read."""


class GameError(RuntimeError):
    """A game has raised, or breaks the contract of `BaseEnvironment`: no player's fault."""


class BaseEnvironment(ABC):
    """A game of several players, whose states are values: no method changes a state that it is given.

    Players are numbered from 0. A state may be any object. A game with hidden information shows a player only what
    `state_to_observation` returns.

    Args:
        config: the game's parameters as text, see `SimpleConfigParser`; "" stands for the defaults.

    Example:
        >>> game = get_environment("tictactoe")()
        >>> state, players = game.new_state()
        >>> while players:
        ...     actions = [game.valid_actions(state, player)[0] for player in players]
        ...     state, players, rewards, terminal, winners = game.next_state(state, players, actions)
    """

    def __init__(self, config: str = "") -> None:
        self._config = config

    def __str__(self) -> str:
        """What the game is called in messages."""
        return type(self).__name__

    @property
    def config(self) -> str:
        """The game's parameters as text."""
        return self._config

    @property
    @abstractmethod
    def min_players(self) -> int:
        """The smallest number of players."""

    @property
    @abstractmethod
    def max_players(self) -> int:
        """The largest number of players."""

    @staticmethod
    @abstractmethod
    def observation_names() -> list[str]:
        """The names of the arrays of an observation; the same for all parameters of the game."""

    @property
    @abstractmethod
    def observation_shape(self) -> Mapping[str, tuple[int, ...]]:
        """The shape of each array of an observation."""

    @abstractmethod
    def new_state(self, num_players: int | None = None) -> tuple[Any, Players]:
        """The beginning of a game.

        A game with chance also takes `seed`, by its name: equal seeds give equal games (see `begin_game`).

        Args:
            num_players: by default `min_players`.

        Returns:
            state, players: those who act first.
        """

    @abstractmethod
    def next_state(self, state: Any, players: Players, actions: Sequence[str]) -> Transition:
        """The state after the players who are to act have acted.

        Args:
            state: not modified.
            players: all who act, as returned with the state.
            actions: one action for each of them.

        Returns:
            state, players: the next state, and those who act in it; nobody at the end.
            rewards: one for each player who acted, in the order of `players`; see `returns` for everyone's.
            terminal: whether the game is over.
            winners: the winners at the end ([] for a draw), None before.

        Raises:
            IllegalAction: an action that is not legal.
        """

    @abstractmethod
    def valid_actions(self, state: Any, player: int) -> list[str]:
        """The legal actions of a player; none if it is not the player's turn."""

    @abstractmethod
    def is_valid_action(self, state: Any, player: int, action: str) -> bool:
        """Whether an action is legal; False for any other text."""

    @abstractmethod
    def state_to_observation(self, state: Any, player: int) -> dict[str, npt.NDArray[Any]]:
        """What a player perceives, as arrays by name."""

    @abstractmethod
    def returns(self, state: Any) -> list[float]:
        """The sum of each player's rewards from the beginning of the game to a state."""

    def compute_ranking(self, state: Any, players: Players, winners: Players | None) -> dict[int, int]:
        """The rank of each player at the end, from 0 for the best; equal players share the best rank among them.

        Args:
            state: a terminal state.
            players: all players.
            winners: as returned by `next_state`; unused by default, since returns say more.
        """
        return ranks_of(players, self.returns(state))

    def add_player(self, state: Any) -> Any:
        """The state with another player.

        Raises:
            RuntimeError: players cannot join this game while it is played (the default).
        """
        raise RuntimeError(f"{type(self).__name__}: players cannot join a running game")

    def remove_player(self, state: Any, player: int) -> Any:
        """The state without a player.

        Raises:
            RuntimeError: players cannot leave this game while it is played (the default).
        """
        raise RuntimeError(f"{type(self).__name__}: players cannot leave a running game")

    @staticmethod
    def serializable() -> bool:
        """Whether `serialize_state` and `deserialize_state` are implemented."""
        return False

    @staticmethod
    def serialize_state(state: Any) -> bytearray:
        """A state as bytes, without pickle.

        Raises:
            NotImplementedError: it is not implemented (the default).
        """
        raise NotImplementedError("this game does not serialise its states")

    @staticmethod
    def deserialize_state(serialized: bytes | bytearray) -> Any:
        """The state of `serialize_state`.

        Raises:
            NotImplementedError: it is not implemented (the default).
            ValueError: other bytes.
        """
        raise NotImplementedError("this game does not serialise its states")


def begin_game(game: BaseEnvironment, num_players: int | None, seed: int) -> tuple[Any, Players]:
    """The beginning of a game, see `BaseEnvironment.new_state`; `seed` is of its chance, if it takes one."""
    options = {"seed": seed} if "seed" in inspect.signature(game.new_state).parameters else {}
    return game.new_state(num_players, **options)


def numbers_of_players(game: BaseEnvironment) -> str:
    """How many players a game has, in words: `2`, or `2 to 4`."""
    least, most = game.min_players, game.max_players
    return f"{least}" if least == most else f"{least} to {most}"


def games_in(module: ModuleType) -> dict[str, type[BaseEnvironment]]:
    """The subclasses of `BaseEnvironment` that a module defines, by name; those that lack methods only if there are no others."""
    defined = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, BaseEnvironment)
        and value.__module__ == module.__name__
    }
    return {name: kind for name, kind in defined.items() if not kind.__abstractmethods__} or defined


def check_complete(game: type[BaseEnvironment]) -> None:
    """Check that a game has all methods.

    Raises:
        ValueError: it lacks some.
    """
    if missing := sorted(game.__abstractmethods__):
        raise ValueError(f"{game.__name__} lacks the method{'s' * (len(missing) > 1)} {', '.join(missing)}")


def observed(game: BaseEnvironment, state: Any, player: int) -> dict[str, npt.NDArray[Any]]:
    """What a player perceives, see `BaseEnvironment.state_to_observation`.

    Raises:
        GameError: it is not of the game's `observation_shape`.
    """
    seen, shapes = game.state_to_observation(state, player), game.observation_shape
    for name in {**shapes, **seen}:
        found = tuple(np.shape(seen[name])) if name in seen else None
        if name not in shapes or found != tuple(shapes[name]):
            has = "is missing" if found is None else f"has shape {found}"
            says = f"says {tuple(shapes[name])}" if name in shapes else "does not name it"
            raise GameError(f"{game}.state_to_observation: {name!r} {has}, observation_shape {says}")
    return seen


def ranks_of(players: Players, scores: Sequence[float]) -> dict[int, int]:
    """Standard competition ranks from 0 (1224 ranking) by descending score.

    Args:
        players: those who are ranked.
        scores: of all players, by number.
    """
    given = np.asarray(scores, np.float64)[players]
    return {player: int((given > score).sum()) for player, score in zip(players, given, strict=True)}
