"""The ends of a range are compared as floats; an empty array of too large a shape is an error of numpy."""


def rule(state, action, *, rng):
    state.h = rng.uniform(9007199254740993, 9007199254740992.0)
    state.m = rng.integers(3, size=(state.n, 0)).size
