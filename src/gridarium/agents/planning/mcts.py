"""Monte Carlo tree search for agents that know the state."""

from __future__ import annotations

import numpy as np

from gridarium.agents.model.stepper import Stepped
from gridarium.agents.planning.simulation_planner import SimulationPlanner
from gridarium.engine import World
from gridarium.engine.outcomes.state_rows import canonical_rows, row_keys, rows_of
from gridarium.engine.world import check_state
from gridarium.world import Action, State


class MCTS(SimulationPlanner):
    """Tries actions in simulations of the world's own step, those that look good more often (UCT).

    It knows the state and the rules, but not the random numbers that the world will draw: simulations draw their own.

    Args:
        simulations, world, agent, discount, exploration, horizon, width, others, seed: see `SimulationPlanner`.

    Example:
        >>> world = World("FourByThree")
        >>> planner = MCTS(2000, world)
        >>> planner.get_action(world.reset(seed=0))
        Action.UP
        >>> planner.visits[Action.UP] > 1000
        True
    """

    def get_action(self, state: State) -> Action:
        """The action that was tried most often.

        Raises:
            RuntimeError: it has not been given a world.
            Exception: what a rule raises.
        """
        check_state(state, self.search.other_agents.world)
        rows = rows_of(state)
        self.root = self.search.simulate(
            lambda count: tuple(np.repeat(a, count, axis=0) for a in rows), self.simulations
        )
        return self.actions[self.root.best()]

    def get_value(self, state: State) -> float:
        """The mean return of the action that was tried most often."""
        self.get_action(state)
        assert self.root is not None
        return self.root.mean(self.root.best())

    def __call__(self, world: World, state: State, agent: int, rng: np.random.Generator) -> Action:
        """As a policy."""
        self.set_world(world, agent)
        self.rng = rng
        return self.get_action(state)

    def keys(self, stepped: Stepped) -> list[bytes]:
        """States without random keys and time."""
        return row_keys(canonical_rows(stepped.rows))
