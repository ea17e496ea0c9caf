"""Whole numbers above 2**53 are rounded before they are divided."""


def rule(state, action, next_state):
    return state.n / 3
