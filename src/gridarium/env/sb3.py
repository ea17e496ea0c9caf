"""A batch of worlds as a Stable-Baselines3 vector environment. Needs the extra `gridarium[sb3]`.

Stable-Baselines3 has a vector interface of its own and cannot take a Gymnasium one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from gridarium.engine import Autoreset, Batch
from gridarium.engine.arguments import check_count
from gridarium.env.arguments import WorldLike, check_one_agent, check_rendering, merge_parameters, open_world
from gridarium.env.rendering import rendered
from gridarium.env.spaces import action_space, observation_space
from gridarium.world import State
from gridarium.worlds.entries.entry_types import WITHOUT_CELLS

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError:  # pragma: no cover
    raise ImportError("this adapter needs Stable-Baselines3; install gridarium[sb3]") from None

View = Literal["flat", "channels", "dict"]
Arrays = dict[str, npt.NDArray[Any]]
Views = Arrays | npt.NDArray[Any]
"""A dictionary of arrays for the view "dict", else one array."""
Indices = int | Iterable[int] | None
FURTHER = ("fields", "sensors")
"""Arrays of a representation besides cells and the agent."""


class GridariumVecEnv(VecEnv):
    """Many worlds of one kind, each with one agent, or with several that share a policy, for Stable-Baselines3.

    Args:
        world: as for `gridarium.env.GridariumEnv`.
        num_envs: how many worlds.
        shared_policy: whether the worlds have several agents, which share the policy that is learned: each agent of each
            world counts as an environment, so there are `num_envs` times as many as a world has agents. Their episodes end
            together.
        view: what policies get. "flat": kinds, statuses, colors and the agent one-hot, uint8[n], for `MlpPolicy`;
            "channels": the same as uint8[channels, height, width], what is held as constant channels, for a features
            extractor of your own; "dict": the world's own arrays, for `MultiInputPolicy`. The raw numbers of the last
            are labels, not quantities, and networks learn badly from them. Declared fields and sensors that the world's
            representation shows come last in all views; the first two are float32 then. A world that shows its sensors
            only has no "channels".
        representation: of the "dict" view, in the place of the world's own.
        max_episode_steps: the most steps of an episode, in the place of the world's own limit.
        threads: how many threads step the batch; None for one per processor where the batch is large enough.
        render_mode: None or "rgb_array".
        compiled, tile, allow_imports, parameters: as for `gridarium.env.GridariumEnv`.

    Raises:
        ValueError: no such world, word or parameter, a wrong description, several agents that share no policy, or that
            take turns.

    The infos of worlds whose episode has ended have `terminal_observation` and `TimeLimit.truncated`; those of others
    are empty.

    MaskablePPO of sb3-contrib finds legal actions by `action_masks`, also through wrappers such as `VecMonitor`.
    """

    def __init__(
        self,
        world: WorldLike,
        num_envs: int = 8,
        *,
        shared_policy: bool = False,
        view: View = "flat",
        representation: str | Mapping[str, Any] | None = None,
        max_episode_steps: int | None = None,
        threads: int | None = None,
        render_mode: str | None = None,
        compiled: bool = True,
        tile: int = 32,
        allow_imports: bool = False,
        **parameters: Any,
    ) -> None:
        check_rendering(render_mode, tile, ("ansi", "rgb_array"))
        check_count("num_envs", num_envs)
        if view not in ("flat", "channels", "dict"):
            raise ValueError(f"view is 'flat', 'channels' or 'dict', not {view!r}")
        if view != "dict" and representation is not None:
            raise ValueError(f"the view {view!r} has a representation of its own; use view='dict'")
        options: Any = {"compiled": compiled, "allow_imports": allow_imports}
        changes = merge_parameters(parameters, representation, ("max_episode_steps", max_episode_steps))
        self.world = open_world(world, parameters=changes, **options)
        own = self.world.spec.representation
        if own.name in WITHOUT_CELLS and view == "channels":
            raise ValueError(f"{self.world.name} shows no cells; use view='flat' or 'dict'")
        if own.name not in WITHOUT_CELLS and view != "dict":
            also = {"fields": list(own.fields), "sensors": own.shows_sensors}
            shown = {"representation": {"name": "symbolic", **also}}
            self.world = open_world(self.world, parameters=shown, **options)
        self.agents = self.world.spec.agents
        if not shared_policy:
            check_one_agent(
                self.world, world, "use gridarium.env.parallel_env({}), or shared_policy=True for one policy"
            )
        elif self.world.spec.turn_order != "all":
            raise ValueError(
                f"{self.world.name} has agents that take turns; shared_policy is for all at once"
            )
        self.view, self.tile, self.render_mode = view, tile, render_mode
        self.batch = Batch(self.world.composed, num_envs, autoreset=Autoreset.SAME_STEP, threads=threads)
        self._chosen: npt.NDArray[Any] = np.zeros(num_envs * self.agents, np.int64)
        super().__init__(num_envs * self.agents, self._space(), action_space(self.world.composed))

    def _space(self) -> spaces.Space[Any]:
        space = observation_space(self.world.composed.outputs)
        if self.view == "dict":
            return space
        low, high = (
            self._viewed({name: getattr(space[name], side)[None] for name in space.spaces})[0]
            for side in ("low", "high")
        )
        return spaces.Box(low, high, dtype=low.dtype)

    def _viewed(self, arrays: Arrays) -> Any:
        if self.view == "dict":
            return arrays
        further = [*FURTHER, *(array.name for array in self.world.spec.observations)]
        given = [arrays[name] for name in further if name in arrays]
        numbers = [array.reshape(len(array), -1).astype(np.float32) for array in given]
        if "grid" not in arrays:
            return np.concatenate(numbers, axis=1)
        grid, rest = arrays["grid"], np.concatenate([arrays["item"], *numbers], axis=1)
        if self.view == "flat":
            return np.concatenate([grid.reshape(len(grid), -1), rest], axis=1)
        planes = np.broadcast_to(rest[:, :, None, None], (*rest.shape, *grid.shape[1:3]))
        return np.concatenate([grid.transpose(0, 3, 1, 2), planes], axis=1)

    def _rows(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """An array of worlds and agents with a row for each agent of each world."""
        return array if self.agents == 1 else array.reshape(-1, *array.shape[2:])

    def _observed(self, arrays: Arrays) -> Any:
        return self._viewed({name: self._rows(array) for name, array in arrays.items()})

    def reset(self) -> Views:
        """Begin an episode in every world, with the seeds given to `seed` before, and return the observations.

        Raises:
            ValueError: options were set, which these worlds do not take.
        """
        if any(self._options):
            raise ValueError(
                "set_options: these worlds take none; parameters are set by batch.set_parameters"
            )
        seeds = self._seeds[:: self.agents]
        seeded = any(seed is not None for seed in seeds)
        observations: Views = self._observed(self.batch.reset(seeds if seeded else None))
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Note the actions for `step_wait`."""
        self._chosen = actions

    def step_wait(
        self,
    ) -> tuple[Views, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Step every world: observations, rewards, whether the episode has ended, infos.

        Where it has, the observation is the first of the next episode.
        """
        chosen = self._chosen if self.agents == 1 else np.asarray(self._chosen).reshape(-1, self.agents)
        done = self.batch.step(chosen)
        ended = np.repeat(done.ended, self.agents)
        cut_off = np.repeat(~done.terminated.reshape(len(done.ticks), -1).any(axis=1), self.agents)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        worlds = np.flatnonzero(ended)
        if len(worlds):
            assert done.final_observations is not None
            kept = {name: self._rows(array)[worlds] for name, array in done.final_observations.items()}
            finals = self._viewed(kept)
            for k, i in enumerate(worlds.tolist()):
                last = (
                    {name: array[k] for name, array in finals.items()} if self.view == "dict" else finals[k]
                )
                infos[i] = {"terminal_observation": last, "TimeLimit.truncated": bool(cut_off[i])}
                if done.outcomes is not None:
                    infos[i]["outcome"] = float(self._rows(done.outcomes)[i])
        return self._observed(done.observations), self._rows(done.rewards).astype(np.float32), ended, infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """bool[num_envs, actions]: which actions are legal now for each agent, for MaskablePPO of sb3-contrib."""
        masks = self.batch.masks
        if masks is not None:
            return self._rows(masks)
        return np.tile(np.array(self.world.spec.action_masks, np.bool_), (self.batch.n, 1))

    def policy(self, model: Any, *, deterministic: bool = True) -> Callable[..., int]:
        """A model that was trained on this view, as a policy in `self.world`, which shows what the view is made of.

            gridarium.agents.evaluate(env.world, env.policy(model), episodes=200)

        Args:
            model: what `predict(observations, deterministic=)` gives actions for, as Stable-Baselines3's algorithms do.
                If the world has legal rules, a `predict` with the parameter `action_masks` is given which actions are
                legal, as that of MaskablePPO.
            deterministic: the likeliest actions rather than drawn ones. An agent that does not see the whole state may
                then repeat the same actions until the time limit.
        """

        def predicted(observation: Arrays, **masks: Any) -> int:
            seen = self._viewed({name: array[None] for name, array in observation.items()})
            return int(model.predict(seen, deterministic=deterministic, **masks)[0][0])

        def trained(observation: Arrays) -> int:
            return predicted(observation)

        def trained_with_masks(observation: Arrays, state: State, agent: int) -> int:
            legal = np.zeros((1, len(self.world.actions)), np.bool_)
            legal[0, self.world.legal_actions(state, agent)] = True
            return predicted(observation, action_masks=legal)

        masked = self.world.spec.has_masks and "action_masks" in inspect.signature(model.predict).parameters
        return trained_with_masks if masked else trained

    def close(self) -> None:
        """End the batch's threads."""
        self.batch.close()

    def get_images(self) -> list[npt.NDArray[np.uint8] | None]:
        """A picture of each world."""
        states = (self.batch.state(i // self.agents) for i in range(self.num_envs))
        return [rendered(self.world, state, "rgb_array", self.tile) for state in states]

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """An attribute of this object, once for each world: the worlds of a batch share everything but their states."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Not possible: the worlds of a batch have no attributes of their own."""
        raise AttributeError(f"the worlds of a batch have no attributes of their own, {attr_name!r} neither")

    def env_method(self, method_name: str, *args: Any, indices: Indices = None, **named: Any) -> list[Any]:
        """Row i of `action_masks` for each environment; the worlds of a batch have no other methods."""
        if method_name == "action_masks":
            masks = self.action_masks()
            return [masks[i] for i in self._get_indices(indices)]
        raise AttributeError(f"the worlds of a batch have no methods of their own, {method_name!r} neither")

    def env_is_wrapped(self, wrapper_class: Any, indices: Indices = None) -> list[bool]:
        """False for each: single worlds of a batch cannot be wrapped."""
        return [False for _ in self._get_indices(indices)]
