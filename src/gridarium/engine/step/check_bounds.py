"""Whether agents stand where they can, asked after each rule of a user's own that could have moved them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gridarium.compiled.resolver import unwrap_partial
from gridarium.compiled.source import is_ours
from gridarium.world.agent import ACTIVE, X, Y
from gridarium.world.state import State


def stays_inside(state: State, rule: str) -> None:
    """Refuse a state in which an agent that takes part stands outside.

    Raises:
        ValueError: which rule has put which agent where.
    """
    height, width = state.cells.shape[0], state.cells.shape[1]
    for i in range(state.bodies.shape[0]):
        y, x = state.bodies[i, Y], state.bodies[i, X]
        if not (0 <= y < height and 0 <= x < width) and state.bodies[i, ACTIVE] != 0:
            raise ValueError(
                f"rule {rule} has put agent {i} at ({y}, {x}), outside the world of {height} x {width} cells"
            )


def is_own(rule: Callable[..., Any]) -> bool:
    """Whether a rule, or one that it is given as a parameter, is a user's own; the library's keep agents inside."""
    return any(own_rules_in(rule))


def own_rules_in(rule: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    """Of a rule and those that it is given as parameters, the ones that are a user's own."""
    function, bound = unwrap_partial(rule)
    if not is_ours(function):
        yield rule
    for value in bound.values():
        for inner in _functions_in(value):
            yield from own_rules_in(inner)


def _functions_in(value: Any) -> Iterator[Callable[..., Any]]:
    for item in value if isinstance(value, tuple | list) else (value,):
        if callable(item) and not isinstance(item, type):
            yield item
