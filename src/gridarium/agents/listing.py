"""Everything that can come of many steps: through compiled rules where that pays, otherwise interpreted."""

from __future__ import annotations

import time
import weakref
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gridarium.agents.enumerating import StepOutcome, step_outcomes
from gridarium.agents.reading import reads_unseen
from gridarium.agents.store import Rows, joined, rows_of, state_at
from gridarium.compiled.branching import MOST_BRANCHES
from gridarium.compiled.entry import CompileError, Entry
from gridarium.engine import World
from gridarium.engine.checking import check_world
from gridarium.engine.leaves import FAILED, TOO_MANY
from gridarium.engine.lister import Leaves, Lister, check_listed, find_entry
from gridarium.engine.machine import Machine
from gridarium.rules.chance import NotEnumerable
from gridarium.worlds import Spec

LOAD_AFTER, COMPILE_AFTER = 0.3, 1.0
"""Seconds of listing interpreted, after which a kept program is loaded although nothing of the world is compiled yet,
and after which it is compiled: about as long as either takes, so that at worst half of the time was for nothing."""


class Listed(NamedTuple):
    """What can come of n steps.

    Attributes:
        leaves: with no leaves for the steps that cannot be listed.
        refused: which these are, and why.
    """

    leaves: Leaves
    refused: dict[int, NotEnumerable]


class Listing:
    """Lists what can come of steps in a world. Compiled and interpreted it finds the same, in the same order.

    Args:
        world: one that is to run interpreted is never compiled.

    Attributes:
        unseen: whether compiled rules may read the tick from a state's `data`; only interpreted states notice that, so
            such a world is not compiled.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self._way = _way_of(world.machine)
        self.unseen = self._way.unseen
        self._lister: Lister | None = None

    @property
    def compiled(self) -> bool:
        """Whether the next steps will be listed through compiled rules."""
        if self._lister is None and (entry := self._way.entry(self.world.machine)) is not None:
            self._lister = Lister(self.world.machine, entry)
        return self._lister is not None

    def list(self, rows: Rows, actions: npt.NDArray[np.int64]) -> Listed:
        """What can come of steps from n states with actions[n, agents].

        Raises:
            TypeError, ValueError: arrays of another number, type or shape, or an action that is none.
            Exception: what a rule raises.
        """
        if not self.compiled:
            check_listed(self.world.machine, rows, actions)
            return self._interpreted(rows, actions)
        assert self._lister is not None
        leaves = self._lister.list(rows, actions)
        counts = leaves.counts
        if (counts > 0).all():
            return Listed(leaves, {})
        failed, many = (np.flatnonzero(counts == sign) for sign in (FAILED, TOO_MANY))
        counts[counts < 0] = 0
        refused = dict.fromkeys(many.tolist(), NotEnumerable(f"luck can go more than {MOST_BRANCHES} ways"))
        if not failed.size:
            return Listed(leaves, refused)
        again = self._interpreted(tuple(a[failed] for a in rows), actions[failed])
        refused |= {int(failed[i]): error for i, error in again.refused.items()}
        return Listed(_filled_in(leaves, failed, again.leaves), refused)

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
        clock_read = any(o.clock_read for o in found)
        return Listed(Leaves(counts, states, shares, rewards, clock_read), refused)

    def __reduce__(self) -> tuple[Any, ...]:
        return Listing, (self.world,)


def compile_outcomes(world: World) -> bool:
    """Compile now what lists the outcomes of steps; otherwise that happens once listing them has taken a second.

    It takes about two seconds, once: the program is kept on disk like the world's own.

    Returns:
        Whether it is compiled: not where the world is to run interpreted, a rule cannot be compiled to draw numbers that
        branch, or a rule may read the tick from a state's `data`, which only interpreted states notice.

    Raises:
        TypeError: no world.
    """
    check_world(world)
    return _way_of(world.machine).compile(world.machine) is not None


def _filled_in(leaves: Leaves, places: npt.NDArray[np.int64], others: Leaves) -> Leaves:
    """Leaves with those of the steps at `places` from elsewhere."""
    whose = np.concatenate(
        [np.repeat(np.arange(len(leaves.counts)), leaves.counts), np.repeat(places, others.counts)]
    )
    order = np.argsort(whose, kind="stable")
    counts = leaves.counts.copy()
    counts[places] = others.counts
    rows = joined([leaves.rows, others.rows])
    shares, rewards = joined([leaves[2:4], others[2:4]])
    clock_read = leaves.clock_read or others.clock_read
    return Leaves(counts, tuple(a[order] for a in rows), shares[order], rewards[order], clock_read)


class _Way:
    """How the outcomes of one world are listed at present.

    Attributes:
        spent: seconds that it has taken interpreted.
        unseen: see `Listing`.
    """

    def __init__(self, machine: Machine) -> None:
        self.spent, self.unseen = 0.0, reads_unseen(rules_of(machine.spec))
        self._entry: Entry | None = None
        self._looked, self._possible = False, machine.wants_compiled and not self.unseen

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
    if machine not in _ways:
        _ways[machine] = _Way(machine)
    return _ways[machine]


def rules_of(spec: Spec) -> list[Any]:
    """The rules that move, reward and end a world."""
    return [rule for rule, _ in spec.transitions] + [*spec.rewards, *spec.terminations]
