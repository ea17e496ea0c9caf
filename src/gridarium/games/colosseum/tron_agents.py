"""Simple players of Tron, as `tron`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.engine.arguments import check_shares
from gridarium.games.colosseum.tron import TronGridEnvironment, next_cell, parse_tron_config

Observation = Mapping[str, npt.NDArray[Any]]
SIDES = {"right": 1, "left": -1}


class SimpleAvoidAgent:
    """Drives straight on as long as the cell ahead is free, and turns to a free side otherwise.

    In matches it is `gridarium.games.colosseum.tron_agents:avoid`.

    Args:
        noise: the probability of a random action instead.
        seed: of its random numbers.

    Raises:
        ValueError: a noise outside [0, 1].
    """

    def __init__(self, noise: float = 0.1, seed: int | None = None) -> None:
        check_shares(noise=noise)
        self.noise, self._rng = noise, np.random.default_rng(seed)

    def __call__(self, env: TronGridEnvironment, observation: Observation) -> str:
        """The action for a player's observation in a game."""
        if self._rng.random() < self.noise:
            return str(self._rng.choice(TronGridEnvironment.action_texts))
        return _avoiding(observation, env.observation_window, self._rng)


def avoid(observation: Observation, config: str, rng: np.random.Generator) -> str:
    """The same without noise, as a player of matches."""
    return _avoiding(observation, parse_tron_config(config)[2], rng)


def _avoiding(observation: Observation, window: int, rng: np.random.Generator) -> str:
    board, heading = observation["board"], int(observation["directions"][0])
    size = len(board)
    y, x = (window, window) if window >= 0 else divmod(int(observation["heads"][0]), size)

    def is_free(direction: int) -> bool:
        across, down = next_cell(x, y, direction % 4)
        return 0 <= down < size and 0 <= across < size and bool(board[down, across] == 0)

    if is_free(heading):
        return "forward"
    first, second = rng.permutation(list(SIDES)).tolist()
    return str(first if is_free(heading + SIDES[first]) else second)
