"""The agent's side of the ghost world: rounds of the agent's and the ghosts' turns, with a particle filter."""

from __future__ import annotations

import copy
import time
from pathlib import Path
from typing import Any, Protocol, Self, TypedDict

import numpy as np
from gymnasium import spaces

from gridarium.ghost.agents.base_agent import Agent, GhostAgentClass, make_agent
from gridarium.ghost.agents.chase_ghost_agent import ChaseGhostAgent
from gridarium.ghost.env import CustomGridEnv, RewardStructure
from gridarium.ghost.particle_filter import ParticleFilter
from gridarium.ghost.world import checks
from gridarium.ghost.world.layout import DEFAULT, GridLayout
from gridarium.ghost.world.likelihoods import CLASSES, ColorTables, Floats, check_sensor_mode, likelihoods
from gridarium.ghost.world.round_kernel import FILTER, MOVE, MOVE_GHOSTS, SET_UP


class EpisodeStats(TypedDict):
    """Return, number of steps, and how the episode has ended."""

    total_reward: float
    steps: int
    terminated: bool
    truncated: bool
    reached_goal: bool
    caught_by_ghost: bool


class Vision(Protocol):
    """A vision sensor: a `VisionSensor`, or another object with its `predict`."""

    def predict(self, cell: dict[str, Any], /) -> dict[str, Any] | None:
        """Classify a picture of a cell: `prediction` (class, probability) and `probs`; None for no prediction."""


def check_vision_sensor(sensor: Vision | None) -> Vision | None:
    """A vision sensor, or None.

    Raises:
        TypeError: it has no method `predict`.
    """
    if sensor is not None and not callable(getattr(sensor, "predict", None)):
        raise TypeError(f"a vision sensor has a method predict(cell), {sensor!r} has none")
    return sensor


