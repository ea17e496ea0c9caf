"""Counterfactual regret minimisation: strategies for games with hidden information that can hardly be exploited."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from gridarium.engine.arguments import check_count
from gridarium.games.solving.game_tree import GameTree
from gridarium.games.solving.positions import CannotSolve

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


class CFR:
    """Counterfactual regret minimisation in the tree of a game.

    Each iteration goes through the whole tree once for each player, one after another, and adds up by how much each action would
    have been better than the strategy; actions are then taken in proportion to positive regrets. The average strategy of two
    players with opposite rewards converges to an equilibrium; for others nothing is proved, but it is often good.

    - "cfr+" (Tammelin 2014): sums of regrets are not negative, and the n-th strategy counts n times in the average;
    - "cfr": as first described (Zinkevich et al. 2007), with updates of one player after another.

    With one decision each, as in matrix games, this is regret matching (Hart and Mas-Colell 2000).

    Args:
        tree: of the game, see `GameTree.of`.
        method: "cfr+" or "cfr".

    Attributes:
        iterations: their number so far.

    Raises:
        ValueError: another method.

    Example:
        >>> solver = CFR(GameTree.of(World("KuhnPoker-2p")))
        >>> solver.run(1000)
        >>> solver.nash_conv(solver.average), solver.returns(solver.average)[0]  # nearly 0, nearly -1/18
    """

    def __init__(self, tree: GameTree, method: Literal["cfr+", "cfr"] = "cfr+") -> None:
        if method not in ("cfr+", "cfr"):
            raise ValueError(f"the method is 'cfr+' or 'cfr', not {method!r}")
        self.tree, self.method, self.iterations = tree, method, 0
        self._passes = TreePasses(tree)
        self._regrets = np.zeros(len(tree.actions))
        self._sums = np.zeros(len(tree.actions))
        self.strategy = self._passes.normalised(self._regrets)
        """float64[slots]: the current strategy of all players."""

    @property
    def average(self) -> Floats:
        """float64[slots]: the average strategy of all players; uniform where nobody has come."""
        return self._passes.normalised(self._sums)

    def run(self, iterations: int) -> None:
        """Make further iterations."""
        check_count("the number of iterations", iterations)
        passes, plus = self._passes, self.method == "cfr+"
        for _ in range(iterations):
            self.iterations += 1
            for player in range(self.tree.players):
                own = passes.slots[player]
                action_values, values = passes.counterfactual_values(self.strategy, player)
                self._regrets[own] += action_values - values
                if plus:
                    np.maximum(self._regrets, 0.0, out=self._regrets)
                weight = float(self.iterations) if plus else 1.0
                self._sums[own] += weight * (passes.own_reach(self.strategy, player) * self.strategy[own])
                self.strategy[own] = passes.normalised(self._regrets)[own]

    def returns(self, strategy: Floats) -> Floats:
        """float64[players]: the expected sum of rewards of each player, if all play a strategy."""
        return np.array(
            [self._passes.expected(strategy, player)[0] for player in range(self.tree.players)], np.float64
        )

    def best_response(self, strategy: Floats, player: int) -> float:
        """The most that a player can expect against the strategy of all others."""
        return self._passes.best_response(strategy, player)

    def nash_conv(self, strategy: Floats) -> float:
        """What all players together could gain if each alone changed to its best response; 0 in an equilibrium."""
        best = [self.best_response(strategy, player) for player in range(self.tree.players)]
        return float(np.sum(np.array(best) - self.returns(strategy)))

    def exploitability(self, strategy: Floats) -> float:
        """What a player could gain on average by a best response, in games of two players with opposite rewards.

        Raises:
            CannotSolve: another game; `nash_conv` is for any.
        """
        if self.tree.players != 2 or not np.allclose(self.tree.returns.sum(axis=1), 0.0):
            raise CannotSolve(
                f"{self.tree.world.name} has not two players with opposite rewards; nash_conv is for any game"
            )
        return self.nash_conv(strategy) / 2


class TreePasses:
    """Passes over a tree, layer by layer.

    Args:
        tree: the tree.

    Attributes:
        slots: for each player int64[n]: its slots.
    """

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        set_of_slot = np.repeat(np.arange(len(tree.owner)), np.diff(tree.first))
        owner = tree.owner[set_of_slot]
        players = range(tree.players)
        self.slots: list[Integers] = [np.flatnonzero(owner == player) for player in players]
        decided = tree.slot >= 0
        self._decided = np.flatnonzero(decided)
        mover = np.full(len(tree), -1)
        mover[decided] = owner[tree.slot[decided]]
        self._after: list[Integers] = [np.flatnonzero(mover == player) for player in players]
        self._place = np.full(len(owner), -1)  # of a slot among those of its player
        for own in self.slots:
            self._place[own] = np.arange(len(own))
        self._begins: list[Integers] = []  # of the sets of each player among its slots
        self._sizes: list[Integers] = []
        for player in players:
            sets = np.flatnonzero(tree.owner == player)
            sizes = np.diff(tree.first)[sets]
            self._sizes.append(sizes)
            self._begins.append(np.cumsum(sizes) - sizes)
        self._layers = [
            slice(int(a), int(b)) for a, b in zip(tree.levels[1:-1], tree.levels[2:], strict=True)
        ]
        self._above = [np.unique(tree.parent[layer], return_index=True) for layer in self._layers]
        before = np.array([known.before for known in tree.sets], np.int64)
        self._depths = self._own_depths(before, set_of_slot)
        self._before, self._set_of_slot = before, set_of_slot

    def normalised(self, weights: Floats) -> Floats:
        """The strategy in proportion to weights where they are above 0; uniform where none is."""
        positive = np.maximum(weights, 0.0)
        first = self.tree.first
        if not len(positive):
            return positive
        sizes = np.diff(first)
        sums = np.repeat(np.add.reduceat(positive, first[:-1]), sizes)
        uniform = np.repeat(1.0 / sizes, sizes)
        np.divide(positive, sums, out=uniform, where=sums > 0)
        return uniform

    def expected(self, strategy: Floats, player: int) -> Floats:
        """float64[nodes]: the sum of a player's rewards that it can expect in each node."""
        return self._backward(self._weights(strategy), player)

    def counterfactual_values(self, strategy: Floats, player: int) -> tuple[Floats, Floats]:
        """float64[n], float64[n]: for each of a player's slots the value of its action, and that of its information set.

        They are weighted by the probability with which chance and the others lead there.
        """
        weights = self._weights(strategy)
        values = self._backward(weights, player)
        actions = self._action_values(self._reach(weights, player), values, player)
        if not len(actions):
            return actions, actions
        sets = np.add.reduceat(strategy[self.slots[player]] * actions, self._begins[player])
        return actions, np.repeat(sets, self._sizes[player])

    def own_reach(self, strategy: Floats, player: int) -> Floats:
        """float64[n]: for each of a player's slots the probability with which its own decisions lead to its set."""
        reach = np.ones(len(self._before))
        for sets in self._depths[player][1:]:
            before = self._before[sets]
            reach[sets] = reach[self._set_of_slot[before]] * strategy[before]
        return reach[self._set_of_slot[self.slots[player]]]

    def best_response(self, strategy: Floats, player: int) -> float:
        """The most that a player can expect against the others' strategies: its sets are decided from the last ones on."""
        own, reach = self.slots[player], self._reach(self._weights(strategy), player)
        chosen = strategy.copy()
        for sets in reversed(self._depths[player]):
            values = np.empty(len(strategy))
            values[own] = self._action_values(reach, self.expected(chosen, player), player)
            for number in sets.tolist():
                slots = slice(int(self.tree.first[number]), int(self.tree.first[number + 1]))
                best = int(values[slots].argmax())
                chosen[slots] = 0.0
                chosen[slots.start + best] = 1.0
        return float(self.expected(chosen, player)[0])

    def _weights(self, strategy: Floats) -> Floats:
        """float64[nodes]: the probability with which each parent is followed by the node."""
        weights = self.tree.chance.copy()
        weights[self._decided] = strategy[self.tree.slot[self._decided]]
        return weights

    def _reach(self, weights: Floats, player: int) -> Floats:
        """float64[nodes]: the probability with which chance and all players but one lead to each node."""
        others = weights.copy()
        others[self._after[player]] = 1.0
        for layer in self._layers:
            others[layer] *= others[self.tree.parent[layer]]
        return others

    def _backward(self, weights: Floats, player: int) -> Floats:
        values = self.tree.returns[:, player].copy()
        for layer, (above, begins) in zip(reversed(self._layers), reversed(self._above), strict=True):
            values[above] = np.add.reduceat(weights[layer] * values[layer], begins)
        return values

    def _action_values(self, reach: Floats, values: Floats, player: int) -> Floats:
        nodes = self._after[player]
        places = self._place[self.tree.slot[nodes]]
        weighted = reach[self.tree.parent[nodes]] * values[nodes]
        return np.bincount(places, weighted, len(self.slots[player])).astype(np.float64)

    def _own_depths(self, before: Integers, set_of_slot: Integers) -> list[list[Integers]]:
        """For each player its sets by the number of its own decisions that lead there."""
        depth = np.zeros(len(before), np.int64)
        for number, slot in enumerate(before.tolist()):  # sets are numbered from the root on
            if slot >= 0:
                depth[number] = depth[set_of_slot[slot]] + 1
        return [
            [
                np.flatnonzero((self.tree.owner == player) & (depth == d))
                for d in range(int(depth[self.tree.owner == player].max(initial=-1)) + 1)
            ]
            for player in range(self.tree.players)
        ]
