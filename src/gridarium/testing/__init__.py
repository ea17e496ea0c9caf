"""Conformance checks for custom rules, kinds of objects, worlds, agents, games, players and vector environments; one call each.

    from gridarium.testing import check_rule, check_world

    check_rule(my_rule, "transition", world=World("my_world.yaml"))
    check_world("my_world.yaml")

Each raises `NotConforming` (an AssertionError) that gives the problem, its location and the expected result.
"""

from gridarium.testing.agents import check_agent
from gridarium.testing.differential import compare, run_compiled
from gridarium.testing.game_mixins import GameConformance, PlayerConformance
from gridarium.testing.games import check_game
from gridarium.testing.mixin import WorldConformance
from gridarium.testing.objects import check_object
from gridarium.testing.players import check_player
from gridarium.testing.problems import NeedsWorld, NotConforming
from gridarium.testing.rules import check_rule
from gridarium.testing.solving import SolvabilityResult
from gridarium.testing.states import blank_states, every_object, random_states, visited_states
from gridarium.testing.vector import check_vector_env
from gridarium.testing.worlds import WorldReport, check_world

__all__ = [
    "GameConformance",
    "NeedsWorld",
    "NotConforming",
    "PlayerConformance",
    "SolvabilityResult",
    "WorldConformance",
    "WorldReport",
    "blank_states",
    "check_agent",
    "check_game",
    "check_object",
    "check_player",
    "check_rule",
    "check_vector_env",
    "check_world",
    "compare",
    "every_object",
    "random_states",
    "run_compiled",
    "visited_states",
]
