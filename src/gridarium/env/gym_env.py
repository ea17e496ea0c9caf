"""A world as a Gymnasium environment."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt

from gridarium.engine.machine import Machine
from gridarium.engine.solo import Solo
from gridarium.engine.world import World
from gridarium.env.spaces import action_space, observation_space
from gridarium.world.state import State

RENDER_MODES = ("ansi", "rgb_array")


class GridariumEnv(gymnasium.Env[dict[str, npt.NDArray[Any]], np.int64]):
    """One world with one agent.

    Args:
        world: the name of a catalogue world, a YAML file, a `Description` or a `Spec`, or a `World`.
        render_mode: None, "ansi" (a text) or "rgb_array" (uint8[height, width, 3]).
        observe: "observation" (what the agent sees), "state" (the whole state), or "both" (state arrays under
            `state.<name>`).
        compiled: False runs the rules as plain Python, for debugging.
        shared: return the same arrays at every step instead of fresh ones; read them before the next step.
        tile: pixels per cell in pictures.

    The observation is a dictionary of arrays, see the world's representation; an action is an index into
    `env.unwrapped.world.actions`. `info` holds `tick` and, after a step, `result`, the code of the action's outcome.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 8}

    def __init__(
        self,
        world: Any,
        render_mode: str | None = None,
        *,
        observe: str = "observation",
        compiled: bool = True,
        shared: bool = False,
        tile: int = 32,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode is None or one of {', '.join(RENDER_MODES)}, not {render_mode!r}")
        if observe not in ("observation", "state", "both"):
            raise ValueError(f"observe is 'observation', 'state' or 'both', not {observe!r}")
        self.world = world if isinstance(world, World) else World(world, compiled=compiled)
        if self.world.spec.agents != 1:
            raise ValueError(
                f"{self.world.name} has {self.world.spec.agents} agents: use gridarium.env.parallel_env or aec_env"
            )
        self.render_mode, self.observe, self.tile = render_mode, observe, tile
        machine = self.world.machine
        if observe == "state":
            machine = Machine(self.world.spec, compiled=compiled, observe_states=True)
        self._solo = Solo(machine, shared=shared)
        self._states: Solo | None = None
        self.observation_space = observation_space(machine.outputs)
        if observe == "both":
            self._states = Solo(Machine(self.world.spec, compiled=compiled, observe_states=True))
            states = observation_space(self._states.machine.outputs)
            joined = {f"state.{name}": space for name, space in states.spaces.items()}
            self.observation_space = gymnasium.spaces.Dict({**self.observation_space.spaces, **joined})
        self.action_space = action_space(machine.action_table[0])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """Begin an episode: the one of the seed, or the next one of the world's own stream."""
        super().reset(seed=seed)
        observation = self._solo.reset(seed)
        return self._complete(observation), {"tick": 0}

    def step(self, action: Any) -> tuple[dict[str, npt.NDArray[Any]], float, bool, bool, dict[str, Any]]:
        """One tick.

        Raises:
            ValueError: an action out of range.
            TypeError: an action that is no whole number.
            RuntimeError: before the first reset, or after the end of the episode.
        """
        solo = self._solo
        observation, reward, terminated, truncated = solo.step(action)
        if self._states is not None:
            observation = self._complete(observation)
        info = {"tick": solo._data.item(0), "result": solo.result}
        return observation, reward, terminated, truncated, info

    def _complete(self, observation: dict[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
        if self._states is None:
            return observation
        self._states.state = self._solo.state
        return observation | {f"state.{name}": array for name, array in self._states.observe().items()}

    @property
    def state(self) -> State:
        """The current state: a copy, for planners; it can be assigned."""
        return self._solo.state

    @state.setter
    def state(self, new: State) -> None:
        self._solo.state = new

    def render(self) -> Any:
        """A text or a picture of the state, by `render_mode`; None without one."""
        from gridarium import draw

        if self.render_mode == "ansi":
            return draw.text(self.state)
        if self.render_mode == "rgb_array":
            return draw.rgb(self.state, tile=self.tile)
        return None

    def close(self) -> None:
        """Nothing to close."""

    def __getstate__(self) -> dict[str, Any]:
        kept = {k: v for k, v in self.__dict__.items() if k not in ("_solo", "_states")}
        started = self._solo._started
        kept["_kept"] = (self._solo.machine, self._solo.shared, self._solo.snapshot() if started else None)
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        machine, shared, snapshot = kept.pop("_kept")
        self.__dict__.update(kept)
        self._solo = Solo(machine, shared=shared)
        if snapshot is not None:
            self._solo.restore(snapshot)
        self._states = Solo(Machine(self.world.spec, observe_states=True)) if self.observe == "both" else None
