"""Limits of rule parameters beyond their types: declared with the rule, checked when a parameter is bound."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Limit: TypeAlias = Callable[[Any, Mapping[str, Any]], str]
"""`(value, all parameters)` returns a description of the allowed values, phrased to follow "is", or "" for a valid
value."""


class OutOfLimits(ValueError):
    """A parameter is outside its limits.

    Attributes:
        parameter: its name.
    """

    def __init__(self, parameter: str, message: str) -> None:
        super().__init__(message)
        self.parameter = parameter


def check_limits(limits: Mapping[str, Limit], parameters: Mapping[str, Any]) -> None:
    """Check parameters against their limits.

    Raises:
        OutOfLimits: the first invalid parameter, and what is allowed.
    """
    for name, limit in limits.items():
        if name in parameters and (allowed := limit(parameters[name], parameters)):
            raise OutOfLimits(name, f"{name} is {allowed}, got {parameters[name]!r}")


def probability(value: Any, parameters: Mapping[str, Any]) -> str:
    """A number from 0 to 1."""
    return "" if is_number(value) and 0 <= value <= 1 else "a probability, from 0 to 1"


def not_negative(value: Any, parameters: Mapping[str, Any]) -> str:
    """A finite number, at least 0."""
    return "" if is_number(value) and 0 <= value < math.inf else "a finite number, at least 0"


def positive(value: Any, parameters: Mapping[str, Any]) -> str:
    """A finite number above 0."""
    return "" if is_number(value) and 0 < value < math.inf else "a finite number above 0"


def count(value: Any, parameters: Mapping[str, Any]) -> str:
    """A whole number, at least 0."""
    whole = is_number(value) and hasattr(value, "__index__")
    return "" if whole and value >= 0 else "a whole number, at least 0"


def not_empty(value: Any, parameters: Mapping[str, Any]) -> str:
    """A list of at least one item."""
    return "" if is_list(value) and len(value) > 0 else "a list of one or more"


def is_number(value: Any) -> bool:
    """Whether something is a real number, including numpy's."""
    return not isinstance(value, bool) and hasattr(value, "__float__") and not hasattr(value, "__len__")


def is_list(value: Any) -> bool:
    """Whether something is a sequence, such as a tuple or an array."""
    return hasattr(value, "__len__") and hasattr(value, "__getitem__") and not isinstance(value, str)
