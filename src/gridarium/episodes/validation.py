"""Checks of the data of an episode. All of them raise an `EpisodeError` that names the episode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.buffer.spaces import find_mismatch, find_mismatch_in_items
from gridarium.episodes.errors import EpisodeError

NUMBERS = frozenset({bool, int, float, np.bool_, np.int32, np.int64, np.float32, np.float64})

Buffers = Mapping[str, InfiniteLookbackBuffer]


def check_lengths(id_: str, buffers: Buffers) -> None:
    """Check that the buffers of an episode have lengths (after the lookback) that match.

    Raises:
        EpisodeError: one has not.
    """
    observations, lookback = len(buffers["observations"]), buffers["observations"].lookback
    steps = max(observations - 1, 0)
    for name, buffer in buffers.items():
        needed = observations if name in ("observations", "infos") else steps
        if len(buffer) != needed:
            total = buffer.len_incl_lookback()
            text = f"{observations} observations need {needed} {name}, there are {len(buffer)}"
            if (
                lookback and total != needed + lookback
            ):  # what was passed is clearer than what follows the lookback
                text = f"{observations + lookback} observations need {needed + lookback} {name}, there are {total}"
            elif lookback or buffer.lookback:
                text += f", not counting lookbacks of {lookback} and {buffer.lookback}"
            raise EpisodeError(f"episode {id_}: {text}")
    if lookback and not observations:
        raise EpisodeError(
            f"episode {id_}: all {lookback} observations are lookback; T steps need T + 1 observations"
        )


def check_total_lengths(id_: str, buffers: Buffers) -> None:
    """Check that lengths including the lookback match: where all data is lookback, other lengths say nothing.

    Raises:
        EpisodeError: they do not.
    """
    steps = buffers["rewards"].len_incl_lookback()
    for name, buffer in buffers.items():
        total = buffer.len_incl_lookback()
        needed = steps + 1 if name in ("observations", "infos") else steps
        if total != needed and (total or steps):
            raise EpisodeError(f"episode {id_}: {steps} rewards need {needed} {name}, there are {total}")


def check_spaces(id_: str, buffers: Buffers) -> None:
    """Check that items are in their space, if the buffer has one.

    Raises:
        EpisodeError: one is not (naming buffer, leaf and step).
    """
    for name, buffer in buffers.items():
        if buffer.space is not None and len(buffer):
            find = find_mismatch if buffer.finalized else find_mismatch_in_items
            mismatch = find(buffer.space_struct, buffer.get(), path=name)
            if mismatch is not None:
                raise EpisodeError(f"episode {id_}: {mismatch}")


def require_one_agent(episode: Any) -> None:
    """Reject an episode of several agents.

    Raises:
        EpisodeError: it is one.
    """
    if hasattr(episode, "agent_episodes"):
        raise EpisodeError(f"{episode!r} has several agents: take their own, episode.agent_episodes[agent]")


def check_lookback(lookback: Any, steps: int) -> int:
    """The lookback as a number of steps, at most all of them.

    Raises:
        EpisodeError: neither "auto" nor a number, or a negative one.
    """
    if lookback == "auto":
        return steps
    if not isinstance(lookback, (int, np.integer)) or lookback < 0:
        raise EpisodeError(f"len_lookback_buffer is 'auto', or a number, 0 or more; got {lookback!r}")
    return min(int(lookback), steps)


def check_step_number(step: Any, name: str = "t_started") -> int:
    """The number of the step at which a chunk begins; 0 for None.

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
