"""Rule registries and the built-in rules: reset, transition, legal, reward, terminating, observation, visibility, sensors."""

from gridarium.rules import (
    blocks,
    carrying,
    design,
    foraging,
    kitchen,
    legal_functions,
    observation_functions,
    pursuit,
    reset_functions,
    reward_functions,
    sensors,
    sokoban,
    target_rules,
    taxi,
    terminating_functions,
    transition_functions,
    visibility_functions,
    warehouse,
)
from gridarium.rules.registry import FunctionRegistry
from gridarium.rules.results import ActionResultCode, text_of

__all__ = [
    "ActionResultCode",
    "FunctionRegistry",
    "blocks",
    "carrying",
    "design",
    "foraging",
    "kitchen",
    "legal_functions",
    "observation_functions",
    "pursuit",
    "reset_functions",
    "reward_functions",
    "sensors",
    "sokoban",
    "target_rules",
    "taxi",
    "terminating_functions",
    "text_of",
    "transition_functions",
    "visibility_functions",
    "warehouse",
]
