"""Monte Carlo tree search for agents that know the state."""

from __future__ import annotations

from typing import Literal

import numpy as np

from gridarium.agents.planning.simulation_planner import SimulationPlanner
from gridarium.engine import World
from gridarium.engine.outcomes.state_rows import rows_of
from gridarium.engine.world import check_state
from gridarium.world import Action, State


class MCTS(SimulationPlanner):
    """Tries actions in simulations of the world's own step, those that look good more often (UCT).

    It knows the state and the rules, but not the random numbers that the world will draw: simulations draw their own.

    Args:
        simulations, world, agent, discount, exploration, horizon, others, seed: see `SimulationPlanner`.

    Example:
        >>> world = World("FourByThree")
        >>> planner = MCTS(2000, world)
        >>> planner.get_action(world.reset(seed=0))
        Action.UP
        >>> planner.visits[Action.UP] > 1000
        True
    """

    branching: Literal["actions", "states", "observations"] = "states"

    def get_action(self, state: State) -> Action:
        """The action that was tried most often.

        Raises:
            RuntimeError: it has not been given a world.
            Exception: what a rule raises.
        """
        world = self.search.world
        check_state(state, world)
        action: Action = world.actions[self._decide(rows_of(state))]
        return action

    def get_value(self, state: State) -> float:
        """The mean return of the action that was tried most often."""
        self.get_action(state)
        return self._value()

    def __call__(self, world: World, state: State, agent: int, rng: np.random.Generator) -> Action:
        """As a policy."""
        self.set_world(world, agent)
        self.rng = rng
        return self.get_action(state)
