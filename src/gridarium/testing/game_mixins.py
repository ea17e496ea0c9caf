"""Conformance checks of games and players as test classes to inherit from."""

from __future__ import annotations

from typing import ClassVar

from gridarium.games import BaseEnvironment
from gridarium.testing import games, players
from gridarium.testing.players import PlayerSource


class GameConformance:
    """Tests of a game, for pytest or unittest, with one method for each part of `check_game`.

    Example:
        class TestNim(GameConformance):
            game = Nim

    Attributes:
        game: the class of the game.
        config: its parameters.
        seeds, most_plies: as for `check_game`.
    """

    game: ClassVar[type[BaseEnvironment]]
    config: ClassVar[str] = ""
    seeds: ClassVar[int] = 20
    most_plies: ClassVar[int] = 2000

    @classmethod
    def opened(cls) -> BaseEnvironment:
        """The game, opened once for all tests of the class."""
        found: BaseEnvironment | None = cls.__dict__.get("_opened")
        if found is None:
            found = cls.game(cls.config)
            cls._opened = found  # type: ignore[attr-defined]
        return found

    def test_description(self) -> None:
        """Numbers of players, names and shapes fit together."""
        games.check_description(self.opened())

    def test_random_play(self) -> None:
        """Random games end, rewards add up to returns, observations have their shapes."""
        games.check_random_play(self.opened(), self.seeds, self.most_plies)

    def test_actions(self) -> None:
        """Legal actions are valid and nothing else, for those who are to act and nobody else."""
        games.check_actions(self.opened(), self.seeds, self.most_plies)

    def test_purity(self) -> None:
        """No method changes a state, and the same actions give the same state."""
        games.check_purity(self.opened(), self.seeds, self.most_plies)

    def test_endings(self) -> None:
        """Only at the end there are winners, with ranks that fit."""
        games.check_endings(self.opened(), self.seeds, self.most_plies)

    def test_serialization(self) -> None:
        """States that are written and read again go on in the same way."""
        games.check_serialization(self.opened(), self.seeds, self.most_plies)


class PlayerConformance:
    """Tests of a player, for pytest or unittest, with one method for each part of `check_player`.

    Example:
        class TestMyBot(PlayerConformance):
            player = "bots/my_bot.py"
            game = Nim

    Attributes:
        player: as for `check_player`.
        game: the class of a game that it plays.
        config: the game's parameters.
        games, time_per_move, deterministic: as for `check_player`.
    """

    player: ClassVar[PlayerSource]
    game: ClassVar[type[BaseEnvironment]]
    config: ClassVar[str] = ""
    games: ClassVar[int] = 4
    time_per_move: ClassVar[float | None] = 1.0
    deterministic: ClassVar[bool] = True

    def test_matches(self) -> None:
        """In every seat it plays several games without a fault."""
        players.check_matches(self._player(), self.game(self.config), self.games, self.time_per_move)

    def test_together(self) -> None:
        """Several of the same kind play against each other."""
        players.check_together(self._player(), self.game(self.config), self.time_per_move)

    def test_determinism(self) -> None:
        """Equal seeds give equal moves."""
        if self.deterministic:
            players.check_determinism(self._player(), self.game(self.config), self.time_per_move)

    @classmethod
    def _player(cls) -> PlayerSource:
        found = cls.__dict__.get("player", cls.player)
        return found.__func__ if isinstance(found, staticmethod) else found
