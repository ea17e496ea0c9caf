"""Exact enumeration of the outcomes of code that draws random numbers: it is run once per combination of draws.

A draw of an integer, or a comparison of a uniform number with a threshold, is a fork. The enumerator runs the rule down
every branch and multiplies the branches' probabilities, so a rule has an exact distribution without declaring one. A
draw without a small number of branches (normal numbers, products of uniform ones) is an error; outcomes of such rules
can only be sampled. `gridarium.compiled.data_types.branching` is the compiled form, with the same arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from gridarium.compiled.data_types.branching import MAX_BRANCHES
from gridarium.compiled.data_types.random import CLOCK_READ, NORMAL_SPAN, count_draw
from gridarium.rules.outcomes.errors import NotEnumerable
from gridarium.rules.outcomes.random_number import RandomNumber, UniformInterval
from gridarium.world.state import State

R = TypeVar("R")


class OutcomeEnumerator:
    """Enumerates the outcomes of a function that draws random numbers from states made by `branching`.

    Attributes:
        scratches: the scratch memory of branching states and their copies, whose draws are forks.
    """

    def __init__(self) -> None:
        self._path: list[tuple[int, list[float]]] = []
        self._depth, self._max_branches = 0, MAX_BRANCHES
        self._intervals: dict[bytes, UniformInterval] = {}
        self.scratches: list[BranchingScratch] = []
        self._clock_read = False

    @property
    def clock_read(self) -> bool:
        """Whether a rule has read the tick or episode of a branching state or of a copy of one."""
        return self._clock_read or any(scratch[CLOCK_READ] for scratch in self.scratches)

    def branching(self, state: State) -> State:
        """An independent copy of a state whose random draws are forks of this enumerator."""
        scratch = state.scratch.copy().view(BranchingScratch)
        scratch.enumerator = self
        scratch[CLOCK_READ] = 0
        self.scratches.append(scratch)
        cells, layers, data, agent_rows = (
            a.copy() for a in (state.cells, state.layers, state.data, state.agent_rows)
        )
        return State(cells, layers, data, agent_rows, scratch, state.focus, state.vocabulary)

    def enumerate(self, function: Callable[[], R], max_branches: int = MAX_BRANCHES) -> list[tuple[float, R]]:
        """Return (probability, result of `function`) for every combination of draws.

        Raises:
            NotEnumerable: more than `max_branches` combinations, or a kind of draw that does not branch.
        """
        found: list[tuple[float, R]] = []
        self._max_branches = max_branches
        lasting = len(self.scratches)
        while True:
            self._depth = 0
            self._intervals.clear()
            result = function()
            self._clock_read = self.clock_read
            del self.scratches[lasting:]
            found.append((math.prod(probabilities[taken] for taken, probabilities in self._path), result))
            if len(found) > max_branches:
                raise NotEnumerable(f"draws can fall in more than {max_branches} ways")
            while self._path and self._path[-1][0] + 1 == len(self._path[-1][1]):
                self._path.pop()
            if not self._path:
                return found
            taken, probabilities = self._path.pop()
            self._path.append((taken + 1, probabilities))

    def fork(self, probabilities: list[float]) -> int:
        """Return the index of the branch to take, given the branches' probabilities.

        Raises:
            NotEnumerable: there are too many forks.
        """
        if self._depth == len(self._path):
            if self._depth == self._max_branches:  # each fork adds at least one combination
                raise NotEnumerable(
                    f"draws can fall in more than {self._max_branches} ways: is there a loop that goes on by chance?"
                )
            self._path.append((0, probabilities))
        taken = self._path[self._depth][0]
        self._depth += 1
        return taken

    def interval(self, stream: bytes) -> UniformInterval:
        """The interval of a uniform number, identified by its stream and its index in the stream."""
        if stream not in self._intervals:
            self._intervals[stream] = UniformInterval(self.fork)
        return self._intervals[stream]


class BranchingScratch(np.ndarray):
    """Scratch memory int64[n] of a state whose random draws are forks, see `OutcomeEnumerator.branching`.

    Attributes:
        enumerator: the enumerator that takes the forks.
    """

    enumerator: OutcomeEnumerator

    def __array_finalize__(self, source: Any) -> None:
        if isinstance(source, BranchingScratch):
            self.enumerator = source.enumerator

    def copy(self, order: Any = "C") -> BranchingScratch:
        """A copy that draws the same numbers again."""
        new: BranchingScratch = super().copy(order)
        self.enumerator.scratches.append(new)
        return new

    def __copy__(self) -> BranchingScratch:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> BranchingScratch:
        return self.copy()

    def draw_integer(self, slot: int, span: int) -> int:
        """As `gridarium.compiled.data_types.random.draw_integer`."""
        if span == NORMAL_SPAN:
            raise NotEnumerable("a normal number is drawn")
        return self._draw(slot).part(span)

    def draw_float(self, slot: int) -> RandomNumber:
        """As `gridarium.compiled.data_types.random.draw_float`: a number that supports comparison."""
        return RandomNumber(self._draw(slot))

    def _draw(self, slot: int) -> UniformInterval:
        count_draw(self, slot)
        return self.enumerator.interval(self[slot : slot + 2].tobytes())


def without_branching(state: State, focus: int) -> State:
    """The same state with ordinary random numbers, from an agent's point of view."""
    scratch = state.scratch.view(np.ndarray)
    return State(state.cells, state.layers, state.data, state.agent_rows, scratch, focus, state.vocabulary)
