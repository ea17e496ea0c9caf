"""Agents: policies, learners and planners that use the world's own step as their model; playing episodes."""

from gridarium.agents.behaviour import Behaviour, following
from gridarium.agents.chase import Chase, distances, exit_nearness, first_step
from gridarium.agents.evaluation import Evaluation, evaluate
from gridarium.agents.grid_values import arrows_by_position, values_by_position
from gridarium.agents.learning.progress import LearningCurve
from gridarium.agents.learning.table_learner import QLearning, Sarsa
from gridarium.agents.model.dynamics import Dynamics
from gridarium.agents.model.outcomes import Outcomes
from gridarium.agents.model.state_store import ClockMatters, StateLimit
from gridarium.agents.model.tabular import TabularModel
from gridarium.agents.planning.expectimax import Expectimax
from gridarium.agents.planning.mcts import MCTS
from gridarium.agents.planning.minimax import Minimax
from gridarium.agents.planning.plan_search import Plan, SearchTooLarge, shortest_plan
from gridarium.agents.planning.planner import Planner
from gridarium.agents.planning.pomcp import POMCP
from gridarium.agents.planning.qmdp import QMDP
from gridarium.agents.planning.tree_search.leaves import Evaluate, Leaves
from gridarium.agents.planning.tree_search.result import SearchResult
from gridarium.agents.planning.tree_search.search import TreeSearch
from gridarium.agents.planning.value_iteration import (
    NotConverged,
    Solution,
    ValueIteration,
    policy_iteration,
    policy_values,
    value_iteration,
)
from gridarium.agents.playing import Episode, play
from gridarium.agents.policy import DecisionContext, Policy, random_action
from gridarium.engine.outcomes.enumerator import compile_outcomes
from gridarium.engine.outcomes.interpreted import (
    StepOutcome,
    observation_outcomes,
    reset_outcomes,
    step_outcomes,
)
from gridarium.rules.outcomes import NotEnumerable

__all__ = [
    "MCTS",
    "POMCP",
    "QMDP",
    "Behaviour",
    "Chase",
    "ClockMatters",
    "DecisionContext",
    "Dynamics",
    "Episode",
    "Evaluate",
    "Evaluation",
    "Expectimax",
    "LearningCurve",
    "Leaves",
    "Minimax",
    "NotConverged",
    "NotEnumerable",
    "Outcomes",
    "Plan",
    "Planner",
    "Policy",
    "QLearning",
    "Sarsa",
    "SearchResult",
    "SearchTooLarge",
    "Solution",
    "StateLimit",
    "StepOutcome",
    "TabularModel",
    "TreeSearch",
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
