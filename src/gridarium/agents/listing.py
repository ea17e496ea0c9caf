"""Everything that can come of many steps: through compiled rules where that pays, otherwise interpreted."""

from __future__ import annotations

import time
import weakref
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.agents.enumerating import StepOutcome, step_outcomes
from gridarium.agents.reading import ANYTHING, named_in
from gridarium.agents.store import Rows, joined, rows_of, state_at
from gridarium.compiled.branching import MOST_BRANCHES
from gridarium.compiled.entry import CompileError, Entry
from gridarium.engine import World
from gridarium.engine.leaves import FAILED, TOO_MANY
from gridarium.engine.lister import Leaves, Lister, find_entry
from gridarium.engine.machine import Machine
from gridarium.rules.chance import NotEnumerable

LOAD_AFTER, COMPILE_AFTER = 0.3, 1.0
"""Seconds of listing interpreted, after which a kept program is loaded although nothing of the world is compiled yet,
and after which it is compiled: about as long as either takes, so that at worst half of the time was for nothing."""


class Listed(NamedTuple):
    """What can come of n steps.

    Attributes:
        leaves: with no leaves for the steps that cannot be listed.
        refused: which these are, and why.
        clock_read: whether a rule may have asked for the tick.
    """

    leaves: Leaves
    refused: dict[int, NotEnumerable]
    clock_read: bool


class Listing:
    """Lists what can come of steps in a world. Compiled and interpreted it finds the same, in the same order.

    Args:
        world: one that is to run interpreted is never compiled.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self._way = _way_of(world.machine)
        self._lister: Lister | None = None
        named = named_in(world)
        self._secretive = bool(named & {"data", ANYTHING})  # may read the tick unseen
        self._reads_clock = self._secretive or "tick" in named

    @property
    def compiled(self) -> bool:
        """Whether the next steps will be listed through compiled rules."""
        if self._lister is None and (entry := self._way.entry(self.world.machine)) is not None:
            self._lister = Lister(self.world.machine, entry)
        return self._lister is not None

    def list(self, rows: Rows, actions: npt.NDArray[np.int64]) -> Listed:
        """What can come of steps from n states with actions[n, agents].

        Raises:
            Exception: what a rule raises.
        """
        if not self.compiled:
            return self._interpreted(rows, actions)
        assert self._lister is not None
        leaves = self._lister.list(rows, actions)
        counts = leaves.counts
        if counts.min() > 0:
            return Listed(leaves, {}, self._reads_clock)
        failed, many = (np.flatnonzero(counts == sign) for sign in (FAILED, TOO_MANY))
        counts[counts < 0] = 0
        refused = dict.fromkeys(many.tolist(), NotEnumerable(f"luck can go more than {MOST_BRANCHES} ways"))
        if not failed.size:
            return Listed(leaves, refused, self._reads_clock)
        again = self._interpreted(tuple(a[failed] for a in rows), actions[failed])
        refused |= {int(failed[i]): error for i, error in again.refused.items()}
        return Listed(
            _filled_in(leaves, failed, again.leaves), refused, self._reads_clock or again.clock_read
        )

    def _interpreted(self, rows: Rows, actions: npt.NDArray[np.int64]) -> Listed:
        started = time.perf_counter()
        refused: dict[int, NotEnumerable] = {}
        found: list[StepOutcome] = []
        counts = np.zeros(len(actions), np.int64)
        for i, joint in enumerate(actions.tolist()):
            try:
                outcomes = step_outcomes(self.world, state_at(self.world, rows, i), joint)
            except NotEnumerable as error:
                refused[i] = error
                continue
            counts[i] = len(outcomes)
            found += outcomes
        states = joined([rows_of(o.state) for o in found]) if found else tuple(a[:0] for a in rows)
        shares = np.array([o.probability for o in found], np.float64)
        rewards = np.array([o.rewards for o in found], np.float64).reshape(len(found), actions.shape[1])
        self._way.spent += time.perf_counter() - started
        clock_read = self._secretive or any(o.clock_read for o in found)
        return Listed(Leaves(counts, states, shares, rewards), refused, clock_read)

    def __reduce__(self) -> tuple[Any, ...]:
        return Listing, (self.world,)


def compile_outcomes(world: World) -> bool:
    """Compile now what lists the outcomes of steps; otherwise that happens once listing them has taken a second.

    It takes about two seconds, once: the program is kept on disk like the world's own.

    Returns:
        Whether it is compiled: not where the world is to run interpreted, or a rule cannot be compiled to draw numbers
        that branch.
    """
    return _way_of(world.machine).compile(world.machine) is not None


def _filled_in(leaves: Leaves, places: npt.NDArray[np.int64], others: Leaves) -> Leaves:
    """Leaves with those of the steps at `places` from elsewhere."""
    whose = np.concatenate(
        [np.repeat(np.arange(len(leaves.counts)), leaves.counts), np.repeat(places, others.counts)]
    )
    order = np.argsort(whose, kind="stable")
    counts = leaves.counts.copy()
    counts[places] = others.counts
    rows, rest = joined([leaves.rows, others.rows]), joined([leaves[2:], others[2:]])
    return Leaves(counts, tuple(a[order] for a in rows), *(a[order] for a in rest))


class _Way:
    """How the outcomes of one world are listed at present.

    Attributes:
        spent: seconds that it has taken interpreted.
    """

    def __init__(self, possible: bool) -> None:
        self.spent = 0.0
        self._entry: Entry | None = None
        self._looked, self._possible = False, possible

    def entry(self, machine: Machine) -> Entry | None:
        """The compiled program, if there is one by now, or it is time to make one."""
        if self._entry is None and self._possible:
            if self.spent > COMPILE_AFTER:
                return self.compile(machine)
            if not self._looked and (machine.ready or self.spent > LOAD_AFTER):
                self._looked = True
                self._entry = find_entry(machine, compiling=False)
        return self._entry

    def compile(self, machine: Machine) -> Entry | None:
        """The compiled program, if that can be."""
        if self._entry is None and self._possible:
            try:
                self._entry = find_entry(machine, compiling=True)
            except CompileError:
                self._possible = False
        return self._entry


_ways: weakref.WeakKeyDictionary[Machine, _Way] = weakref.WeakKeyDictionary()


def _way_of(machine: Machine) -> _Way:
    return _ways.setdefault(machine, _Way(machine.wants_compiled))
