"""What filters and planners are given and cannot use: refused with what was wrong and what is allowed."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.engine.world import World
from gridarium.rules.limits import is_number
from gridarium.world import Action, State

Floats = npt.NDArray[np.float64]
Seed = int | np.random.Generator | None


def floats(given: Any, what: str) -> Floats:
    """Numbers as float64.

    Raises:
        TypeError: they are none.
    """
    try:
        return np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{what} is an array of numbers, not {given!r}") from None


def check_shares(**shares: Any) -> None:
    """Refuse what is no number from 0 to 1.

    Raises:
        TypeError, ValueError: it is so.
    """
    for name, share in shares.items():
        if not is_number(share):
            raise TypeError(f"{name} is a number between 0 and 1, got {share!r}")
        if not 0 <= share <= 1:
            raise ValueError(f"{name} is between 0 and 1, got {share}")


def check_number(name: str, number: Any, least: float = 0.0) -> None:
    """Refuse what is no finite number from `least` on.

    Raises:
        TypeError, ValueError: it is so.
    """
    if not is_number(number):
        raise TypeError(f"{name} is a number, got {number!r}")
    if not least <= number < math.inf:
        raise ValueError(f"{name} is a finite number, at least {least:g}, got {number}")


def check_count(name: str, count: Any, least: int = 1) -> None:
    """Refuse what is no whole number from `least` on.

    Raises:
        TypeError, ValueError: it is so.
    """
    if isinstance(count, bool) or not isinstance(count, int | np.integer):
        raise TypeError(f"{name} is a whole number, got {count!r}")
    if count < least:
        raise ValueError(f"{name} is at least {least}, got {count}")


def check_agent(agent: Any, agents: int) -> None:
    """Refuse what is no agent's number.

    Raises:
        TypeError, IndexError: it is so.
    """
    if isinstance(agent, bool) or not isinstance(agent, int | np.integer):
        raise TypeError(f"an agent is known by its number, got {agent!r}")
    if not 0 <= agent < agents:
        raise IndexError(f"there are {agents} agents, numbered from 0; got {agent}")


def check_state(state: Any, world: World) -> None:
    """Refuse what is no state of a kind of world.

    Raises:
        TypeError, ValueError: it is so.
    """
    if not isinstance(state, State):
        raise TypeError(f"a state is needed, as World.reset gives it, not {state!r}")
    words = world.spec.vocabulary
    same = state.vocabulary is words or state.vocabulary == words
    if not same or len(state.bodies) != world.spec.agents:
        raise ValueError(f"the state's objects, colors, fields or agents are not those of {world.name}")


def generator(seed: Seed) -> np.random.Generator:
    """Random numbers from a seed, or a generator itself.

    Raises:
        TypeError, ValueError: neither.
    """
    try:
        return np.random.default_rng(seed)
    except (TypeError, ValueError) as error:
        raise type(error)(f"a seed is a whole number from 0 on, or a generator, not {seed!r}") from None


def action_index(actions: Sequence[Action], given: Any) -> int:
    """The index of an action of a world: an `Action`, or the index itself.

    Raises:
        TypeError: neither.
        ValueError: there is no such action.
    """
    listed = ", ".join(a.name for a in actions)
    if isinstance(given, Action):
        if given not in actions:
            raise ValueError(f"{given.name} is not among this world's actions: {listed}")
        return actions.index(given)
    try:
        index = operator.index(given)
    except TypeError:
        raise TypeError(f"an action is an Action or its index, not {given!r}; there are {listed}") from None
    if not 0 <= index < len(actions):
        raise ValueError(f"action {index} is none of the {len(actions)}, numbered from 0: {listed}")
    return index
