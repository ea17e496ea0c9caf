"""Random numbers that branch, and a state that has them: what rules get when all their outcomes are looked for."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from gridarium.compiled.random import LARGEST, Rng, check_weights, pick
from gridarium.compiled.vectors import (
    Numbers,
    Size,
    count_of,
    exchange,
    item_of,
    items_of,
    length_of,
    weights_of,
)
from gridarium.rules.chance import Explorer, NotEnumerable, Number, Uniform
from gridarium.world import State

LIBRARY = __name__.partition(".")[0] + "."


class Luck:
    """Random numbers that branch, under the names of `gridarium.compiled.random.Rng`."""

    def __init__(self, explorer: Explorer, rng: Rng) -> None:
        self._explorer, self._scratch, self._slot = explorer, rng.scratch, rng.slot

    def _next(self) -> Uniform:
        self._scratch[self._slot + 1] += 1
        place = self._scratch[self._slot : self._slot + 2].tobytes()  # a copy draws the same numbers again
        if place not in self._explorer.uniform:
            self._explorer.uniform[place] = Uniform(self._explorer)
        return self._explorer.uniform[place]

    def integers(
        self, low: int, high: int | None = None, size: Size | None = None, *, endpoint: bool = False
    ) -> Any:
        """As of `Rng`."""
        first, last = (0, int(low)) if high is None else (int(low), int(high))
        span = last - first + endpoint
        if span <= 0 or span > LARGEST:
            raise ValueError(f"low >= high: there is no range from {first} to {last}")
        if size is None:
            return first + self._next().part(span)
        numbers = [first + self._next().part(span) for _ in range(count_of(size))]
        return np.array(numbers, np.int64).reshape(size).view(Numbers)

    def random(self, size: Size | None = None) -> Any:
        """As of `Rng`."""
        return self.uniform(0.0, 1.0, size)

    def uniform(self, low: float = 0.0, high: float = 1.0, size: Size | None = None) -> Any:
        """As of `Rng`."""
        if high < low:
            raise ValueError(f"high < low: there is no range from {low} to {high}")
        if size is None:
            return Number(self._next(), low, high - low)
        numbers = np.empty(count_of(size), object)
        numbers[:] = [Number(self._next(), low, high - low) for _ in range(len(numbers))]
        return numbers.reshape(size).view(Numbers)

    def choice(self, a: Any, size: Size | None = None, replace: bool = True, p: Any = None) -> Any:
        """As of `Rng`."""
        count = length_of(a)
        if p is not None:
            return self._weighted(a, weights_of(p), size, replace)
        if size is None:
            return item_of(a, self.integers(count))
        if replace:
            return items_of(None, a, self.integers(count, None, size))
        wanted = count_of(size)
        if wanted > count:
            raise ValueError(f"cannot take {wanted} of {count} without replacement")
        return items_of(None, a, np.array(self._sample(count, wanted), np.int64).reshape(size))

    def permutation(self, x: Any) -> Any:
        """As of `Rng`."""
        count = length_of(x)
        return items_of(None, x, np.array(self._sample(count, count), np.int64))

    def shuffle(self, x: Any) -> None:
        """As of `Rng`."""
        for i in range(len(x) - 1, 0, -1):
            exchange(x, i, self.integers(i + 1))

    def normal(self, loc: float = 0.0, scale: float = 1.0, size: Size | None = None) -> Any:
        """Normal numbers do not branch."""
        raise NotEnumerable("a normal number is drawn")

    def _weighted(self, a: Any, weights: list[float], size: Size | None, replace: bool) -> Any:
        check_weights(weights, length_of(a))
        if size is None:
            return item_of(a, pick(weights, Number(self._next())))
        numbers = np.zeros(count_of(size), np.int64)
        for i in range(len(numbers)):
            numbers[i] = pick(weights, Number(self._next()))
            if not replace:
                weights[numbers[i]] = 0.0
        return items_of(None, a, numbers.reshape(size))

    def _sample(self, count: int, size: int) -> list[int]:
        numbers = list(range(count))
        for i in range(size):
            j = i + self.integers(count - i)
            numbers[i], numbers[j] = numbers[j], numbers[i]
        return numbers[:size]


class BranchingState(State):
    """A state whose random numbers branch, and which notes whether somebody asks for its tick or episode."""

    __slots__ = ("explorer",)

    @property
    def data(self) -> Any:
        """As of `State`. The library's own code knows what it reads there; others may read the tick."""
        if not sys._getframe(1).f_globals.get("__name__", "").startswith(LIBRARY):
            self.explorer.clock_read = True
        return _DATA.__get__(self)

    @data.setter
    def data(self, array: Any) -> None:
        _DATA.__set__(self, array)

    @staticmethod
    def of(state: State, explorer: Explorer) -> BranchingState:
        """An independent copy of a state, with branching luck."""
        arrays = (a.copy() for a in (state.cells, state.layers, state.data, state.bodies, state.scratch))
        return _with(explorer, *arrays, state.focus, state.vocabulary)

    @property
    def tick(self) -> int:
        """As of `State`."""
        self.explorer.clock_read = True
        return State.tick.__get__(self)

    @property
    def episode(self) -> int:
        """As of `State`."""
        self.explorer.clock_read = True
        return State.episode.__get__(self)

    def identical(self, other: State) -> bool:
        """As of `State`."""
        self.explorer.clock_read = True
        return State.identical(self, other)

    def tobytes(self) -> bytes:
        """As of `State`."""
        self.explorer.clock_read = True
        return State.tobytes(self)

    def plain(self, focus: int) -> State:
        """The same state as an ordinary one, from an agent's point of view."""
        return State(self.cells, self.layers, self.data, self.bodies, self.scratch, focus, self.vocabulary)

    def stream(self, purpose: int) -> Any:
        """As of `State`, branching."""
        return Luck(self.explorer, State.stream(self, purpose))

    @property
    def rng(self) -> Any:
        """As of `State`, branching."""
        own: Any = State.rng.__get__(self)
        return own if isinstance(own, Luck) else Luck(self.explorer, own)

    def seen_by(self, focus: int) -> BranchingState:
        """As of `State`."""
        if not 0 <= focus < len(self.bodies):
            State.seen_by(self, focus)  # says what is wrong
        arrays = (self.cells, self.layers, self.data, self.bodies, self.scratch)
        return _with(self.explorer, *arrays, focus, self.vocabulary)

    def copy(self) -> BranchingState:
        """As of `State`."""
        return BranchingState.of(self, self.explorer)


_DATA: Any = State.__dict__["data"]


def _with(explorer: Explorer, *fields: Any) -> BranchingState:
    state = BranchingState(*fields)
    object.__setattr__(state, "explorer", explorer)
    return state
