"""The wrappers of `gridarium.env.wrappers` for vector environments: each world's observation is that of the single one."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from gridarium.engine import Autoreset, Batch
from gridarium.engine.threads.memory import Snapshot
from gridarium.env.vector_env import GridariumVectorEnv
from gridarium.env.wrappers import state_observer
from gridarium.world import Area

__all__ = [
    "FlatObservation",
    "FullObservation",
    "OneHotObservation",
    "PartialObservation",
    "RGBImageObservation",
]

Envs = gymnasium.vector.VectorEnv[Any, Any, Any]


class RepresentationWrapper(gymnasium.vector.VectorWrapper):
    """A vector environment whose observations are replaced; a base for the wrappers of this module.

    Args:
        env: a `GridariumVectorEnv`, or wrappers around one that leave its observations as they are.
        change: what is done to the composed world that writes the observations.
        form: what becomes of its arrays.

    Raises:
        TypeError: the environment is not one of Gridarium's.
        ValueError: a wrapper between has changed the observations, or the world shows nothing of this kind.
    """

    def __init__(
        self, env: Envs, change: state_observer.Change, form: state_observer.Form | None = None
    ) -> None:
        inner = getattr(env, "unwrapped", env)
        if not isinstance(inner, GridariumVectorEnv):
            raise TypeError(f"{type(self).__name__} wraps Gridarium's worlds, not {inner!r}")
        self._batch, self._same_step = inner.batch, inner.autoreset_mode is AutoresetMode.SAME_STEP
        self.observer = state_observer.observer_over(env, RepresentationWrapper, change, form)
        self._again = Batch(inner.batch.composed, inner.num_envs, autoreset=Autoreset.DISABLED)
        super().__init__(env)  # last: Gymnasium 1.2 closes what is deleted, if it has an environment
        self.single_observation_space = self.observer.space
        self.observation_space = batch_space(self.single_observation_space, inner.num_envs)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> Any:
        """As that of the environment, its observations replaced."""
        _, infos = self.env.reset(seed=seed, options=options)
        return self.observer.look(self._worlds), infos

    def step(self, actions: Any) -> Any:
        """As that of the environment, its observations replaced, those in `infos["final_obs"]` too."""
        if self._same_step:
            self._again.restore(self._worlds)
            if self._batch.memory.per_world_params:
                self._again.use_params(*(self._batch.memory.params.copy() for _ in range(2)))
        _, *result, infos = self.env.step(actions)
        if self._same_step and "final_obs" in infos:
            infos = {**infos, "final_obs": self._finals(infos["_final_obs"])}
        return self.observer.look(self._worlds), *result, infos

    def _finals(self, ended: Any) -> Any:
        """Observations at the ends of episodes: of the worlds stepped once more, without the next episodes."""
        self._again.step(self._batch.memory.requested_actions)
        seen = self.observer.look(Snapshot(*self._again.memory.arrays()))
        finals = np.full(len(ended), None, object)
        for i in np.flatnonzero(ended):
            finals[i] = (
                {name: array[i].copy() for name, array in seen.items()}
                if isinstance(seen, dict)
                else seen[i].copy()
            )
        return finals

    @property
    def _worlds(self) -> Snapshot:
        """The worlds as they are, not copied."""
        return Snapshot(*self._batch.memory.arrays())

    def close(self, **kwargs: Any) -> None:
        """End the threads, and close the environment."""
        self.observer.close()
        self._again.close()
        super().close(**kwargs)


class OneHotObservation(RepresentationWrapper):
    """As the wrapper of a single environment: `grid` uint8[num_envs, height, width, channels] and so on."""

    def __init__(self, env: Envs) -> None:
        super().__init__(env, state_observer.one_hot, state_observer.untouched)


class FlatObservation(RepresentationWrapper):
    """As the wrapper of a single environment: float32[num_envs, n]."""

    def __init__(self, env: Envs) -> None:
        super().__init__(env, state_observer.numbers, state_observer.flat)


class RGBImageObservation(RepresentationWrapper):
    """As the wrapper of a single environment: uint8[num_envs, height * tile, width * tile, 3]."""

    def __init__(self, env: Envs, *, tile: int = 8) -> None:
        super().__init__(env, state_observer.pixels(tile), state_observer.image)


class FullObservation(RepresentationWrapper):
    """As the wrapper of a single environment."""

    def __init__(self, env: Envs) -> None:
        super().__init__(env, state_observer.whole)


class PartialObservation(RepresentationWrapper):
    """As the wrapper of a single environment."""

    def __init__(
        self, env: Envs, area: Area = state_observer.SEVEN_BY_SEVEN, rule: str = "partially_occluded"
    ) -> None:
        super().__init__(env, state_observer.seen_by(rule, area))
