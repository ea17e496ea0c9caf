"""The wrappers of `gridarium.env.wrappers` for vector environments: each world's observation is that of the single one."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from gridarium.engine.final_step import FinalStep
from gridarium.engine.threads.memory import Snapshot
from gridarium.env.spaces import mission_space
from gridarium.env.vector_env import GridariumVectorEnv
from gridarium.env.wrappers import state_observer
from gridarium.world import Area

__all__ = [
    "FlatObservation",
    "FullObservation",
    "MissionObservation",
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
        self._batch, same_step = inner.batch, inner.autoreset_mode is AutoresetMode.SAME_STEP
        self.observer = state_observer.observer_over(env, RepresentationWrapper, change, form)
        self._final_step = FinalStep(inner.batch, range(inner.num_envs)) if same_step else None
        super().__init__(env)  # last: Gymnasium 1.2 closes what is deleted, if it has an environment
        self.single_observation_space = self.observer.space
        self.observation_space = batch_space(self.single_observation_space, inner.num_envs)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> Any:
        """As that of the environment, its observations replaced."""
        _, infos = self.env.reset(seed=seed, options=options)
        return self.observer.look(self._worlds), infos

    def step(self, actions: Any) -> Any:
        """As that of the environment, its observations replaced, those in `infos["final_obs"]` too."""
        if self._final_step is not None:
            self._final_step.before_step()
        _, *result, infos = self.env.step(actions)
        if self._final_step is not None and "final_obs" in infos:
            seen = self.observer.look(Snapshot(*self._final_step.repeat().memory.arrays()))
            infos = {**infos, "final_obs": _finals(seen, infos["_final_obs"])}
        return self.observer.look(self._worlds), *result, infos

    @property
    def _worlds(self) -> Snapshot:
        """The worlds as they are, not copied."""
        return Snapshot(*self._batch.memory.arrays())

    def close(self, **kwargs: Any) -> None:
        """End the threads, and close the environment."""
        self.observer.close()
        if self._final_step is not None:
            self._final_step.close()
        super().close(**kwargs)


def _finals(seen: Any, ended: Any) -> Any:
    """The observations of the worlds that have ended, as Gymnasium gives them in `final_obs`."""
    finals = np.full(len(ended), None, object)
    for i in np.flatnonzero(ended):
        finals[i] = (
            {name: array[i].copy() for name, array in seen.items()}
            if isinstance(seen, dict)
            else seen[i].copy()
        )
    return finals


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


class MissionObservation(gymnasium.vector.VectorWrapper):
    """The missions among the arrays: `mission`, a tuple of num_envs texts, as of the wrapper of a single environment.

    Args:
        env: a `GridariumVectorEnv` of a world with a mission, or wrappers around one whose observation is a dictionary.

    Raises:
        TypeError: the environment is not one of Gridarium's, or its observation is not a dictionary.
        ValueError: the world has no mission.
    """

    def __init__(self, env: Envs) -> None:
        inner, arrays = getattr(env, "unwrapped", env), getattr(env, "single_observation_space", None)
        if not isinstance(inner, GridariumVectorEnv) or not isinstance(arrays, spaces.Dict):
            raise TypeError(
                f"MissionObservation wraps Gridarium's worlds that give a dictionary, not {env!r}"
            )
        self._inner, text = inner, mission_space(inner.world)
        super().__init__(env)
        self.single_observation_space = spaces.Dict({**arrays.spaces, "mission": text})
        self.observation_space = batch_space(self.single_observation_space, inner.num_envs)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> Any:
        """As that of the environment."""
        observations, infos = self.env.reset(seed=seed, options=options)
        return self._with_missions(observations), infos

    def step(self, actions: Any) -> Any:
        """As that of the environment, with the missions of what has ended in `infos["final_obs"]` too."""
        observations, *result, infos = self.env.step(actions)
        if "final_obs" in infos:
            finals, missions = infos["final_obs"].copy(), infos["final_info"]["mission"]
            for i in np.flatnonzero(infos["_final_obs"]):
                finals[i] = {**finals[i], "mission": missions[i]}
            infos = {**infos, "final_obs": finals}
        return self._with_missions(observations), *result, infos

    def _with_missions(self, observations: dict[str, Any]) -> dict[str, Any]:
        return {**observations, "mission": tuple(self._inner.missions)}
