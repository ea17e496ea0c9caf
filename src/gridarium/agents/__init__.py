"""Agents: policies, learners and planners that use the world's own step as their model; playing episodes."""

from gridarium.agents.behaviour import Behaviour, following
from gridarium.agents.chasing import Chase, distances, exit_nearness, first_step
from gridarium.agents.dynamics import Dynamics
from gridarium.agents.enumerating import StepOutcome, observation_outcomes, reset_outcomes, step_outcomes
from gridarium.agents.evaluating import Evaluation, evaluate
from gridarium.agents.expectimax import Expectimax
from gridarium.agents.iteration import (
    NotConverged,
    Solution,
    ValueIteration,
    policy_iteration,
    policy_values,
    value_iteration,
)
from gridarium.agents.learning import QLearning, Sarsa
from gridarium.agents.learning_run import Curve
from gridarium.agents.listing import compile_outcomes
from gridarium.agents.mcts import MCTS
from gridarium.agents.minimax import Minimax
from gridarium.agents.outcomes import Outcomes
from gridarium.agents.planner import Planner
from gridarium.agents.playing import Episode, play
from gridarium.agents.policy import Policy, Situation, random_action
from gridarium.agents.pomcp import POMCP
from gridarium.agents.problems import ClockMatters
from gridarium.agents.qmdp import QMDP
from gridarium.agents.search import Plan, SearchTooLarge, shortest_plan
from gridarium.agents.showing import arrows_by_position, values_by_position
from gridarium.agents.store import StateLimit
from gridarium.agents.tabular import TabularModel
from gridarium.rules.chance import NotEnumerable

__all__ = [
    "MCTS",
    "POMCP",
    "QMDP",
    "Behaviour",
    "Chase",
    "ClockMatters",
    "Curve",
    "Dynamics",
    "Episode",
    "Evaluation",
    "Expectimax",
    "Minimax",
    "NotConverged",
    "NotEnumerable",
    "Outcomes",
    "Plan",
    "Planner",
    "Policy",
    "QLearning",
    "Sarsa",
    "SearchTooLarge",
    "Situation",
    "Solution",
    "StateLimit",
    "StepOutcome",
    "TabularModel",
    "ValueIteration",
    "arrows_by_position",
    "compile_outcomes",
    "distances",
    "evaluate",
    "exit_nearness",
    "first_step",
    "following",
    "observation_outcomes",
    "play",
    "policy_iteration",
    "policy_values",
    "random_action",
    "reset_outcomes",
    "shortest_plan",
    "step_outcomes",
    "value_iteration",
    "values_by_position",
]
