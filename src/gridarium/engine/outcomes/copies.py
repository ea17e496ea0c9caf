"""Many copies of a state, each with a future of its own, stepped together through the compiled world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.compiled.random import CLOCK_READ, FIRST_STREAM, OWN_STREAM
from gridarium.engine.batch import Batch
from gridarium.engine.frame import At, Autoreset
from gridarium.engine.kernel import RUNNING
from gridarium.engine.memory import Memory, Snapshot
from gridarium.engine.outputs import Arrays
from gridarium.engine.step_result import StepResult
from gridarium.engine.world import World
from gridarium.world import State
from gridarium.world.state import ENDED, EPISODE_KEY, KEY

LARGEST_KEY = np.iinfo(np.int64).max


class Asked(NamedTuple):
    """What rules have asked states for.

    Attributes:
        luck: a stream of random numbers.
        clock: the tick, or the number of the episode.
    """

    luck: bool
    clock: bool


class Copies:
    """`n` states of a world.

    Their luck is drawn from a generator that they are given, never from the states that they are copies of: what they
    do tells nothing about the world's real future, and copies of one state differ.

    Args:
        world: the world.
        n: how many.
        observed: whether anybody looks at what they perceive.
        threads: as of a batch.
    """

    def __init__(self, world: World, n: int, *, observed: bool = False, threads: int | None = None) -> None:
        self.world, self.n = world, n
        self._batch: Batch = world.batch(n, autoreset=Autoreset.DISABLED, shared=True, threads=threads)
        if not observed:
            self._batch.reset(0)
            self._batch.memory.frame[At.OUTPUT] = 0

    @property
    def memory(self) -> Memory:
        """Where they lie."""
        return self._batch.memory

    @property
    def bodies(self) -> npt.NDArray[np.int64]:
        """int64[n, agents, 8 + fields]: their agents."""
        return self._batch.memory.bodies

    def state(self, i: int) -> State:
        """One of them: a copy."""
        return self._batch.state(i)

    def fill(self, state: State, rng: np.random.Generator) -> None:
        """Make all of them copies of a state.

        Raises:
            ValueError: a state of another kind of world; nothing has changed then.
        """
        self._batch.set_state(0, state)
        for array in self.memory.arrays():
            array[1:] = array[0]
        self.rekey(rng)

    def write(self, rows: Sequence[npt.NDArray[Any]], rng: np.random.Generator) -> None:
        """Make them copies of up to `n` states, given as cells, layers, data and bodies; the first fills up the rest.

        Raises:
            ValueError: states of another kind of world.
        """
        count = len(rows[0])
        for mine, given in zip(self.memory.arrays(), rows, strict=True):
            mine[count:] = given[0]
        self._batch.restore(Snapshot(*rows), slice(count))
        self.rekey(rng)

    def draw(self, states: Sequence[State], rng: np.random.Generator) -> None:
        """Make each a copy of one of some states, drawn at random.

        Raises:
            ValueError: a state of another kind of world.
        """
        for i, chosen in enumerate(rng.integers(len(states), size=self.n).tolist()):
            self._batch.set_state(i, states[chosen])
        self.rekey(rng)

    def begin(self, rng: np.random.Generator) -> None:
        """Make each the first state of an episode of its own."""
        keys = rng.integers(-LARGEST_KEY, LARGEST_KEY, self.n)
        self._batch.begin(np.arange(self.n), keys, np.zeros(self.n, np.int64))
        self.rekey(rng)

    def choose(self, chosen: npt.NDArray[np.int64], rng: np.random.Generator) -> None:
        """Put copies of the chosen ones, int64[n], in the place of all."""
        for array in self.memory.arrays():
            array[:] = array[chosen]
        self.rekey(rng)

    def rekey(self, rng: np.random.Generator) -> None:
        """Give each a future of its own."""
        keys = rng.integers(-LARGEST_KEY, LARGEST_KEY, (self.n, 2))
        self.memory.data[:, [KEY, EPISODE_KEY]] = keys

    def step(self, actions: Any) -> StepResult:
        """One tick of each, also of those that have ended; the result's arrays are valid until the next step.

        Args:
            actions: whole numbers [n] or [n, agents]: indices into the world's list of actions.
        """
        self.memory.data[:, ENDED] = RUNNING
        return self._batch.step(actions)

    def asked(self) -> Asked:
        """What rules have asked for since this was called last, compiled or on the states themselves."""
        scratch = self.memory.scratch
        found = Asked(bool(scratch[:, FIRST_STREAM:OWN_STREAM].any()), bool(scratch[:, CLOCK_READ].any()))
        scratch[:, CLOCK_READ:OWN_STREAM] = 0
        return found

    def observe(self) -> Arrays:
        """What is perceived in each, where that is `observed`."""
        return self._batch.observe()
