"""Many copies of a state with different random futures, stepped together by the composed world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.compiled.data_types.random import CLOCK_READ, FIRST_STREAM, KEPT_MASK, OWN_STREAM
from gridarium.engine.batch import Batch
from gridarium.engine.kernel_args import Autoreset
from gridarium.engine.step.kernel import RUNNING
from gridarium.engine.step_result import StepResult
from gridarium.engine.threads.memory import Memory, Snapshot
from gridarium.engine.threads.outputs import Arrays
from gridarium.engine.world import World
from gridarium.world import State
from gridarium.world.state import ENDED, EPISODE_KEY, KEY

LARGEST_KEY = np.iinfo(np.int64).max


class Marks(NamedTuple):
    """The marks that rules leave in states.

    Attributes:
        random_drawn: whether a random stream was used.
        clock_read: whether the tick or the episode's index was read.
    """

    random_drawn: bool
    clock_read: bool


class Copies:
    """A batch of `n` states of a world.

    Their random keys are drawn from a given generator and are independent of the copied states: they reveal nothing
    about the world's real future, and copies of one state differ.

    Args:
        world: the world.
        n: the number of copies.
        observed: whether observations are written.
        threads: as for a batch.
    """

    def __init__(self, world: World, n: int, *, observed: bool = False, threads: int | None = None) -> None:
        self.world, self.n = world, n
        self._batch: Batch = world.batch(
            n,
            autoreset=Autoreset.DISABLED,
            shared=True,
            threads=threads,
            observers="all" if observed else "none",
        )
        if not observed:
            self._batch.reset(0)

    @property
    def memory(self) -> Memory:
        """The memory of the copies."""
        return self._batch.memory

    @property
    def agent_rows(self) -> npt.NDArray[np.int64]:
        """int64[n, agents, 8 + fields]: the agents of the copies."""
        return self._batch.memory.agent_rows

    def state(self, i: int) -> State:
        """Return a copy of one of the states."""
        return self._batch.state(i)

    def fill(self, state: State, rng: np.random.Generator) -> None:
        """Fill with copies of a state.

        Raises:
            ValueError: a state of another kind of world; nothing has changed then.
        """
        self._batch.set_state(0, state)
        for array in self.memory.arrays():
            array[1:] = array[0]
        self.rekey(rng)

    def write(self, rows: Sequence[npt.NDArray[Any]], rng: np.random.Generator) -> None:
        """Fill with up to `n` states, given as cells, layers, data and agent rows; copies of the first fill the rest.

        Raises:
            ValueError: states of another kind of world.
        """
        count = len(rows[0])
        for mine, given in zip(self.memory.arrays(), rows, strict=True):
            mine[count:] = given[0]
        self._batch.restore(Snapshot(*rows), slice(count))
        self.rekey(rng)

    def draw(self, states: Sequence[State], rng: np.random.Generator) -> None:
        """Fill with copies of states drawn at random from a set.

        Raises:
            ValueError: a state of another kind of world.
        """
        for i, chosen in enumerate(rng.integers(len(states), size=self.n).tolist()):
            self._batch.set_state(i, states[chosen])
        self.rekey(rng)

    def begin(self, rng: np.random.Generator) -> None:
        """Fill with initial states of different episodes."""
        keys = rng.integers(-LARGEST_KEY, LARGEST_KEY, self.n)
        self._batch.begin(np.arange(self.n), keys, np.zeros(self.n, np.int64))
        self.rekey(rng)

    def choose(self, chosen: npt.NDArray[np.int64], rng: np.random.Generator) -> None:
        """Replace all by copies of the chosen indices, int64[n] (resampling)."""
        for array in self.memory.arrays():
            array[:] = array[chosen]
        self.rekey(rng)

    def rekey(self, rng: np.random.Generator) -> None:
        """Draw a new random key for each."""
        keys = rng.integers(-LARGEST_KEY, LARGEST_KEY, (self.n, 2))
        self.memory.data[:, [KEY, EPISODE_KEY]] = keys

    def step(self, actions: Any) -> StepResult:
        """Step each by one tick, including those that have ended; the result's arrays are valid until the next step.

        Args:
            actions: int [n] or [n, agents]: indices into the world's list of actions.
        """
        self.memory.data[:, ENDED] = RUNNING
        return self._batch.step(actions)

    def marks(self) -> Marks:
        """The marks that rules have left since the last call, compiled or on the states themselves."""
        scratch = self.memory.scratch
        found = Marks(bool(scratch[:, FIRST_STREAM:KEPT_MASK].any()), bool(scratch[:, CLOCK_READ].any()))
        scratch[:, CLOCK_READ:OWN_STREAM] = 0
        return found

    def observe(self) -> Arrays:
        """The observations of each, if `observed` is set."""
        return self._batch.observe()
