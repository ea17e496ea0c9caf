"""The base of planners that simulate: their settings, and their last decision."""

from __future__ import annotations

from typing import Literal

from gridarium.agents.behaviour import Others
from gridarium.agents.perspective import own_actions
from gridarium.agents.planning.tree_search.result import SearchResult
from gridarium.agents.planning.tree_search.search import TreeSearch
from gridarium.engine import World
from gridarium.engine.arguments import check_count, check_number, check_shares, generator
from gridarium.engine.outcomes.state_rows import Rows
from gridarium.world import Action


class SimulationPlanner:
    """A planner that simulates, by `TreeSearch`.

    Args:
        simulations: for each decision.
        world: the world; as a policy it is the one in which it plays.
        agent: the one that decides; as a policy it is the one that it plays.
        discount: of rewards, for each tick.
        exploration: the weight of what was tried less often, in units of the range of returns.
        horizon: the most ticks of a simulation.
        others: the model of the other agents; None if all decide for themselves, see `TreeSearch`.
        seed: of its random numbers; as a policy it is given others.

    Attributes:
        result: what the last search has found, in arrays with an axis of length 1; None before the first.

    Raises:
        ValueError: a number out of its range.
    """

    branching: Literal["actions", "states", "observations"]

    def __init__(
        self,
        simulations: int = 500,
        world: World | None = None,
        agent: int = 0,
        *,
        discount: float = 0.99,
        exploration: float = 1.0,
        horizon: int = 100,
        others: Others | None = "random",
        seed: int = 0,
    ) -> None:
        for name, number in (("simulations", simulations), ("horizon", horizon)):
            check_count(name, number)
        check_shares(discount=discount)
        check_number("exploration", exploration)
        self.simulations, self.discount, self.exploration = simulations, discount, exploration
        self.horizon, self.others = horizon, others
        self.rng = generator(seed)
        self.result: SearchResult | None = None
        self._search: TreeSearch | None = None
        self._playing: tuple[World, int] | None = None
        if world is not None:
            self.set_world(world, agent)

    def set_world(self, world: World, agent: int) -> None:
        """Prepare for a world and the agent that it plays."""
        self._prepare(world, agent)

    def is_prepared(self, world: World, agent: int) -> bool:
        """Whether it plays this agent in this world already."""
        return self._playing is not None and self._playing[0] is world and self._playing[1] == agent

    def _prepare(self, world: World, agent: int) -> bool:
        """Whether it is another world or agent than before."""
        if self.is_prepared(world, agent):
            return False
        self._search = TreeSearch(
            world,
            self.simulations,
            exploration=self.exploration,
            discount=self.discount,
            horizon=self.horizon,
            others=self.others,
            agent=agent,
            branching=self.branching,
        )
        self._playing = (world, agent)
        return True

    @property
    def search(self) -> TreeSearch:
        """The search, with its random numbers.

        Raises:
            RuntimeError: it has not been given a world.
        """
        if self._search is None:
            raise RuntimeError(f"{type(self).__name__} was given no world")
        self._search.rng = self.rng
        return self._search

    @property
    def actions(self) -> tuple[Action, ...]:
        """The agent's actions."""
        return own_actions(self.search.world, self.search.agent)

    @property
    def values(self) -> dict[Action, float]:
        """The mean return of each action in the last decision; NaN for one never tried."""
        if self.result is None:
            return {}
        return {action: float(self.result.values[0, self._index(action)]) for action in self.actions}

    @property
    def visits(self) -> dict[Action, int]:
        """The number of visits of each action in the last decision."""
        if self.result is None:
            return {}
        return {action: int(self.result.visits[0, self._index(action)]) for action in self.actions}

    def _decide(self, roots: Rows) -> int:
        """Search from states of which each simulation draws one; the index of the action that was tried most often."""
        search = self.search
        keys = self.rng.integers(-(1 << 63), (1 << 63) - 1, 1)
        self.result = search.search_rows(roots, len(roots[0]), keys)
        best = int(self.result.actions[0])
        return best if best >= 0 else self._index(self.actions[0])

    def _value(self) -> float:
        """The mean return of the action that was tried most often; NaN before the first decision."""
        return float("nan") if self.result is None else float(self.result.value[0])

    def _index(self, action: Action) -> int:
        return self.search.world.actions.index(action)
