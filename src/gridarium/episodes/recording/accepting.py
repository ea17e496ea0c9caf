"""What each recorder records. Anything else is refused when the recorder is made, with the name of the one that fits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import gymnasium as gym

from gridarium.engine import Batch
from gridarium.episodes.errors import EpisodeError

COMMON = ("reset", "step", "close", "possible_agents", "observation_space", "action_space")
IN_TURN = ("observe", "last")


class Accepted(NamedTuple):
    """What a recorder takes, in words, and whether something is that."""

    what: str
    fits: Callable[[Any], bool]


def _has(env: Any, names: tuple[str, ...]) -> bool:
    return all(hasattr(env, name) for name in names)


ACCEPTED = {
    "EpisodeRecorder": Accepted("a gymnasium.Env", lambda env: isinstance(env, gym.Env)),
    "VectorEpisodeRecorder": Accepted(
        "a gymnasium.vector.VectorEnv", lambda env: isinstance(env, gym.vector.VectorEnv)
    ),
    "BatchRecorder": Accepted("a Batch, as World.batch gives it", lambda env: isinstance(env, Batch)),
    "AECEpisodeRecorder": Accepted(
        "a PettingZoo environment whose agents act in turn (AECEnv)",
        lambda env: _has(env, COMMON + IN_TURN),
    ),
    "ParallelEpisodeRecorder": Accepted(
        "a PettingZoo parallel environment (ParallelEnv)",
        lambda env: _has(env, COMMON) and not _has(env, IN_TURN),
    ),
}


def require(recorder: str, env: Any) -> None:
    """Refuse what a recorder does not take.

    Raises:
        EpisodeError: telling what it takes, and which recorder takes this, if there is one.
    """
    if isinstance(env, type) or not ACCEPTED[recorder].fits(env):
        fitting = [name for name, kind in ACCEPTED.items() if not isinstance(env, type) and kind.fits(env)]
        hint = f": that is for {fitting[0]}" if fitting else ""
        got = f"the class {env.__name__}, not an object of it" if isinstance(env, type) else repr(env)
        raise EpisodeError(f"{recorder} takes {ACCEPTED[recorder].what}, not {got}{hint}")
