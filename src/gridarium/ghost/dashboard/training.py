"""Training a learning agent in a copy of the world, which leaves the shown one as it is."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from gridarium.ghost.agents import QLearningAgent
from gridarium.ghost.env import CustomGridEnv
from gridarium.ghost.interface import AgentInterface

EXPLORATION = 0.3
"""The learner's epsilon in training."""
MAX_ROUNDS = 100
"""The number of rounds after which an episode is stopped."""


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
