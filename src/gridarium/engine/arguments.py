"""What the engine, filters and planners are given and cannot use: refused with what was wrong and what is allowed."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gridarium.engine.refusing import check_state as check_is_state
from gridarium.rules.limits import is_number
from gridarium.world.actions import Action
from gridarium.worlds import Description, Spec

if TYPE_CHECKING:
    from gridarium.engine.world import World

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
            raise TypeError(f"{name} is a number between 0 and 1, got {_told(share)}")
        if not 0 <= share <= 1:
            raise ValueError(f"{name} is between 0 and 1, got {share}")


def check_number(name: str, number: Any, least: float = 0.0) -> None:
    """Refuse what is no finite number from `least` on.

    Raises:
        TypeError, ValueError: it is so.
    """
    if not is_number(number):
        raise TypeError(f"{name} is a number, got {_told(number)}")
    if not least <= number < math.inf:
        raise ValueError(f"{name} is a finite number, at least {least:g}, got {number}")


def check_count(name: str, count: Any, least: int = 1, most: int | None = None) -> None:
    """Refuse what is no whole number from `least` on, up to `most` if that is given.

    Raises:
        TypeError, ValueError: it is so.
    """
    if isinstance(count, bool) or not isinstance(count, int | np.integer):
        raise TypeError(f"{name} is a whole number, got {_told(count)}")
    if count < least or (most is not None and count > most):
        allowed = f"at least {least}" if most is None else f"between {least} and {most}"
        raise ValueError(f"{name} is {allowed}, got {count}")


def check_index(what: str, index: Any, count: int) -> None:
    """Refuse what is no number of one of `count` things, such as states, which are called `what`.

    Raises:
        TypeError, IndexError: it is so.
    """
    if isinstance(index, bool) or not isinstance(index, int | np.integer):
        raise TypeError(f"one of the {what} is known by its number, got {index!r}")
    if not 0 <= index < count:
        numbers = f"{what} are numbered from 0 to {count - 1}" if count else f"there are no {what}"
        raise IndexError(f"{numbers}; got {index}")


def check_function(name: str, given: Any) -> None:
    """Refuse what cannot be called.

    Raises:
        TypeError: it is so.
    """
    if not callable(given):
        raise TypeError(f"{name} is a function, got {given!r}")


def check_world(given: Any) -> None:
    """Refuse what is no composed world, and say how to make one of what was given.

    Raises:
        TypeError: it is so.
    """
    from gridarium.engine.world import World  # its own arguments are checked here, too

    if isinstance(given, World):
        return
    hint = ""
    if isinstance(given, str | Path):
        hint = f"; World({str(given)!r}) makes one"
    elif isinstance(given, Description | Spec):
        hint = "; World(...) makes one of it"
    elif isinstance(getattr(getattr(given, "unwrapped", None), "world", None), World):
        hint = "; that of an environment is env.unwrapped.world"
    raise TypeError(f"a World is needed, not {given!r}{hint}")


def check_agent(agent: Any, agents: int) -> None:
    """Refuse what is no agent's number.

    Raises:
        TypeError, IndexError: it is so.
    """
    check_index("agents", agent, agents)


def check_state(state: Any, world: World) -> None:
    """Refuse what is no state of a kind of world.

    Raises:
        TypeError, ValueError: it is so.
    """
    check_is_state(state)
    words = world.spec.vocabulary
    same = state.vocabulary is words or state.vocabulary == words
    if not same or len(state.bodies) != world.spec.agents:
        raise ValueError(f"the state's objects, colors, fields or agents are not those of {world.name}")
    if state.grid.shape != world.spec.shape:
        height, width = state.grid.shape
        rows, columns = world.spec.shape
        raise ValueError(f"the state has {height} x {width} cells, {world.name} has {rows} x {columns}")


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
    if isinstance(given, Action):
        if given not in actions:
            raise ValueError(f"{given.name} is not among this world's actions: {_names(actions)}")
        return actions.index(given)
    try:
        index = operator.index(given)
    except TypeError:
        raise TypeError(
            f"an action is an Action or its index, not {given!r}; there are {_names(actions)}"
        ) from None
    if not 0 <= index < len(actions):
        raise ValueError(f"action {index} is none of the {len(actions)}, numbered from 0: {_names(actions)}")
    return index


def _names(actions: Sequence[Action]) -> str:
    return ", ".join(action.name for action in actions)


def _told(given: Any) -> str:
    """What was given in the place of a number, which for planners often is the world."""
    from gridarium.engine.world import World

    return f"{given!r}; a world is given as world=..." if isinstance(given, World) else repr(given)
