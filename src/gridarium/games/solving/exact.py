"""`ExactSolver`: the value of a position, and a move that keeps it."""

from __future__ import annotations

import functools
import math
from collections.abc import Hashable
from typing import Any

from gridarium.engine.arguments import check_count, check_number
from gridarium.games.base_environment import BaseEnvironment
from gridarium.games.solving.positions import (
    CannotSolve,
    GameMove,
    GamePosition,
    GamePositions,
    TooLarge,
    positions_of,
)
from gridarium.games.world_game import WorldGame
from gridarium.rules.games.board_rules import win_or_lose

Returns = tuple[float, ...]
LIMIT = 1_000_000
"""Of moves."""
ROUNDING = 1e-9
"""Values this close are the same: sums of rewards that are no whole numbers are rounded."""
DEEPEST = 300
"""Longer games are refused: the search would be as deep."""


class ExactSolver:
    """Solves small games without chance and hidden information, whose players move one after another.

    Two players whose rewards add up to 0 are searched by alpha-beta (Knuth and Moore 1975) with a table of positions and
    moves ordered by the cutoffs that they brought elsewhere (history heuristic; Schaeffer 1989); other games by max^n (Luckhart and
    Irani 1986), in which each player takes the first of the moves that are best for itself. What was found is kept for later questions.

    Args:
        game: a world or a game in plain Python.
        players: their number; by default the game's minimum.
        limit: the number of moves that may be looked at for one question.
        largest: no sum of rewards of a player, from any position on, is larger than this or smaller than its negative.
            With it a search ends at a win. By default 1 for worlds with the rule `win_or_lose`, and unknown for others.

    Attributes:
        searched: the number of moves that were looked at for the last question.

    Raises:
        CannotSolve: the game has chance, hides something, or its players act at the same time.

    Example:
        >>> game = get_environment("tictactoe")()
        >>> solver = ExactSolver(game)
        >>> solver.returns(game.new_state()[0])
        (0.0, 0.0)
    """

    def __init__(
        self,
        game: BaseEnvironment,
        players: int | None = None,
        *,
        limit: int = LIMIT,
        largest: float | None = None,
    ) -> None:
        check_count("limit", limit)
        if largest is not None:
            check_number("largest", largest)
        self.game, self.limit, self.searched = game, limit, 0
        self._positions: GamePositions = positions_of(game, players or game.min_players)
        self._largest = _known_largest(game) if largest is None else largest
        self._zero_sum = self._positions.players == 2
        self._bounds: dict[Hashable, tuple[float, float]] = {}
        self._vectors: dict[Hashable, Returns] = {}
        self._history: dict[tuple[int, str], int] = {}
        self._path: set[Hashable] = set()

    def returns(self, state: Any) -> Returns:
        """The sum of each player's rewards from a state on, if all play as well as possible; within `ROUNDING`.

        Raises:
            CannotSolve: there are too many positions, or they repeat.
        """
        position = self._positions.position(state)
        return (0.0,) * self._positions.players if position.mover < 0 else self._ask(position)

    def moves(self, state: Any) -> dict[str, Returns]:
        """The same for each legal action, by its text.

        Raises:
            CannotSolve: as `returns`, or the game is over.
        """
        root = self._root(state)
        return {
            move.action: _sum(
                move.rewards, self._ask(move.after) if move.after.mover >= 0 else (0.0,) * len(move.rewards)
            )
            for move in self._positions.moves(root)
        }

    def best_action(self, state: Any) -> str:
        """The first of the actions that are best for who is to move.

        Raises:
            CannotSolve: as `moves`.
        """
        root = self._root(state)
        wanted = self._ask(root)[root.mover]
        moves = self._positions.moves(root)
        for move in moves:
            if self._reaches(root, move, wanted):
                return move.action
        raise AssertionError("no move has the value of its position")

    def _root(self, state: Any) -> GamePosition:
        root = self._positions.position(state)
        if root.mover < 0:
            raise CannotSolve("the game is over")
        return root

    def _ask(self, position: GamePosition) -> Returns:
        self.searched = 0
        self._path.clear()
        if self._zero_sum:
            try:
                value = self._alpha_beta(position, -math.inf, math.inf)
                return (value, 0.0 - value)
            except _NotZeroSum:
                self._zero_sum = False
                self._path.clear()
        return self._max_n(position)

    def _reaches(self, root: GamePosition, move: GameMove, wanted: float) -> bool:
        """Whether a move is worth as much as its position, to who is to move."""
        enough = wanted - ROUNDING
        if move.after.mover < 0:
            return move.rewards[root.mover] >= enough
        if not self._zero_sum:
            return _sum(move.rewards, self._max_n(move.after))[root.mover] >= enough
        self._path.clear()
        if root.mover == 0:  # is its value large enough? a window of almost no width answers this
            target = enough - move.rewards[0]
            return self._alpha_beta(move.after, target - ROUNDING, target) >= target
        target = -enough - move.rewards[0]
        return self._alpha_beta(move.after, target, target + ROUNDING) <= target

    def _alpha_beta(self, position: GamePosition, alpha: float, beta: float) -> float:
        """The first player's value if it is between the bounds; otherwise a bound of it on the same side."""
        largest = math.inf if self._largest is None else self._largest
        low, high = self._bounds.get(position.key, (-largest, largest))
        if low >= beta or high - low <= ROUNDING:
            return low
        if high <= alpha:
            return high
        asked = max(alpha, low), min(beta, high)
        first = position.mover == 0
        best = -math.inf if first else math.inf
        alpha, beta = asked
        for move in self._ordered(position):
            gained, after = move.rewards[0], move.after
            value = gained
            if after.mover >= 0:
                value += self._alpha_beta(after, alpha - gained, beta - gained)
            if first:
                best, alpha = max(best, value), max(alpha, value)
            else:
                best, beta = min(best, value), min(beta, value)
            if alpha >= beta:
                number = (position.mover, move.action)
                self._history[number] = self._history.get(number, 0) + 1
                break
        self._path.discard(position.key)
        if best <= asked[0] + ROUNDING:  # a bound, from which a child's may differ by rounding
            high = min(high, best)
        elif best >= asked[1] - ROUNDING:
            low = max(low, best)
        else:
            low = high = best
        self._bounds[position.key] = (low, high)
        return best

    def _ordered(self, position: GamePosition) -> list[GameMove]:
        """The moves, those first that end the game or are known, then those that brought cutoffs elsewhere."""
        moves, mover = self._expanded(position), position.mover
        if any(abs(move.rewards[0] + move.rewards[1]) > 1e-9 for move in moves):
            raise _NotZeroSum

        def rank(move: GameMove) -> tuple[bool, float, int]:
            history = -self._history.get((mover, move.action), 0)
            if move.after.mover < 0:
                return False, -move.rewards[mover], history
            known = self._bounds.get(move.after.key)
            if known is None:
                return True, 0.0, history
            promised = known[0] if mover == 0 else -known[1]
            return False, -promised if math.isfinite(promised) else 0.0, history

        return sorted(moves, key=rank)

    def _max_n(self, position: GamePosition) -> Returns:
        found = self._vectors.get(position.key)
        if found is not None:
            return found
        best: Returns = ()
        for move in self._expanded(position):
            value = move.rewards if move.after.mover < 0 else _sum(move.rewards, self._max_n(move.after))
            if not best or value[position.mover] > best[position.mover]:
                best = value
        self._path.discard(position.key)
        self._vectors[position.key] = best
        return best

    def _expanded(self, position: GamePosition) -> list[GameMove]:
        if position.key in self._path:
            raise CannotSolve(f"positions of {self.game} can repeat; such games are not solved")
        if len(self._path) > DEEPEST:
            raise CannotSolve(f"{self.game} is too long: more than {DEEPEST} moves ahead")
        self._path.add(position.key)
        moves = self._positions.moves(position)
        self.searched += len(moves)
        if self.searched > self.limit:
            raise TooLarge(
                f"{self.game} is too large: {self.limit} moves were looked at, which is the limit; "
                "give a larger one, a smaller board, or a position nearer to the end"
            )
        return moves


class _NotZeroSum(Exception):
    """Rewards of two players do not add up to 0."""


def _sum(first: Returns, second: Returns) -> Returns:
    return tuple(a + b for a, b in zip(first, second, strict=True))


def _known_largest(game: BaseEnvironment) -> float | None:
    if not isinstance(game, WorldGame):
        return None
    rules = [rule.func if isinstance(rule, functools.partial) else rule for rule in game.world.spec.rewards]
    return 1.0 if rules == [win_or_lose] else None
