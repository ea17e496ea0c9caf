"""The defaults of a wrapped function are taken from what it wraps."""

import functools


def doubled(f):
    @functools.wraps(f)
    def inner(a, b=10):
        return 2 * f(a, b)

    return inner


@doubled
def added(a, b=1):
    return a + b


def rule(state, action):
    state.n = added(state.agent.position.x)
