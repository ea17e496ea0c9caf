"""What plays at a desk: the world, the filter, the agent and the ghost, built and changed by switches."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from gridarium.ghost.agents import QLearningAgent
from gridarium.ghost.agents.adversarial_agents import AdversarialAgent
from gridarium.ghost.agents.base_agent import perceive
from gridarium.ghost.desk.following import ExactBelief, History
from gridarium.ghost.desk.switches import SENSORS, Switches
from gridarium.ghost.interface import AgentInterface
from gridarium.ghost.particle_filter import ParticleFilter
from gridarium.ghost.sensing import CLASSES, Floats, likelihoods
from gridarium.ghost.slipping import motion

Place = tuple[int, int]


class Stage:
    """An episode, with somebody who plays it and two filters that follow it.

    Args:
        switches: how everything is to be.
        eyes: a vision sensor, or None.

    Attributes:
        interface: the world, the particle filter and the ghost.
        exact: the exact filter. history: how both did.
    """

    def __init__(self, switches: Switches, eyes: Any) -> None:
        self.switches, self._eyes = switches, eyes
        self.interface = AgentInterface(render=False, layout=switches.layout)
        self._usual_goals: list[Place] | None = None
        self._learners: dict[tuple[Place, ...], QLearningAgent] = {}
        self._apply(None)
        self.reset()

    def switch(self, switches: Switches, differs: set[str]) -> None:
        """Let the world, the filter and the players know of switches that differ (all but the layout)."""
        self.switches = switches
        self._apply(differs)

    # the episode

    def reset(self) -> None:
        """Begin the episode of the seed."""
        self.put_goal(self.switches.goal)
        self.observation = self.interface.reset(seed=self.switches.seed)
        if hasattr(self.agent, "reset"):
            self.agent.reset(self.switches.seed)
        self.exact, self.history = ExactBelief(self.env.rows * self.env.cols), History()
        self._learn_of_measurement()

    def step(self, action: int | None) -> None:
        """A round: the action given or, for None, the agent's own.

        Raises:
            RuntimeError: the episode is over.
        """
        env, agent = self.env, self.agent
        learner = agent if isinstance(agent, QLearningAgent) else None
        self._tell_what_is_known()
        before = learner.get_state(self.observation) if learner else (0, 0)
        if action is None:
            action = int(agent.get_action(self.observation))
        self.observation, reward, done, _ = self.interface.step(action)
        if learner:
            self._tell_what_is_known()
            learner.update(before, action, reward, learner.get_state(self.observation), done)
        self.exact.predict(action, motion(env.slip, env.slip_type, env.ways))
        self._learn_of_measurement()

    @property
    def env(self) -> Any:
        """The environment."""
        return self.interface.env

    @property
    def believed(self) -> Place:
        """Where the agent takes itself to be: where it is, or where the filter says."""
        known = self.interface.last_info["estimated_pos"]["cell_pos"]
        row, col = self.env.agent_pos if self.switches.knowledge == "actual" else known
        return int(row), int(col)

    # goals

    @property
    def goals(self) -> list[Place]:
        """The present goals."""
        return [divmod(i, self.env.cols) for i, cell in enumerate(self.env.grid.flat) if cell["is_goal"]]

    def put_goal(self, place: Place | None) -> None:
        """Make a place the only goal, or with None the usual ones. An episode that had reached its goal goes on.

        Raises:
            ValueError: it is outside the grid.
        """
        env, now = self.env, self.goals
        if place is None:
            wanted = now if self._usual_goals is None else self._usual_goals
        else:
            wanted = [place]
        if wanted == now:
            return
        if self._usual_goals is None:
            self._usual_goals = now
        env.set_goal(wanted[0])
        for row, col in wanted[1:]:
            env.grid[row, col]["is_goal"] = True
        if self.interface.last_info.pop("reached_goal", False):
            self.interface.terminated = False

    # players

    @property
    def agent(self) -> Any:
        """Who plays; of learning agents the one that learns the present goals."""
        if self.switches.player("agent") is not QLearningAgent:
            return self._player
        goals = tuple(self.goals)
        if goals not in self._learners:
            self._learners[goals] = self._made_player()
        return self._learners[goals]

    @property
    def ghost_class(self) -> Any:
        """Who plays the ghosts, as `AgentInterface.set_ghost_agent` takes it."""
        return _deep(self.switches.player("ghost"), self.switches.depth)

    def _made_player(self) -> Any:
        kind = _deep(self.switches.player("agent"), self.switches.depth)
        return kind(self.env.action_space, env=self.env, seed=self.switches.seed)

    def _tell_what_is_known(self) -> None:
        """Tell the agent where it is, or where the filter takes it to be, and where the ghost is then."""
        agent = self.agent
        if self.switches.knowledge == "estimated":
            perceive(agent, self.believed, self.observation)
        elif hasattr(agent, "perceived_agent_pos"):
            agent.perceived_agent_pos = agent.perceived_ghost_pos = None

    # filters

    @property
    def filter(self) -> ParticleFilter:
        """The particle filter."""
        assert self.interface.pf is not None
        return self.interface.pf

    def _learn_of_measurement(self) -> None:
        """The exact filter learns what was measured, and how both do is noted."""
        self.exact.update(self._likelihood())
        self.history.note(self.filter.belief, self.exact_belief, self.env.agent_pos)

    @property
    def exact_belief(self) -> Floats:
        """float64[rows, cols]."""
        return self.exact.belief.reshape(self.env.rows, self.env.cols)

    def _likelihood(self) -> Floats | None:
        eyes, env = self.interface.vision_sensor, self.env
        names, priors = getattr(eyes, "class_names", CLASSES), getattr(eyes, "class_priors", None)
        mode, seen = self.interface.pf_sensor_mode, self.interface.last_info
        return likelihoods(seen, mode, env.grid, names, env.color_sensor_quality, priors)

    def _forget_what_was_seen(self) -> None:
        """What a vision sensor has said before counts no more."""
        for info in (self.env.info, self.interface.last_info):
            for key in ("cnn_prediction", "cnn_probs"):
                info.pop(key, None)

    def _new_filter(self, *, keep: bool) -> None:
        """A filter of the switched size; it may begin with what the old one believed."""
        now, env, rng = self.switches, self.env, np.random.default_rng(self.switches.seed)
        made = ParticleFilter(env.rows, env.cols, now.particles, seed=rng, resampler=now.resampler)
        if keep:
            belief = self.filter.belief.ravel()
            cells = rng.choice(len(belief), now.particles, p=belief / belief.sum())
            made.particles = np.stack(np.divmod(cells, env.cols), axis=1)
        self.interface.pf = made

    # switching

    def _apply(self, differs: set[str] | None) -> None:
        """Bring everything to how it is switched; `differs` names what is new, None is all."""
        now, env = self.switches, self.env

        def new(*names: str) -> bool:
            return differs is None or not differs.isdisjoint(names)

        env.slip_probability, env.slip_type, env.deterministic = now.slip, now.slip_type, now.deterministic
        env.color_sensor_quality, env.use_ghost = now.quality, now.use_ghost
        self.interface.pf_sensor_mode = SENSORS[now.sensors]
        self.interface.vision_sensor = self._eyes if now.sensors in ("vision", "both") else None
        if self.interface.vision_sensor is None:
            self._forget_what_was_seen()
        if new("particles", "resampler"):
            self._new_filter(keep=differs is not None)
        if new("ghost", "depth"):
            self.interface.set_ghost_agent(self.ghost_class)
        if new("agent", "depth"):
            self._player, self._learners = self._made_player(), {}
        if new("goal"):
            self.put_goal(now.goal)


def _deep(kind: Any, depth: int) -> Any:
    """A class; if it looks ahead, as far as is switched."""
    looks_ahead = isinstance(kind, type) and issubclass(kind, AdversarialAgent)
    return functools.partial(kind, depth_limit=depth) if looks_ahead else kind
