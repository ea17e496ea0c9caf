"""The trajectory of one agent, or a chunk of it."""

from __future__ import annotations

import builtins
import copy
import uuid
from collections.abc import Callable, Hashable, Mapping
from time import perf_counter
from typing import Any, Literal, Self

import gymnasium as gym
import numpy as np

from gridarium.episodes import errors
from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.buffer.infinite_lookback_buffer import Indices
from gridarium.episodes.buffer.spaces import (
    find_mismatch,
    find_mismatch_in_items,
    space_from_state,
    space_to_state,
)
from gridarium.episodes.buffer.storage import BLOCK, MIN_ITEMS, WRITE_LOCK
from gridarium.episodes.buffer.structs import MAX_FAST_INT, MIN_FAST_INT, Struct, equal
from gridarium.episodes.episode_base import MAX_STEPS, EpisodeBase, episode_as_html, method_like
from gridarium.episodes.errors import EpisodeError, EpisodeOverError
from gridarium.episodes.loops import alike

REWARD_SPACE = gym.spaces.Box(-np.inf, np.inf, (), np.float32)

Data = list[Any] | InfiniteLookbackBuffer

NAMES = ("id_", "agent_id", "module_id", "multi_agent_episode_id")
BUFFERS = ("observations", "actions", "rewards", "infos")
PROGRESS = ("is_terminated", "is_truncated", "t")


