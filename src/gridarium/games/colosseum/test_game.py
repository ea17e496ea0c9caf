"""A game of guessing in plain Python, as `test`: an example of a `BaseEnvironment` that is not a world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.games.base_environment import BaseEnvironment, IllegalAction, Players, Transition

NUMBERS = [str(i) for i in range(100)]


@dataclass(frozen=True)
class Guessing:
    """A state of `TestGame`.

    Attributes:
        secret: the number to be guessed.
        player: who guesses next.
        returns: the sum of each player's rewards.
        guessed: whether the game is over.
    """

    secret: int
    player: int = 0
    returns: tuple[float, float] = (0.0, 0.0)
    guessed: bool = False


class TestGame(BaseEnvironment):
    """Two players in turn guess a number from 0 to 99; who guesses it first wins.

    The reward of a guess is minus its distance. The observation `state` int64[1] is the number, so the game is easy.
    """

    __test__ = False  # not a test, for pytest
    min_players = max_players = 2

    @staticmethod
    def observation_names() -> list[str]:
        """`state`."""
        return ["state"]

    @property
    def observation_shape(self) -> dict[str, tuple[int, ...]]:
        """[1]."""
        return {"state": (1,)}

    def new_state(
        self, num_players: int | None = None, *, seed: int | None = None
    ) -> tuple[Guessing, Players]:
        """The beginning of a game; without a seed, nobody can tell the number beforehand.

        Raises:
            ValueError: another number of players than two.
        """
        if num_players not in (None, 2):
            raise ValueError(f"two players guess, not {num_players}")
        return Guessing(int(np.random.default_rng(seed).integers(len(NUMBERS)))), [0]

    def next_state(self, state: Guessing, players: Players, actions: Sequence[str]) -> Transition:
        """See `BaseEnvironment.next_state`."""
        if state.guessed or list(players) != [state.player] or len(actions) != 1:
            raise ValueError(f"players {players} cannot guess now")
        player, action = state.player, actions[0]
        if not self.is_valid_action(state, player, action):
            raise IllegalAction(f"player {player}: {action!r} is not a number from 0 to 99")
        reward = -float(abs(int(action) - state.secret))
        first, second = state.returns
        returns = (first + reward, second) if player == 0 else (first, second + reward)
        if int(action) == state.secret:
            return replace(state, returns=returns, guessed=True), [], [reward], True, [player]
        return replace(state, returns=returns, player=1 - player), [1 - player], [reward], False, None

    def valid_actions(self, state: Guessing, player: int) -> list[str]:
        """The numbers from 0 to 99."""
        return [] if state.guessed or player != state.player else list(NUMBERS)

    def is_valid_action(self, state: Guessing, player: int, action: str) -> bool:
        """Whether it is a number from 0 to 99."""
        return action in self.valid_actions(state, player)

    def state_to_observation(self, state: Guessing, player: int) -> dict[str, npt.NDArray[Any]]:
        """The number to be guessed."""
        return {"state": np.array([state.secret])}

    def returns(self, state: Guessing) -> list[float]:
        """The sum of each player's rewards."""
        return list(state.returns)

    def compute_ranking(self, state: Guessing, players: Players, winners: Players | None) -> dict[int, int]:
        """0 for who has guessed the number, 1 for the other; returns do not matter."""
        return {player: int(player not in (winners or [])) for player in players}
