"""Policies of worlds as players."""

from __future__ import annotations

from typing import Any

from gridarium.agents.model.state_store import PlanningError
from gridarium.arena.players.function_player import FunctionPlayer
from gridarium.arena.players.player import CannotPlay, GameStart, PlayerFault, Turn, world_of
from gridarium.games import WorldGame


class PolicyPlayer(FunctionPlayer):
    """A policy of `gridarium run -p`, in worlds where every action is always legal.

    It decides once before the first game, since what compiles then would count as thinking.

    Args:
        name: shown in results.
        agent: the policy.
    """

    def __init__(self, name: str, agent: Any) -> None:
        super().__init__(name, agent)
        self._world: Any = None

    def begin(self, start: GameStart) -> None:
        """See `MatchPlayer.begin`.

        Raises:
            CannotPlay: the game is not a world, has legal rules, or is too large for the policy.
        """
        world, game = world_of(start, self.name), start.game
        if world.spec.has_masks:
            raise CannotPlay(
                f"{self.name} plays worlds in which every action is always legal, and {start.name} has rules of what is legal; "
                "mcts, minimax, expectimax, greedy and random obey them"
            )
        super().begin(start)
        if self._world is not world:
            assert isinstance(game, WorldGame)
            state, _ = game.new_state(seed=0)
            try:
                self.act(Turn(game, state, start.seat, 0))
            except PlayerFault as fault:
                if isinstance(fault.__cause__, PlanningError):
                    raise CannotPlay(f"{self.name} cannot play {start.name}: {fault.__cause__}") from None
                raise
            self._world = world
            super().begin(start)
