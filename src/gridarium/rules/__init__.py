"""The registries and their built-in rules: how a world is filled, moved, rewarded, ended and seen."""

from gridarium.rules import design, reset_functions, transition_functions
from gridarium.rules.registry import FunctionRegistry
from gridarium.rules.results import ActionResultCode, text_of

__all__ = [
    "ActionResultCode",
    "FunctionRegistry",
    "design",
    "reset_functions",
    "text_of",
    "transition_functions",
]
