"""The wrappers of `gridarium.env.wrappers` for vector environments: each world's observation is that of the single one."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from gridarium.engine.memory import Snapshot
from gridarium.env.vector_env import GridariumVectorEnv
from gridarium.env.wrappers import lens
from gridarium.world import Area

__all__ = [
    "FlatObservation",
    "FullObservation",
    "OneHotObservation",
    "PartialObservation",
    "RGBImageObservation",
]

Envs = gymnasium.vector.VectorEnv[Any, Any, Any]


class Observing(gymnasium.vector.VectorWrapper):
    """A vector environment whose observations are looked up anew; a base for the wrappers of this module.

    Args:
        env: a `GridariumVectorEnv`, or wrappers around one that leave its observations as they are.
        change: what is done to the machine that shows the worlds.
        form: what becomes of its arrays.

    Raises:
        TypeError: the environment is none of Gridarium's.
        ValueError: a wrapper between has changed the observations, or the world shows nothing of this kind.
    """

    def __init__(self, env: Envs, change: lens.Change, form: lens.Form | None = None) -> None:
        inner = getattr(env, "unwrapped", env)
        if not isinstance(inner, GridariumVectorEnv):
            raise TypeError(f"{type(self).__name__} wraps Gridarium's worlds, not {inner!r}")
        self._batch, self._same_step = inner.batch, inner.autoreset_mode is AutoresetMode.SAME_STEP
        self.lens = lens.lens_over(env, Observing, change, form)
        super().__init__(env)  # last: Gymnasium 1.2 closes what is deleted, if it has an environment
        self.single_observation_space = self.lens.space
        self.observation_space = batch_space(self.single_observation_space, inner.num_envs)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> Any:
        """As that of the environment, its observations replaced."""
        _, infos = self.env.reset(seed=seed, options=options)
        return self.lens.look(self._worlds), infos

    def step(self, actions: Any) -> Any:
        """As that of the environment, its observations replaced, those in `infos["final_obs"]` too."""
        before = self._batch.snapshot() if self._same_step else None
        _, *result, infos = self.env.step(actions)
        if before is not None and "final_obs" in infos:
            infos = {**infos, "final_obs": self._finals(before, infos["_final_obs"])}
        return self.lens.look(self._worlds), *result, infos

    def _finals(self, before: Snapshot, ended: Any) -> Any:
        seen = self.lens.look_after(before, self._batch.memory.asked)
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
        self.lens.close()
        super().close(**kwargs)


class OneHotObservation(Observing):
    """As the wrapper of a single environment: `grid` uint8[num_envs, height, width, channels] and so on."""

    def __init__(self, env: Envs) -> None:
        super().__init__(env, lens.one_hot, lens.untouched)


class FlatObservation(Observing):
    """As the wrapper of a single environment: float32[num_envs, n]."""

    def __init__(self, env: Envs) -> None:
        super().__init__(env, lens.numbers, lens.flat)


class RGBImageObservation(Observing):
    """As the wrapper of a single environment: uint8[num_envs, height * tile, width * tile, 3]."""

    def __init__(self, env: Envs, *, tile: int = 8) -> None:
        super().__init__(env, lens.pixels(tile), lens.image)


class FullObservation(Observing):
    """As the wrapper of a single environment."""

    def __init__(self, env: Envs) -> None:
        super().__init__(env, lens.whole)


class PartialObservation(Observing):
    """As the wrapper of a single environment."""

    def __init__(self, env: Envs, area: Area = lens.SEVEN_BY_SEVEN, rule: str = "partially_occluded") -> None:
        super().__init__(env, lens.seen_by(rule, area))
