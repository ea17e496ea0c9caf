"""Rule registries and the built-in rules: reset, transition, reward, terminating, observation, visibility, sensors."""

from gridarium.rules import (
    design,
    observation_functions,
    pursuit,
    reset_functions,
    reward_functions,
    sensors,
    target_rules,
    terminating_functions,
    transition_functions,
    visibility_functions,
)
from gridarium.rules.registry import FunctionRegistry
from gridarium.rules.results import ActionResultCode, text_of

__all__ = [
    "ActionResultCode",
    "FunctionRegistry",
    "design",
    "observation_functions",
    "pursuit",
    "reset_functions",
    "reward_functions",
    "sensors",
    "target_rules",
    "terminating_functions",
    "text_of",
    "transition_functions",
    "visibility_functions",
]
