"""The else of a while loop is not rewritten."""
# ruff: noqa: PLW0120


def rule(state, action):
    y = state.agent.position.y
    while y > 3:
        y -= 1
    else:
        state.h = 2 ** (state.agent.position.x - 3)
