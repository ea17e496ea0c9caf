"""Kuhn poker, as `kuhn_poker`."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gridarium.games.config_strings import SimpleConfigParser
from gridarium.games.world_game import GameState, WorldGame

PARSER = SimpleConfigParser((int, 2), (int, None), (bool, False))
LEAST, MOST = 2, 10


class KuhnPokerEnvironment(WorldGame):
    """Kuhn poker for two to ten players: `check` also gives up when somebody has bet, `bet` also is to call.

    Observations are int64[players], the player itself first: `hands` holds cards from 0, -1 where they are hidden (at the
    end, those who have not given up show theirs), `bets` what each has put into the pot.

    Args:
        config: `num_players;seed;legacy`, by default `2;None;False`. The seed is that of the first game, if it gets none itself; it
            counts up. With `legacy` the pot goes to whom it went in 2020, see `kuhn_bet`.
        seed: used if the config has none.
    """

    source = "KuhnPoker-2p"
    action_texts = ("check", "bet")

    def __init__(self, config: str = "", *, seed: int = 0) -> None:
        self.num_players, given, self.legacy = PARSER.parse(config)
        if not LEAST <= self.num_players <= MOST:
            raise ValueError(f"Kuhn poker is for {LEAST} to {MOST} players, not {self.num_players}")
        super().__init__(config, seed=seed if given is None else given)

    @classmethod
    def create(  # type: ignore[override]
        cls, num_players: int = 2, seed: int | None = None, legacy: bool = False
    ) -> Self:
        """The game with these parameters."""
        return cls(PARSER.store(num_players, seed, *([legacy] if legacy else [])))

    @classmethod
    def parameters(cls, config: str) -> dict[str, Any]:
        """The number of agents, and to whom the pot goes."""
        players, _, legacy = PARSER.parse(config)
        return {"agents": players, "legacy": legacy}

    @staticmethod
    def observation_names() -> list[str]:
        """`hands` and `bets`."""
        return ["hands", "bets"]

    @property
    def observation_shape(self) -> dict[str, tuple[int, ...]]:
        """[players] each."""
        return {"hands": (self.num_players,), "bets": (self.num_players,)}

    def state_to_observation(self, state: GameState, player: int) -> dict[str, npt.NDArray[Any]]:
        """See the class."""
        bets = np.array(state.world.stakes, np.int64)[: self.num_players]
        hands = np.array([agent.card for agent in state.world.agents], np.int64)
        shown = np.arange(self.num_players) == player
        if state.terminal:
            shown |= bets == bets.max()
        return {"hands": np.roll(np.where(shown, hands, -1), -player), "bets": np.roll(bets, -player)}
