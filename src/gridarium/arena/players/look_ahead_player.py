"""Minimax and expectimax as players."""

from __future__ import annotations

import contextlib
from typing import Any, ClassVar

from gridarium.agents.chase import exit_nearness
from gridarium.agents.model.state_store import PlanningError
from gridarium.agents.planning.expectimax import Expectimax
from gridarium.agents.planning.look_ahead import Evaluation, LookAhead
from gridarium.agents.planning.minimax import Minimax
from gridarium.arena.players.player import (
    SHARE_OF_TIME,
    GameStart,
    MatchPlayer,
    Turn,
    random_numbers,
    world_of,
)
from gridarium.engine import World
from gridarium.games import WorldGame
from gridarium.world import Exit

MOST_DEPTH = 64
"""The depth of a search that is limited by time."""
LIMIT = 20_000
"""The number of states that are remembered; those of large boards have some thousand bytes."""
OUTCOME_WEIGHT = 0.001
"""The weight of the outcome rule where a search ends: it decides between what is equal otherwise."""


class LookAheadPlayer(MatchPlayer):
    """Looks some plies ahead in a world, whose whole state it knows: one ply deeper each time, as long as there is time.

    Among equally good actions it takes one at random. Where the search ends, what the world's outcome rule says of the state counts
    a little, such as the lead in squares, or in worlds with exits the distance to the nearest.

    Args:
        name: shown in results.
        depth: the number of plies; by default 4, or as many as there is time for.
        seconds: for each move.
    """

    search: ClassVar[type[LookAhead]]

    def __init__(self, name: str, *, depth: int | None = None, seconds: float | None = None) -> None:
        super().__init__(name)
        self._depth = depth or (MOST_DEPTH if seconds else 4)
        self._seconds = seconds
        self._playing: tuple[Any, int] | None = None

    def begin(self, start: GameStart) -> None:
        """See `MatchPlayer.begin`.

        Raises:
            CannotPlay: the game is not a world.
        """
        world = world_of(start, self.name)
        if self._playing != (world, start.seat):
            self._search = self.search(
                self._depth, world, start.seat, evaluate=_evaluation(world), limit=LIMIT
            )
            dynamics = self._search.dynamics
            root = dynamics.index(world.reset(0))
            with contextlib.suppress(PlanningError):
                dynamics.outcomes(root, dynamics.joints(root)[0])  # compiles
            self._playing = (world, start.seat)
        self._rng = random_numbers(start)
        self._time = self._seconds
        if self._time is None and start.time_per_move is not None:
            self._time = SHARE_OF_TIME * start.time_per_move

    def act(self, turn: Turn) -> str:
        """See `MatchPlayer.act`."""
        game = turn.game
        assert isinstance(game, WorldGame)
        limits = {} if self._time is None else {"seconds": self._time}
        values = self._search.get_values_in_time(turn.state.world, **limits)
        best = [action for action, value in values.items() if value >= max(values.values()) - 1e-9]
        chosen = best[int(self._rng.integers(len(best)))]
        return game.action_text(game.world.actions.index(chosen))


class MinimaxPlayer(LookAheadPlayer):
    """Alpha-beta search: the others do their worst, see `gridarium.agents.Minimax`."""

    search = Minimax


class ExpectimaxPlayer(LookAheadPlayer):
    """The others' actions are random, see `gridarium.agents.Expectimax`."""

    search = Expectimax


def _evaluation(world: World) -> Evaluation | None:
    """What a state is worth where a search ends."""
    if world.spec.outcome is not None:
        return lambda state, agent: OUTCOME_WEIGHT * float(world.outcomes(state)[agent])  # type: ignore[index]
    return exit_nearness if Exit in world.spec.vocabulary.kinds.values() else None
