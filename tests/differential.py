"""Interpreted and compiled rules against each other, and states to try them on."""

from gridarium.testing.differential import compare as check
from gridarium.testing.states import blank_states, every_object, random_states

__all__ = ["blank_states", "check", "every_object", "random_states"]
