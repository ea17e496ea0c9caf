"""A batch of worlds as a Gymnasium vector environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from gridarium.engine import Autoreset, Batch, StepResult
from gridarium.engine.arguments import check_count
from gridarium.engine.observe.representation import Observe
from gridarium.engine.seeds import Seeds
from gridarium.env.action_parts import ActionParts
from gridarium.env.arguments import (
    RENDER_MODES,
    RESET_OPTIONS,
    WorldLike,
    check_one_agent,
    check_rendering,
    check_reset_options,
    compose,
    merge_parameters,
    open_world,
)
from gridarium.env.human import HumanView
from gridarium.env.rendering import Rendered, rendered
from gridarium.env.spaces import action_space, observation_space
from gridarium.world.state import State
from gridarium.worlds.missions import depends_on_state

Observations = dict[str, npt.NDArray[Any]]
MODES = {mode: Autoreset[mode.name] for mode in AutoresetMode}


class GridariumVectorEnv(gymnasium.vector.VectorEnv[Observations, npt.NDArray[Any], npt.NDArray[Any]]):
    """Many worlds of one kind, each with one agent, stepped in one call.

    Args:
        world: as for `GridariumEnv`.
        num_envs: how many worlds.
        render_mode: None, "ansi", "rgb_array" or "human" (one window with the worlds side by side).
        autoreset_mode: when an ended world begins its next episode: an `AutoresetMode` or its value. In the mode
            DISABLED, `reset(options={"reset_mask": terminated | truncated})` begins them.
        observe, representation, action_parts, compiled, shared, tile, allow_imports, parameters: as for `GridariumEnv`.
        max_episode_steps: the most steps of an episode, in the place of the world's own limit.
        threads: how many threads step the batch; None for one per processor where the batch is large enough.
        render_worlds: how many worlds, from the first on, are rendered.

    Raises:
        ValueError: no such world, mode, word or parameter, a wrong description, several agents, or a number below 1.
        TypeError: not a world, or not a whole number where one is needed.

    Episodes are the same as those of as many single environments with the same seeds, whatever the number of threads.
    `infos` holds `tick` and `result`, int64[num_envs], and `mission`, object[num_envs], as in `GridariumEnv`, with their masks; where episodes
    have ended also `outcome`, float64[num_envs], in worlds with an outcome rule; in the mode SAME_STEP
    also `final_obs` and `final_info` of the worlds whose episode has ended.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 8}

    def __init__(
        self,
        world: WorldLike,
        num_envs: int = 1,
        render_mode: str | None = None,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        observe: Observe = "observation",
        representation: str | Mapping[str, Any] | None = None,
        max_episode_steps: int | None = None,
        action_parts: bool = False,
        threads: int | None = None,
        compiled: bool = True,
        shared: bool = False,
        tile: int = 32,
        render_worlds: int = 1,
        allow_imports: bool = False,
        **parameters: Any,
    ) -> None:
        self.closed = True  # until it is built: Gymnasium 1.2 closes what is deleted, built or not
        check_rendering(render_mode, tile)
        check_count("num_envs", num_envs)
        check_count("render_worlds", render_worlds)
        self.world = open_world(
            world,
            parameters=merge_parameters(parameters, representation, ("max_episode_steps", max_episode_steps)),
            compiled=compiled,
            allow_imports=allow_imports,
        )
        check_one_agent(self.world, world, "step a batch of it, as World({}).batch(n) makes one")
        composed = compose(self.world, observe)
        mode = _mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self.render_mode, self.tile, self.render_worlds = render_mode, tile, render_worlds
        self.num_envs, self.autoreset_mode = num_envs, mode
        self.batch = Batch(composed, num_envs, autoreset=MODES[mode], threads=threads, shared=shared)
        self.single_observation_space = observation_space(composed.outputs)
        self.action_parts = ActionParts(self.world.actions) if action_parts else None
        self.single_action_space = action_space(composed, self.action_parts)
        self._human = self._window() if render_mode == "human" else None
        mission = self.world.spec.description.mission
        self._has_mission, self._mission_changes = bool(mission), depends_on_state(mission)
        self._missions = np.full(num_envs, mission or None, object)
        self._missions.flags.writeable = False
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.closed = False

    def reset(
        self,
        *,
        seed: Seeds = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin new episodes.

        Args:
            seed: world i gets seed + i; or one for each; None goes on with each world's next episode.
            options: `reset_mask`, bool[num_envs], says which worlds; all without it. The others go on. `state`, a `State`
                for all of these or a list of one for each of the num_envs worlds, and `parameters` as for `GridariumEnv`.

        Raises:
            ValueError: another option, a wrong number of seeds or states, a mask of another shape or without a True, a state
                of another kind of world, or parameters that cannot be set.
            TypeError: a mask that is not a boolean array, options or parameters that are not mappings, or not a state.
            StaleProgramError: what compiled rules read has changed since they were compiled (see `Batch.reset`).
        """
        self._check_open()
        super().reset(seed=seed if isinstance(seed, int) else None)
        given = check_reset_options(options, ("reset_mask", *RESET_OPTIONS))
        mask = given.pop("reset_mask", None)
        chosen = np.ones(self.num_envs, np.bool_) if mask is None else self._checked(mask)
        try:
            observations = self.batch.reset(seed, None if mask is None else chosen, **given)
        finally:
            self._note_missions(chosen)
        if self._human is not None:
            self._human.began(self._shown_states(), chosen[: self._shown])
        zeros = np.zeros(self.num_envs, np.int64)
        return observations, self._info(zeros, zeros.copy(), chosen)

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        Observations,
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Step every world by one tick.

        Args:
            actions: int[num_envs], or int[num_envs, parts] where the environment takes parts.

        Returns:
            observations, rewards, terminations, truncations, infos: fresh arrays unless `shared`.

        Raises:
            ValueError: wrong shape, or an action out of range; no world has been stepped then.
            TypeError: actions that are not whole numbers.
            RuntimeError: before the first reset, or (mode DISABLED) where a world's episode is over: as Gymnasium's own
                vector environments, this one has to be reset first. (In a `Batch` such worlds wait.)
            Exception: what a rule raises, with world, tick and rule; the other worlds have been stepped.
        """
        self._check_open()
        if self.autoreset_mode is AutoresetMode.DISABLED and self.batch.ended.any():
            over = np.flatnonzero(self.batch.ended).tolist()
            raise RuntimeError(
                f"the episodes of worlds {over[:8]} are over: reset them before stepping the others"
            )
        if self.action_parts is not None:
            actions = self.action_parts.index(actions)
        try:
            done = self.batch.step(actions)
        except BaseException:
            self._note_missions(self.batch.ticks == 0)  # of worlds in which no rule raised
            raise
        if self._human is not None:
            parts = (
                done.ticks,
                np.asarray(actions),
                done.rewards,
                done.results,
                done.terminated | done.truncated,
                np.full(self.num_envs, np.nan) if done.outcomes is None else done.outcomes,
            )
            self._human.stepped(self._shown_states(), *(part[: self._shown] for part in parts))
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            ended = done.terminated | done.truncated
            if ended.any():
                infos = self._with_finals(done, ended)
                return done.observations, done.rewards, done.terminated, done.truncated, infos
        elif self._mission_changes:
            self._note_missions(done.ticks == 0)
        infos = self._info(done.ticks, done.results)
        _add_outcomes(infos, done)
        return done.observations, done.rewards, done.terminated, done.truncated, infos

    @property
    def missions(self) -> npt.NDArray[np.object_]:
        """object[num_envs]: the missions of the current episodes, in words; None in worlds without one."""
        return self._missions

    def _note_missions(self, begun: npt.NDArray[np.bool_]) -> None:
        """Put the goals of worlds that have begun an episode into words; infos go on holding the array of before."""
        if self._mission_changes and begun.any():
            self._missions = self._missions.copy()
            for i in np.flatnonzero(begun & (self.batch.episodes >= 0)).tolist():
                self._missions[i] = self.world.mission(self.batch.memory.view(i))
            self._missions.flags.writeable = False

    def _info(self, ticks: Any, results: Any, mask: npt.NDArray[np.bool_] | None = None) -> dict[str, Any]:
        """Infos of the worlds of a mask, or of all."""
        given = np.ones(self.num_envs, np.bool_) if mask is None else mask
        info = {"tick": ticks, "_tick": given, "result": results, "_result": given.copy()}
        if (masks := self.batch.masks) is not None:
            info["action_mask"], info["_action_mask"] = masks.astype(np.int8), given.copy()
        if self._has_mission:
            missions = self._missions
            if mask is not None and not mask.all():
                missions = missions.copy()
                missions[~mask] = None
            info["mission"], info["_mission"] = missions, given.copy()
        return info

    def _with_finals(self, done: StepResult, ended: npt.NDArray[np.bool_]) -> dict[str, Any]:
        """Infos where some worlds have ended and begun again: the last of the old episode, the first of the new."""
        assert done.final_observations is not None
        finals = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended):
            finals[i] = {name: array[i].copy() for name, array in done.final_observations.items()}
        ticks, results = (np.where(ended, numbers, 0) for numbers in (done.ticks, done.results))
        last = self._info(ticks, results, ended.copy())
        if "action_mask" in last:  # no step takes any of them
            last["action_mask"][ended] = self.batch.composed.action_table[0] >= 0
        _add_outcomes(last, done)
        self._note_missions(ended)
        ticks, results = (np.where(ended, 0, numbers) for numbers in (done.ticks, done.results))
        first = self._info(ticks, results)
        return {
            "final_obs": finals,
            "_final_obs": ended,
            "final_info": last,
            "_final_info": ended.copy(),
            **first,
        }

    def render(self) -> tuple[Rendered, ...] | None:
        """Texts or pictures of the first `render_worlds` worlds, by `render_mode`; None without one, and for "human"."""
        if self.render_mode is None:
            return None
        if self._human is not None:
            self._human.refresh(self._shown_states())
            return None
        return tuple(rendered(self.world, s, self.render_mode, self.tile) for s in self._shown_states())

    def _window(self) -> HumanView:
        names = ("agent",) if self._shown == 1 else tuple(f"world {i}" for i in range(self._shown))
        return HumanView(self.world, names, self.tile, self.metadata["render_fps"])

    @property
    def _shown(self) -> int:
        """The number of rendered worlds."""
        return min(self.render_worlds, self.num_envs)

    def _shown_states(self) -> list[State]:
        return [self.batch.state(i) for i in range(self._shown)]

    def close_extras(self, **kwargs: Any) -> None:
        """Close the window, if there is one, and end the batch's threads."""
        if self._human is not None:
            self._human.close()
        self.batch.close()

    def _check_open(self) -> None:
        if self.closed:
            raise gymnasium.error.ClosedEnvironmentError("the environment is closed")

    def _checked(self, mask: Any) -> npt.NDArray[np.bool_]:
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f"reset_mask is an array of truth values, not {mask!r}")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(
                f"reset_mask is bool[{self.num_envs}] with at least one True, got {mask.tolist()}"
            )
        return mask.copy()


def _add_outcomes(infos: dict[str, Any], done: StepResult) -> None:
    """Add the outcomes of episodes that have ended, in worlds with an outcome rule; 0 elsewhere, as Gymnasium does."""
    if done.outcomes is not None and (ended := done.ended).any():
        infos["outcome"], infos["_outcome"] = np.where(ended, done.outcomes, 0.0), ended


def _mode(given: Any) -> AutoresetMode:
    """An autoreset mode, which may be given by its value.

    Raises:
        ValueError: no such mode.
    """
    try:
        return AutoresetMode(given)
    except ValueError:
        values = ", ".join(f'AutoresetMode.{mode.name} or "{mode.value}"' for mode in AutoresetMode)
        raise ValueError(f"autoreset_mode is one of {values}; got {given!r}") from None
