"""Policies by name, for the command line."""

from __future__ import annotations

from gridarium.agents.chasing import Chase, exit_nearness
from gridarium.agents.expectimax import Expectimax
from gridarium.agents.iteration import ValueIteration
from gridarium.agents.mcts import MCTS
from gridarium.agents.minimax import Minimax
from gridarium.agents.planner import Planner
from gridarium.agents.policy import Policy, random_action
from gridarium.agents.pomcp import POMCP
from gridarium.agents.qmdp import QMDP


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
