"""Whether players of a world see all of it."""

from __future__ import annotations

import functools
import weakref

import numpy as np

from gridarium.engine import World
from gridarium.engine.outcomes.interpreted import reset_outcomes
from gridarium.engine.outcomes.state_rows import canonical_rows, joined, row_keys, rows_of
from gridarium.rules.observation_functions import full_grid
from gridarium.rules.outcomes import NotEnumerable
from gridarium.world import State

SAMPLES = 16
"""The number of initial states that are looked at where they cannot be enumerated."""
_known: weakref.WeakKeyDictionary[World, bool] = weakref.WeakKeyDictionary()


def hides_information(world: World) -> bool:
    """Whether something is hidden from a player: it does not see the whole grid, or the world `hides_cards`."""
    return world.spec.agents > 1 and (not _shows_grid(world) or hides_cards(world))


def hides_cards(world: World) -> bool:
    """Whether players see the whole grid, and still perceive the same in different initial states.

    What is drawn during an episode, or kept in fields that no initial state differs in, is not noticed.
    """
    if world not in _known:
        _known[world] = world.spec.agents > 1 and _shows_grid(world) and _hides(world)
    return _known[world]


def _shows_grid(world: World) -> bool:
    rule = world.spec.observation
    return (rule.func if isinstance(rule, functools.partial) else rule) is full_grid


def _hides(world: World) -> bool:
    states, agents = _initial_states(world), world.spec.agents
    keys = row_keys(canonical_rows(joined([rows_of(state) for state in states])))
    batch = world.batch(1, observers="all", threads=1)
    batch.reset(0)
    seen: list[dict[bytes, bytes]] = [{} for _ in range(agents)]
    for state, key in zip(states, keys, strict=True):
        batch.set_state(0, state)
        arrays = batch.observe()
        for agent in range(agents):
            own = b"".join(np.ascontiguousarray(array[0, agent]).tobytes() for array in arrays.values())
            if seen[agent].setdefault(own, key) != key:
                return True
    return False


def _initial_states(world: World) -> list[State]:
    try:
        return [state for _, state in reset_outcomes(world)]
    except NotEnumerable:
        return [world.reset(seed) for seed in range(SAMPLES)]
