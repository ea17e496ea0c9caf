"""Players that are part of the library."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gridarium.agents.model.consistent_states import LARGEST_KEY, ConsistentStates
from gridarium.agents.model.hidden_information import hides_information
from gridarium.agents.planning.tree_search.search import UCT_EXPLORATION, TreeSearch
from gridarium.arena.players.plain_search import PlainSearch
from gridarium.arena.players.player import (
    SHARE_OF_TIME,
    GameStart,
    MatchPlayer,
    Turn,
    random_numbers,
)
from gridarium.engine.outcomes.state_rows import state_at
from gridarium.games import WorldGame

MOST_SIMULATIONS = 1_000_000
"""The maximum number of simulations of a search that is limited by time."""
FEW, MANY = 16, 256
"""The number of states that agree with what has been perceived, for one step and for a search."""


class RandomPlayer(MatchPlayer):
    """Any legal action, all equally likely."""

    def begin(self, start: GameStart) -> None:
        """See `MatchPlayer.begin`."""
        self._rng = random_numbers(start)

    def act(self, turn: Turn) -> str:
        """See `MatchPlayer.act`."""
        legal = turn.legal_actions
        return legal[int(self._rng.integers(len(legal)))]


class GreedyPlayer(MatchPlayer):
    """The action with the highest reward at once; among equal ones, one at random.

    Others who act at the same time are assumed to take random actions. Where a world hides something from its seat, it takes the
    mean of a few states that agree with what it has perceived.
    """

    def begin(self, start: GameStart) -> None:
        """See `MatchPlayer.begin`."""
        self._rng = random_numbers(start)
        self._hidden = consistent_states(start, self._rng, FEW)

    def act(self, turn: Turn) -> str:
        """See `MatchPlayer.act`."""
        legal = turn.legal_actions
        states = [turn.state]
        if self._hidden is not None:
            rows = self._hidden.update(turn.state.world)
            if rows is None:
                return legal[int(self._rng.integers(len(legal)))]
            game: Any = turn.game
            states = [game.imagined(turn.state, state_at(game.world, rows, i)) for i in range(FEW)]
        rewards = [sum(self._reward(turn, state, action) for state in states) for action in legal]
        best = [action for action, reward in zip(legal, rewards, strict=True) if reward == max(rewards)]
        chosen = best[int(self._rng.integers(len(best)))]
        if self._hidden is not None:
            self._hidden.act(turn.game.action_index(chosen))  # type: ignore[attr-defined]
        return chosen

    def _reward(self, turn: Turn, state: Any, action: str) -> float:
        game, players, actions = turn.game, [], []
        if isinstance(game, WorldGame):  # the chance of the game itself stays unknown
            state = replace(state, world=state.world.fork(int(self._rng.integers(1 << 62))))
        if not game.is_valid_action(state, turn.seat, action):  # in a state that may not be the real one
            return game.returns(state)[turn.seat]
        for player in range(len(game.returns(state))):
            legal = [action] if player == turn.seat else game.valid_actions(state, player)
            if legal:
                players.append(player)
                actions.append(legal[int(self._rng.integers(len(legal)))])
        following, *_ = game.next_state(state, players, actions)
        return game.returns(following)[turn.seat]


class MCTSPlayer(MatchPlayer):
    """Monte Carlo tree search: in worlds with the compiled `TreeSearch`, in games in plain Python with `PlainSearch`.

    Where players act at the same time, it models the others as random. Where a world hides something from its seat, each simulation
    begins in another state that agrees with what it has perceived (`ConsistentStates`), and nodes stand for sequences of actions: so
    it plans with what it knows (information set search; Cowling et al. 2012).

    Args:
        name: shown in results.
        simulations: for each move; by default 1,000, or as many as there is time for.
        seconds: for each move.
        exploration, horizon: see `TreeSearch`.
        discount: likewise, in worlds.
    """

    def __init__(
        self,
        name: str,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        exploration: float | None = None,
        discount: float = 1.0,
        horizon: int = 1000,
    ) -> None:
        super().__init__(name)
        self._simulations = simulations or (MOST_SIMULATIONS if seconds else 1000)
        self._seconds = seconds
        self._settings: dict[str, Any] = {
            "exploration": exploration,
            "discount": discount,
            "horizon": horizon,
        }
        self._playing: tuple[Any, int] | None = None

    def begin(self, start: GameStart) -> None:
        """See `MatchPlayer.begin`."""
        self._time_per_move = start.time_per_move
        if not isinstance(start.game, WorldGame):
            exploration = self._settings["exploration"]
            self._plain = PlainSearch(
                start.game,
                start.players,
                start.seat,
                exploration=UCT_EXPLORATION if exploration is None else exploration,
                horizon=self._settings["horizon"],
                rng=random_numbers(start),
            )
            return
        world = start.game.world
        if self._playing != (world, start.seat):
            turns = world.spec.turn_order == "cycle"
            self._search = TreeSearch(
                world,
                self._simulations,
                others=None if turns else "random",
                agent=start.seat,
                threads=1,
                **self._settings,
            )
            self._search.search(world.reset(0), seconds=0.001)  # compiles
            self._playing = (world, start.seat)
        self._search.rng = random_numbers(start)
        self._hidden = consistent_states(start, self._search.rng, MANY)

    def act(self, turn: Turn) -> str:
        """See `MatchPlayer.act`."""
        seconds = self._seconds
        if seconds is None and self._time_per_move is not None:
            seconds = SHARE_OF_TIME * self._time_per_move
        game = turn.game
        if not isinstance(game, WorldGame):
            return self._plain.best_action(turn.state, self._simulations, seconds)
        if self._hidden is None:
            found = int(self._search.search(turn.state.world.seen_by(turn.seat), seconds=seconds).actions[0])
            return game.action_text(found) if found >= 0 else turn.legal_actions[0]
        rows = self._hidden.update(turn.state.world)
        found = -1
        if rows is not None:
            keys = self._search.rng.integers(-LARGEST_KEY, LARGEST_KEY, 1)
            found = int(self._search.search_rows(rows, MANY, keys, seconds=seconds).actions[0])
        action = game.action_text(found) if found >= 0 else turn.legal_actions[0]
        self._hidden.act(game.action_index(action))
        return action


def consistent_states(start: GameStart, rng: np.random.Generator, count: int) -> ConsistentStates | None:
    """States that agree with what a player perceives; None in a game that hides nothing from it, or is no world."""
    game = start.game
    if not isinstance(game, WorldGame) or not hides_information(game.world):
        return None
    return ConsistentStates(game.world, start.seat, rng, count)
