"""Some of numpy's functions are rounded otherwise, or mean something else."""

import numpy as np


def rule(state, action):
    state.h = np.sign(-0.0 * state.agent.position.x)
