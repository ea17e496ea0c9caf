"""Enumerates the outcomes of many steps: compiled where that is faster, otherwise interpreted."""

from __future__ import annotations

import time
import weakref
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.compiled.compile import CompileError
from gridarium.compiled.compiled_program import CompiledProgram
from gridarium.engine.composed_world import ComposedWorld
from gridarium.engine.outcomes.clock_reading import clock_reading_of
from gridarium.engine.outcomes.compiled import CompiledEnumerator, OutcomeBatch, check_steps, find_entry
from gridarium.engine.outcomes.interpreted import StepOutcome, step_outcomes
from gridarium.engine.outcomes.state_rows import Rows, joined, rows_of, state_at
from gridarium.engine.world import World, check_world
from gridarium.rules.outcomes import NotEnumerable

LOAD_AFTER, COMPILE_AFTER = 0.3, 1.0
"""Seconds of interpreted enumeration after which a cached program is loaded although the world is not compiled yet, and
after which it is compiled: about as long as either takes, so that at worst half of the time is wasted."""


class StepEnumerator:
    """Enumerates the outcomes of steps in a world. Compiled and interpreted results are equal, in the same order.

    Args:
        world: the world; one with compiled=False is never compiled.

    Attributes:
        clock_unmarked: whether rules may read the tick without leaving a mark, see `ClockReading.unmarked`; such a
            world is not compiled.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.clock_unmarked = clock_reading_of(world.composed).unmarked
        self._program = _program_of(world.composed)
        self._compiled: CompiledEnumerator | None = None

    @property
    def compiled(self) -> bool:
        """Whether the next steps will be enumerated through compiled rules."""
        if self._compiled is None and (entry := self._program.entry(self.world.composed)) is not None:
            self._compiled = CompiledEnumerator(self.world.composed, entry)
        return self._compiled is not None

    def enumerate(self, rows: Rows, actions: npt.NDArray[np.int64]) -> OutcomeBatch:
        """Enumerate the outcomes of steps from n states with actions[n, agents].

        Raises:
            TypeError, ValueError: arrays of another number, type or shape, or an action that an agent does not have.
            Exception: raised by a rule.
        """
        if not self.compiled:
            check_steps(self.world.composed, rows, actions)
            return self._interpreted(rows, actions)
        assert self._compiled is not None
        found, failed = self._compiled.enumerate(rows, actions)
        if not failed.size:
            return found
        return _inserted(found, failed, self._interpreted(tuple(a[failed] for a in rows), actions[failed]))

    def _interpreted(self, rows: Rows, actions: npt.NDArray[np.int64]) -> OutcomeBatch:
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
        probabilities = np.array([o.probability for o in found], np.float64)
        rewards = np.array([o.rewards for o in found], np.float64).reshape(len(found), actions.shape[1])
        self._program.seconds_interpreted += time.perf_counter() - started
        clock_read = any(o.clock_read for o in found)
        return OutcomeBatch(counts, states, probabilities, rewards, clock_read, refused)

    def __reduce__(self) -> tuple[Any, ...]:
        return StepEnumerator, (self.world,)


def compile_outcomes(world: World) -> bool:
    """Compile the enumeration of step outcomes now, instead of after one second of enumeration.

    This takes about two seconds, once: the program is cached on disk like the world's own.

    Returns:
        whether it is compiled: not if the world has compiled=False, a rule cannot be compiled with branching draws, or
        a rule may read the tick without leaving a mark.

    Raises:
        TypeError: it is not a world.
    """
    check_world(world)
    return _program_of(world.composed).compile(world.composed) is not None


def _inserted(found: OutcomeBatch, places: npt.NDArray[np.int64], others: OutcomeBatch) -> OutcomeBatch:
    """Insert outcomes of the steps at `places`."""
    whose = np.concatenate(
        [np.repeat(np.arange(len(found.counts)), found.counts), np.repeat(places, others.counts)]
    )
    order = np.argsort(whose, kind="stable")
    counts = found.counts.copy()
    counts[places] = others.counts
    arrays = joined([(*batch.rows, batch.probabilities, batch.rewards) for batch in (found, others)])
    *rows, probabilities, rewards = (a[order] for a in arrays)
    clock_read = found.clock_read or others.clock_read
    refused = {**found.refused, **{int(places[i]): error for i, error in others.refused.items()}}
    return OutcomeBatch(counts, tuple(rows), probabilities, rewards, clock_read, refused)


class _OutcomeProgram:
    """The compiled program that enumerates the outcomes of one world, loaded or compiled when worthwhile.

    Attributes:
        seconds_interpreted: the time spent on interpreted enumeration.
    """

    def __init__(self, composed: ComposedWorld) -> None:
        self.seconds_interpreted = 0.0
        self._entry: CompiledProgram | None = None
        self._looked = False
        self._possible = composed.wants_compiled and not clock_reading_of(composed).unmarked

    def entry(self, composed: ComposedWorld) -> CompiledProgram | None:
        """Return the program if it is available or worth compiling."""
        if self._entry is None and self._possible:
            if self.seconds_interpreted > COMPILE_AFTER:
                return self.compile(composed)
            if not self._looked and (composed.ready or self.seconds_interpreted > LOAD_AFTER):
                self._looked = True
                self._entry = find_entry(composed, compiling=False)
        return self._entry

    def compile(self, composed: ComposedWorld) -> CompiledProgram | None:
        """Compile the program; None if it cannot be compiled."""
        if self._entry is None and self._possible:
            try:
                self._entry = find_entry(composed, compiling=True)
            except CompileError:
                self._possible = False
        return self._entry


_programs: weakref.WeakKeyDictionary[ComposedWorld, _OutcomeProgram] = weakref.WeakKeyDictionary()


def _program_of(composed: ComposedWorld) -> _OutcomeProgram:
    if composed not in _programs:
        _programs[composed] = _OutcomeProgram(composed)
    return _programs[composed]
