"""A world as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from gridarium.engine import Batch
from gridarium.engine.observe.representation import Observe
from gridarium.engine.single_world import SingleWorld
from gridarium.env.action_parts import ActionParts
from gridarium.env.arguments import (
    RENDER_MODES,
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

Observation = dict[str, npt.NDArray[Any]]


class GridariumEnv(gymnasium.Env[Observation, np.int64]):
    """One world with one agent.

    Args:
        world: the name of a catalogue world, a YAML file, a description as a mapping, a `Description`, `Spec` or
            `World`.
        render_mode: None, "ansi" (a text), "rgb_array" (uint8[height, width, 3], what is not seen darkened), or "human"
            (a window, drawn at each reset and step; needs gridarium[window]).
        observe: "observation" (what the agent sees), "state" (the whole state), or "both" (the state's arrays under
            `state.<name>`).
        representation: how these become arrays, in the place of the world's own: "default", "no-overlap", "compact",
            "symbolic", "planes", "rgb", "sensors", or a mapping such as {"name": "rgb", "tile": 8}.
        max_episode_steps: the most steps of an episode, in the place of the world's own limit.
        action_parts: whether an action is an array of its parts, `MultiDiscrete([actions, argument, ...])`, instead of an
            index; see `gridarium.env.action_parts.ActionParts`, which `env.unwrapped.action_parts` then is.
        compiled: False runs the rules as plain Python, for debugging.
        shared: return the same arrays at every step instead of fresh ones; read them before the next step.
        tile: pixels per cell in rendered pictures.
        allow_imports: whether a world's file may name your own modules (this runs their code).
        parameters: parts of the world's description to replace, as for `gridarium.World`: `shape=(7, 7)`, or
            `size=7` for a family of the catalogue.

    Raises:
        ValueError: no such world, word or parameter, a wrong description, several agents, or a wrong number of pixels.
        TypeError: not a world, or not a whole number where one is needed.

    The observation is a dictionary of arrays, see the world's representation; an action is an index into
    `env.unwrapped.world.actions`. `info` holds `tick`, how many steps the episode has taken, and `result`, the code of
    the action's result (see `gridarium.rules.results`); in worlds that have one, `mission` says in words what the goal is.
    At the end of an episode, in worlds with an outcome rule, it also holds `outcome`, what came of the episode (a float).
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 8}

    def __init__(
        self,
        world: WorldLike,
        render_mode: str | None = None,
        *,
        observe: Observe = "observation",
        representation: str | Mapping[str, Any] | None = None,
        max_episode_steps: int | None = None,
        action_parts: bool = False,
        compiled: bool = True,
        shared: bool = False,
        tile: int = 32,
        allow_imports: bool = False,
        **parameters: Any,
    ) -> None:
        check_rendering(render_mode, tile)
        self.world = open_world(
            world,
            parameters=merge_parameters(parameters, representation, ("max_episode_steps", max_episode_steps)),
            compiled=compiled,
            allow_imports=allow_imports,
        )
        check_one_agent(
            self.world,
            world,
            "a world for PettingZoo, made by gridarium.env.parallel_env({0}) or aec_env({0})",
        )
        self.render_mode, self.tile = render_mode, tile
        composed = compose(self.world, observe)
        self._single, self._mission = SingleWorld(composed, shared=shared), ""
        self._asks_outcome = self.world.spec.outcome is not None
        self.observation_space: Any = observation_space(composed.outputs)
        self.action_parts = ActionParts(self.world.actions) if action_parts else None
        self.action_space: Any = action_space(composed, self.action_parts)
        fps = self.metadata["render_fps"]
        self._human = HumanView(self.world, ("agent",), tile, fps) if render_mode == "human" else None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode: the one of the seed, or the next one of the world's own stream.

        Args:
            seed: of the episode.
            options: `state`, a `State` in which the episode begins; `parameters`, a mapping of parameters of the world that
                hold from this episode on (see `gridarium.engine.Batch.set_parameters`). `world` keeps those it was made with.

        Raises:
            ValueError: another option, a state of another kind of world, or parameters that cannot be set.
            TypeError: options or parameters that are not mappings, or not a state.
            StaleProgramError: what compiled rules read has changed since they were compiled (see `Batch.reset`).
        """
        super().reset(seed=seed)
        observation = self._single.reset(seed, **check_reset_options(options))
        if self._human is not None:
            self._human.began([self.state])
        info: dict[str, Any] = {"tick": 0, "result": 0}
        if self.world.spec.has_masks:
            info["action_mask"] = self._single.action_masks[0]
        if self.world.spec.description.mission:
            self._mission = info["mission"] = self.world.mission(self.batch.memory.view(0))
        return observation, info

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One tick.

        Args:
            action: its index, or int[parts] where the environment takes parts.

        Raises:
            ValueError: an action out of range.
            TypeError: an action that is not a whole number.
            RuntimeError: before the first reset, or after the end of the episode.
            Exception: what a rule raises; the world is then as before.
        """
        single = self._single
        if self.action_parts is not None:
            action = self.action_parts.index(action)
        result = single.step(action)
        info: dict[str, Any] = single.info()
        if self.world.spec.has_masks:
            info["action_mask"] = single.action_masks[0]
        if self._mission:
            info["mission"] = self._mission
        if self._asks_outcome and (result[2] or result[3]):
            info["outcome"] = single.outcomes[0].item()
        if self._human is not None:
            _, reward, terminated, truncated = result
            self._human.stepped(
                [self.state],
                info["tick"],
                action,
                reward,
                info["result"],
                terminated or truncated,
                single.outcomes,
            )
        return *result, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """bool[actions]: which actions are legal now, as MaskablePPO of sb3-contrib asks for it."""
        legal: npt.NDArray[np.bool_] = self._single.action_masks[0] != 0
        return legal

    @property
    def batch(self) -> Batch:
        """The batch of one world that is stepped here, to look at."""
        return self._single.batch

    @property
    def state(self) -> State:
        """The current state: a copy, for planners; it can be assigned.

        Raises:
            RuntimeError: before the first reset.
        """
        return self._single.state

    @state.setter
    def state(self, new: State) -> None:
        self._single.state = new
        self._mission = self.world.mission(new)

    def render(self) -> Rendered | None:
        """A text or a picture of the state, by `render_mode`; None without one, and for "human"."""
        if self.render_mode is None:
            return None
        if self._human is not None:
            self._human.refresh([self.state])
            return None
        state, arrays = self._single.look()
        known = arrays if self._single.composed is self.world.composed else None
        return rendered(self.world, state, self.render_mode, self.tile, known)

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._human is not None:
            self._human.close()
