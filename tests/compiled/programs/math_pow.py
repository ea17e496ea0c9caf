"""Math.pow and math.ldexp are rounded otherwise, and raise nothing."""

import math


def rule(state, action):
    state.grid.set_number("scent", state.agent.position, math.pow(0.9, 4))
