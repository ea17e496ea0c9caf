"""The parts that recorders share: sinks for episodes, checks before a step, and the base of recorders of one environment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np

from gridarium.engine import Batch
from gridarium.episodes.buffer.structs import Form, batch, map_structs
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.recording.schema import cast_columns, schema_of_space

Sink = Callable[[Any], object]
"""Gets episodes, or blocks of them."""


class SinkErrors:
    """Hands episodes to a sink, and keeps the errors that it raises: in the middle of a step, its result would be lost."""

    def __init__(self) -> None:
        self._errors: list[Exception] = []

    def deliver(self, sink: Sink, episodes: Any, name: str) -> bool:
        """Hand episodes to a sink.

        Args:
            sink: called with the episodes.
            episodes: one, or a block.
            name: of the episodes, for errors.

        Returns:
            Whether the sink accepted them, that is, raised nothing.
        """
        try:
            sink(episodes)
        except Exception as error:
            error.add_note(
                f"the sink was given {name}; a recorder keeps what its sink refuses: `take` gives it"
            )
            self._errors.append(error)
            return False
        return True

    def raise_first(self) -> None:
        """Raise the first error since the last call.

        Raises:
            Exception: of any type.
        """
        errors, self._errors = self._errors, []
        if len(errors) > 1:
            errors[0].add_note(f"the sink has raised {len(errors)} times since the last error")
        if errors:
            raise errors[0]


class EpisodeRecorderBase:
    """The base of recorders of one environment: the current episode, and those that have ended.

    Attributes:
        episode: the current one, or the one that ended last; None before the first.
    """

    episode: Any
    _sink: Sink | None
    _waiting: list[Any]
    _has_chunks: bool  # whether an unfinished chunk of the episode has been taken
    _sink_errors: SinkErrors

    def take(self, *, ongoing: bool = False, lookback: int = 0) -> list[Any]:
        """Return the episodes that have ended since the last call; with a sink, those that it has refused.

        Args:
            ongoing: also the current episode, as an unfinished chunk; the next one continues from there.
            lookback: how many steps of history the next chunk has at most.
        """
        if ongoing and self._is_ongoing:
            self._put(self.episode)
            self.episode, self._has_chunks = self.episode.cut(lookback), True
        taken, self._waiting = self._waiting, []
        return taken

    def _record_to(self, sink: Sink | None) -> None:
        """Begin to record; without a sink episodes wait for `take`."""
        self._sink, self._waiting, self.episode, self._has_chunks = sink, [], None, False
        self._sink_errors = SinkErrors()

    @property
    def _is_ongoing(self) -> bool:
        return self.episode is not None and len(self.episode) > 0 and not self.episode.is_done

    def _put(self, episode: Any) -> None:
        if self._sink is None or not self._sink_errors.deliver(self._sink, episode, f"episode {episode.id_}"):
            self._waiting.append(episode)

    @contextmanager
    def _broken_off_by_errors(self) -> Iterator[None]:
        """A step that is not recorded leaves no gap: the episode ends before it."""
        try:
            yield
        except BaseException:
            self._break_off()
            raise

    def _break_off(self) -> None:
        """End the episode, truncated, since its last observation is not terminal."""
        if self._is_ongoing or (self._has_chunks and not self.episode.is_done):
            self.episode.is_truncated = True
            self._put(self.episode)
        self.episode, self._has_chunks = None, False


def as_float(reward: Any) -> Any:
    """Return a reward as a float; anything else is returned unchanged, and refused where it is added."""
    try:
        return float(reward)
    except (TypeError, ValueError):
        return reward


def copied(item: Form) -> Form:
    """Return an item that does not change when the environment writes into its arrays."""
    return map_structs(lambda _, leaf: leaf.copy() if isinstance(leaf, np.ndarray) else leaf, item)


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
