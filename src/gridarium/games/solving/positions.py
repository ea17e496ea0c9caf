"""The positions of a game that can be solved, one after another: keys, and what moves lead to."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gridarium.agents.model.hidden_information import hides_information
from gridarium.engine.acting import acting_agents
from gridarium.engine.outcomes.copies import Copies
from gridarium.engine.outcomes.state_rows import Rows, canonical_rows, row_keys, rows_of
from gridarium.engine.step.kernel import RUNNING
from gridarium.games.base_environment import BaseEnvironment
from gridarium.games.world_game import GameState, WorldGame
from gridarium.world.state import ENDED, TICK


class CannotSolve(ValueError):
    """A game that cannot be solved exactly: too large, or of another kind."""


class TooLarge(CannotSolve):
    """A game with more positions than may be looked at."""


@dataclass(frozen=True, slots=True)
class GamePosition:
    """A position in which one player is to move; nobody is at the end.

    Attributes:
        key: equal for positions with the same future.
        mover: the player; -1 at the end.
        content: for `GamePositions`.
    """

    key: Hashable
    mover: int
    content: Any


class GameMove(NamedTuple):
    """A legal move.

    Attributes:
        action: its text.
        after: the position that it leads to.
        rewards: of each player.
    """

    action: str
    after: GamePosition
    rewards: tuple[float, ...]


class GamePositions(ABC):
    """What moves lead to, in a game without chance and hidden information whose players move one after another."""

    players: int

    @abstractmethod
    def position(self, state: Any) -> GamePosition:
        """The position of a state of the game."""

    @abstractmethod
    def moves(self, position: GamePosition) -> list[GameMove]:
        """All legal moves in a position that is not the end."""


class PythonPositions(GamePositions):
    """The positions of a game in plain Python. Its states are told apart as they are, or by their bytes if they have no hash.

    Raises:
        CannotSolve: the game has chance.
    """

    def __init__(self, game: BaseEnvironment, players: int) -> None:
        if "seed" in inspect.signature(game.new_state).parameters:
            raise CannotSolve(f"{game} has chance: its new_state takes a seed")
        self.game, self.players = game, players

    def position(self, state: Any) -> GamePosition:
        """See `GamePositions.position`."""
        acting = [player for player in range(self.players) if self.game.valid_actions(state, player)]
        return self._position(state, acting)

    def moves(self, position: GamePosition) -> list[GameMove]:
        """See `GamePositions.moves`."""
        game, state, mover = self.game, position.content, position.mover
        before, found = np.asarray(game.returns(state)), []
        for action in game.valid_actions(state, mover):
            after, acting, _, _, _ = game.next_state(state, [mover], [action])
            gained = np.asarray(game.returns(after)) - before
            found.append(GameMove(action, self._position(after, acting), tuple(gained.tolist())))
        return found

    def _position(self, state: Any, acting: list[int]) -> GamePosition:
        if len(acting) > 1:
            raise CannotSolve(f"several players act at the same time: {acting}")
        return GamePosition((self._key(state), *acting), acting[0] if acting else -1, state)

    def _key(self, state: Any) -> Hashable:
        try:
            hash(state)
        except TypeError:
            if not self.game.serializable():
                raise CannotSolve(
                    f"states of {self.game} have neither a hash nor serialize_state, so that they cannot be told apart"
                ) from None
            return bytes(self.game.serialize_state(state))
        return state  # type: ignore[no-any-return]


class WorldPositions(GamePositions):
    """The positions of a world: all moves of one are stepped at once.

    Raises:
        CannotSolve: agents act at the same time, or something is hidden from a player.
    """

    def __init__(self, game: WorldGame) -> None:
        self.game, self.world = game, game.world
        self.players = self.world.spec.agents
        if self.world.spec.turn_order not in ("cycle", "chosen"):
            raise CannotSolve(f"the players of {self.world.name} act at the same time")
        if hides_information(self.world):
            raise CannotSolve(f"players do not see all of {self.world.name}")
        self._copies: dict[int, Copies] = {}
        self._rng = np.random.default_rng(0)
        self._timed = self.world.composed.time_limit is not None

    def position(self, state: GameState) -> GamePosition:
        """See `GamePositions.position`."""
        if state.terminal:
            return GamePosition(b"", -1, None)
        if len(state.players) != 1:
            raise CannotSolve(f"several players act at the same time: {list(state.players)}")
        legal = np.zeros(len(self.world.actions), np.bool_)
        legal[self.world.legal_actions(state.world, state.players[0])] = True
        rows = rows_of(state.world)
        return GamePosition(self._keys(rows)[0], state.players[0], (rows, legal))

    def moves(self, position: GamePosition) -> list[GameMove]:
        """See `GamePositions.moves`.

        Raises:
            CannotSolve: moves have random outcomes, or depend on the time.
        """
        rows, legal = position.content
        actions = np.flatnonzero(legal)
        count = len(actions)
        copies = self._filled(count, rows)
        chosen = np.tile(self.game.idle_actions, (copies.n, 1))
        chosen[:count, position.mover] = actions
        chosen[count:, position.mover] = actions[0]
        copies.marks()
        result = copies.step(chosen)
        marks = copies.marks()
        if marks.random_drawn or marks.clock_read:
            what = "are random" if marks.random_drawn else "depend on the time"
            raise CannotSolve(f"outcomes of moves in {self.world.name} {what}")
        after: Rows = tuple(array[:count].copy() for array in copies.memory.arrays())
        over = after[2][:, ENDED] != RUNNING
        movers = acting_agents(self.world.spec.turn_order, after[2], after[3])
        masks = np.ones((count, len(self.world.actions)), np.bool_)
        if result.masks is not None:
            masks = result.masks[:count] != 0
        keys = self._keys(after)
        found = []
        for k, action in enumerate(actions.tolist()):
            mover = int(movers[k].argmax())
            if movers[k].sum() > 1 and not over[k]:
                raise CannotSolve(
                    f"several players act at the same time: {np.flatnonzero(movers[k]).tolist()}"
                )
            own = masks[k] if masks.ndim == 2 else masks[k, mover]
            content = (tuple(array[k : k + 1] for array in after), own & (self._own(mover)))
            following = GamePosition(keys[k], -1, None) if over[k] else GamePosition(keys[k], mover, content)
            found.append(
                GameMove(self.game.action_text(action), following, tuple(result.rewards[k].tolist()))
            )
        return found

    def _own(self, mover: int) -> Any:
        """bool[actions]: the actions that a player ever has."""
        return self.world.composed.action_table[mover] >= 0

    def _keys(self, rows: Rows) -> list[bytes]:
        plain = canonical_rows(rows)
        if self._timed:
            plain[2][:, TICK] = rows[2][:, TICK]
        return row_keys(plain)

    def _filled(self, count: int, rows: Rows) -> Copies:
        """At least so many copies of a state."""
        size = 1 << (count - 1).bit_length()
        if size not in self._copies:
            self._copies[size] = Copies(self.world, size, observed=True, threads=1)
        self._copies[size].write(rows, self._rng)
        return self._copies[size]


def positions_of(game: BaseEnvironment, players: int) -> GamePositions:
    """The positions of a game for so many players.

    Raises:
        CannotSolve: see `WorldPositions`, `PythonPositions`.
    """
    return WorldPositions(game) if isinstance(game, WorldGame) else PythonPositions(game, players)
