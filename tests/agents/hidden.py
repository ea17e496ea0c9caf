"""Helpers that rules of other modules reach by this module's name, so that their own code names neither luck nor tick."""

from gridarium.world import Position


def coin(state):
    return state.rng.random() < 0.25


def hours(state):
    return state.tick


def episodes(state):
    return state.episode


def bell(state):
    return state.rng.normal() > 0


def onward(state, far):
    """One step to the right, or two."""
    x = state.agent.position.x + (2 if far else 1)
    state.agent.position = Position(0, min(x, 4))
