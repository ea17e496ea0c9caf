"""The base of planners that simulate: their settings, and their last decision."""

from __future__ import annotations

from gridarium.agents.behaviour import Others
from gridarium.agents.model.other_agents import OtherAgents
from gridarium.agents.model.stepper import Stepped, Stepper
from gridarium.agents.planning.tree import Node, TreeSearch
from gridarium.engine import World
from gridarium.engine.arguments import check_count, check_number, check_shares, generator
from gridarium.world import Action


class SimulationPlanner:
    """A planner that simulates.

    Args:
        simulations: for each decision.
        world: the world; as a policy it is the one in which it plays.
        agent: the one that decides; as a policy it is the one that it plays.
        discount: of rewards, for each tick.
        exploration: the weight of what was tried less often, in units of the range of returns.
        horizon: the most ticks of a simulation.
        width: the number of simulations that run side by side: faster, and a little less well informed.
        others: the model of the other agents.
        seed: of its random numbers; as a policy it is given others.

    Attributes:
        root: the last decision, with visits and mean returns of all actions; None before the first.

    Raises:
        ValueError: a number out of its range.
    """

    def __init__(
        self,
        simulations: int = 500,
        world: World | None = None,
        agent: int = 0,
        *,
        discount: float = 0.99,
        exploration: float = 1.0,
        horizon: int = 100,
        width: int = 16,
        others: Others = "random",
        seed: int = 0,
    ) -> None:
        for name, number in (("simulations", simulations), ("horizon", horizon), ("width", width)):
            check_count(name, number)
        check_shares(discount=discount)
        check_number("exploration", exploration)
        self.simulations, self.discount, self.exploration = simulations, discount, exploration
        self.horizon, self.width, self.others = horizon, width, others
        self.rng = generator(seed)
        self.root: Node | None = None
        self._search: TreeSearch | None = None
        self._playing: tuple[World, int] | None = None
        if world is not None:
            self.set_world(world, agent)

    def set_world(self, world: World, agent: int) -> None:
        """Prepare for a world and the agent that it plays."""
        if self._playing is not None and self._playing[0] is world and self._playing[1] == agent:
            return
        other_agents = OtherAgents(world, agent, self.others)
        settings = (self.discount, self.exploration, self.horizon, self.width)
        self._search = TreeSearch(other_agents, Stepper(world, self.rng), self.keys, *settings)
        self._playing = (world, agent)

    @property
    def search(self) -> TreeSearch:
        """The search, with its random numbers.

        Raises:
            RuntimeError: it has not been given a world.
        """
        if self._search is None:
            raise RuntimeError(f"{type(self).__name__} was given no world")
        self._search.stepper.rng = self.rng
        return self._search

    @property
    def actions(self) -> tuple[Action, ...]:
        """The agent's actions, as `root` numbers them."""
        other_agents = self.search.other_agents
        return tuple(other_agents.world.actions[a] for a in other_agents.own)

    @property
    def values(self) -> dict[Action, float]:
        """The mean return of each action in the last decision; NaN for one never tried."""
        if self.root is None:
            return {}
        return {action: self.root.mean(k) for k, action in enumerate(self.actions)}

    @property
    def visits(self) -> dict[Action, int]:
        """The number of visits of each action in the last decision."""
        return {} if self.root is None else dict(zip(self.actions, self.root.visits, strict=True))

    def keys(self, stepped: Stepped) -> list[bytes]:
        """The key of each outcome of a step, as bytes: equal outcomes have equal keys."""
        raise NotImplementedError
