"""A player that solves its game."""

from __future__ import annotations

from gridarium.arena.players.player import CannotPlay, GameStart, MatchPlayer, Turn
from gridarium.games import BaseEnvironment
from gridarium.games.base_environment import begin_game
from gridarium.games.solving.exact import LIMIT, ExactSolver
from gridarium.games.solving.positions import CannotSolve


class ExactPlayer(MatchPlayer):
    """Plays small games without chance and hidden information as well as possible, see `ExactSolver`.

    The game is solved before it begins.

    Args:
        name: shown in results.
        limit: the number of moves that may be looked at.
        largest: the largest return, if it is known: a search ends when it is reached.
    """

    def __init__(self, name: str, *, limit: int = LIMIT, largest: float | None = None) -> None:
        super().__init__(name)
        self._limit, self._largest = limit, largest
        self._solved: tuple[BaseEnvironment, int] | None = None

    def begin(self, start: GameStart) -> None:
        """See `MatchPlayer.begin`.

        Raises:
            CannotPlay: the game is too large, or of another kind.
        """
        if self._solved == (start.game, start.players):
            return
        try:
            self._solver = ExactSolver(start.game, start.players, limit=self._limit, largest=self._largest)
            self._solver.returns(begin_game(start.game, start.players, 0)[0])
        except CannotSolve as error:
            raise CannotPlay(f"{self.name} cannot solve {start.name}: {error}") from None
        self._solved = (start.game, start.players)

    def act(self, turn: Turn) -> str:
        """See `MatchPlayer.act`."""
        return self._solver.best_action(turn.state)
