"""The simulation behind a dashboard: the world, the filters, the agent and the ghost, as the settings say."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from gridarium.ghost.agents import QLearningAgent
from gridarium.ghost.agents.adversarial_agents import AdversarialAgent
from gridarium.ghost.agents.base_agent import perceive
from gridarium.ghost.dashboard.history import ExactBelief, History
from gridarium.ghost.dashboard.settings import SENSORS, DashboardSettings
from gridarium.ghost.env import CustomGridEnv
from gridarium.ghost.interface import AgentInterface, Vision
from gridarium.ghost.particle_filter import ParticleFilter
from gridarium.ghost.world.likelihoods import Floats
from gridarium.ghost.world.paths import Place, motion

EXPLORATION = 0.3
"""The learner's epsilon in training."""
MAX_ROUNDS = 100
"""The number of rounds after which an episode of training is stopped."""


class Simulation:
    """An episode with an agent that plays it and two filters that follow it.

    Args:
        settings: of the dashboard.
        vision_sensor: a vision sensor, or None.

    Attributes:
        interface: the world, the particle filter and the ghost.
        exact: the exact filter. history: how both performed.
    """

    def __init__(self, settings: DashboardSettings, vision_sensor: Vision | None) -> None:
        self.settings, self._vision_sensor = settings, vision_sensor
        self.interface = AgentInterface(render=False, layout=settings.layout)
        self._layout_goals: list[Place] | None = None
        self._learners: dict[tuple[Place, ...], QLearningAgent] = {}
        self._apply(None)
        self.reset()

    def change(self, settings: DashboardSettings, changed: set[str]) -> None:
        """Apply changed settings (all but the layout) to the world, the filter and the players."""
        self.settings = settings
        self._apply(changed)

    # the episode

    def reset(self) -> None:
        """Begin the episode of the seed."""
        self.set_goal(self.settings.goal)
        self.observation = self.interface.reset(seed=self.settings.seed)
        if hasattr(self.agent, "reset"):
            self.agent.reset(self.settings.seed)
        self.exact, self.history = ExactBelief(self.env.rows * self.env.cols), History()
        self._update_exact()

    def step(self, action: int | None) -> None:
        """A round with the given action or, for None, the agent's own.

        Raises:
            RuntimeError: the episode is over.
        """
        env, agent = self.env, self.agent
        learner = agent if isinstance(agent, QLearningAgent) else None
        self._set_perceived_positions()
        before = learner.get_state(self.observation) if learner else (0, 0)
        if action is None:
            action = int(agent.get_action(self.observation))
        self.observation, reward, done, _ = self.interface.step(action)
        if learner:
            self._set_perceived_positions()
            learner.update(before, action, reward, learner.get_state(self.observation), done)
        self.exact.predict(action, motion(env.slip, env.slip_type, env.paths))
        self._update_exact()

    @property
    def env(self) -> CustomGridEnv:
        """The environment."""
        return self.interface.env

    @property
    def believed(self) -> Place:
        """The position that the agent believes in: the true one, or the filter's estimate."""
        estimate = self.interface.last_info["estimated_pos"]["cell_pos"]
        row, col = self.env.agent_pos if self.settings.knowledge == "actual" else estimate
        return int(row), int(col)

    # goals

    @property
    def goals(self) -> list[Place]:
        """The present goals."""
        return self.env.goals

    def set_goal(self, goal: Place | None) -> None:
        """Make a cell the only goal, or with None restore the layout's. An episode that had reached its goal continues.

        Raises:
            ValueError: it is outside the grid.
        """
        env, now = self.env, self.goals
        if goal is None:
            wanted = now if self._layout_goals is None else self._layout_goals
        else:
            wanted = [goal]
        if wanted == now:
            return
        if self._layout_goals is None:
            self._layout_goals = now
        env.set_goal(wanted[0])
        for row, col in wanted[1:]:
            env.grid[row, col]["is_goal"] = True
        if self.interface.last_info.pop("reached_goal", False):
            self.interface.terminated = False

    # players

    @property
    def agent(self) -> Any:
        """The agent; learning agents have one learner for each set of goals."""
        if self.settings.player("agent") is not QLearningAgent:
            return self._player
        goals = tuple(self.goals)
        if goals not in self._learners:
            self._learners[goals] = self._new_player()
        return self._learners[goals]

    @property
    def ghost_class(self) -> Any:
        """The class that plays the ghosts, as for `AgentInterface.set_ghost_agent`."""
        return _with_depth(self.settings.player("ghost"), self.settings.depth)

    def _new_player(self) -> Any:
        player = _with_depth(self.settings.player("agent"), self.settings.depth)
        return player(self.env.action_space, env=self.env, seed=self.settings.seed)

    def _set_perceived_positions(self) -> None:
        """Let the agent perceive the true positions or the estimated ones."""
        agent = self.agent
        if self.settings.knowledge == "estimated":
            perceive(agent, self.believed, self.observation)
        elif hasattr(agent, "perceived_agent_pos"):
            agent.perceived_agent_pos = agent.perceived_ghost_pos = None

    # filters

    @property
    def filter(self) -> ParticleFilter:
        """The particle filter."""
        assert self.interface.pf is not None
        return self.interface.pf

    @property
    def exact_belief(self) -> Floats:
        """float64[rows, cols]."""
        return self.exact.belief.reshape(self.env.rows, self.env.cols)

    def _update_exact(self) -> None:
        """Update the exact filter with the measurements, and add the round to the history."""
        self.exact.update(self.interface.likelihood_of(self.interface.last_info))
        self.history.add(self.filter.belief, self.exact_belief, self.env.agent_pos)

    def _new_filter(self, *, keep_belief: bool) -> None:
        """Make a filter as the settings say; it may begin with the belief of the old one."""
        now, env, rng = self.settings, self.env, np.random.default_rng(self.settings.seed)
        made = ParticleFilter(env.rows, env.cols, now.particles, seed=rng, resampler=now.resampler)
        if keep_belief:
            belief = self.filter.belief.ravel()
            cells = rng.choice(len(belief), now.particles, p=belief / belief.sum())
            made.particles = np.stack(np.divmod(cells, env.cols), axis=1)
        self.interface.pf = made

    # settings

    def _apply(self, changed: set[str] | None) -> None:
        """Apply the settings; `changed` names those that are new, None means all."""
        now, env = self.settings, self.env

        def any_changed(*names: str) -> bool:
            return changed is None or not changed.isdisjoint(names)

        env.slip_probability, env.slip_type, env.deterministic = now.slip, now.slip_type, now.deterministic
        env.color_sensor_quality, env.use_ghost = now.quality, now.use_ghost
        self.interface.pf_sensor_mode = SENSORS[now.sensors]
        self.interface.vision_sensor = self._vision_sensor if now.sensors in ("vision", "both") else None
        if self.interface.vision_sensor is None:  # what it saw before no longer counts
            for info in (self.env.info, self.interface.last_info):
                for key in ("cnn_prediction", "cnn_probs"):
                    info.pop(key, None)
        if any_changed("particles", "resampler"):
            self._new_filter(keep_belief=changed is not None)
        if any_changed("ghost", "depth"):
            self.interface.set_ghost_agent(self.ghost_class)
        if any_changed("agent", "depth"):
            self._player, self._learners = self._new_player(), {}
        if any_changed("goal"):
            self.set_goal(now.goal)