class SingleAgentEpisode(EpisodeBase):
    """Observations, infos, actions, rewards and model outputs of one agent over time.

    There is one observation and one info more than there are actions, rewards and model outputs: action i leads from
    observation i to observation i + 1. An episode may be a chunk of a longer one; what came before the chunk is its
    lookback, which does not count in lengths and returns.

    All getters return one item for an int, and a list, or, after `to_numpy`, a struct of arrays, for a list of ints, a slice,
    or None (everything after the lookback). Arguments and errors of getters and setters are those of
    `InfiniteLookbackBuffer.get` and `InfiniteLookbackBuffer.set`.

    Args:
        id_: by default 32 random hexadecimal digits; chunks of one episode have the same id.
        observations: T + 1 items, or none. Lists are copied item by item; buffers are used as they are, with their lookback.
        observation_space: of one observation; by default that of the buffer.
        infos: T + 1 dicts; empty ones by default.
        actions: T items.
        action_space: of one action; by default that of the buffer.
        rewards: T numbers.
        terminated: whether the episode ended in a terminal state.
        truncated: whether the episode was broken off.
        extra_model_outputs: T items under each key.
        t_started: the step of the whole episode at which this chunk begins (after the lookback); 0 by default.
        len_lookback_buffer: how much of the data is lookback; "auto" (or any number above T) for all of it, so that only
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
        start_time, last_step_time: when the reset and the last step were added, in seconds, or None.
        custom_data: whatever users want to keep with the episode.

    Raises:
        EpisodeError: lengths that do not match, or a t_started that is not an integer of at most 62 bits.

    The interface is that of `ray.rllib.env.single_agent_episode` (Apache 2.0); docs/episodes.md describes the differences.
    """

    __slots__ = (
        "_empty_infos",
        "_infos",
        "actions",
        "agent_id",
        "extra_model_outputs",
        "module_id",
        "multi_agent_episode_id",
        "observations",
        "rewards",
        "t",
        "t_started",
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
        lookback = errors.check_lookback(len_lookback_buffer, _total(rewards))
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
        self.is_terminated, self.is_truncated = terminated, truncated
        self.t_started = errors.check_step_number(t_started)
        self.t = self.t_started + len(self.rewards)
        self.start_time: float | None = None
        self.last_step_time: float | None = None
        self._custom_data: dict[str, Any] = {}
        self.validate()
        if len_lookback_buffer == "auto":
            _check_total_lengths(self.id_, self.buffers())

    # what the episode is

    @property
    def infos(self) -> InfiniteLookbackBuffer:
        """The buffer of infos."""
        # Most infos are empty. Those at the end are only counted until the buffer is read.
        if self._empty_infos:
            with WRITE_LOCK:
                n = self._empty_infos
                self._infos.tail.extend([{} for _ in range(n)])
                self._empty_infos -= n
        return self._infos

    @infos.setter
    def infos(self, buffer: InfiniteLookbackBuffer) -> None:
        self._infos, self._empty_infos = buffer, 0

    def buffers(self) -> dict[str, InfiniteLookbackBuffer]:
        """Return all buffers by name."""
        named = {
            "observations": self.observations,
            "infos": self.infos,
            "actions": self.actions,
            "rewards": self.rewards,
        }
        outputs = self.extra_model_outputs.items()
        return named | {f"extra_model_outputs[{key!r}]": buffer for key, buffer in outputs}

    @property
    def is_reset(self) -> bool:
        """True if there is an observation."""
        return len(self.observations) > 0

    @property
    def is_numpy(self) -> bool:
        """True if getters return arrays (infos are always lists)."""
        return self.rewards.finalized

    @property
    def observation_space(self) -> gym.Space[Any] | None:
        """The space of one observation."""
        return self.observations.space

    @observation_space.setter
    def observation_space(self, space: gym.Space[Any] | None) -> None:
        self.observations.space = space

    @property
    def action_space(self) -> gym.Space[Any] | None:
        """The space of one action."""
        return self.actions.space

    @action_space.setter
    def action_space(self, space: gym.Space[Any] | None) -> None:
        self.actions.space = space

    def __len__(self) -> int:
        return self.t - self.t_started

    def agent_steps(self) -> int:
        """Return the number of steps of the agent: the same."""
        return len(self)

    def __repr__(self) -> str:
        return f"SAEps(len={len(self)} done={self.is_done} R={self.get_return()} id_={self.id_})"

    def _repr_html_(self) -> str:
        first = max(0, len(self) - MAX_STEPS)
        steps = range(first, len(self))
        columns: dict[str, list[Any]] = {
            "step": [self.t_started + i for i in steps],
            "observation": [self.get_observations(i) for i in steps],
            "action": [self.get_actions(i) for i in steps],
            "reward": [self.get_rewards(i) for i in steps],
            **{
                key: [self.get_extra_model_outputs(key, i) for i in steps] for key in self.extra_model_outputs
            },
        }
        ended = "terminated" if self.is_terminated else "truncated" if self.is_truncated else "going on"
        about = f"{len(self)} steps from {self.t_started} on, return {self.get_return():g}, {ended}"
        return episode_as_html(repr(self), about, columns, len(self))

    def validate(self, *, spaces: bool = False) -> None:
        """Check that the lengths of the data match.

        Args:
            spaces: check also that observations and actions are in their spaces.

        Raises:
            EpisodeError: naming the buffer, and for values outside their space the leaf and the step.
        """
        _check_lengths(self.id_, self.buffers())
        if spaces:
            _check_spaces(self.id_, {"observations": self.observations, "actions": self.actions})

    # adding

    def add_env_reset(self, observation: Any, infos: dict[str, Any] | None = None) -> None:
        """Begin with the result of the environment's `reset`.

        Raises:
            EpisodeError: the episode has begun or ended already, or is a later chunk; or the infos are not a dict.
        """
        if self.is_reset or self.is_done or self.t or self.t_started:
            raise EpisodeError(f"{self!r} cannot be reset: it has begun already, at step {self.t}")
        errors.check_dict(self.id_, "infos", infos)
        self.observations.append(observation)
        self.infos.append(infos or {})
        self.start_time = perf_counter()

    def add_env_step(
        self,
        observation: Any,
        action: Any,
        reward: Any,
        infos: dict[str, Any] | None = None,
        *,
        terminated: bool = False,
        truncated: bool = False,
        extra_model_outputs: dict[str, Any] | None = None,
    ) -> None:
        """Add an action, and the result of the environment's `step` for it.

        A step is added as a whole, or not at all. Values are not copied before a block of steps is full, the episode ends, or
        the data is read as arrays: until then, do not write to the arrays that you passed.

        Raises:
            EpisodeError: the episode is over, the reward is not a number, infos or outputs are not dicts, or the episode
                returns arrays and the step does not fit into them. Nothing has changed then.
        """
        if self.is_terminated or self.is_truncated:
            raise EpisodeOverError(f"{self!r} is over: no step can be added")
        if infos and infos.__class__ is not dict:
            errors.check_dict(self.id_, "infos", infos)
        if extra_model_outputs and extra_model_outputs.__class__ is not dict:
            errors.check_dict(self.id_, "extra_model_outputs", extra_model_outputs)
        observations = self.observations
        if observations.finalized:
            spec, action_spec = observations.storage.spec, self.actions.storage.spec
            fits = (  # the usual step, with few calls
                (
                    spec.matches(observation)
                    if spec.dtype is None
                    else alike(observation, spec.dtype, spec.shape)
                )
                and (
                    (
                        type(action) is int is action_spec.scalar_type
                        and MIN_FAST_INT <= action <= MAX_FAST_INT
                    )
                    or action_spec.accepts(action)
                )
                and type(reward) is self.rewards.storage.spec.exact_type
                and (not extra_model_outputs or self._outputs_match(extra_model_outputs))
            )
            if not fits:
                errors.check_reward(self.id_, reward)
                self.check_step(observation, action, reward, extra_model_outputs)
        elif reward.__class__ is not float:
            errors.check_reward(self.id_, reward)
        goes_on = not (terminated or truncated)
        if extra_model_outputs:
            outputs = self.extra_model_outputs
            for key in extra_model_outputs:
                try:
                    outputs[key].tail.append(extra_model_outputs[key])
                except KeyError:
                    outputs[key] = InfiniteLookbackBuffer([extra_model_outputs[key]])
        observations.tail.append(observation)
        self.actions.tail.append(action)
        self.rewards.tail.append(reward)
        if infos:
            self.infos.tail.append(infos)
        else:
            self._empty_infos += 1
        self.t = t = self.t + 1
        self.last_step_time = perf_counter()
        if not goes_on:
            self.is_terminated, self.is_truncated = terminated, truncated
            if self.rewards.len_incl_lookback() >= MIN_ITEMS:
                self._write_tails(trim=True)
        elif not t % BLOCK:
            self._write_tails(trim=False)

    def check_step(
        self, observation: Any, action: Any, reward: Any, outputs: Mapping[str, Any] | None
    ) -> None:
        """Check that a step can be added to an episode that returns arrays.

        Raises:
            EpisodeError: something does not fit into the arrays, and why.
        """
        if not self.observations.storage.spec.matches(observation):
            self._check_item("observations", self.observations, observation)
        if not self.actions.storage.spec.accepts(action):
            self._check_item("actions", self.actions, action)
        if type(reward) is not self.rewards.storage.spec.exact_type:
            self._check_item("rewards", self.rewards, reward)
        if outputs:
            buffers = self.extra_model_outputs
            for key in outputs:
                if key in buffers and type(outputs[key]) is not buffers[key].storage.spec.exact_type:
                    self._check_item(f"extra_model_outputs[{key!r}]", buffers[key], outputs[key])

    def _check_item(self, name: str, buffer: InfiniteLookbackBuffer, item: Any) -> None:
        if buffer.finalized:
            with errors.naming(self.id_, name):
                buffer.storage.check(item, always=True)

    def _outputs_match(self, outputs: Mapping[str, Any]) -> bool:
        """Return whether extra model outputs certainly have the forms of those before."""
        buffers = self.extra_model_outputs
        try:
            for key in outputs:
                spec = buffers[key].storage.spec
                if type(outputs[key]) is not spec.exact_type and not spec.accepts(outputs[key]):
                    return False
        except KeyError:
            return False
        return True

    def _write_tails(self, *, trim: bool) -> None:
        """Write the latest steps into the arrays; with `trim` free the memory that is reserved for further steps.

        Raises:
            EpisodeError: the episode returns arrays, and something does not fit into them.
        """
        if self._empty_infos:
            self._infos.storage.extend_empty_dicts(self._empty_infos)
            self._empty_infos = 0
        outputs = self.extra_model_outputs.values()
        for buffer in (self.observations, self._infos, self.actions, self.rewards, *outputs):
            try:
                buffer.write_tail(trim=trim)
            except EpisodeError as error:
                name = next(name for name, one in self.buffers().items() if one is buffer)
                raise EpisodeError(f"episode {self.id_}: {name}: {error}") from error

    # getters and setters

    def get_observations(
        self,
        indices: Indices = None,
        *,
        neg_index_as_lookback: bool = False,
        fill: Any = None,
        one_hot_discrete: bool = False,
    ) -> Any:
        """Return observations; the first is the one of the reset."""
        return self.observations.read(indices, neg_index_as_lookback, fill, one_hot_discrete)

    def get_infos(
        self, indices: Indices = None, *, neg_index_as_lookback: bool = False, fill: Any = None
    ) -> Any:
        """Return infos, always as lists; the first is the one of the reset."""
        return self.infos.read(indices, neg_index_as_lookback, fill)

    get_actions = method_like(
        get_observations, "actions", "Return actions; the first is the one taken on the first observation."
    )
    get_rewards = method_like(
        get_infos, "rewards", "Return rewards; the first is the one for the first action."
    )

    def get_extra_model_outputs(
        self, key: str, indices: Indices = None, *, neg_index_as_lookback: bool = False, fill: Any = None
    ) -> Any:
        """Return model outputs other than actions, under a key.

        Raises:
            KeyError: there are none under this key.
        """
        try:
            buffer = self.extra_model_outputs[key]
        except KeyError:
            raise KeyError(self._no_output(key)) from None
        return buffer.read(indices, neg_index_as_lookback, fill)

    def set_observations(
        self, *, new_data: Any, at_indices: Indices = None, neg_index_as_lookback: bool = False
    ) -> None:
        """Overwrite observations."""
        self.observations.set(new_data, at_indices=at_indices, neg_index_as_lookback=neg_index_as_lookback)

    set_actions = method_like(set_observations, "actions", "Overwrite actions.")
    set_rewards = method_like(set_observations, "rewards", "Overwrite rewards.")

    def set_extra_model_outputs(
        self, *, key: str, new_data: Any, at_indices: Indices = None, neg_index_as_lookback: bool = False
    ) -> None:
        """Overwrite model outputs under a key.

        Raises:
            EpisodeError: there are none under this key.
        """
        if key not in self.extra_model_outputs:
            raise EpisodeError(self._no_output(key))
        self.extra_model_outputs[key].set(
            new_data, at_indices=at_indices, neg_index_as_lookback=neg_index_as_lookback
        )

    def _no_output(self, key: str) -> str:
        return f"no extra model output {key!r}, there are {sorted(map(str, self.extra_model_outputs))}"

    def get_return(self) -> float:
        """Return the sum of the rewards after the lookback: of arrays a Python float, of lists the sum of the items."""
        rewards = self.rewards.get()
        return float(rewards.sum()) if self.rewards.finalized and len(rewards) else sum(rewards)

    def get_data_dict(self) -> dict[str, list[Any] | Struct]:
        """Return the steps after the lookback as columns of the same length: lists, or, after `to_numpy`, arrays.

        The last observation and info, which no action followed, are left out. Both flags are False before the last step.
        """
        steps = len(self.rewards)
        before = [False] * (steps - 1)
        columns: dict[str, Any] = {
            "terminateds": [*before, self.is_terminated] if steps else [],
            "truncateds": [*before, self.is_truncated] if steps else [],
            "t": list(range(self.t_started, self.t)),
            "eps_id": [self.id_] * steps,
        }
        if self.rewards.finalized:
            columns = {name: np.array(column) for name, column in columns.items()}
        upto = slice(0, steps)
        columns["obs"], columns["infos"] = self.observations.get(upto), self.infos.get(upto)
        columns["actions"], columns["rewards"] = self.actions.get(), self.rewards.get()
        return columns | {key: buffer.get() for key, buffer in self.extra_model_outputs.items()}

    def to_numpy(self) -> SingleAgentEpisode:
        """Return arrays from now on. Infos stay lists, and so does what is empty. Steps can still be added.

        Raises:
            EpisodeError: no observation, or items that differ in form; nothing has changed then.
        """
        self.validate()
        if not self.observations.len_incl_lookback():
            raise EpisodeError(f"{self!r} has no data that could be arrays")
        done: list[InfiniteLookbackBuffer] = []
        for name, buffer in self.buffers().items():
            if buffer is self.infos or buffer.finalized or not buffer.len_incl_lookback():
                continue
            try:
                with errors.naming(self.id_, name):
                    buffer.finalize()
            except EpisodeError:
                for changed in done:
                    changed.finalized = False
                raise
            done.append(buffer)
        return self

    # chunks

    def cut(self, len_lookback_buffer: int = 0) -> SingleAgentEpisode:
        """Return the chunk with which the episode continues from here: of length 0, with the end of this one as its lookback.

        Args:
            len_lookback_buffer: how many steps of lookback; at most what there is.

        Raises:
            EpisodeOverError: the episode is over.
            EpisodeError: a negative number.
        """
        self._check_cut(len_lookback_buffer)

        def end(buffer: InfiniteLookbackBuffer, current: int) -> InfiniteLookbackBuffer:
            total = buffer.len_incl_lookback()
            kept = max(min(len_lookback_buffer, total - current), 0)
            return buffer.sub_buffer(max(total - current - kept, 0), total, kept)

        return self.with_buffers(end, self.t)

    def slice(self, slice_: builtins.slice, *, len_lookback_buffer: int | None = None) -> SingleAgentEpisode:
        """Return the steps in a range, as an episode; `episode[a:b]` is the same.

        Args:
            slice_: of steps, as for a list; its step is 1.
            len_lookback_buffer: how many steps before the range to keep as lookback, if there are so many; by default as many
                as this episode has.

        Raises:
            EpisodeError: a step other than 1, or a negative lookback.
        """
        start, stop, step = slice_.indices(len(self))
        if step != 1:
            raise EpisodeError(f"steps of an episode follow each other: the step of a slice is 1, got {step}")
        if len_lookback_buffer is not None:
            len_lookback_buffer = errors.check_lookback(len_lookback_buffer, 1 << 62)
        stop = max(start, stop)

        def within(buffer: InfiniteLookbackBuffer, current: int) -> InfiniteLookbackBuffer:
            before = buffer.lookback + start
            kept = min(buffer.lookback if len_lookback_buffer is None else len_lookback_buffer, before)
            return buffer.sub_buffer(before - kept, buffer.lookback + stop + current, kept)

        sliced = self.with_buffers(within, self.t_started + start)
        if stop == len(self):
            sliced.is_terminated, sliced.is_truncated = self.is_terminated, self.is_truncated
        return sliced

    def with_buffers(
        self, part: Callable[[InfiniteLookbackBuffer, int], InfiniteLookbackBuffer], t_started: int
    ) -> Self:
        """Return an episode with the same names and spaces, of parts of the buffers.

        Args:
            part: `part(buffer, current)` returns a part; current is 1 for observations and infos, which have one item more,
                else 0.
            t_started: the step at which the new episode begins.
        """
        new = type(self)(
            self.id_,
            observations=part(self.observations, 1),
            observation_space=self.observation_space,
            infos=part(self.infos, 1),
            actions=part(self.actions, 0),
            action_space=self.action_space,
            rewards=part(self.rewards, 0),
            extra_model_outputs={key: part(buffer, 0) for key, buffer in self.extra_model_outputs.items()},
            t_started=t_started,
            agent_id=self.agent_id,
            module_id=self.module_id,
            multi_agent_episode_id=self.multi_agent_episode_id,
        )
        new.custom_data.update(copy.deepcopy(self.custom_data))
        return new

    def concat_episode(self, other: SingleAgentEpisode) -> None:
        """Add the chunk that follows this one at the end.

        Raises:
            EpisodeError: the other does not continue where this one ends; nothing has changed then.
        """
        self.check_follows(other)
        outputs = other.extra_model_outputs if len(other) else {}
        for key in outputs:
            self.extra_model_outputs.setdefault(key, InfiniteLookbackBuffer())
        mine = self.buffers()
        before = [(buffer, buffer.len_incl_lookback()) for buffer in mine.values()]
        try:
            for name, buffer in other.buffers().items():
                if name != "infos" and (len(other) or name == "observations"):
                    with errors.naming(self.id_, name):
                        mine[name].concat(buffer, skip=name == "observations")
        except EpisodeError:
            for buffer, total in before:
                buffer.truncate(total)
            raise
        self.infos.pop()
        self.infos.concat(other.infos)
        self.t = other.t
        self._end_as(other)

    def check_follows(self, other: SingleAgentEpisode) -> None:
        """Check that a chunk can be added at the end of this one.

        Raises:
            EpisodeError: it cannot, and why.
        """
        self._check_next(other, self.t, other.t_started)
        self.validate()
        other.validate()
        if not (self.is_reset and other.is_reset):
            raise EpisodeError("a chunk without an observation cannot be joined")
        if not equal(self.get_observations(-1), other.get_observations(0), equal_nan=True):
            raise EpisodeError("the chunk does not begin with the observation with which the other ends")
        odd = set(self.extra_model_outputs) ^ set(other.extra_model_outputs)
        if odd and len(self) and len(other):
            raise EpisodeError(f"only one of the chunks has the extra model outputs {sorted(map(str, odd))}")

    def get_state(self) -> dict[str, Any]:
        """Return the episode as data for `from_state`: plain data, and the items and arrays themselves."""
        outputs = {key: buffer.get_state() for key, buffer in self.extra_model_outputs.items()}
        spaces = {"_observation_space": self.observation_space, "_action_space": self.action_space}
        return {
            **{name: getattr(self, name) for name in (*NAMES, *PROGRESS, "t_started")},
            **{name: getattr(self, name).get_state() for name in BUFFERS},
            **{name: None if space is None else space_to_state(space) for name, space in spaces.items()},
            "_start_time": self.start_time,
            "_last_step_time": self.last_step_time,
            "extra_model_outputs": outputs or None,
            "custom_data": self.custom_data,
        }

    @staticmethod
    def from_state(state: dict[str, Any]) -> SingleAgentEpisode:
        """Restore an episode from what `get_state` returned.

        Raises:
            EpisodeError: data that does not match, or a state that lacks something.
        """
        try:
            arguments: dict[str, Any] = {name: state[name] for name in (*NAMES, "t_started")}
            arguments |= {name: InfiniteLookbackBuffer.from_state(state[name]) for name in BUFFERS}
            for name in ("observation_space", "action_space"):
                space = state[f"_{name}"]
                arguments[name] = None if space is None else space_from_state(space)
            outputs = state["extra_model_outputs"] or {}
            arguments["extra_model_outputs"] = {
                key: InfiniteLookbackBuffer.from_state(kept) for key, kept in outputs.items()
            }
            episode = SingleAgentEpisode(**arguments)
            for name in PROGRESS:
                setattr(episode, name, state[name])
            episode.start_time, episode.last_step_time = state["_start_time"], state["_last_step_time"]
            episode.custom_data.update(state["custom_data"])
        except KeyError as error:
            raise EpisodeError(f"the state of an episode lacks {error}") from error
        return episode


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


def _check_lengths(id_: str, buffers: Mapping[str, InfiniteLookbackBuffer]) -> None:
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


def _check_total_lengths(id_: str, buffers: Mapping[str, InfiniteLookbackBuffer]) -> None:
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


def _check_spaces(id_: str, buffers: Mapping[str, InfiniteLookbackBuffer]) -> None:
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
