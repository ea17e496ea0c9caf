"""Observation wrappers: a world's observations in another form, after the conventions of Gymnasium and MiniGrid.

Each looks at the wrapped environment's state through the world's program with another representation (see
`gridarium.worlds.json_schema()`), so that what it gives is what `gymnasium.make(..., representation=...)` gives, and a second
wrapper changes what the first one left: `FlatObservation(FullObservation(env))` is the whole state as a vector, in either
order. Looking again takes about as long as a step does; where that matters, name the representation when the environment is
made.

For vector environments the same names are in `gridarium.env.wrappers.vector`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsFloat

import gymnasium
from gymnasium import spaces

from gridarium.engine.threads.memory import Snapshot
from gridarium.env.gym_env import GridariumEnv
from gridarium.env.spaces import mission_space
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


class RepresentationWrapper(
    gymnasium.ObservationWrapper[Any, Any, Any], gymnasium.utils.RecordConstructorArgs
):
    """An environment whose observations are replaced; a base for the wrappers of this module.

    The constructor of a wrapper does nothing but call `_observe`, so that `vector.py` can use it as well.

    Raises:
        TypeError: the environment is not a Gridarium world.
        ValueError: a wrapper in between has changed the observations, or the world has no observation of this kind.
    """

    def _observe(
        self,
        env: gymnasium.Env[Any, Any],
        change: state_observer.Change,
        form: state_observer.Form | None = None,
        **given: Any,
    ) -> None:
        """Wrap an environment.

        Args:
            env: a `GridariumEnv`, or wrappers around one that leave its observations as they are.
            change: how the composed world that writes the arrays differs from the environment's.
            form: makes observations of its arrays.
            given: the wrapper's own arguments, for `env.spec`.
        """
        gymnasium.utils.RecordConstructorArgs.__init__(self, **given)
        super().__init__(env)
        if not isinstance(env.unwrapped, GridariumEnv):
            raise TypeError(
                f"{type(self).__name__} wraps one of Gridarium's worlds, a GridariumEnv, not {env.unwrapped!r}; "
                "that of gridarium.env.wrappers.vector wraps many"
            )
        self._world = env.unwrapped
        self.observer = state_observer.observer_over(env, RepresentationWrapper, change, form)
        self.observation_space = self.observer.space

    def observation(self, observation: Any) -> Any:
        """Observe the environment's current state; the given observation is ignored."""
        seen = self.observer.look(Snapshot(*self._world.batch.memory.arrays()))
        return {name: array[0] for name, array in seen.items()} if isinstance(seen, dict) else seen[0]


class OneHotObservation(RepresentationWrapper):
    """Kinds, statuses, colors and the agent one-hot: the representation "symbolic", a dictionary of arrays.

    `grid` uint8[height, width, channels] and `item` uint8[channels] of zeros and ones, with `fields` and `sensors` as float64
    vectors where the world's representation shows them, and `agent` float64[6] under `FullObservation`.

    Args:
        env: a `GridariumEnv`, or wrappers around one that leave its observations as they are.

    Raises:
        TypeError, ValueError: see `RepresentationWrapper`; a world that shows what its sensors say has no cells.
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        self._observe(env, state_observer.one_hot, state_observer.untouched)


class FlatObservation(RepresentationWrapper):
    """One vector, float32[n]: what `OneHotObservation` gives, array by array, or what a world's sensors say.

    `gymnasium.wrappers.FlattenObservation` flattens the numbers of kinds and colors as they are, which are labels and no
    quantities.

    Args:
        env: a `GridariumEnv`, or wrappers around one that leave its observations as they are.

    Raises:
        TypeError, ValueError: see `RepresentationWrapper`.
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        self._observe(env, state_observer.numbers, state_observer.flat)


class RGBImageObservation(RepresentationWrapper):
    """A picture of what the agent sees, uint8[height * tile, width * tile, 3]: the representation "rgb".

    Under `FullObservation` it shows the whole world.

    Args:
        env: a `GridariumEnv`, or wrappers around one that leave its observations as they are.
        tile: pixels of a cell's side.

    Raises:
        TypeError, ValueError: see `RepresentationWrapper`; a world that shows what its sensors say has no cells; no number of pixels.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], *, tile: int = 8) -> None:
        self._observe(env, state_observer.pixels(tile), state_observer.image, tile=tile)


class FullObservation(RepresentationWrapper):
    """The whole state instead of what the agent sees of it, as `GridariumEnv(..., observe="state")` shows it.

    The grid is not turned: `agent` float64[6] says where in it the agent is (row and column from -1 to 1) and where it faces
    (one-hot), and `fields` holds all declared numbers.

    Args:
        env: a `GridariumEnv`, or wrappers around one that leave its observations as they are.

    Raises:
        TypeError, ValueError: see `RepresentationWrapper`.
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        self._observe(env, state_observer.whole)


class PartialObservation(RepresentationWrapper):
    """The part of an area around the agent that it sees: for worlds that show everything, or another area.

    Args:
        env: a `GridariumEnv`, or wrappers around one that leave its observations as they are.
        area: the cells, relative to an agent at (0, 0) that faces up; [[ymin, ymax], [xmin, xmax]] will do.
        rule: the name of an observation rule that takes an area, such as "fully_transparent" or "raytracing".

    Raises:
        TypeError, ValueError: see `RepresentationWrapper`; no such rule, or an area that it does not take.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        area: Area | Sequence[Sequence[int]] = state_observer.SEVEN_BY_SEVEN,
        rule: str = "partially_occluded",
    ) -> None:
        self._observe(env, state_observer.seen_by(rule, area), area=area, rule=rule)


class MissionObservation(
    gymnasium.Wrapper[dict[str, Any], Any, dict[str, Any], Any], gymnasium.utils.RecordConstructorArgs
):
    """The mission as a text among the arrays, under `mission` as in MiniGrid; it comes last around an environment.

    Args:
        env: a `GridariumEnv` in a world with a mission, or wrappers around one whose observation is a dictionary.

    Raises:
        TypeError: the environment is not a Gridarium world, or its observation is not a dictionary.
        ValueError: the world has no mission.
    """

    def __init__(self, env: gymnasium.Env[dict[str, Any], Any]) -> None:
        gymnasium.utils.RecordConstructorArgs.__init__(self)
        super().__init__(env)
        if not isinstance(env.unwrapped, GridariumEnv) or not isinstance(env.observation_space, spaces.Dict):
            raise TypeError(
                f"MissionObservation wraps Gridarium's worlds that give a dictionary, not {env!r}"
            )
        text = mission_space(env.unwrapped.world)
        self.observation_space = spaces.Dict({**env.observation_space.spaces, "mission": text})

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """As that of the environment."""
        observation, info = self.env.reset(seed=seed, options=options)
        return {**observation, "mission": info["mission"]}, info

    def step(self, action: Any) -> tuple[dict[str, Any], SupportsFloat, bool, bool, dict[str, Any]]:
        """As that of the environment."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return {**observation, "mission": info["mission"]}, reward, terminated, truncated, info
