"""Outcome rules: what came of an episode for an agent, such as 1, 0 and -1 for a win, a draw and a loss.

Source: the ranks of players at the end of a game in ColosseumRL, the utilities of terminal states in OpenSpiel.
"""

from __future__ import annotations

from gridarium.rules.registry import FunctionRegistry
from gridarium.world import State

outcome_function_registry = FunctionRegistry("outcome", ("state",))
"""Outcome rules, `(state) -> number`: what came of the episode for the agent in focus; more is better, equal numbers are ties.

A world has one, or none: then an agent's outcome is its return. It is asked once, at the end of an episode, for every agent,
also for those that have left. It changes nothing, and draws no random numbers.
"""


@outcome_function_registry.register
def score(state: State) -> float:
    """The agent's declared number `score`, which transition rules write: points, a place, or the tick in which it left."""
    return float(state.agent.score)


@outcome_function_registry.register
def survival(state: State) -> float:
    """1 for agents that still take part, -1 for those that have left; 0 for all if they are all of one kind."""
    taking_part = 0
    for agent in state.agents:
        if agent.active:
            taking_part += 1
    if taking_part == 0 or taking_part == len(state.agents):
        return 0.0
    return 1.0 if state.agent.active else -1.0
