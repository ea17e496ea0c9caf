"""Augmented assignments to items of arrays are the machine's."""

from gridarium.compiled.data_types.vectors import new_integers


def rule(state, action):
    counts = new_integers(state.scratch, 2)
    counts[0] = 3
    counts[0] <<= -10
    state.n = counts[0]
