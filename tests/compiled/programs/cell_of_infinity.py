"""A float that is no whole number is written to a cell's whole number without an error."""


def rule(state, action):
    state.grid.set_number("visits", state.agent.position, state.h)
