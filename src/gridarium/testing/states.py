"""States to test rules on: random, cleared, or visited in a world."""

from __future__ import annotations

import itertools

import numpy as np

from gridarium.engine import Autoreset, World
from gridarium.world.geometry import Orientation, Position
from gridarium.world.objects import Box, GridObject, Hidden, NoneGridObject
from gridarium.world.state import State
from gridarium.world.vocabulary import Vocabulary


def random_states(
    vocabulary: Vocabulary,
    count: int,
    shape: tuple[int, int] = (5, 6),
    *,
    agents: int = 1,
    seed: int = 0,
    fill: float = 0.6,
) -> list[State]:
    """Random states: objects, walls on edges, agents and held objects; a fraction `fill` of cells is not empty."""
    rng = np.random.default_rng(seed)
    things = [t for t in every_object(vocabulary) if not isinstance(t, NoneGridObject | Hidden)]
    holdable = [NoneGridObject(), *(t for t in things if t.holdable)]
    states = []
    for i in range(count):
        state = State.blank(shape, vocabulary, agents=agents)
        state.data[1:4] = i, i, rng.integers(1 << 62)
        for p in state.grid.positions():
            if rng.random() < fill:
                state.grid[p] = things[rng.integers(len(things))]
            for q in (p + Position(0, 1), p + Position(1, 0)):
                if vocabulary.edges and state.grid.contains(q) and rng.random() < 0.2:
                    state.grid.set_wall(p, q)
        for agent in state.agents:
            agent.position = Position(int(rng.integers(shape[0])), int(rng.integers(shape[1])))
            agent.orientation = Orientation(int(rng.integers(4)))
            agent.grid_object = holdable[rng.integers(len(holdable))]
            agent.active = rng.random() < 0.9
        states.append(state)
    return states


def blank_states(
    vocabulary: Vocabulary, count: int, shape: tuple[int, int], *, agents: int = 1, seed: int = 0
) -> list[State]:
    """Cleared states with different random keys, for reset rules."""
    rng = np.random.default_rng(seed)
    states = [State.blank(shape, vocabulary, agents=agents) for _ in range(count)]
    for i, state in enumerate(states):
        state.data[1:4] = i, i, rng.integers(1 << 62)
    return states


def visited_states(world: World, count: int, *, seed: int = 0) -> list[State]:
    """States visited by agents with random actions: every third one of an endless sequence of episodes."""
    rng = np.random.default_rng(seed)
    batch = world.batch(1, autoreset=Autoreset.NEXT_STEP, threads=1)
    batch.reset(seed)
    states = [batch.state(0)]
    while len(states) < count:
        for _ in range(3):
            batch.step(batch.sample_actions(rng))
        states.append(batch.state(0))
    return states


def every_object(vocabulary: Vocabulary) -> list[GridObject]:
    """An object for each kind, status and color of a vocabulary; boxes hold each of the others."""
    plain = []
    for kind in vocabulary.kinds.values():
        if not kind.contains:
            choices = {"status": kind.statuses(), "color": list(vocabulary.colors.values())}
            plain += [kind(*values) for values in itertools.product(*(choices[p] for p in kind.parameters()))]
    boxes = [
        k(t) for k in vocabulary.kinds.values() if issubclass(k, Box) for t in plain if t.number not in (0, 1)
    ]
    return plain + boxes
