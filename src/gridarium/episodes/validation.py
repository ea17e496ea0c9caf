"""Does the data of an episode belong together?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.checking import misfit, misfit_of_items
from gridarium.episodes.contents import EpisodeContents
from gridarium.episodes.errors import EpisodeError

NUMBERS = frozenset({bool, int, float, np.bool_, np.int32, np.int64, np.float32, np.float64})


def validate(episode: EpisodeContents, *, spaces: bool) -> None:
    """Check lengths (after the lookback), and, if wanted, that values lie in their spaces.

    Raises:
        EpisodeError: what does not belong, and why.
    """
    observations, lookback = len(episode.observations), episode.observations.lookback
    steps = max(observations - 1, 0)
    for name, buffer in episode.buffers().items():
        wanted = observations if name in ("observations", "infos") else steps
        if len(buffer) != wanted:
            total = buffer.len_incl_lookback()
            told = f"{observations} observations need {wanted} {name}, there are {len(buffer)}"
            if (
                lookback and total != wanted + lookback
            ):  # what was given tells more than what is after the lookback
                told = f"{observations + lookback} observations need {wanted + lookback} {name}, there are {total}"
            elif lookback or buffer.lookback:
                told += f", not counting lookbacks of {lookback} and {buffer.lookback}"
            raise EpisodeError(f"episode {episode.id_}: {told}")
    if lookback and not observations:
        raise EpisodeError(
            f"episode {episode.id_}: all {lookback} observations are lookback; T steps need T + 1 observations"
        )
    if spaces:
        for name, buffer in (("observations", episode.observations), ("actions", episode.actions)):
            if buffer.space is not None and len(buffer):
                wrong = _outside(buffer, name)
                if wrong is not None:
                    raise EpisodeError(f"episode {episode.id_}: {wrong}")


def check_whole(episode: EpisodeContents) -> None:
    """Check that data which is all lookback belongs together: lengths after the lookback say nothing of it.

    Raises:
        EpisodeError: what does not belong, and why.
    """
    steps = episode.rewards.len_incl_lookback()
    for name, buffer in episode.buffers().items():
        total = buffer.len_incl_lookback()
        wanted = steps + 1 if name in ("observations", "infos") else steps
        if total != wanted and (total or steps):
            raise EpisodeError(
                f"episode {episode.id_}: {steps} rewards need {wanted} {name}, there are {total}"
            )


def require_one_agent(episode: Any) -> None:
    """Refuse an episode of several agents.

    Raises:
        EpisodeError: it is one.
    """
    if hasattr(episode, "agent_episodes"):
        raise EpisodeError(f"{episode!r} has several agents: take their own, episode.agent_episodes[agent]")


def lookback_of(wanted: Any, steps: int) -> int:
    """How much of so many steps is lookback.

    Raises:
        EpisodeError: neither "auto" nor a number, or a negative one.
    """
    if wanted == "auto":
        return steps
    if not isinstance(wanted, (int, np.integer)) or wanted < 0:
        raise EpisodeError(f"len_lookback_buffer is 'auto', or a number, 0 or more; got {wanted!r}")
    return min(int(wanted), steps)


def _outside(buffer: InfiniteLookbackBuffer, name: str) -> str | None:
    """What is wrong with items that do not lie in their space, at which leaf and step."""
    asked = misfit if buffer.finalized else misfit_of_items
    return asked(buffer.space_struct, buffer.get(), path=name)


def step_of(given: Any, name: str = "t_started") -> int:
    """The number of a step at which something begins; 0 for None.

    Raises:
        EpisodeError: no whole number, or one that 64 bits do not hold.
    """
    if given is None:
        return 0
    if not isinstance(given, (int, np.integer)) or not -(2**62) <= given <= 2**62:
        raise EpisodeError(f"{name} is a whole number, at most 2**62 from 0; got {given!r}")
    return int(given)


def check_reward(episode: Any, reward: Any) -> None:
    """Check that a reward is one number.

    Raises:
        EpisodeError: it is not.
    """
    if reward.__class__ in NUMBERS:
        return
    try:
        number = np.asarray(reward)
        fine = number.dtype.kind in "biuf" and number.size == 1 and not isinstance(reward, (list, tuple))
    except (ValueError, TypeError, RuntimeError):
        fine = False
    if not fine:
        raise EpisodeError(f"episode {episode.id_}: a reward is a number, got {reward!r}")


def check_dict(episode: Any, name: str, given: Any) -> None:
    """Check that something is a dict, or not given.

    Raises:
        EpisodeError: it is neither.
    """
    if given is not None and not isinstance(given, Mapping):
        raise EpisodeError(f"episode {episode.id_}: {name}: expected a dict, got {given!r}")


@contextmanager
def told_of(episode: EpisodeContents, name: str) -> Iterator[None]:
    """Let errors tell which data of which episode they are about."""
    try:
        yield
    except EpisodeError as error:
        raise EpisodeError(f"episode {episode.id_}: {name}: {error}") from error
