"""Policies by name, for the command line."""

from __future__ import annotations

from gridarium.agents.chase import Chase, exit_nearness
from gridarium.agents.planning.expectimax import Expectimax
from gridarium.agents.planning.mcts import MCTS
from gridarium.agents.planning.minimax import Minimax
from gridarium.agents.planning.planner import Planner
from gridarium.agents.planning.pomcp import POMCP
from gridarium.agents.planning.qmdp import QMDP
from gridarium.agents.planning.tree_search.search import UCT_EXPLORATION
from gridarium.agents.planning.value_iteration import ValueIteration
from gridarium.agents.policy import Policy, random_action
from gridarium.engine import World


class ExitMinimax(Minimax):
    """Minimax that prefers to be near an exit where nothing else counts."""

    def __init__(self) -> None:
        super().__init__(4, evaluate=exit_nearness)


class ExitExpectimax(Expectimax):
    """Expectimax that prefers to be near an exit where nothing else counts."""

    def __init__(self) -> None:
        super().__init__(3, evaluate=exit_nearness)


class Opponent(MCTS):
    """MCTS with more simulations, in which agents that act in turns decide for themselves, each for its own return.

    As long as the search is not compiled it makes fewer, so that people do not wait for long.
    """

    simulations_compiled, simulations_interpreted = 2000, 100

    def __init__(self) -> None:
        super().__init__(self.simulations_compiled, discount=1.0, exploration=UCT_EXPLORATION, horizon=1000)

    def set_world(self, world: World, agent: int) -> None:
        """Prepare for a world and the agent that it plays."""
        self.others = None if world.spec.turn_order == "cycle" else "random"
        super().set_world(world, agent)
        ready = self.search.ready
        self.search.simulations = self.simulations_compiled if ready else self.simulations_interpreted


POLICIES: dict[str, Policy] = {
    "random": random_action,
    "scripted": Planner,
    "chase": Chase,
    "value-iteration": ValueIteration,
    "expectimax": ExitExpectimax,
    "minimax": ExitMinimax,
    "mcts": MCTS,
    "qmdp": QMDP,
    "pomcp": POMCP,
}
"""A policy by its name; classes are made without arguments, once for each agent."""
OPPONENTS: dict[str, Policy] = POLICIES | {"mcts": Opponent}
"""The same for policies that play against people."""
