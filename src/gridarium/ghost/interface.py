"""The agent's side of the ghost world: rounds of the agent's and the ghosts' turns, with a particle filter."""

from __future__ import annotations

import copy
import time
from pathlib import Path
from typing import Any, Self

import numpy as np

from gridarium.ghost import settings
from gridarium.ghost.agents.base_agent import agent_made
from gridarium.ghost.agents.chase_ghost_agent import ChaseGhostAgent
from gridarium.ghost.env import CustomGridEnv
from gridarium.ghost.layout import DEFAULT, Layout
from gridarium.ghost.particle_filter import ParticleFilter
from gridarium.ghost.round_kernel import ANSWER
from gridarium.ghost.sensing import ColorTables, check_sensor_mode
from gridarium.ghost.tracking import Tracking


class AgentInterface(Tracking):
    """Plays rounds: the agent's turn, then the ghosts', who decide for themselves.

    Args:
        render: whether to draw after each turn.
        render_mode: as for `CustomGridEnv`; by default "rgb_array" if `render`, else None.
        step_delay: milliseconds to wait after drawing in a window.
        slip_probability, slip_type, color_sensor_quality, deterministic, use_ghost: as for `CustomGridEnv`.
        ghost_agent_class: who decides for the ghosts; by default `ChaseGhostAgent`.
        use_particle_filter: whether to estimate the agent's position.
        pf_num_particles: how many particles.
        pf_sensor_mode: "color", "cnn" or "both": what the filter uses.
        show_particles: whether to draw the particles.
        layout, time_limit: as for `CustomGridEnv`.
        vision_sensor: a `VisionSensor()`, or something else with
            `predict(cell) -> {"prediction": (class, probability), "probs": [...]}` or None, perhaps with `class_names`,
            and `class_priors` (see `ParticleFilter.update`). None for no vision.

    Attributes:
        env: the environment. pf: the filter, or None.
        total_reward, episode_steps: so far. terminated, truncated: whether the episode has ended, or its time is up.
        last_info: of the last step.

    Raises:
        ValueError: an argument outside what is allowed.
        TypeError: a ghost agent or a vision sensor that is none.
    """

    def __init__(
        self,
        render: bool = True,
        render_mode: str | None = None,
        step_delay: int = 100,
        slip_probability: float = 0.2,
        slip_type: str = "longitudinal",
        ghost_agent_class: Any = None,
        use_particle_filter: bool = True,
        pf_num_particles: int = 200,
        pf_sensor_mode: str = "both",
        show_particles: bool = True,
        color_sensor_quality: float = 0.8,
        deterministic: bool = False,
        use_ghost: bool = True,
        *,
        layout: str | Path | Layout = DEFAULT,
        time_limit: int | None = None,
        vision_sensor: Any = None,
    ) -> None:
        if render_mode is None and settings.truth("render", render):
            render_mode = "rgb_array"
        self.env = CustomGridEnv(
            render_mode, slip_probability, slip_type, color_sensor_quality, deterministic, use_ghost,
            layout=layout, time_limit=time_limit,
        )  # fmt: skip
        self.render_enabled = settings.truth("render", render)
        self.step_delay = settings.number("step_delay, in milliseconds,", step_delay)
        self.use_particle_filter = settings.truth("use_particle_filter", use_particle_filter)
        self.show_particles = settings.truth("show_particles", show_particles)
        self.pf_sensor_mode = check_sensor_mode(pf_sensor_mode)
        if vision_sensor is not None and not callable(getattr(vision_sensor, "predict", None)):
            raise TypeError(f"a vision sensor has a method predict(cell), {vision_sensor!r} has none")
        self.vision_sensor = vision_sensor
        self.pf = (
            ParticleFilter(self.env.rows, self.env.cols, pf_num_particles) if use_particle_filter else None
        )
        self.total_reward, self.episode_steps = 0.0, 0
        self.terminated = self.truncated = False
        self.last_info: dict[str, Any] = {}
        self._color_tables = ColorTables()
        self._dealt_for = ()
        self.set_ghost_agent(ghost_agent_class or ChaseGhostAgent)

    # the episode

    def reset(self, seed: int | None = None) -> dict[str, Any]:
        """Begin an episode, and give the first observation.

        With a seed everything begins anew: the world, the filter, the ghost's choices and `action_space`.

        Raises:
            ValueError: as `CustomGridEnv.reset`; nothing has changed then.
        """
        settings.seed(seed)
        if self.pf is not None and self.pf.num_particles != len(self.pf.weights):
            self.pf = self.pf.resized(self.pf.num_particles)
        self.env.prepare_episode()
        if seed is not None:
            self._begin_anew(seed)
        self._begin(seed)
        self.total_reward, self.episode_steps = 0.0, 0
        self.terminated = self.truncated = False
        self.last_info = dict(self.env.info)
        self._show()
        return self.env.observe()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, dict[str, Any]]:
        """A round: the filter predicts, the agent moves, the filter learns what was measured, the ghosts move.

        Whatever is raised, world and filter are then as before, and so are a ghost and a vision sensor that have methods
        `snapshot()` and `restore(snapshot)`, as those of this library do.

        Returns:
            observation, the round's reward, whether the episode is over, info of all turns.

        Raises:
            RuntimeError: the episode is over, or has not begun.
            ValueError, TypeError: an action that is none.
            Exception: what a ghost or a vision sensor raises.
        """
        if self.terminated or self.truncated:
            raise RuntimeError("the episode is over; call reset() before the next step")
        env = self.env
        if env.current_turn != 0:
            raise RuntimeError("it is not the agent's turn: somebody else has stepped the environment")
        if env.is_over:
            env.resume()  # somebody has set `terminated` to False
        reward = self._turn(action, ANSWER) if self._answers_at_once() else self._round(action)
        self.terminated, self.truncated = env.is_terminated, env.is_truncated
        self.total_reward += reward
        self.episode_steps += 1
        self.last_info = info = dict(env.info)
        return env.observe(), reward, self.terminated or self.truncated, info

    def is_terminated(self) -> bool:
        """Whether the episode is over, for whatever reason."""
        return self.terminated or self.truncated

    def get_episode_stats(self) -> dict[str, Any]:
        """Return, steps and how the episode has ended."""
        return {
            "total_reward": self.total_reward,
            "steps": self.episode_steps,
            "terminated": self.terminated,
            "truncated": self.truncated,
            "reached_goal": bool(self.last_info.get("reached_goal", False)),
            "caught_by_ghost": bool(self.last_info.get("caught_by_ghost", False)),
        }

    # the world

    def get_action_space(self) -> Any:
        """The environment's action space."""
        return self.env.action_space

    def get_observation_space(self) -> Any:
        """The environment's observation space."""
        return self.env.observation_space

    def get_reward_structure(self) -> dict[str, Any]:
        """The environment's rewards."""
        return self.env.get_reward_structure()

    def set_ghost_agent(self, agent_class: Any) -> None:
        """Let somebody else decide for the ghosts.

        Args:
            agent_class: called with the action space, and with `env=` if it takes that.

        Raises:
            TypeError: it makes something without `get_action`.
        """
        self._ghost_agent = ghost = agent_made(agent_class, self.env)
        self._ghost_memory = ghost if hasattr(ghost, "snapshot") else None

    def close(self) -> None:
        """Close the window, if there is one."""
        self.env.close()

    # inside

    def _begin_anew(self, seed: int) -> None:
        """Seed everything besides the world, each with a seed of its own."""
        filter_seed, ghost_seed, vision_seed = np.random.SeedSequence(seed).generate_state(3).tolist()
        self.env.action_space.seed(seed)
        if self.pf is not None:
            self.pf.seed(filter_seed)
        if hasattr(self._ghost_agent, "reset"):
            self._ghost_agent.reset(ghost_seed)
        if hasattr(self.vision_sensor, "reset"):
            self.vision_sensor.reset(vision_seed)

    def _round(self, action: Any) -> float:
        """All turns of a round, one after another: gives the reward. If one of them fails, there was no round."""
        env, ghost, asked = self.env, self._ghost_agent, 0
        pf, memory, eyes = self.pf, self._ghost_memory, self.vision_sensor
        before: list[tuple[Any, Any]] = [(env, env.snapshot())]
        if pf is not None:
            before.append((pf, pf.snapshot()))
        if memory is not None:
            before.append((memory, memory.snapshot()))
        if eyes is not None and hasattr(eyes, "snapshot"):
            before.append((eyes, eyes.snapshot()))
        try:
            reward = self._turn(action)
            self._show()
            while (asked := env.current_turn) != 0:
                reward += env.advance(ghost.get_action(env.observe_as_ghost(asked - 1)))
                self._show()
        except BaseException as error:
            if asked != 0:
                error.add_note(
                    f"it was the turn of ghost {asked} ({type(ghost).__name__}); the round is taken back"
                )
            for part, snapshot in before:
                part.restore(snapshot)
            raise
        return reward

    def _answers_at_once(self) -> bool:
        """Whether a round can be one compiled call: ghosts take shortest ways, and there is nothing to see or draw."""
        ghost = self._ghost_agent
        return (
            type(ghost) is ChaseGhostAgent and ghost.env is self.env and ghost.perceived_agent_pos is None
            and not self.render_enabled and self._reads_colors_only()
        )  # fmt: skip

    def __copy__(self) -> Self:
        return copy.deepcopy(self)  # compiled calls know one world's memory

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_dealt_for": ()}

    def _show(self) -> None:
        """Draw, if that is wanted, and wait in front of a window."""
        if not self.render_enabled:
            return
        env = self.env
        if self.pf is not None and self.show_particles:
            env.info["particles"], env.info["show_particles"] = self.pf.get_particles(), True
        else:
            env.info.pop("particles", None)
            env.info.pop("show_particles", None)
        env.render()
        if env.render_mode == "human":
            time.sleep(self.step_delay / 1000)