def _with_depth(player: Any, depth: int) -> Any:
    """A class; one that searches ahead with this depth."""
    searches = isinstance(player, type) and issubclass(player, AdversarialAgent)
    return functools.partial(player, depth_limit=depth) if searches else player


def train_in_copy(
    learner: QLearningAgent,
    shown: AgentInterface,
    ghost: Any,
    episodes: int,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> list[float]:
    """Train an agent in a copy of a world, with random starts; returns the return of each episode.

    Args:
        learner: the agent.
        shown: the world; it does not change.
        ghost: the class that plays the ghosts, as for `AgentInterface.set_ghost_agent`.
        episodes: the number of episodes.
        seed: of the starts, the copy and the learner.
        progress: called with the number of episodes played, and of all.
    """
    world = AgentInterface(render=False, use_particle_filter=False, layout=shown.env.layout)
    world.env = env = copy.deepcopy(shown.env)
    world.set_ghost_agent(ghost)
    world.reset(seed=seed)
    rng, returns = np.random.default_rng(seed), []
    starts = _starts(env)
    epsilon, learner.epsilon = learner.epsilon, EXPLORATION
    learner.reset(seed)
    try:
        for k in range(episodes):
            env.start_pos = list(starts[rng.integers(len(starts))])
            returns += learner.learn(world, 1, most_steps=MAX_ROUNDS)
            if progress is not None:
                progress(k + 1, episodes)
    finally:
        learner.epsilon = epsilon
    return returns


def _starts(env: CustomGridEnv) -> list[tuple[int, ...]]:
    """The cells from which a goal can be reached, without goals and starts of ghosts."""
    goals, paths = env.goals, env.paths
    taken = {*goals, *(tuple(pos) for pos in env.ghost_start_positions if env.use_ghost)}
    cells = [divmod(i, env.cols) for i in range(env.rows * env.cols)]
    free = [c for c in cells if c not in taken and any(paths.distance(c, goal) >= 0 for goal in goals)]
    return [*free] or [tuple(env.start_pos)]
