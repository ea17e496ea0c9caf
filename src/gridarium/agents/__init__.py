"""Agents: policies that decide what to do, planners that search the world's own step function, playing episodes."""

from gridarium.agents.planner import Planner
from gridarium.agents.playing import Episode, play
from gridarium.agents.policy import Policy, Situation, random_action
from gridarium.agents.search import Plan, SearchTooLarge, shortest_plan

__all__ = [
    "Episode",
    "Plan",
    "Planner",
    "Policy",
    "SearchTooLarge",
    "Situation",
    "play",
    "random_action",
    "shortest_plan",
]
