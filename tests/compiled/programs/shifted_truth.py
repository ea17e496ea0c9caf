"""A truth value that is shifted is not checked."""


def rule(state, action):
    near = state.agent.position.x > 2
    state.n = near << (state.agent.position.y - 3)
