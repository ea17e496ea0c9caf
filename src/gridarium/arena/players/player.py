"""`MatchPlayer`: the interface between a match and whoever plays in it."""

from __future__ import annotations

import enum
import functools
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from gridarium.engine import World
from gridarium.games import BaseEnvironment, WorldGame
from gridarium.games.base_environment import observed

SHARE_OF_TIME = 0.8
"""The share of the time for a move that a search without a time of its own may take."""


class PlayerStatus(enum.StrEnum):
    """The status of a seat: ACTIVE during a match, DONE after it, or the kind of fault that ended its part."""

    ACTIVE = "ACTIVE"
    DONE = "DONE"
    ERROR = "ERROR"
    """It raised an exception, or its process ended."""
    INVALID = "INVALID"
    """Its action is not legal, or its message cannot be read."""
    TIMEOUT = "TIMEOUT"
    """It used up its time."""


class PlayerFault(Exception):
    """A player has failed; its match goes on without it or ends.

    Args:
        status: ERROR, INVALID or TIMEOUT.
        reason: in a sentence.
    """

    def __init__(self, status: PlayerStatus, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


class CannotPlay(ValueError):
    """A player that plays other games than this one."""


@dataclass(frozen=True)
class GameStart:
    """What a player learns at the beginning of a game.

    Attributes:
        game: the game itself; players of other processes only learn its name and config.
        name: of the game.
        config: its parameters.
        players: the number of seats.
        seat: the player's own, from 0.
        seed: of the player's random numbers; it says nothing about those of the game.
        time_per_move: in seconds; None if there is no limit.
        bank: the seconds that all moves together may take beyond `time_per_move`.
    """

    game: BaseEnvironment
    name: str
    config: str
    players: int
    seat: int
    seed: int
    time_per_move: float | None = None
    bank: float = 0.0


@dataclass
class Turn:
    """A decision that a player has to make.

    Attributes:
        game: the game itself.
        state: the state of the game, with all that is hidden from the player; for players that are part of the library.
        seat: the player's.
        ply: the number of times that somebody has moved before.
        time_left: the seconds until the player loses on time; None if there is no limit.
    """

    game: BaseEnvironment
    state: Any
    seat: int
    ply: int
    time_left: float | None = None

    @functools.cached_property
    def observation(self) -> dict[str, npt.NDArray[Any]]:
        """What the player perceives, as arrays by name.

        Raises:
            GameError: they are not of the game's shapes.
        """
        return observed(self.game, self.state, self.seat)

    @functools.cached_property
    def legal_actions(self) -> list[str]:
        """The legal actions."""
        return self.game.valid_actions(self.state, self.seat)

    def prepare(self) -> None:
        """Ask the game for both now, in this thread, so that what it raises and the time that it takes are not the player's."""
        _ = self.observation, self.legal_actions


@dataclass(frozen=True)
class GameEnd:
    """What a player learns at the end of a game.

    Attributes:
        observation: its last one.
        returns: of each seat.
        ranks: of each seat, from 0 for the best.
        statuses: of each seat.
        reasons: of faults, for each seat; "" without one.
    """

    observation: dict[str, npt.NDArray[Any]]
    returns: tuple[float, ...]
    ranks: tuple[int, ...]
    statuses: tuple[PlayerStatus, ...]
    reasons: tuple[str, ...]


class MatchPlayer(ABC):
    """Plays games, one after another, from one seat at a time.

    Args:
        name: shown in results.
    """

    in_parallel: ClassVar[bool] = False
    """Whether it thinks in a process of its own, and `act` may be called by another thread while others are asked."""

    def __init__(self, name: str) -> None:
        self.name = name

    def begin(self, start: GameStart) -> None:  # noqa: B027
        """A game begins; called before each.

        Raises:
            PlayerFault: the player is not ready in time.
            CannotPlay: it plays other games.
        """

    @abstractmethod
    def act(self, turn: Turn) -> str:
        """The action that the player chooses.

        Raises:
            PlayerFault: it has failed.
        """

    def end(self, end: GameEnd) -> None:  # noqa: B027
        """A game is over."""

    def close(self) -> None:  # noqa: B027
        """Release all resources; nothing is called afterwards, except `output` and `close` again."""

    @property
    def output(self) -> str:
        """What the player's process has written to standard error, limited in size."""
        return ""


def world_of(start: GameStart, player: str) -> World:
    """The world that a game is played in.

    Raises:
        CannotPlay: the game is not a world; the message names the player.
    """
    if not isinstance(start.game, WorldGame):
        raise CannotPlay(f"{player} plays worlds, and {start.name} is a game in plain Python")
    return start.game.world


def random_numbers(start: GameStart) -> np.random.Generator:
    """The random numbers of a player in a game."""
    return np.random.default_rng(start.seed)
