"""The agent's side of the ghost world: rounds of the agent's and the ghosts' turns, with a particle filter."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from gridarium.ghost.agents.base_agent import agent_made
from gridarium.ghost.agents.chase_ghost_agent import ChaseGhostAgent
from gridarium.ghost.env import CustomGridEnv
from gridarium.ghost.layout import DEFAULT, Layout
from gridarium.ghost.particle_filter import ParticleFilter
from gridarium.ghost.rounds import Rounds
from gridarium.ghost.sensing import CLASSES, ColorTables, check_sensor_mode, likelihoods


class AgentInterface:
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
        if render_mode is None and render:
            render_mode = "rgb_array"
        if step_delay < 0:
            raise ValueError(f"step_delay is a number of milliseconds, got {step_delay}")
        self.env = CustomGridEnv(
            render_mode, slip_probability, slip_type, color_sensor_quality, deterministic, use_ghost,
            layout=layout, time_limit=time_limit,
        )  # fmt: skip
        self.render_enabled, self.step_delay = render, step_delay
        self.use_particle_filter, self.show_particles = use_particle_filter, show_particles
        self.pf_sensor_mode = check_sensor_mode(pf_sensor_mode)
        if vision_sensor is not None and not callable(getattr(vision_sensor, "predict", None)):
            raise TypeError(f"a vision sensor has a method predict(cell), {vision_sensor!r} has none")
        self.vision_sensor = vision_sensor
        self.pf: ParticleFilter | None = None
        if use_particle_filter:
            self.pf = ParticleFilter(self.env.rows, self.env.cols, pf_num_particles)
        self.total_reward, self.episode_steps = 0.0, 0
        self.terminated = self.truncated = False
        self.last_info: dict[str, Any] = {}
        self._color_tables = ColorTables()
        self._dealt_for: tuple[Any, ...] = ()
        self._rounds: Any = None
        self.set_ghost_agent(ghost_agent_class or ChaseGhostAgent)

    # the episode

    def reset(self, seed: int | None = None) -> dict[str, Any]:
        """Begin an episode, and give the first observation.

        With a seed everything begins anew: the world, the filter, the ghost's choices and `action_space`.
        """
        obs, info = self.env.reset(seed=seed)
        self.total_reward, self.episode_steps = 0.0, 0
        self.terminated = self.truncated = False
        if seed is not None:
            self._begin_anew(seed)
        if self.pf is not None:
            if self.pf.num_particles != len(self.pf.weights):
                self.pf = self.pf.resized(self.pf.num_particles)
            self.pf.reset()
            self._see(info)
            likelihood = self._likelihood(info)
            if likelihood is not None:
                self.pf.learn(likelihood)
            self._note_estimate(info)
        self.last_info = info
        self._show()
        return obs

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, dict[str, Any]]:
        """A round: the filter predicts, the agent moves, the filter learns what was measured, the ghosts move.

        Returns:
            observation, the round's reward, whether the episode is over, info of all turns.

        Raises:
            RuntimeError: the episode is over, or has not begun.
            ValueError, TypeError: an action that is none; nothing has changed then.
        """
        if self.terminated or self.truncated:
            raise RuntimeError("the episode is over; call reset() before the next step")
        env = self.env
        if env.current_turn != 0:
            raise RuntimeError("it is not the agent's turn: somebody else has stepped the environment")
        if env.is_over:
            env.resume()  # somebody has set `terminated` to False
        ghost, pf = self._ghost_agent, self.pf
        if (
            type(ghost) is ChaseGhostAgent and ghost.env is env and ghost.perceived_agent_pos is None
            and not self.render_enabled and (pf is None or self._reads_colors_only())
        ):  # fmt: skip
            merged, reward = self._quick_round(action)
        else:
            merged, reward = self._round(action)
        self.terminated, self.truncated = env.is_terminated, env.is_truncated
        self.total_reward += reward
        self.episode_steps += 1
        self.last_info = merged = dict(merged)
        return env.observe(merged["ghost_distance"]), reward, self.terminated or self.truncated, merged

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

    def set_ghost_agent(self, ghost_agent_class: Any) -> None:
        """Let somebody else decide for the ghosts.

        Args:
            ghost_agent_class: called with the action space, and with `env=` if it takes that.

        Raises:
            TypeError: it makes something without `get_action`.
        """
        self._ghost_agent = agent_made(ghost_agent_class, self.env)

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

    def _round(self, action: Any) -> tuple[dict[str, Any], float]:
        """All turns of a round, one after another: info and reward."""
        env, ghost = self.env, self._ghost_agent
        reward = env.advance(action)
        info = env.info
        self._estimate(action, info)
        self._show()
        while env.current_turn != 0:
            reward += env.advance(ghost.get_action(env._get_ghost_obs(env.current_turn - 1)))
            self._show()
        return {**info, **env.info}, reward

    def _quick_round(self, action: Any) -> tuple[dict[str, Any], float]:
        """As `_round`, in one compiled call, against ghosts that take shortest ways."""
        env, pf = self.env, self.pf
        index = env.prepare_round(action)
        memory = None if pf is None else pf.memory
        if (env.board, env.views, memory, self.pf_sensor_mode) != self._dealt_for:
            self._deal()
        reward = env.play_round(self._rounds, index)
        info = env.info
        if pf is not None:
            info["estimated_pos"] = pf.took_step()
        return info, reward

    def _deal(self) -> None:
        """See to it that rounds are played by the present settings."""
        env, pf, memory, likelihood = self.env, self.pf, None, None
        if pf is not None:
            pf.prepare(env.motion, env.views.ways)
            memory, likelihood = pf.memory, np.array(self._color_tables.of(self.env, self.pf_sensor_mode))
        self._rounds = Rounds(env.views.ways, env.ghosts_to_move, memory, likelihood)
        self._dealt_for = (env.board, env.views, memory, self.pf_sensor_mode)

    def _reads_colors_only(self) -> bool:
        return self.vision_sensor is None and self.pf_sensor_mode != "cnn"

    def _estimate(self, action: Any, info: dict[str, Any]) -> None:
        """The filter learns what the agent has done and measured."""
        pf, env = self.pf, self.env
        if pf is None:
            return
        if self.vision_sensor is not None:
            self._see(info)
        pf.step(int(action), env.motion, env.views.ways, self._likelihood(info))
        info["estimated_pos"] = pf.get_estimated_position()

    def _see(self, info: dict[str, Any]) -> None:
        """What the vision sensor says of the agent's cell."""
        if self.vision_sensor is None:
            return
        seen = self.vision_sensor.predict(self.env.grid[tuple(self.env.agent_pos)])
        if seen is not None:
            info["cnn_prediction"], info["cnn_probs"] = seen["prediction"], list(seen["probs"])

    def _likelihood(self, info: dict[str, Any]) -> Any:
        """float64[cells] of what was measured, or None."""
        env, mode = self.env, self.pf_sensor_mode
        probs = info.get("cnn_probs") if mode != "color" else None
        if probs is not None:
            names = getattr(self.vision_sensor, "class_names", CLASSES)
            priors = getattr(self.vision_sensor, "class_priors", None)
            return likelihoods(info, mode, env.grid, names, env.color_sensor_quality, priors)
        return self._color_tables.of(self.env, self.pf_sensor_mode)[info["color_measurement"]]

    def _note_estimate(self, info: dict[str, Any]) -> None:
        assert self.pf is not None
        info["estimated_pos"] = self.pf.get_estimated_position()
        self.env.info.update(info)

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
