"""Many states stepped at once through the composed world, each with random numbers of its own."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.engine import World
from gridarium.engine.outcomes.copies import Copies, Marks
from gridarium.engine.outcomes.state_rows import Rows
from gridarium.engine.step.kernel import RUNNING
from gridarium.engine.threads.outputs import Arrays
from gridarium.world.state import ENDED, EPISODE_KEY, KEY

LARGEST_BATCH = 4096


class Stepped(NamedTuple):
    """The results of stepping n states.

    Attributes:
        rows: the next states.
        rewards: float64[n, agents].
        over: bool[n]: whether the episode is over, by the rules or by the time limit.
        observations: of the next states, name -> array[n, ...].
    """

    rows: Rows
    rewards: npt.NDArray[np.float64]
    over: npt.NDArray[np.bool_]
    observations: Arrays


class Stepper:
    """Steps copies of any states of a world.

    The random keys of the given states are not used: the copies get keys drawn from a generator, so that a planner does
    not foresee what will happen.

    Args:
        world: the world.
        rng: for the copies' keys.
    """

    def __init__(self, world: World, rng: np.random.Generator) -> None:
        self.world, self.rng = world, rng
        self._copies: dict[int, Copies] = {}

    def step(
        self, rows: Rows, actions: npt.NDArray[np.int64], keys: npt.NDArray[np.int64] | None = None
    ) -> Stepped:
        """Step n states with actions[n, agents], and random keys int64[n, 2] if they are given.

        Raises:
            ValueError: an action that an agent does not have.
            Exception: what a rule raises.
        """
        parts = [slice(first, first + LARGEST_BATCH) for first in range(0, len(actions), LARGEST_BATCH)]
        portions = [
            self._portion(tuple(a[own] for a in rows), actions[own], None if keys is None else keys[own])
            for own in parts
        ]
        return portions[0] if len(portions) == 1 else _together(portions)

    def observe(self, rows: Rows) -> Arrays:
        """The observations in n states: name -> array[n, ...]."""
        parts = []
        for first in range(0, len(rows[0]), LARGEST_BATCH):
            part = tuple(a[first : first + LARGEST_BATCH] for a in rows)
            seen = self._filled(part).observe()
            parts.append({name: array[: len(part[0])].copy() for name, array in seen.items()})
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def marks(self) -> Marks:
        """The marks that rules have left since this was called last."""
        every = [copies.marks() for copies in self._copies.values()]
        return Marks(any(found.random_drawn for found in every), any(found.clock_read for found in every))

    def _portion(
        self, rows: Rows, actions: npt.NDArray[np.int64], keys: npt.NDArray[np.int64] | None
    ) -> Stepped:
        count, copies = len(actions), self._filled(rows)
        if keys is not None:
            copies.memory.data[:count, [KEY, EPISODE_KEY]] = keys
        every = np.zeros((copies.n, actions.shape[1]), np.int64)
        every[:count], every[count:] = actions, actions[0]
        result = copies.step(every)
        after = tuple(a[:count].copy() for a in copies.memory.arrays())
        return Stepped(
            after,
            result.rewards.reshape(copies.n, -1)[:count].copy(),
            after[2][:, ENDED] != RUNNING,
            {name: array[:count].copy() for name, array in result.observations.items()},
        )

    def _filled(self, rows: Rows) -> Copies:
        """Copies of these states, as many as the next power of two."""
        size = 1 << (len(rows[0]) - 1).bit_length()
        if size not in self._copies:
            self._copies[size] = Copies(self.world, size, observed=True, threads=1)
        self._copies[size].write(rows, self.rng)
        return self._copies[size]


def _together(parts: list[Stepped]) -> Stepped:
    rows = tuple(np.concatenate(same) for same in zip(*(part.rows for part in parts), strict=True))
    rewards, over = (np.concatenate([part[k] for part in parts]) for k in (1, 2))
    names = parts[0].observations
    observations = {name: np.concatenate([part.observations[name] for part in parts]) for name in names}
    return Stepped(rows, rewards, over, observations)
