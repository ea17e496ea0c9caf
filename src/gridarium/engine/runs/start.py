"""How worlds of a recording begin, and the hashes by which their states are compared."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.engine.batch import Batch
from gridarium.engine.machine import Machine
from gridarium.engine.memory import Snapshot
from gridarium.engine.outputs import Arrays
from gridarium.world.agent import ACTIVE, HELD, ORIENTATION, X, Y
from gridarium.world.state import ENDED, EPISODE, TICK, TURN
from gridarium.world.vocabulary import Vocabulary

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Start:
    """Some worlds of a batch begin: an episode from its first tick, or in the middle of one.

    Attributes:
        at: after how many steps.
        worlds: int64[m]: which.
        keys: int64[m]: the key that each world's seed stands for.
        episodes: int64[m]: the numbers of the episodes.
        states: the states that the worlds are put into; None where episodes begin.
    """

    at: int
    worlds: Integers
    keys: Integers
    episodes: Integers
    states: Snapshot | None = None

    @staticmethod
    def of(batch: Batch, at: int, worlds: Integers, *, states: bool = False) -> Start:
        """What a batch has just begun: the episodes, or with `states` whatever the worlds are in the middle of."""
        kept = Snapshot(*(a[worlds].copy() for a in batch.memory.arrays())) if states else None
        return Start(at, worlds, batch.keys[worlds], batch.episodes[worlds], kept)

    def only(self, world: int) -> Start | None:
        """The same for one world, as the only one of a batch; None if it does not begin here."""
        chosen = self.worlds == world
        if not chosen.any():
            return None
        states = None if self.states is None else Snapshot(*(a[chosen] for a in self.states.arrays()))
        return Start(self.at, np.zeros(1, np.int64), self.keys[chosen], self.episodes[chosen], states)

    def apply(self, batch: Batch) -> Arrays:
        """Let the worlds of a batch begin like this; returns what is observed then."""
        if self.states is None:
            return batch.begin(self.worlds, self.keys, self.episodes)
        check_states(self.states, batch.machine)
        batch.restore(self.states, self.worlds)
        return batch.observe()


def hashes(states: Iterable[npt.NDArray[Any]]) -> npt.NDArray[np.uint64]:
    """uint64[worlds]: BLAKE2b hashes of the bytes of several worlds' states (`State.tobytes`).

    Args:
        states: cells, layers, data and bodies, each [worlds, ...].
    """
    flat = [np.ascontiguousarray(a).reshape(len(a), -1) for a in states if a.size]
    rows = np.concatenate([a.view(np.uint8) for a in flat], axis=1)
    digests = b"".join(hashlib.blake2b(row, digest_size=8).digest() for row in rows)
    return np.frombuffer(digests, "<u8").astype(np.uint64)


def check_one_description(batch: Batch) -> None:
    """Refuse to record worlds with parameters of their own: a run has one description, by which it is replayed.

    Raises:
        ValueError: there are such.
    """
    if batch.memory.own_numbers:
        raise ValueError(
            f"worlds of {batch.machine.name} that were given parameters of their own cannot be recorded as runs; "
            "make a world with these parameters and record that"
        )


def check_states(states: Snapshot, machine: Machine) -> None:
    """Refuse states that are none of a machine's worlds, as a file from somewhere else may hold.

    Raises:
        ValueError: an object, an agent or a number that cannot be.
    """
    words, (height, width) = machine.vocabulary, machine.shape
    for word in np.unique(np.concatenate([states.cells.ravel(), states.bodies[:, :, HELD].ravel()])):
        if not _stands_for_something(words, int(word)):
            raise ValueError(f"{int(word):#x} stands for no object of {machine.name}")
    bounds = {Y: height, X: width, ORIENTATION: 4, ACTIVE: 2}
    inside = all(_within(states.bodies[:, :, column], bound) for column, bound in bounds.items())
    inside = inside and _within(states.data[:, TURN], machine.agents) and _within(states.data[:, ENDED], 3)
    if not inside or states.data[:, (TICK, EPISODE)].min() < 0:
        raise ValueError(f"an agent's pose, a clock or a turn is none of {machine.name}")


def _stands_for_something(words: Vocabulary, word: int) -> bool:
    try:
        return words.encode(words.decode(word)) == word
    except (KeyError, IndexError, ValueError):
        return False


def _within(numbers: npt.NDArray[np.int64], bound: int) -> bool:
    return bool(((numbers >= 0) & (numbers < bound)).all())
