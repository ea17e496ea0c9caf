"""Constants of numpy's types are widened."""

import numpy as np

LIMIT = np.uint8(200)


def rule(state, action):
    state.n = LIMIT + state.agent.position.x * 20
