"""A variable has the name of one that the source pass adds."""


def rule(state, action):
    __total = 5
    state.n = sum(k + __total for k in range(3))
