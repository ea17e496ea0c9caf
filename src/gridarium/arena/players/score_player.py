"""The base of players that give each action a score, such as networks from files."""

from __future__ import annotations

import math
from abc import abstractmethod

import numpy as np
import numpy.typing as npt

from gridarium.arena.players.player import (
    GameStart,
    MatchPlayer,
    PlayerFault,
    PlayerStatus,
    Turn,
    random_numbers,
    world_of,
)
from gridarium.engine import World
from gridarium.games import WorldGame

Floats = npt.NDArray[np.floating]


class ScorePlayer(MatchPlayer):
    """Takes the legal action with the highest score, in worlds.

    Args:
        name: shown in results.
        sample: draw legal actions in proportion to exp(score), as policies do that were trained to.
    """

    def __init__(self, name: str, *, sample: bool = False) -> None:
        super().__init__(name)
        self._sample = sample

    def begin(self, start: GameStart) -> None:
        """See `MatchPlayer.begin`.

        Raises:
            CannotPlay: the game is not a world, or not the one that the network is made for.
        """
        world = world_of(start, self.name)
        self._rng = random_numbers(start)
        self.prepare(world, start)

    def act(self, turn: Turn) -> str:
        """See `MatchPlayer.act`."""
        game = turn.game
        assert isinstance(game, WorldGame)
        legal = np.array(game.world.legal_actions(turn.state.world, turn.seat))
        scores = self.scores(turn)
        if scores.shape != (len(game.world.actions),) or np.isnan(scores[legal]).any():
            raise PlayerFault(
                PlayerStatus.ERROR,
                f"its scores have the shape {scores.shape}, or are not numbers; {len(game.world.actions)} are needed",
            )
        own = scores[legal].astype(np.float64)
        if not self._sample:
            return game.action_text(int(legal[own.argmax()]))
        weights = np.exp(own - own.max())
        return game.action_text(int(self._rng.choice(legal, p=weights / weights.sum())))

    @abstractmethod
    def prepare(self, world: World, start: GameStart) -> None:
        """Prepare for a game in a world.

        Raises:
            CannotPlay: the network is made for another world.
        """

    @abstractmethod
    def scores(self, turn: Turn) -> Floats:
        """float[actions]: the score of each action of the world."""


def flat_observation(turn: Turn) -> Floats:
    """float64[n]: all arrays of an observation, one after another in the order of their names."""
    seen = turn.observation
    return np.concatenate([np.ravel(seen[name]).astype(np.float64) for name in sorted(seen)])


def flat_size(start: GameStart) -> int:
    """The number of numbers in it."""
    return sum(math.prod(shape) for shape in start.game.observation_shape.values())
