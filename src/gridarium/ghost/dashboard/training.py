"""Teaching a learning agent without moving the world that is shown."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from gridarium.ghost.agents import QLearningAgent
from gridarium.ghost.interface import AgentInterface

EXPLORING = 0.3
"""How often a learning agent tries anything in its lessons."""
LONGEST = 100
"""After so many rounds an episode of a lesson is given up."""


def teach(
    learner: QLearningAgent,
    shown: AgentInterface,
    ghost: Any,
    episodes: int,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> list[float]:
    """Let an agent learn in a copy of a world, from starts all over it; gives the return of each episode.

    Args:
        learner: who learns.
        shown: the world; it stays as it is.
        ghost: who plays the ghosts, as for `AgentInterface.set_ghost_agent`.
        episodes: how many.
        seed: of the starts, the copy's luck and the learner's trying.
        progress: called with episodes played, and all of them.
    """
    world = AgentInterface(render=False, use_particle_filter=False, layout=shown.env.layout)
    world.env = env = copy.deepcopy(shown.env)
    world.set_ghost_agent(ghost)
    world.reset(seed=seed)
    rng, returns = np.random.default_rng(seed), []
    starts = _starts(env)
    usual, learner.epsilon = learner.epsilon, EXPLORING
    learner.reset(seed)
    try:
        for k in range(episodes):
            env.start_pos = list(starts[rng.integers(len(starts))])
            returns += learner.learn(world, 1, most_steps=LONGEST)
            if progress is not None:
                progress(k + 1, episodes)
    finally:
        learner.epsilon = usual
    return returns


def _starts(env: Any) -> list[tuple[int, int]]:
    """The cells from which a goal can be reached, without goals and places of ghosts."""
    goals = [divmod(i, env.cols) for i, cell in enumerate(env.grid.flat) if cell["is_goal"]]
    taken = {*goals, *(tuple(place) for place in env.ghost_start_positions if env.use_ghost)}
    cells = [divmod(i, env.cols) for i in range(env.rows * env.cols)]
    free = [c for c in cells if c not in taken and any(env.ways.distance(c, goal) >= 0 for goal in goals)]
    return free or [tuple(env.start_pos)]
