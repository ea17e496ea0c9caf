"""The wrappers of `gridarium.env.wrappers` for vector environments.

They take the same arguments. The observation of each world is that of a single environment; arrays have the worlds as
their first axis.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from gridarium.engine.final_step import FinalStep
from gridarium.engine.threads.memory import Snapshot
from gridarium.env import wrappers
from gridarium.env.spaces import mission_space
from gridarium.env.vector_env import GridariumVectorEnv
from gridarium.env.wrappers import state_observer

__all__ = [
    "FlatObservation",
    "FullObservation",
    "MissionObservation",
    "OneHotObservation",
    "PartialObservation",
    "RGBImageObservation",
]

Env = gymnasium.Env[Any, Any]
VectorEnv = gymnasium.vector.VectorEnv[Any, Any, Any]
Arguments = ParamSpec("Arguments")


class VectorRepresentationWrapper(gymnasium.vector.VectorWrapper):
    """A vector environment whose observations are replaced; the base of the wrappers of this module.

    Raises:
        TypeError: the environment is not one of Gridarium's.
        ValueError: a wrapper in between has changed the observations, or the world has no observation of this kind.
    """

    def _observe(
        self,
        env: VectorEnv,
        change: state_observer.Change,
        form: state_observer.Form | None = None,
        **_: Any,
    ) -> None:
        """As that of `gridarium.env.wrappers.RepresentationWrapper`."""
        inner = getattr(env, "unwrapped", env)
        if not isinstance(inner, GridariumVectorEnv):
            raise TypeError(
                f"{type(self).__name__} wraps many of Gridarium's worlds, a GridariumVectorEnv, not {inner!r}; "
                "that of gridarium.env.wrappers wraps one"
            )
        self._batch, same_step = inner.batch, inner.autoreset_mode is AutoresetMode.SAME_STEP
        self.observer = state_observer.observer_over(env, VectorRepresentationWrapper, change, form)
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


def _vectorized(
    single: Callable[Concatenate[Env, Arguments], wrappers.RepresentationWrapper],
) -> Callable[Concatenate[VectorEnv, Arguments], VectorRepresentationWrapper]:
    """The wrapper of vector environments with the name, the arguments and the constructor of one of single environments."""
    assert isinstance(single, type)
    members = {"__init__": single.__init__, "__doc__": single.__doc__, "__module__": __name__}  # type: ignore[misc]
    return type(single.__name__, (VectorRepresentationWrapper,), members)


OneHotObservation = _vectorized(wrappers.OneHotObservation)
FlatObservation = _vectorized(wrappers.FlatObservation)
RGBImageObservation = _vectorized(wrappers.RGBImageObservation)
FullObservation = _vectorized(wrappers.FullObservation)
PartialObservation = _vectorized(wrappers.PartialObservation)


class MissionObservation(gymnasium.vector.VectorWrapper):
    """The missions among the arrays: `mission`, a tuple of num_envs texts, as of the wrapper of a single environment.

    Args:
        env: a `GridariumVectorEnv` of a world with a mission, or wrappers around one whose observation is a dictionary.

    Raises:
        TypeError: the environment is not one of Gridarium's, or its observation is not a dictionary.
        ValueError: the world has no mission.
    """

    def __init__(self, env: VectorEnv) -> None:
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
