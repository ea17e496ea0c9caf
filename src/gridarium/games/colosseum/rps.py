"""Rock-paper-scissors for two and three players, as `rps` and `rps_3p`."""

from __future__ import annotations

import itertools
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from gridarium.games.config_strings import SimpleConfigParser
from gridarium.games.world_game import GameState, WorldGame

PARSER = SimpleConfigParser((float, 1.0), (float, -1.0), (float, 0.0))


class RPSTwoPlayerEnvironment(WorldGame):
    """Rock-paper-scissors: both choose `R`, `P` or `S` at once, and the game is over.

    The observation `game_matrix` float64[3, 3, 2] holds what both get for each pair of choices.

    Args:
        config: `win_reward;loss_reward;tie_reward`, by default `1;-1;0`.
        seed: see `WorldGame`.
    """

    source = "RockPaperScissors-2p"
    action_texts = ("R", "P", "S")
    players: ClassVar[int] = 2

    @classmethod
    def create(  # type: ignore[override]
        cls, win_reward: float = 1.0, loss_reward: float = -1.0, tie_reward: float = 0.0
    ) -> Self:
        """The game with these rewards."""
        return cls(PARSER.store(win_reward, loss_reward, tie_reward))

    @classmethod
    def parameters(cls, config: str) -> dict[str, Any]:
        """The rewards."""
        win, loss, tie = PARSER.parse(config)
        return {"win_reward": win, "loss_reward": loss, "tie_reward": tie}

    @staticmethod
    def observation_names() -> list[str]:
        """`game_matrix`."""
        return ["game_matrix"]

    @property
    def observation_shape(self) -> dict[str, tuple[int, ...]]:
        """[3, 3, 2], for three players [3, 3, 3, 3]."""
        return {"game_matrix": (3,) * self.players + (self.players,)}

    @cached_property
    def game_matrix(self) -> npt.NDArray[np.float64]:
        """The reward of each player for each combination of choices."""
        win, loss, tie = PARSER.parse(self.config)
        matrix = np.full(self.observation_shape["game_matrix"], tie)
        for choices in itertools.product(range(3), repeat=self.players):
            winner = self._winner(*choices)
            if winner is not None:
                matrix[choices] = loss
                matrix[choices][winner] = win
        return matrix

    @staticmethod
    def _winner(*choices: int) -> int | None:
        first, second = choices
        return None if first == second else (first - second) % 3 - 1

    def state_to_observation(self, state: GameState, player: int) -> dict[str, npt.NDArray[Any]]:
        """The matrix, in the order of players for all of them."""
        return {"game_matrix": self.game_matrix.copy()}


class RPSThreePlayerEnvironment(RPSTwoPlayerEnvironment):
    """Rock-paper-scissors for three: who differs from two that are alike wins, whatever they show."""

    source = "RockPaperScissors-3p"
    players = 3

    @staticmethod
    def _winner(*choices: int) -> int | None:
        alone = [i for i, choice in enumerate(choices) if choices.count(choice) == 1]
        return alone[0] if len(alone) == 1 else None
