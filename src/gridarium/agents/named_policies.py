"""Policies by name, for the command line."""

from __future__ import annotations

from gridarium.agents.chase import Chase, exit_nearness
from gridarium.agents.model.consistent_states import ConsistentStates
from gridarium.agents.model.hidden_information import hides_cards
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
from gridarium.world import Action, State


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

    As long as the search is not compiled it makes fewer, so that people do not wait for long. Where cards are hidden from its agent,
    it only knows what it has perceived, see `ConsistentStates`; where agents see a part of the grid, it sees all of it, as people do.
    """

    simulations_compiled, simulations_interpreted, states = 2000, 100, 256

    def __init__(self) -> None:
        self._hidden: ConsistentStates | None = None
        super().__init__(self.simulations_compiled, discount=1.0, exploration=UCT_EXPLORATION, horizon=1000)

    def set_world(self, world: World, agent: int) -> None:
        """Prepare for a world and the agent that it plays."""
        self.others = None if world.spec.turn_order == "cycle" else "random"
        if not self.is_prepared(world, agent):
            hidden = hides_cards(world)
            self.branching = "actions" if hidden else "states"
            self._hidden = ConsistentStates(world, agent, self.rng, self.states) if hidden else None
        super().set_world(world, agent)
        ready = self.search.ready
        self.search.simulations = self.simulations_compiled if ready else self.simulations_interpreted

    def get_action(self, state: State) -> Action:
        """See `MCTS.get_action`.

        Raises:
            RuntimeError: it has not been given a world.
        """
        if self._hidden is None:
            return super().get_action(state)
        self._hidden.rng = self.rng
        rows = self._hidden.update(state)
        world, agent = self.search.world, self.search.agent
        chosen = world.legal_actions(state, agent)[0] if rows is None else self._decide(rows)
        self._hidden.act(chosen)
        action: Action = world.actions[chosen]
        return action


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
