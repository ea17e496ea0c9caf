"""A player that has minimised its regrets."""

from __future__ import annotations

from gridarium.agents.model.hidden_information import hides_information
from gridarium.agents.perspective import observation_key
from gridarium.arena.players.player import CannotPlay, GameStart, MatchPlayer, Turn, random_numbers, world_of
from gridarium.engine import World
from gridarium.games import WorldGame
from gridarium.games.solving.cfr import CFR
from gridarium.games.solving.game_tree import GameTree, InformationSet
from gridarium.games.solving.positions import CannotSolve, TooLarge
from gridarium.world import State

LIMIT = 100_000


class CFRPlayer(MatchPlayer):
    """Plays small worlds by the average strategy of CFR+, which hardly anybody can exploit; also with hidden information.

    It draws its actions at random from what it knows: its own observations and actions. The strategy is computed before the first
    game; where each episode is another game that all see (random payoffs), at its first decision.

    Args:
        name: shown in results.
        iterations: of CFR+.
        limit: the largest number of nodes of the game's tree.
    """

    def __init__(self, name: str, *, iterations: int = 1000, limit: int = LIMIT) -> None:
        super().__init__(name)
        self._iterations, self._limit = iterations, limit
        self._world: World | None = None
        self._tree: GameTree | None = None
        self._each_episode = False

    def begin(self, start: GameStart) -> None:
        """See `MatchPlayer.begin`.

        Raises:
            CannotPlay: the game is not a world, or its tree is too large or cannot be enumerated.
        """
        world = world_of(start, self.name)
        if self._world is not world:
            self._world, self._tree, self._each_episode = world, None, False
            try:
                self._solve(world)
            except CannotSolve as error:
                self._each_episode = not isinstance(error, TooLarge) and not hides_information(world)
                if not self._each_episode:
                    self._world = None
                    raise CannotPlay(f"{self.name} cannot play {start.name}: {error}") from None
        if self._each_episode:
            self._tree = None
        self._rng, self._before = random_numbers(start), -1

    def act(self, turn: Turn) -> str:
        """See `MatchPlayer.act`.

        Raises:
            CannotPlay: the tree of this episode is too large.
        """
        game = turn.game
        assert isinstance(game, WorldGame)
        if self._tree is None:
            try:
                self._solve(game.world, turn.state.world)
            except CannotSolve as error:
                raise CannotPlay(f"{self.name} cannot play this game: {error}") from None
        assert self._tree is not None
        seen = observation_key(WorldGame.state_to_observation(game, turn.state, turn.seat))
        slots = self._tree.slots(InformationSet(turn.seat, self._before, seen))
        if slots is None:  # after an action that was not its own
            return turn.legal_actions[int(self._rng.integers(len(turn.legal_actions)))]
        strategy = self._strategy[slots.start : slots.stop]
        self._before = slots.start + int(self._rng.choice(len(slots), p=strategy))
        return game.action_text(int(self._tree.actions[self._before]))

    def _solve(self, world: World, start: State | None = None) -> None:
        tree = GameTree.of(world, start, limit=self._limit)
        solver = CFR(tree)
        solver.run(self._iterations)
        self._tree, self._strategy = tree, solver.average
