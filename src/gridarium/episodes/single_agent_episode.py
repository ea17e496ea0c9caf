"""The trajectory of one agent, or a chunk of it."""

from __future__ import annotations

import builtins
import uuid
from collections.abc import Hashable, Mapping
from typing import Any, Literal

import gymnasium as gym
import numpy as np

from gridarium.episodes import chunks, states, validation
from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.errors import EpisodeError
from gridarium.episodes.stepping import EpisodeSteps

REWARD_SPACE = gym.spaces.Box(-np.inf, np.inf, (), np.float32)

Data = list[Any] | InfiniteLookbackBuffer


class SingleAgentEpisode(EpisodeSteps):
    """Observations, infos, actions, rewards and model outputs of one agent over time.

    There is one observation and one info more than there are actions, rewards and model outputs: action i leads from
    observation i to observation i + 1. An episode may be a chunk of a longer one; what came before the chunk is its
    lookback, which counts for no length and no return.

    Args:
        id_: by default 32 hexadecimal digits drawn at random; chunks of one episode have the same.
        observations: T + 1 items, or none. Lists are taken over item by item; ready buffers are kept, with their lookback.
        observation_space: of one observation; by default that of a ready buffer.
        infos: T + 1 dicts; empty ones by default.
        actions: T items.
        action_space: of one action; by default that of a ready buffer.
        rewards: T numbers.
        terminated: the episode ended in a terminal state.
        truncated: the episode was broken off.
        extra_model_outputs: T items under each key.
        t_started: the step of the whole episode at which this chunk begins (after the lookback); 0 by default.
        len_lookback_buffer: how much of the data is lookback; "auto" (or any number above T) for all of it, so that just
            the last observation is left.
        agent_id: in an episode of several agents.
        module_id: the policy that acted.
        multi_agent_episode_id: the id of an episode of several agents.

    Attributes:
        observations, infos, actions, rewards: buffers.
        extra_model_outputs: key -> buffer.
        is_terminated, is_truncated: how the episode ended, if it has.
        t_started: the step at which this chunk begins.
        t: the step at which it ends so far.

    Raises:
        EpisodeError: lengths that do not belong together, or a t_started that is no whole number of 62 bits.

    The interface is that of `ray.rllib.env.single_agent_episode` (Apache 2.0); docs/episodes.md tells where it differs.
    """

    __slots__ = (
        "agent_id",
        "id_",
        "module_id",
        "multi_agent_episode_id",
    )

    def __init__(
        self,
        id_: str | None = None,
        *,
        observations: Data | None = None,
        observation_space: gym.Space[Any] | None = None,
        infos: Data | None = None,
        actions: Data | None = None,
        action_space: gym.Space[Any] | None = None,
        rewards: Data | None = None,
        terminated: bool = False,
        truncated: bool = False,
        extra_model_outputs: Mapping[str, Data] | None = None,
        t_started: int | None = None,
        len_lookback_buffer: int | Literal["auto"] = "auto",
        agent_id: Hashable | None = None,
        module_id: str | None = None,
        multi_agent_episode_id: str | int | None = None,
    ) -> None:
        self.id_ = id_ or uuid.uuid4().hex
        self.agent_id, self.module_id = agent_id, module_id
        self.multi_agent_episode_id = multi_agent_episode_id
        steps = _total(rewards)
        lookback = validation.lookback_of(len_lookback_buffer, steps)
        self.observations = _buffer(observations, lookback, observation_space)
        if not _total(infos):
            infos = [{} for _ in range(self.observations.len_incl_lookback())]
            infos = InfiniteLookbackBuffer(infos, self.observations.lookback)
        self.infos = _buffer(infos, lookback, None)
        self.actions = _buffer(actions, lookback, action_space)
        self.rewards = _buffer(rewards, lookback, None)
        if self.rewards.space is None:
            self.rewards.space = REWARD_SPACE
        self.extra_model_outputs = {
            key: _buffer(data, lookback, None) for key, data in (extra_model_outputs or {}).items()
        }
        self._observation_space, self._action_space = self.observations.space, self.actions.space
        self.is_terminated, self.is_truncated = terminated, truncated
        self.t_started = validation.step_of(t_started)
        self.t = self.t_started + len(self.rewards)
        self._start_time = None
        self._last_step_time = None
        self._custom_data = {}
        self.validate()
        if len_lookback_buffer == "auto":
            validation.check_whole(self)

    def __repr__(self) -> str:
        return f"SAEps(len={len(self)} done={self.is_done} R={self.get_return()} id_={self.id_})"

    def validate(self, *, spaces: bool = False) -> None:
        """Check that the data belongs together.

        Args:
            spaces: check also that observations and actions lie in their spaces.

        Raises:
            EpisodeError: telling which buffer, and for values outside their space which leaf and step.
        """
        validation.validate(self, spaces=spaces)

    # chunks and forms

    def to_numpy(self) -> SingleAgentEpisode:
        """From now on give arrays. Infos stay lists, and so does what holds nothing yet. Steps can still be added.

        Raises:
            EpisodeError: no observation, or items that differ in form.
        """
        self.validate()
        if not self.observations.len_incl_lookback():
            raise EpisodeError(f"{self!r} has no data that could be arrays")
        done: list[InfiniteLookbackBuffer] = []
        for name, buffer in self.buffers().items():
            if buffer is self.infos or buffer.finalized or not buffer.len_incl_lookback():
                continue
            try:
                with validation.told_of(self, name):
                    buffer.finalize()
            except EpisodeError:
                for changed in done:
                    changed.finalized = False
                raise
            done.append(buffer)
        return self

    def cut(self, len_lookback_buffer: int = 0) -> SingleAgentEpisode:
        """The chunk with which an episode goes on from here: of length 0, with this one's end as its lookback.

        Args:
            len_lookback_buffer: how many steps of lookback; at most what there is.

        Raises:
            EpisodeOverError: the episode is over.
            EpisodeError: a negative number.
        """
        return chunks.cut(self, len_lookback_buffer)

    def slice(self, slice_: builtins.slice, *, len_lookback_buffer: int | None = None) -> SingleAgentEpisode:
        """The steps in a range, as an episode; `episode[a:b]` is the same.

        Args:
            slice_: of steps, as for a list; its step is 1.
            len_lookback_buffer: how many steps before the range to keep as lookback, if they are there; by default as many
                as this episode has.

        Raises:
            EpisodeError: a step other than 1.
        """
        return chunks.part(self, slice_, len_lookback_buffer)

    def __getitem__(self, item: builtins.slice) -> SingleAgentEpisode:
        if not isinstance(item, builtins.slice):
            raise NotImplementedError(f"an episode is cut with slices, as in episode[2:5], got {item!r}")
        return chunks.part(self, item, None)

    def concat_episode(self, other: SingleAgentEpisode) -> None:
        """Add the chunk that follows this one at the end.

        Raises:
            EpisodeError: the other does not go on where this one ends; nothing has changed then.
        """
        chunks.concat(self, other)

    def get_state(self) -> dict[str, Any]:
        """What `from_state` makes the episode of: plain data, and the items and arrays themselves."""
        return states.state_of(self)

    @staticmethod
    def from_state(state: dict[str, Any]) -> SingleAgentEpisode:
        """The episode that `get_state` described.

        Raises:
            EpisodeError: data that does not belong together, or a state that lacks something.
        """
        return states.episode_of(state, SingleAgentEpisode)


def _total(data: Data | None) -> int:
    if isinstance(data, InfiniteLookbackBuffer):
        return data.len_incl_lookback()
    return 0 if data is None else len(data)


def _buffer(data: Data | None, lookback: int, space: gym.Space[Any] | None) -> InfiniteLookbackBuffer:
    if isinstance(data, InfiniteLookbackBuffer):
        if space is not None and data.space is not space:
            data.space = space
        return data
    return InfiniteLookbackBuffer(data, lookback, space)
