"""Adding to an episode, step by step: a step is added whole, or it is refused and nothing has changed."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

from gridarium.episodes.buffer import InfiniteLookbackBuffer
from gridarium.episodes.errors import EpisodeError, EpisodeOverError
from gridarium.episodes.exactness import LEAST, MOST
from gridarium.episodes.facts import EpisodeFacts
from gridarium.episodes.loops import alike
from gridarium.episodes.storage import BLOCK, FEWEST
from gridarium.episodes.validation import check_dict, check_reward


class EpisodeSteps(EpisodeFacts):
    """An episode that grows."""

    __slots__ = ("is_terminated", "is_truncated", "t", "t_started")

    def add_env_reset(self, observation: Any, infos: dict[str, Any] | None = None) -> None:
        """Begin with what the environment's `reset` returned.

        Raises:
            EpisodeError: the episode has begun or ended already, or is a later chunk; or the infos are no dict.
        """
        if self.is_reset or self.is_done or self.t or self.t_started:
            raise EpisodeError(f"{self!r} cannot be reset: it has begun already, at step {self.t}")
        check_dict(self, "infos", infos)
        self.observations.append(observation)
        self.infos.append(infos or {})
        self._start_time = perf_counter()

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
        """Add an action, and what the environment's `step` returned for it.

        Values are not copied before a block of steps is full, the episode ends, or somebody reads them as arrays: until
        then, do not write to the arrays that you gave.

        Raises:
            EpisodeError: the episode is over, the reward is no number, infos or outputs are no dicts, or the episode gives
                arrays and the step does not fit. Nothing has changed then.
        """
        if self.is_terminated or self.is_truncated:
            raise EpisodeOverError(f"{self!r} is over: no step can be added")
        if infos and infos.__class__ is not dict:
            check_dict(self, "infos", infos)
        if extra_model_outputs and extra_model_outputs.__class__ is not dict:
            check_dict(self, "extra_model_outputs", extra_model_outputs)
        observations = self.observations
        if observations.finalized:
            form = observations._storage.form
            fits = (  # the usual step, with few calls
                (form.same(observation) if form.dtype is None else alike(observation, form.dtype, form.shape))
                and type(action) is int is self.actions._storage.form.kind
                and LEAST <= action <= MOST
                and type(reward) is self.rewards._storage.form.sure
                and (not extra_model_outputs or self._have_forms(extra_model_outputs))
            )
            if not fits and not self._has_form(observation, action, reward, extra_model_outputs):
                check_reward(self, reward)
                self._check_fits(observation, action, reward, extra_model_outputs)
        elif reward.__class__ is not float:
            check_reward(self, reward)
        goes_on = not (terminated or truncated)
        if extra_model_outputs:
            outputs = self.extra_model_outputs
            for key in extra_model_outputs:
                try:
                    outputs[key]._tail.append(extra_model_outputs[key])
                except KeyError:
                    outputs[key] = InfiniteLookbackBuffer([extra_model_outputs[key]])
        observations._tail.append(observation)
        self.actions._tail.append(action)
        self.rewards._tail.append(reward)
        if infos:
            self.infos._tail.append(infos)
        else:
            self._empty_infos += 1
        self.t = t = self.t + 1
        self._last_step_time = perf_counter()
        if not goes_on:
            self.is_terminated, self.is_truncated = terminated, truncated
            if self.rewards.len_incl_lookback() >= FEWEST:
                self._settle(trim=True)
        elif not t % BLOCK:
            self._settle(trim=False)

    def _has_form(
        self, observation: Any, action: Any, reward: Any, outputs: Mapping[str, Any] | None
    ) -> bool:
        """Whether a step surely has the form of those before, in an episode that gives arrays."""
        return (
            self.observations._storage.form.same(observation)
            and self.actions._storage.form.takes(action)
            and type(reward) is self.rewards._storage.form.sure
            and (not outputs or self._have_forms(outputs))
        )

    def _have_forms(self, outputs: Mapping[str, Any]) -> bool:
        """Whether extra model outputs surely have the forms of those before."""
        buffers = self.extra_model_outputs
        try:
            for key in outputs:
                form = buffers[key]._storage.form
                if type(outputs[key]) is not form.sure and not form.takes(outputs[key]):
                    return False
        except KeyError:
            return False
        return True

    def _check_fits(
        self, observation: Any, action: Any, reward: Any, outputs: Mapping[str, Any] | None
    ) -> None:
        """Check that a step can be added to an episode that gives arrays.

        Raises:
            EpisodeError: something does not fit into them, and why.
        """
        if not self.observations._storage.form.same(observation):
            self._check_fit("observations", self.observations, observation)
        if not self.actions._storage.form.takes(action):
            self._check_fit("actions", self.actions, action)
        if type(reward) is not self.rewards._storage.form.sure:
            self._check_fit("rewards", self.rewards, reward)
        if outputs:
            buffers = self.extra_model_outputs
            for key in outputs:
                if key in buffers and type(outputs[key]) is not buffers[key]._storage.form.sure:
                    self._check_fit(f"extra_model_outputs[{key!r}]", buffers[key], outputs[key])

    def _check_fit(self, name: str, buffer: InfiniteLookbackBuffer, item: Any) -> None:
        try:
            buffer.check(item, always=True)
        except EpisodeError as error:
            raise EpisodeError(f"episode {self.id_}: {name}: {error}") from error

    def _settle(self, *, trim: bool) -> None:
        """Write what was added lately into the arrays, and, if wanted, give back what is kept for growing.

        Raises:
            EpisodeError: the episode gives arrays, and something does not fit into them; telling what.
        """
        if self._empty_infos:
            self._infos.extend_empty_dicts(self._empty_infos)
            self._empty_infos = 0
        outputs = self.extra_model_outputs.values()
        for buffer in (self.observations, self._infos, self.actions, self.rewards, *outputs):
            try:
                buffer.settle(trim=trim)
            except EpisodeError as error:
                name = next(name for name, one in self.buffers().items() if one is buffer)
                raise EpisodeError(f"episode {self.id_}: {name}: {error}") from error
