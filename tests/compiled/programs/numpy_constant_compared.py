"""A comparison of a numpy constant was worked out at compile time, as True or False; numpy's truth values have no negative."""

import numpy as np

C0 = np.uint8(200)


def rule(state, action):
    n = -(0 == C0)
    state.n = n
