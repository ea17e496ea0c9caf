"""Players of matches as policies of a world, such as those that people play against."""

from __future__ import annotations

from typing import Any, ClassVar

from gridarium.arena.players.player import GameStart, MatchPlayer, PlayerFault, PlayerStatus, Turn
from gridarium.engine import World
from gridarium.games import WorldGame
from gridarium.games.world_game import GameState
from gridarium.world import State

SECONDS, BANK = 1.0, 10.0
"""The time for each move, and what all moves may take beyond it."""


class _GameOf(WorldGame):
    """The game of a world that is open already."""

    source: ClassVar[Any] = None

    def __init__(self, world: World) -> None:
        self._opened = world
        super().__init__()

    def _open(self, parameters: dict[str, Any]) -> World:  # type: ignore[override]
        return self._opened


class PlayerPolicy:
    """A policy that asks a player of matches.

    Args:
        player: the player.
        world: the world.
        agent: the seat that it plays.
        seed: of its random numbers.

    Raises:
        CannotPlay: when it begins: the player plays other games.
    """

    def __init__(self, player: MatchPlayer, world: World, agent: int, *, seed: int = 0) -> None:
        self.player, self.game, self.agent, self.seed = player, _GameOf(world), agent, seed
        self._failed = False

    def begin(self) -> None:
        """A game begins.

        Raises:
            CannotPlay, PlayerFault: see `MatchPlayer.begin`.
        """
        agents, name = self.game.world.spec.agents, self.game.world.name
        self.player.begin(GameStart(self.game, name, "", agents, self.agent, self.seed, SECONDS, BANK))

    def __call__(self, state: State) -> int:
        """As a policy.

        Raises:
            PlayerFault: the player has failed, or has chosen an action that is not legal; it begins anew when it is asked again.
        """
        if self._failed:
            self.begin()
        world, self._failed = self.game.world, True
        position = GameState(state, (0.0,) * world.spec.agents, tuple(world.acting(state)))
        chosen = self.player.act(Turn(self.game, position, self.agent, int(state.tick), SECONDS + BANK))
        if not self.game.is_valid_action(position, self.agent, chosen):
            raise PlayerFault(PlayerStatus.INVALID, f"it chose {chosen[:80]!r}, which is not legal")
        self._failed = False
        return self.game.action_index(chosen)
