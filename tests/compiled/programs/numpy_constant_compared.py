"""A comparison of a numpy constant was worked out at compile time, as True or False; numpy's truth values have no negative."""

import numpy as np

C0 = np.uint8(200)


def rule(state, action):
    n = -(C0 == 0)
    state.n = n
