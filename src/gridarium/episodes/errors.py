"""The errors of episodes, and the checks of arguments that raise them.

Errors also have the classes that RLlib raises in the same cases, so that code which catches those keeps working.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

NUMBERS = frozenset({bool, int, float, np.bool_, np.int32, np.int64, np.float32, np.float64})


class EpisodeError(ValueError, AssertionError):
    """Data that does not fit into an episode, or a call that its state does not allow."""


class EpisodeOverError(EpisodeError, RuntimeError):
    """A step or chunk was to be added to an episode that is over."""


class EpisodeIndexError(EpisodeError, IndexError):
    """The number of items does not match the indices to which they are written."""


class MultiAgentEnvError(EpisodeError):
    """A step of an environment with several agents that cannot be added."""


class MultiAgentEpisodeOverError(MultiAgentEnvError, EpisodeOverError):
    """A step was to be added to an episode of several agents that is over."""


class DatasetError(ValueError):
    """Files that are not episodes, are damaged, or have a format that this version does not read."""


def require_one_agent(episode: Any) -> None:
    """Reject an episode of several agents.

    Raises:
        EpisodeError: it is one.
    """
    if hasattr(episode, "agent_episodes"):
        raise EpisodeError(f"{episode!r} has several agents: take their own, episode.agent_episodes[agent]")


def check_lookback(lookback: Any, steps: int) -> int:
    """Convert a lookback to a number of steps, at most all of them.

    Raises:
        EpisodeError: neither "auto" nor a number, or a negative one.
    """
    if lookback == "auto":
        return steps
    if not isinstance(lookback, (int, np.integer)) or lookback < 0:
        raise EpisodeError(f"len_lookback_buffer is 'auto', or a number, 0 or more; got {lookback!r}")
    return min(int(lookback), steps)


def check_step_number(step: Any, name: str = "t_started") -> int:
    """Return the number of the step at which a chunk begins; 0 for None.

    Raises:
        EpisodeError: not an integer, or one that does not fit into 64 bits.
    """
    if step is None:
        return 0
    if not isinstance(step, (int, np.integer)) or not -(2**62) <= step <= 2**62:
        raise EpisodeError(f"{name} is a whole number, at most 2**62 from 0; got {step!r}")
    return int(step)


def check_reward(id_: str, reward: Any) -> None:
    """Check that a reward is one number.

    Raises:
        EpisodeError: it is not.
    """
    if reward.__class__ in NUMBERS:
        return
    try:
        number = np.asarray(reward)
        valid = number.dtype.kind in "biuf" and number.size == 1 and not isinstance(reward, (list, tuple))
    except (ValueError, TypeError, RuntimeError):
        valid = False
    if not valid:
        raise EpisodeError(f"episode {id_}: a reward is a number, got {reward!r}")


def check_dict(id_: str, name: str, value: Any) -> None:
    """Check that a value is a mapping or None.

    Raises:
        EpisodeError: it is neither.
    """
    if value is not None and not isinstance(value, Mapping):
        raise EpisodeError(f"episode {id_}: {name}: expected a dict, got {value!r}")


@contextmanager
def naming(id_: str, name: str) -> Iterator[None]:
    """Prefix errors with the episode and the data that they are about."""
    try:
        yield
    except EpisodeError as error:
        raise EpisodeError(f"episode {id_}: {name}: {error}") from error
