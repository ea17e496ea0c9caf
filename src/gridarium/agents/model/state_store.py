"""States by number: each different one once, kept as rows of arrays."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gridarium.engine import World
from gridarium.engine.arguments import check_index
from gridarium.engine.outcomes.state_rows import Rows, canonical_rows, row_keys, rows_of, state_at
from gridarium.world import State
from gridarium.world.state import TICK

FIRST_CAPACITY = 64


class PlanningError(Exception):
    """A planner cannot plan for a world, or not with these settings; the message gives the reason."""


class ClockMatters(PlanningError):
    """A rule reads the tick (or the episode), so that the same step may have other outcomes at another one."""


class StateLimit(PlanningError):
    """A world has more different states than were allowed."""


class StateStore:
    """Different states of a world, numbered from 0 as they are met.

    What has been tried last, random keys, and (unless `clock`) the time do not tell states apart.

    Args:
        world: the world.
        limit: the largest number of different states.
        clock: whether the tick tells states apart.
    """

    def __init__(self, world: World, *, limit: int, clock: bool) -> None:
        self.world, self.limit, self.clock = world, limit, clock
        self._numbers: dict[bytes, int] = {}
        self._memory: Rows = ()
        self._whole: Rows = ()
        self._period = world.spec.agents if world.spec.turn_order == "rotating" else 1

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, rows: Rows) -> npt.NDArray[np.int64]:
        """int64[n]: the numbers of states; those met for the first time get the next ones.

        Raises:
            StateLimit: there would be more than `limit`; nothing has been added then.
        """
        rows = self._canonical(rows)
        keys = row_keys(rows)
        new: dict[bytes, int] = {}
        for i, key in enumerate(keys):
            if key not in self._numbers and key not in new:
                new[key] = i
        if len(self) + len(new) > self.limit:
            raise StateLimit(
                f"{self.world.name} has more than {self.limit} different states; give a larger `limit` or a "
                "smaller world"
            )
        if new:
            first, last, chosen = len(self), len(self) + len(new), list(new.values())
            memory = self._grown(rows, last)
            for mine, given in zip(memory, rows, strict=True):
                mine[first:last] = given[chosen]
            self._numbers.update({key: first + k for k, key in enumerate(new)})
            self._whole = tuple(a[:last] for a in memory)
        return np.array([self._numbers[key] for key in keys], np.int64)

    def find(self, state: State) -> int | None:
        """The number of a state, if it is known."""
        number = int(self.find_all(rows_of(state))[0])
        return None if number < 0 else number

    def find_all(self, rows: Rows) -> npt.NDArray[np.int64]:
        """int64[n]: the numbers of states, -1 for those that are not known."""
        return np.array([self._numbers.get(key, -1) for key in row_keys(self._canonical(rows))], np.int64)

    def rows(self) -> Rows:
        """All states, not to be changed; nothing before there are any."""
        return self._whole

    def state(self, i: int, focus: int = 0) -> State:
        """A state by its number: a copy.

        Raises:
            TypeError, IndexError: there is no such number.
        """
        check_index("states", i, len(self))
        return state_at(self.world, self.rows(), i, focus)

    def _grown(self, like: Rows, count: int) -> Rows:
        """Memory for so many states, with those there are."""
        if not self._memory or len(self._memory[0]) < count:
            capacity = max(FIRST_CAPACITY, 2 * count)
            self._memory, before = (
                tuple(np.empty((capacity, *a.shape[1:]), a.dtype) for a in like),
                self._whole,
            )
            for mine, old in zip(self._memory, before, strict=False):
                mine[: len(old)] = old
        return self._memory

    def _canonical(self, rows: Rows) -> Rows:
        plain = canonical_rows(rows)
        ticks = rows[2][:, TICK]
        plain[2][:, TICK] = ticks if self.clock else ticks % self._period
        return plain
