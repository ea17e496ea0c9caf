"""What recorders check: the environment when they are made, and actions and extras before a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import gymnasium as gym

from gridarium.engine import Batch
from gridarium.episodes.buffer.structs import batch
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording.schema import cast_columns, schema_of_space

COMMON = ("reset", "step", "close", "possible_agents", "observation_space", "action_space")
IN_TURN = ("observe", "last")


class AcceptedEnv(NamedTuple):
    """The kind of environment that a recorder accepts."""

    description: str
    fits: Callable[[Any], bool]


def _has(env: Any, names: tuple[str, ...]) -> bool:
    return all(hasattr(env, name) for name in names)


ACCEPTED = {
    "EpisodeRecorder": AcceptedEnv("a gymnasium.Env", lambda env: isinstance(env, gym.Env)),
    "VectorEpisodeRecorder": AcceptedEnv(
        "a gymnasium.vector.VectorEnv", lambda env: isinstance(env, gym.vector.VectorEnv)
    ),
    "BatchRecorder": AcceptedEnv("a Batch, as World.batch returns it", lambda env: isinstance(env, Batch)),
    "AECEpisodeRecorder": AcceptedEnv(
        "a PettingZoo environment whose agents act in turn (AECEnv)",
        lambda env: _has(env, COMMON + IN_TURN),
    ),
    "ParallelEpisodeRecorder": AcceptedEnv(
        "a PettingZoo parallel environment (ParallelEnv)",
        lambda env: _has(env, COMMON) and not _has(env, IN_TURN),
    ),
}


def require(recorder: str, env: Any) -> None:
    """Check that a recorder accepts an environment.

    Raises:
        EpisodeError: it does not; naming what it accepts, and the recorder that accepts this environment, if there is one.
    """
    if isinstance(env, type) or not ACCEPTED[recorder].fits(env):
        fitting = [name for name, kind in ACCEPTED.items() if not isinstance(env, type) and kind.fits(env)]
        hint = f": that is for {fitting[0]}" if fitting else ""
        got = f"the class {env.__name__}, not an object of it" if isinstance(env, type) else repr(env)
        raise EpisodeError(f"{recorder} takes {ACCEPTED[recorder].description}, not {got}{hint}")


NOT_STEPPED = "the environment was not stepped"


def check_action(space: gym.Space[Any], action: Any, name: str = "action") -> None:
    """Check that an action has the form of its space. Whether it is inside is up to the environment.

    Args:
        space: of actions; spaces whose items have no fixed form accept everything.
        action: spaces of floats accept other numbers, too.
        name: of the action, for errors.

    Raises:
        EpisodeError: it has another form.
    """
    if space.contains(action):
        return
    try:
        schema = schema_of_space(space)
    except EpisodeError:
        return
    try:
        cast_columns(name, schema, batch([action]), rounded=True)
    except (EpisodeError, ValueError, TypeError) as error:
        raise EpisodeError(f"{error}; {NOT_STEPPED}") from error


def check_extras(extras: Any, known: Mapping[str, Any] | None, name: str = "extras") -> dict[str, Any]:
    """Further model outputs of a step, as a dict.

    Args:
        extras: a mapping, or None.
        known: the keys of earlier steps; None if there were none.
        name: of the extras, for errors.

    Raises:
        EpisodeError: not a mapping, or other keys than before.
    """
    if extras is not None and not isinstance(extras, Mapping):
        raise EpisodeError(f"{name}: expected a dict, got {extras!r}; {NOT_STEPPED}")
    outputs = dict(extras or {})
    if known is not None and outputs.keys() != known.keys():
        raise EpisodeError(f"{name}: expected the keys {list(known)}, got {list(outputs)}; {NOT_STEPPED}")
    return outputs
