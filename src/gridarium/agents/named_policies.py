"""Policies by name, for the command line."""

from __future__ import annotations

from gridarium.agents.chase import Chase, exit_nearness
from gridarium.agents.planning.expectimax import Expectimax
from gridarium.agents.planning.mcts import MCTS
from gridarium.agents.planning.minimax import Minimax
from gridarium.agents.planning.planner import Planner
from gridarium.agents.planning.pomcp import POMCP
from gridarium.agents.planning.qmdp import QMDP
from gridarium.agents.planning.value_iteration import ValueIteration
from gridarium.agents.policy import Policy, random_action


class ExitMinimax(Minimax):
    """Minimax that prefers to be near an exit where nothing else counts."""

    def __init__(self) -> None:
        super().__init__(4, evaluate=exit_nearness)


class ExitExpectimax(Expectimax):
    """Expectimax that prefers to be near an exit where nothing else counts."""

    def __init__(self) -> None:
        super().__init__(3, evaluate=exit_nearness)


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