class AgentInterface:
    """Plays rounds: the agent's turn, then those of the ghosts, which an agent of their own decides.

    Args:
        render: whether to draw after each turn.
        render_mode: as for `CustomGridEnv`; by default "rgb_array" if `render`, else None.
        step_delay: milliseconds to wait after drawing in a window.
        slip_probability, slip_type, color_sensor_quality, deterministic, use_ghost: as for `CustomGridEnv`.
        ghost_agent_class: the class of the agent that plays the ghosts; by default `ChaseGhostAgent`.
        use_particle_filter: whether to estimate the agent's position.
        pf_num_particles: the number of particles.
        pf_sensor_mode: "color", "cnn" or "both": the sensors that the filter uses.
        show_particles: whether to draw the particles.
        layout, time_limit: as for `CustomGridEnv`.
        vision_sensor: a `VisionSensor()`, or another object with
            `predict(cell) -> {"prediction": (class, probability), "probs": [...]}` or None, and optionally `class_names`
            and `class_priors` (see `ParticleFilter.update`). None for no vision.

    Attributes:
        env: the environment. pf: the filter, or None.
        total_reward, episode_steps: of this episode. terminated, truncated: whether the episode has ended, or its time is
            up.
        last_info: the info of the last step.

    Raises:
        ValueError: an argument outside the allowed values.
        TypeError: not a ghost agent or a vision sensor.
    """

    def __init__(
        self,
        render: bool = True,
        render_mode: str | None = None,
        step_delay: int = 100,
        slip_probability: float = 0.2,
        slip_type: str = "longitudinal",
        ghost_agent_class: GhostAgentClass | None = None,
        use_particle_filter: bool = True,
        pf_num_particles: int = 200,
        pf_sensor_mode: str = "both",
        show_particles: bool = True,
        color_sensor_quality: float = 0.8,
        deterministic: bool = False,
        use_ghost: bool = True,
        *,
        layout: str | Path | GridLayout = DEFAULT,
        time_limit: int | None = None,
        vision_sensor: Vision | None = None,
    ) -> None:
        self.render_enabled = checks.true_or_false("render", render)
        if render_mode is None and render:
            render_mode = "rgb_array"
        self.env = CustomGridEnv(
            render_mode, slip_probability, slip_type, color_sensor_quality, deterministic, use_ghost,
            layout=layout, time_limit=time_limit,
        )  # fmt: skip
        self.step_delay = checks.not_negative("step_delay, in milliseconds,", step_delay)
        self.use_particle_filter = checks.true_or_false("use_particle_filter", use_particle_filter)
        self.show_particles = checks.true_or_false("show_particles", show_particles)
        self.pf_sensor_mode = check_sensor_mode("a sensor mode", pf_sensor_mode)
        self.vision_sensor = check_vision_sensor(vision_sensor)
        self.pf = (
            ParticleFilter(self.env.rows, self.env.cols, pf_num_particles) if use_particle_filter else None
        )
        self.total_reward, self.episode_steps = 0.0, 0
        self.terminated = self.truncated = False
        self.last_info: dict[str, Any] = {}
        self._color_tables = ColorTables()
        self._rounds_set_up_for: tuple[Any, ...] = ()
        self.set_ghost_agent(ghost_agent_class or ChaseGhostAgent)

    # the episode

    def reset(self, seed: int | None = None) -> dict[str, Any]:
        """Begin an episode; returns the first observation.

        A seed seeds everything: the world, the filter, the ghost's choices and `action_space`.

        Raises:
            ValueError: as `CustomGridEnv.reset`; nothing has changed then.
        """
        checks.seed(seed)
        if self.pf is not None and self.pf.num_particles != len(self.pf.weights):
            self.pf = self.pf.resized(self.pf.num_particles)
        self.env.prepare_episode()
        if seed is not None:
            self._seed_all(seed)
        self._begin_episode(seed)
        self.total_reward, self.episode_steps = 0.0, 0
        self.terminated = self.truncated = False
        self.last_info = dict(self.env.info)
        self._show()
        return self.env.observe()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, dict[str, Any]]:
        """A round: the filter predicts, the agent moves, the filter is updated with the measurements, the ghosts move.

        After an exception world and filter are as before, and so are a ghost and a vision sensor that have methods
        `snapshot()` and `restore(snapshot)`, as those of this library do.

        Returns:
            observation, the round's reward, whether the episode is over, info of all turns.

        Raises:
            RuntimeError: the episode is over, or has not begun.
            ValueError, TypeError: not an action.
            Exception: whatever a ghost or a vision sensor raises.
        """
        if self.terminated or self.truncated:
            raise RuntimeError("the episode is over; call reset() before the next step")
        env = self.env
        if env.current_turn != 0:
            raise RuntimeError("it is not the agent's turn: the environment was stepped by others")
        if env.is_over:
            env.resume()  # `terminated` was set to False
        reward = self._turn(action, MOVE_GHOSTS) if self._is_one_call() else self._round(action)
        self.terminated, self.truncated = env.is_terminated, env.is_truncated
        self.total_reward += reward
        self.episode_steps += 1
        self.last_info = info = dict(env.info)
        return env.observe(), reward, self.terminated or self.truncated, info

    def is_terminated(self) -> bool:
        """Whether the episode has ended or its time is up."""
        return self.terminated or self.truncated

    def get_episode_stats(self) -> EpisodeStats:
        """Return, number of steps, and how the episode has ended."""
        return {
            "total_reward": self.total_reward,
            "steps": self.episode_steps,
            "terminated": self.terminated,
            "truncated": self.truncated,
            "reached_goal": bool(self.last_info.get("reached_goal", False)),
            "caught_by_ghost": bool(self.last_info.get("caught_by_ghost", False)),
        }

    # the world

    def get_action_space(self) -> spaces.Discrete:
        """The environment's action space."""
        space: spaces.Discrete = self.env.action_space
        return space

    def get_observation_space(self) -> spaces.Dict:
        """The environment's observation space."""
        space: spaces.Dict = self.env.observation_space
        return space

    def get_reward_structure(self) -> RewardStructure:
        """The environment's rewards."""
        return self.env.get_reward_structure()

    def set_ghost_agent(self, agent_class: GhostAgentClass) -> None:
        """Let another agent play the ghosts.

        Args:
            agent_class: called with the action space, and with `env=` if it accepts that.

        Raises:
            TypeError: what it makes has no `get_action`.
        """
        self._ghost_agent: Agent = make_agent(agent_class, self.env)

    @property
    def ghost_agent(self) -> Agent:
        """The agent that plays the ghosts."""
        return self._ghost_agent

    def likelihood_of(self, info: dict[str, Any]) -> Floats | None:
        """float64[cells]: the likelihood of the measurements in an info; None if there are none."""
        names = getattr(self.vision_sensor, "class_names", CLASSES)
        priors = getattr(self.vision_sensor, "class_priors", None)
        env = self.env
        return likelihoods(info, self.pf_sensor_mode, env.grid, names, env.color_sensor_quality, priors)

    def close(self) -> None:
        """Close the window, if there is one."""
        self.env.close()

    # inside

    def _seed_all(self, seed: int) -> None:
        """Seed everything besides the world, each with a seed of its own."""
        filter_seed, ghost_seed, vision_seed = np.random.SeedSequence(seed).generate_state(3).tolist()
        self.env.action_space.seed(seed)
        if self.pf is not None:
            self.pf.seed(filter_seed)
        if hasattr(self._ghost_agent, "reset"):
            self._ghost_agent.reset(ghost_seed)
        if self.vision_sensor is not None and hasattr(self.vision_sensor, "reset"):
            self.vision_sensor.reset(vision_seed)

    def _begin_episode(self, seed: int | None) -> None:
        """Begin an episode, and the filter with the first measurements."""
        env, pf = self.env, self.pf
        if seed is None and self._only_reads_colors():
            env.begin_episode(None, SET_UP | self._set_up_rounds())
            if pf is not None:
                pf.lost = 0
                env.info["estimated_pos"] = pf.took_step()
            return
        env.reset(seed=seed)
        if pf is not None:
            pf.reset()
            self._look(env.info)
            likelihood = self._likelihood(env.info)
            if likelihood is not None:
                pf.learn(likelihood)
            env.info["estimated_pos"] = pf.get_estimated_position()

    def _turn(self, action: Any, mode: int = 0) -> float:
        """The agent's turn; returns its reward. `mode` may be `MOVE_GHOSTS` where the agent only reads colors."""
        env, pf = self.env, self.pf
        index = env.prepare_turn(action)
        if self._only_reads_colors():
            reward = env.take_turn(index, MOVE | mode | self._set_up_rounds())
            if pf is not None:
                env.info["estimated_pos"] = pf.took_step()
            return reward
        reward = env.take_turn(index)
        if pf is not None:
            self._look(env.info)
            pf.step(index, env.slips, env.tables.paths, self._likelihood(env.info))
            env.info["estimated_pos"] = pf.get_estimated_position()
        return reward

    def _round(self, action: Any) -> float:
        """All turns of a round, one after another; returns the reward. After an exception everything is as before."""
        env, ghost, mover = self.env, self._ghost_agent, 0
        before: list[tuple[Any, Any]] = [(env, env.snapshot())]
        if self.pf is not None:
            before.append((self.pf, self.pf.snapshot()))
        others: tuple[Any, ...] = ghost, self.vision_sensor
        for part in others:
            if hasattr(part, "snapshot"):
                before.append((part, part.snapshot()))
        try:
            reward = self._turn(action)
            self._show()
            while (mover := env.current_turn) != 0:
                reward += env.take_turn(env.prepare_turn(ghost.get_action(env.observe_as_ghost(mover - 1))))
                self._show()
        except BaseException as error:
            if mover != 0:
                error.add_note(
                    f"it was the turn of ghost {mover} ({type(ghost).__name__}); the round is taken back"
                )
            for part, snapshot in before:
                part.restore(snapshot)
            raise
        return reward

    def _is_one_call(self) -> bool:
        """Whether a round is one compiled call: ghosts take shortest paths, and there is nothing to see or draw."""
        ghost = self._ghost_agent
        return (
            type(ghost) is ChaseGhostAgent and ghost.env is self.env and ghost.perceived_agent_pos is None
            and not self.render_enabled and self._only_reads_colors()
        )  # fmt: skip

    def _only_reads_colors(self) -> bool:
        """Whether the compiled call can do everything for the filter, if there is one."""
        return self.pf is None or (self.vision_sensor is None and self.pf_sensor_mode != "cnn")

    def _set_up_rounds(self) -> int:
        """Let the compiled calls know the filter and the present settings; returns the bit for it, 0 without a filter."""
        env, pf = self.env, self.pf
        if pf is None:
            return 0
        if (env.rounds, pf.memory, self.pf_sensor_mode) != self._rounds_set_up_for:
            pf.prepare(env.slips, env.tables.paths)
            env.rounds.use_filter(pf.memory, np.array(self._color_tables.of(env, self.pf_sensor_mode)))
            self._rounds_set_up_for = (env.rounds, pf.memory, self.pf_sensor_mode)
        return FILTER

    def _look(self, info: dict[str, Any]) -> None:
        """Add what the vision sensor sees in the agent's cell."""
        if self.vision_sensor is None:
            return
        seen = self.vision_sensor.predict(self.env.grid[tuple(self.env.agent_pos)])
        if seen is not None:
            info["cnn_prediction"], info["cnn_probs"] = seen["prediction"], list(seen["probs"])

    def _likelihood(self, info: dict[str, Any]) -> Floats | None:
        """float64[cells]: that of the measurements; None if there are none."""
        if self.pf_sensor_mode != "color" and info.get("cnn_probs") is not None:
            return self.likelihood_of(info)
        color: int = info["color_measurement"]
        return self._color_tables.of(self.env, self.pf_sensor_mode)[color]

    def _show(self) -> None:
        """Draw, if that is enabled, and wait if it is in a window."""
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

    def __copy__(self) -> Self:
        return copy.deepcopy(self)  # compiled calls know one world's memory

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_rounds_set_up_for": ()}
