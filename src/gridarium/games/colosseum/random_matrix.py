"""Matrix games with random payoffs, as `random_matrix`."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gridarium.engine import World
from gridarium.games.config_strings import SimpleConfigParser
from gridarium.games.world_game import GameState, WorldGame
from gridarium.worlds import catalogue

PARSER = SimpleConfigParser((int, 2), (int, 2), (int, None))
MOST_PAYOFFS = 1 << 16


class RandomMatrixEnvironment(WorldGame):
    """All players choose a number at once, from `0` on, and get what the matrix pays for this combination.

    The observation `game_matrix` float64[strategies, ..., strategies, players] holds all payoffs, uniform from 0 to 1, in the
    order of players for all of them.

    Args:
        config: `players;strategies;seed`, by default `2;2;None`. All games with a seed have the same payoffs; without, each
            has others, drawn by its own seed.
        seed: see `WorldGame`.

    Raises:
        ValueError: fewer than two players or strategies, more than 65,536 payoffs, or a negative seed.
    """

    source = "MatrixGame-2x2"

    def __init__(self, config: str = "", *, seed: int = 0) -> None:
        self.num_players, self.num_strategies, _ = PARSER.parse(config)
        super().__init__(config, seed=seed)

    @classmethod
    def create(  # type: ignore[override]
        cls, num_players: int = 2, num_strategies: int = 2, seed: int | None = None
    ) -> Self:
        """The game with these parameters."""
        return cls(PARSER.store(num_players, num_strategies, seed))

    @classmethod
    def parameters(cls, config: str) -> dict[str, Any]:
        """What the config says of the world: players, strategies, and the seed of payoffs."""
        return dict(zip(("players", "strategies", "seed"), PARSER.parse(config), strict=True))

    @classmethod
    def _open(cls, parameters: dict[str, Any]) -> World:
        players, strategies, seed = (parameters.get(key) for key in ("players", "strategies", "seed"))
        players, strategies = players or 2, strategies or 2
        if min(players, strategies) < 2 or players * strategies**players > MOST_PAYOFFS:
            raise ValueError(
                f"a matrix game has 2 or more players and strategies, and up to {MOST_PAYOFFS:,} payoffs; "
                f"not {players} players with {strategies} strategies"
            )
        if seed is not None and seed < 0:
            raise ValueError(f"the seed of payoffs is 0 or more, not {seed}")
        data = catalogue.description(cls.source).to_dict()
        data["name"] = f"MatrixGame-{'x'.join([str(strategies)] * players)}"
        data["agents"] = [{"name": f"player_{i}", "body": False} for i in range(players)]
        data["actions"] = [{"name": "CHOOSE", "over": strategies}]
        data["fields"]["world"] = [{"name": "payoffs", "shape": [strategies**players, players]}]
        data["reset"] = {"name": "random_payoffs", "payoff_seed": -1 if seed is None else seed}
        return World(data, compiled=cls.compiled)

    @staticmethod
    def observation_names() -> list[str]:
        """`game_matrix`."""
        return ["game_matrix"]

    @property
    def observation_shape(self) -> dict[str, tuple[int, ...]]:
        """[strategies, ..., strategies, players]."""
        return {"game_matrix": (self.num_strategies,) * self.num_players + (self.num_players,)}

    def action_text(self, index: int) -> str:
        """`0` and so on."""
        return str(index)

    def action_index(self, text: str) -> int:
        """The number."""
        count = len(self.world.actions)
        if not (text.isascii() and text.isdigit() and str(int(text)) == text and int(text) < count):
            raise ValueError(f"{text!r} is not a number from 0 to {count - 1}")
        return int(text)

    def state_to_observation(self, state: GameState, player: int) -> dict[str, npt.NDArray[Any]]:
        """See the class."""
        payoffs = np.array(state.world.payoffs, np.float64)
        return {"game_matrix": payoffs.reshape(self.observation_shape["game_matrix"])}
