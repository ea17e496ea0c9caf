"""The starts of worlds in a recording, and the hashes that compare their states."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.engine.batch import Batch
from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.threads.memory import Snapshot
from gridarium.engine.threads.outputs import Arrays
from gridarium.world.agent import ACTIVE, HELD, ORIENTATION, X, Y
from gridarium.world.geometry import FAR
from gridarium.world.state import ENDED, EPISODE, TICK, TURN
from gridarium.world.things import CARRIER, EXISTS, WORD
from gridarium.world.vocabulary import THING_FIELDS, Vocabulary

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Start:
    """A start of some worlds of a batch: at the beginning of an episode, or in the middle of one.

    Attributes:
        at: the number of steps before it.
        worlds: int64[m]: the worlds.
        keys: int64[m]: the random key of each world's seed.
        episodes: int64[m]: the indices of the episodes.
        states: the states of the worlds; None if episodes begin.
        goes_on: whether their episodes go on: the states take the place of those that the step before has led to, as in a live
            world, where Python has changed something besides.
    """

    at: int
    worlds: Integers
    keys: Integers
    episodes: Integers
    states: Snapshot | None = None
    goes_on: bool = False

    @staticmethod
    def of(batch: Batch, at: int, worlds: Integers, *, states: bool = False, goes_on: bool = False) -> Start:
        """Record the start of worlds of a batch: their new episodes or, with `states`, their current states."""
        kept = Snapshot(*(a[worlds].copy() for a in batch.memory.arrays())) if states else None
        return Start(at, worlds, batch.keys[worlds], batch.episodes[worlds], kept, goes_on)

    def only(self, world: int) -> Start | None:
        """The same start for one world, as in a batch of one; None if that world does not begin here."""
        chosen = self.worlds == world
        if not chosen.any():
            return None
        states = None if self.states is None else Snapshot(*(a[chosen] for a in self.states.arrays()))
        first = np.zeros(1, np.int64)
        return Start(self.at, first, self.keys[chosen], self.episodes[chosen], states, self.goes_on)

    def apply(self, batch: Batch) -> Arrays:
        """Apply the start to a batch and return the observations."""
        if self.states is None:
            return batch.begin(self.worlds, self.keys, self.episodes)
        check_states(self.states, batch.composed)
        batch.restore(self.states, self.worlds)
        return batch.observe()


def hashes(states: Iterable[npt.NDArray[Any]]) -> npt.NDArray[np.uint64]:
    """uint64[worlds]: BLAKE2b hashes of the bytes of several worlds' states (`State.tobytes`).

    Args:
        states: cells, layers, data and agent rows, each [worlds, ...].
    """
    flat = [np.ascontiguousarray(a).reshape(len(a), -1) for a in states if a.size]
    rows = np.concatenate([a.view(np.uint8) for a in flat], axis=1)
    digests = b"".join(hashlib.blake2b(row, digest_size=8).digest() for row in rows)
    return np.frombuffer(digests, "<u8").astype(np.uint64)


def check_one_description(batch: Batch) -> None:
    """Check that worlds have no individual parameters: a run has one description for all.

    Raises:
        ValueError: some worlds have individual parameters.
    """
    if batch.memory.per_world_params:
        raise ValueError(
            f"worlds of {batch.composed.name} with individual parameters cannot be recorded as runs; "
            "create a world with these parameters and record that, or record each episode as a run of its own by "
            "gridarium.env.RecordBatch"
        )


def check_states(states: Snapshot, composed: ComposedWorld) -> None:
    """Check that states are valid for a composed world, as files are not trusted.

    Raises:
        ValueError: an invalid object, agent or number.
    """
    vocabulary, (height, width) = composed.vocabulary, composed.shape
    things = _things(states, composed)
    words = (states.cells.ravel(), states.agent_rows[:, :, HELD].ravel(), things[:, WORD])
    for word in np.unique(np.concatenate(words)):
        if not _stands_for_something(vocabulary, int(word)):
            raise ValueError(f"{int(word):#x} does not represent an object of {composed.name}")
    bodies = [agent for agent in range(composed.agents) if vocabulary.has_body(agent)]
    players = np.delete(states.agent_rows, bodies, axis=1)
    if (players[:, :, (Y, X)] != -1).any():
        raise ValueError(f"an agent of {composed.name} without a body has a position")
    rows = states.agent_rows[:, bodies]
    there = rows[rows[:, :, ACTIVE] != 0]  # whoever has left may stand anywhere
    inside = _within(there[:, Y], height) and _within(there[:, X], width)
    inside = inside and _within(rows[:, :, ORIENTATION], 4) and _within(rows[:, :, ACTIVE], 2)
    inside = inside and _within(rows[:, :, (Y, X)] + (FAR - 1), 2 * FAR - 1)
    inside = inside and _are_turns(composed, states.data[:, TURN]) and _within(states.data[:, ENDED], 3)
    if not inside or states.data[:, (TICK, EPISODE)].min() < 0:
        raise ValueError(f"an agent's pose, a clock or a turn is invalid in {composed.name}")


def _things(states: Snapshot, composed: ComposedWorld) -> Integers:
    """int64[things, columns]: the rows of all things that exist.

    Raises:
        ValueError: there cannot be so many, or they are carried by agents that there are not.
    """
    vocabulary = composed.vocabulary
    if not vocabulary.has_things:
        return np.zeros((0, THING_FIELDS), np.int64)
    used, table = np.split(states.data[:, vocabulary.things_start :], [1], axis=1)
    rows = table.reshape(len(table), vocabulary.thing_capacity, vocabulary.thing_row_length)
    exist = rows[:, :, EXISTS] != 0
    carriers = _within(rows[exist][:, CARRIER], composed.agents + 1)
    unused = np.arange(vocabulary.thing_capacity) >= used
    if not (_within(used, vocabulary.thing_capacity + 1) and carriers) or (exist & unused).any():
        raise ValueError(f"the table of things is invalid in {composed.name}")
    return rows[exist]


def _stands_for_something(vocabulary: Vocabulary, word: int) -> bool:
    try:
        return vocabulary.encode(vocabulary.decode(word)) == word
    except (KeyError, IndexError, ValueError):
        return False


def _are_turns(composed: ComposedWorld, turns: npt.NDArray[np.int64]) -> bool:
    """Whether numbers are an agent each or, where rules choose who acts or there is one only, a set of agents (see `ActingAgents`)."""
    if composed.spec.turn_order != "chosen" and composed.agents > 1:
        return _within(turns, composed.agents)
    return bool(((turns < composed.agents) & (turns >= -(1 << composed.agents))).all())


def _within(numbers: npt.NDArray[np.int64], bound: int) -> bool:
    return bool(((numbers >= 0) & (numbers < bound)).all())
