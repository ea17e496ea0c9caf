"""Checks of arguments, shared by the engine, filters and planners; errors give the value and what is allowed."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
import numpy.typing as npt

from gridarium.rules.limits import is_number
from gridarium.world.action_arguments import Actions, few
from gridarium.world.actions import Action
from gridarium.worlds import Spec

Floats = npt.NDArray[np.float64]
Seed: TypeAlias = int | np.random.Generator | None
ActionChoice: TypeAlias = Action | SupportsIndex
"""An action, or its index in the world's list of actions."""


def floats(given: Any, what: str) -> Floats:
    """Convert numbers to float64.

    Raises:
        TypeError: they are not numbers.
    """
    try:
        return np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{what} is an array of numbers, not {given!r}") from None


def check_shares(**shares: Any) -> None:
    """Check that an argument is a number from 0 to 1.

    Raises:
        TypeError, ValueError: it is not.
    """
    for name, share in shares.items():
        if not is_number(share):
            raise TypeError(f"{name} is a number between 0 and 1, got {_shown_value(share)}")
        if not 0 <= share <= 1:
            raise ValueError(f"{name} is between 0 and 1, got {share}")


def check_number(name: str, number: Any, least: float = 0.0) -> None:
    """Check that an argument is a finite number of at least `least`.

    Raises:
        TypeError, ValueError: it is not.
    """
    if not is_number(number):
        raise TypeError(f"{name} is a number, got {_shown_value(number)}")
    if not least <= number < math.inf:
        raise ValueError(f"{name} is a finite number, at least {least:g}, got {number}")


def check_count(name: str, count: Any, least: int = 1, most: int | None = None) -> None:
    """Check that an argument is an integer of at least `least` and, if given, at most `most`.

    Raises:
        TypeError, ValueError: it is not.
    """
    if isinstance(count, bool) or not isinstance(count, int | np.integer):
        raise TypeError(f"{name} is a whole number, got {_shown_value(count)}")
    if count < least or (most is not None and count > most):
        allowed = f"at least {least}" if most is None else f"between {least} and {most}"
        raise ValueError(f"{name} is {allowed}, got {count}")


def check_index(what: str, index: Any, count: int) -> None:
    """Check an index of one of `count` things, such as states, which messages call `what`.

    Raises:
        TypeError, IndexError: it is not a valid index.
    """
    if isinstance(index, bool) or not isinstance(index, int | np.integer):
        raise TypeError(f"an index of {what} must be a whole number, got {index!r}")
    if not 0 <= index < count:
        numbers = f"{what} are numbered from 0 to {count - 1}" if count else f"there are no {what}"
        raise IndexError(f"{numbers}; got {index}")


def check_function(name: str, given: Any) -> None:
    """Check that an argument is callable.

    Raises:
        TypeError: it is not.
    """
    if not callable(given):
        raise TypeError(f"{name} is a function, got {given!r}")


def check_agent(agent: Any, agents: int) -> None:
    """Check the index of an agent.

    Raises:
        TypeError, IndexError: it is not a valid index.
    """
    check_index("agents", agent, agents)


def generator(seed: Seed) -> np.random.Generator:
    """Return a generator for a seed; a generator is returned as it is.

    Raises:
        TypeError, ValueError: it is neither.
    """
    try:
        return np.random.default_rng(seed)
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"a seed must be a whole number, at least 0, or a generator, not {seed!r}"
        ) from None


def action_index(actions: Sequence[Action], given: Any) -> int:
    """Return the index of an action of a world, given as an `Action`, as text such as PLACE(2, 3), or as the index.

    Raises:
        TypeError: it is none of these.
        ValueError: there is no such action.
    """
    if isinstance(given, str) and isinstance(actions, Actions) and actions.take_arguments:
        return actions.parse(given)
    if isinstance(given, Action):
        if given not in actions:
            raise ValueError(f"{given.name} is not among this world's actions: {_names(actions)}")
        return actions.index(given)
    try:
        index = operator.index(given)
    except TypeError:
        hint = "; world.actions.parse(name) gives its index" if isinstance(given, str) else ""
        raise TypeError(
            f"an action is an Action or its index, not {given!r}; there are {_names(actions)}{hint}"
        ) from None
    if not 0 <= index < len(actions):
        raise ValueError(f"action {index} is none of the {len(actions)}, numbered from 0: {_names(actions)}")
    return index


def _names(actions: Sequence[Action]) -> str:
    return few(action.name for action in actions)


def check_action_count(spec: Spec, count: int | None, given: Any) -> None:
    """Check that there is one action for each agent of a world.

    Args:
        spec: the world.
        count: the number of actions; None if they are no sequence.
        given: what was given, for the message.

    Raises:
        ValueError: there are more or fewer.
    """
    if count != spec.agents:
        waiting = " (those of agents that wait for their turn are ignored)"
        hint = waiting if spec.turn_order in ("cycle", "chosen") else ""
        raise ValueError(f"{spec.name} needs one action per agent, {spec.agents} in all; got {given!r}{hint}")


def _shown_value(given: Any) -> str:
    """Format a value that is not a number; with a hint if it is a world."""
    is_world = isinstance(getattr(given, "spec", None), Spec)
    return f"{given!r}; pass a world as world=......" if is_world else repr(given)
