"""Tree search in games in plain Python."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gridarium.games import BaseEnvironment
from gridarium.games.base_environment import Players


@dataclass
class _Node:
    """The visits of an action and the sum of the returns of who chose it; what follows, by player and action."""

    visits: int = 0
    total: float = 0.0
    children: dict[tuple[int, str], _Node] = field(default_factory=dict)


class PlainSearch:
    """UCT over `next_state` and `valid_actions` (Kocsis and Szepesvari 2006); everyone maximizes their own return.

    Nodes stand for sequences of actions, leaves are valued by one random game. It knows the whole state, with what is hidden, and
    chance as far as it is part of the state. Where players act at the same time, only the searching one decides, and the others are
    random.

    Args:
        game: the game.
        players: their number.
        seat: the player that it decides for.
        exploration: the weight of what was tried less often, in units of the range of returns so far.
        horizon: the maximum number of plies of a simulation.
        rng: of its random numbers.
    """

    def __init__(
        self,
        game: BaseEnvironment,
        players: int,
        seat: int,
        *,
        exploration: float,
        horizon: int,
        rng: np.random.Generator,
    ) -> None:
        self.game, self.players, self.seat, self.rng = game, players, seat, rng
        self.exploration, self.horizon = exploration, horizon

    def best_action(self, state: Any, simulations: int, seconds: float | None) -> str:
        """The action that was tried most often.

        Args:
            state: in which it is the seat's turn.
            simulations: the maximum number of simulations.
            seconds: the time after which the search ends; None for no limit.
        """
        root, started = _Node(), time.perf_counter()
        self._low, self._high = math.inf, -math.inf
        acting = [player for player in range(self.players) if self.game.valid_actions(state, player)]
        for _ in range(simulations):
            self._simulate(root, state, acting)
            if seconds is not None and time.perf_counter() - started >= seconds:
                break
        (_, action), _ = max(
            root.children.items(), key=lambda item: (item[1].visits, item[1].total / item[1].visits)
        )
        return action

    def _simulate(self, node: _Node, state: Any, acting: Players) -> None:
        path: list[tuple[int, _Node]] = []
        in_tree = True
        for _ in range(self.horizon):
            if not acting:
                break
            mover = self.seat if self.seat in acting else acting[0]
            legal = {player: self.game.valid_actions(state, player) for player in acting}
            chosen = {player: own[int(self.rng.integers(len(own)))] for player, own in legal.items()}
            if in_tree:
                chosen[mover] = self._select(node, mover, legal[mover])
                in_tree = (mover, chosen[mover]) in node.children
                node = node.children.setdefault((mover, chosen[mover]), _Node())
                path.append((mover, node))
            state, acting, *_ = self.game.next_state(state, acting, [chosen[player] for player in acting])
        returns = self.game.returns(state)
        for mover, visited in path:
            visited.visits += 1
            visited.total += returns[mover]
            self._low, self._high = min(self._low, returns[mover]), max(self._high, returns[mover])

    def _select(self, node: _Node, mover: int, legal: list[str]) -> str:
        """One of the untried actions, then the one with the largest upper confidence bound."""
        untried = [action for action in legal if (mover, action) not in node.children]
        if untried:
            return untried[int(self.rng.integers(len(untried)))]
        tried = [node.children[mover, action] for action in legal]
        width = self.exploration * math.sqrt(math.log(sum(child.visits for child in tried)))
        scale = 1.0 / (self._high - self._low) if self._high > self._low else 1.0
        bounds = [child.total / child.visits * scale + width / math.sqrt(child.visits) for child in tried]
        return legal[bounds.index(max(bounds))]
