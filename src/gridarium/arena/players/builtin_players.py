"""Players that are part of the library."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gridarium.agents.planning.tree_search.search import TreeSearch
from gridarium.arena.players.player import CannotPlay, GameStart, MatchPlayer, Turn, random_numbers
from gridarium.games import WorldGame

MOST_SIMULATIONS = 1_000_000
"""The maximum number of simulations of a search that is limited by time."""
SHARE_OF_TIME = 0.8
"""The share of the time for a move that a search without a time of its own may take."""


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

    Others who act at the same time are assumed to take random actions.
    """

    def begin(self, start: GameStart) -> None:
        """See `MatchPlayer.begin`."""
        self._rng = random_numbers(start)

    def act(self, turn: Turn) -> str:
        """See `MatchPlayer.act`."""
        legal = turn.legal_actions
        rewards = [self._reward(turn, action) for action in legal]
        best = [action for action, reward in zip(legal, rewards, strict=True) if reward == max(rewards)]
        return best[int(self._rng.integers(len(best)))]

    def _reward(self, turn: Turn, action: str) -> float:
        game, players, actions = turn.game, [], []
        state = turn.state
        if isinstance(game, WorldGame):  # the chance of the game itself stays unknown
            state = replace(state, world=state.world.fork(int(self._rng.integers(1 << 62))))
        for player in range(len(game.returns(state))):
            legal = [action] if player == turn.seat else game.valid_actions(state, player)
            if legal:
                players.append(player)
                actions.append(legal[int(self._rng.integers(len(legal)))])
        following, *_ = game.next_state(state, players, actions)
        return game.returns(following)[turn.seat]


class MCTSPlayer(MatchPlayer):
    """Monte Carlo tree search with the compiled `TreeSearch`; in worlds.

    It knows the state, also what is hidden from its seat. Where players act at the same time, it models the others as random.

    Args:
        name: shown in results.
        simulations: for each move; by default 1,000, or as many as there is time for.
        seconds: for each move.
        exploration, discount, horizon: see `TreeSearch`.
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
        """See `MatchPlayer.begin`.

        Raises:
            CannotPlay: the game is not a world.
        """
        if not isinstance(start.game, WorldGame):
            raise CannotPlay(f"{self.name} plays worlds, and {start.name} is a game in plain Python")
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
        self._time_per_move = start.time_per_move

    def act(self, turn: Turn) -> str:
        """See `MatchPlayer.act`."""
        seconds = self._seconds
        if seconds is None and self._time_per_move is not None:
            seconds = SHARE_OF_TIME * self._time_per_move
        found = int(self._search.search(turn.state.world.seen_by(turn.seat), seconds=seconds).actions[0])
        assert isinstance(turn.game, WorldGame)
        return turn.game.action_text(found) if found >= 0 else turn.legal_actions[0]
