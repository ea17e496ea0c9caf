"""A whole number above 2**53 that meets a float is rounded too early."""


def rule(state, action):
    state.n = min(state.n, 0.5)
    state.m = state.m if state.flag else 0.5
