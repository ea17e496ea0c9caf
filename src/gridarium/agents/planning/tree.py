"""Monte Carlo tree search on the compiled step: many simulations side by side, each with random numbers of its own."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from gridarium.agents.model.other_agents import OtherAgents
from gridarium.agents.model.stepper import Stepped, Stepper
from gridarium.engine.outcomes.state_rows import Rows


class Node:
    """A decision of the agent, reached by its actions and their outcomes.

    Attributes:
        visits: list[int]: how often each action was tried, and its simulation is done.
        pending: list[int]: how often it is being tried.
        totals: list[float]: sums of returns.
        children: the next decisions, by action and what was perceived (or which state came).
    """

    __slots__ = ("children", "pending", "totals", "visits")

    def __init__(self, actions: int) -> None:
        self.visits, self.pending = [0] * actions, [0] * actions
        self.totals = [0.0] * actions
        self.children: dict[tuple[int, bytes], Node] = {}

    def mean(self, action: int) -> float:
        """The mean return of an action; NaN if it was never tried."""
        return self.totals[action] / self.visits[action] if self.visits[action] else math.nan

    def best(self) -> int:
        """The action tried most often, of equals the one with the larger mean, then the first."""
        tried = range(len(self.visits))
        return max(tried, key=lambda a: (self.visits[a], self.mean(a) if self.visits[a] else -math.inf))


@dataclass
class TreeSearch:
    """UCT (Kocsis and Szepesvari 2006) with rollouts in which everyone acts at random.

    Simulations run `width` at a time. Those under way count as visits when the next one chooses, but not in means
    (Liu et al. 2020), so that they spread. Returns are scaled to their range so far before exploration is added.

    Attributes:
        other_agents: the agent and the models of the others.
        stepper: the world's step, with new random numbers for every simulation.
        keys: the outcome of a step as the agent tells it from others, as bytes, for each of several.
        discount: of rewards, for each tick.
        exploration: the weight of what was tried less often.
        horizon: the most ticks of a simulation.
        width: the number of simulations that run side by side.
    """

    other_agents: OtherAgents
    stepper: Stepper
    keys: Callable[[Stepped], list[bytes]]
    discount: float
    exploration: float
    horizon: int
    width: int
    low: float = field(default=math.inf, init=False)
    high: float = field(default=-math.inf, init=False)

    def simulate(self, draw: Callable[[int], Rows], simulations: int) -> Node:
        """Simulate from states that `draw` gives (so many of them), and return the decision that is made there."""
        root = Node(len(self.other_agents.own))
        self.low, self.high = math.inf, -math.inf
        count = min(self.width, simulations)
        begun, rows, running = count, draw(count), [_Simulation(root) for _ in range(count)]
        while running:
            rows, over = self._simulate_tick(rows, running)
            ended = [k for k, one in enumerate(running) if over[k] or len(one.rewards) >= self.horizon]
            if not ended:
                continue
            for k in ended:
                self._backup(running[k])
            again = ended[: simulations - begun]  # these start again, the others are left out
            begun += len(again)
            for k in again:
                running[k] = _Simulation(root)
            if again:
                for array, fresh in zip(rows, draw(len(again)), strict=True):
                    array[again] = fresh
            if len(again) < len(ended):
                on = [k for k in range(len(running)) if k not in ended[len(again) :]]
                rows, running = tuple(a[on] for a in rows), [running[k] for k in on]
        return root

    def _simulate_tick(self, rows: Rows, running: list[_Simulation]) -> tuple[Rows, npt.NDArray[np.bool_]]:
        """One tick of all simulations: the next states, and which are over."""
        rng, other_agents = self.stepper.rng, self.other_agents
        chosen = rng.integers(len(other_agents.own), size=len(running))
        taken = self._select_all(rows, running, chosen)
        stepped = self.stepper.step(rows, other_agents.actions(rows, other_agents.own[chosen], rng))
        for one, reward in zip(running, stepped.rewards[:, other_agents.agent].tolist(), strict=True):
            one.rewards.append(reward)
        if taken:
            keys = self.keys(stepped)
            for k, action in taken:
                self._expand(running[k], action, keys[k])
        return stepped.rows, stepped.over

    def _select_all(
        self, rows: Rows, running: list[_Simulation], chosen: npt.NDArray[np.int64]
    ) -> list[tuple[int, int]]:
        """Select actions in simulations that are in the tree: (simulation, action), -1 where others have their turn."""
        inside = [k for k, one in enumerate(running) if one.node is not None]
        if not inside:
            return []
        deciding = self.other_agents.deciding(rows)
        taken = []
        for k in inside:
            one = running[k]
            if not deciding[k]:
                taken.append((k, -1))
                continue
            assert one.node is not None
            action = self._select(one.node, int(chosen[k]))
            one.node.pending[action] += 1
            one.path.append((one.node, action, len(one.rewards)))
            chosen[k] = action
            taken.append((k, action))
        return taken

    def _select(self, node: Node, drawn: int) -> int:
        """The action with the largest upper bound; an untried one first, beginning at a random one."""
        count = len(node.visits)
        for k in range(count):
            action = (drawn + k) % count
            if node.visits[action] + node.pending[action] == 0:
                return action
        total = sum(node.visits) + sum(node.pending)
        spread = self.high - self.low if self.high > self.low else 1.0
        done = sum(node.visits)
        middle = sum(node.totals) / done if done else 0.0
        logarithm = math.log(total)
        best, chosen = -math.inf, 0
        for action in range(count):
            tried = node.visits[action]
            mean = node.totals[action] / tried if tried else middle
            bound = mean / spread + self.exploration * math.sqrt(logarithm / (tried + node.pending[action]))
            if bound > best:
                best, chosen = bound, action
        return chosen

    def _expand(self, one: _Simulation, action: int, key: bytes) -> None:
        """Go to the next decision; one that is not in the tree is added, and the simulation leaves the tree."""
        assert one.node is not None
        found = one.node.children.get((action, key))
        if found is None:
            one.node.children[action, key] = Node(len(self.other_agents.own))
        one.node = found

    def _backup(self, one: _Simulation) -> None:
        """Add the returns of a simulation to the decisions on its path."""
        total, path = 0.0, list(one.path)
        for tick in range(len(one.rewards) - 1, -1, -1):
            total = one.rewards[tick] + self.discount * total
            if path and path[-1][2] == tick:
                node, action, _ = path.pop()
                node.pending[action] -= 1
                node.visits[action] += 1
                node.totals[action] += total
        self.low, self.high = min(self.low, total), max(self.high, total)


@dataclass
class _Simulation:
    """A simulation under way.

    Attributes:
        node: the decision that it has come to; None once it has left the tree.
        path: decisions made, what was chosen, and when.
        rewards: of the agent, tick by tick.
    """

    node: Node | None
    path: list[tuple[Node, int, int]] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
