"""Checks that agents are inside the grid, after each user-defined rule that may have moved them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gridarium.compiled.source_pass.resolver import unwrap_partial
from gridarium.compiled.source_pass.source import is_ours
from gridarium.world.agent import ACTIVE, X, Y
from gridarium.world.state import State


def check_agents_inside(state: State, rule: str) -> None:
    """Check that all active agents are inside the grid.

    Raises:
        ValueError: an agent is outside; the message gives rule, agent and position.
    """
    height, width = state.cells.shape[0], state.cells.shape[1]
    for i in range(state.agent_rows.shape[0]):
        y, x = state.agent_rows[i, Y], state.agent_rows[i, X]
        somewhere = state.agent_rows[i, ACTIVE] != 0 and state.vocabulary.bodiless >> i & 1 == 0
        if somewhere and not (0 <= y < height and 0 <= x < width):
            raise ValueError(
                f"rule {rule} has put agent {i} at ({y}, {x}), outside the world of {height} x {width} cells"
            )


def is_user_rule(rule: Callable[..., Any]) -> bool:
    """Whether a rule, or one among its parameters, is user-defined; built-in rules keep agents inside."""
    return any(own_rules_in(rule))


def own_rules_in(rule: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    """The user-defined ones among a rule and the rules in its parameters."""
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
