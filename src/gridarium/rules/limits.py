"""What a rule's parameter may be, where its type does not tell: declared with the rule, checked when one is bound."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Limit: TypeAlias = Callable[[Any, Mapping[str, Any]], str]
"""`(value, all parameters)` gives what is allowed, as words after "is", or "" for a value that is allowed."""


class OutOfLimits(ValueError):
    """A parameter cannot be what it is given as.

    Attributes:
        parameter: its name.
    """

    def __init__(self, parameter: str, message: str) -> None:
        super().__init__(message)
        self.parameter = parameter


def check_limits(limits: Mapping[str, Limit], parameters: Mapping[str, Any]) -> None:
    """Refuse parameters that are none.

    Raises:
        OutOfLimits: the first of them, with what is allowed.
    """
    for name, limit in limits.items():
        if name in parameters and (allowed := limit(parameters[name], parameters)):
            raise OutOfLimits(name, f"{name} is {allowed}, got {parameters[name]!r}")


def probability(value: Any, parameters: Mapping[str, Any]) -> str:
    """A number from 0 to 1."""
    return "" if is_number(value) and 0 <= value <= 1 else "a probability, from 0 to 1"


def not_negative(value: Any, parameters: Mapping[str, Any]) -> str:
    """A finite number from 0 on."""
    return "" if is_number(value) and 0 <= value < math.inf else "a finite number, at least 0"


def positive(value: Any, parameters: Mapping[str, Any]) -> str:
    """A finite number above 0."""
    return "" if is_number(value) and 0 < value < math.inf else "a finite number above 0"


def count(value: Any, parameters: Mapping[str, Any]) -> str:
    """A whole number from 0 on."""
    whole = is_number(value) and hasattr(value, "__index__")
    return "" if whole and value >= 0 else "a whole number, at least 0"


def not_empty(value: Any, parameters: Mapping[str, Any]) -> str:
    """One thing or more."""
    return "" if is_list(value) and len(value) > 0 else "a list of one or more"


def is_number(value: Any) -> bool:
    """Whether something is a number that can be compared, as those of numpy are too."""
    return not isinstance(value, bool) and hasattr(value, "__float__") and not hasattr(value, "__len__")


def is_list(value: Any) -> bool:
    """Whether something has items in an order, as tuples and arrays."""
    return hasattr(value, "__len__") and hasattr(value, "__getitem__") and not isinstance(value, str)
