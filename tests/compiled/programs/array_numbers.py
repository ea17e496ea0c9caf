"""Items of arrays are numpy's numbers interpreted, plain ones compiled."""


def rule(state, action, *, rng):
    drawn = rng.integers(6, size=2)
    state.n = (drawn[0] > 2) + (drawn[1] < 9) + (drawn[0] >= 0)
