"""Random numbers that branch, and a state that has them: what rules get when all their outcomes are looked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from gridarium.compiled.random import LARGEST
from gridarium.rules.chance import Explorer, NotEnumerable, Number, Uniform
from gridarium.world import State
from gridarium.world.state import EPISODE_KEY, TICK


class Luck:
    """Random numbers that branch, under the names of `gridarium.compiled.random.Rng`."""

    def __init__(self, explorer: Explorer, stream: tuple[Any, ...]) -> None:
        self._explorer, self._stream, self._drawn = explorer, stream, 0

    def _next(self) -> Uniform:
        self._drawn += 1
        place = (*self._stream, self._drawn)  # a copy of a state draws the same numbers again
        if place not in self._explorer.uniform:
            self._explorer.uniform[place] = Uniform(self._explorer)
        return self._explorer.uniform[place]

    def integers(
        self, low: int, high: int | None = None, size: int | None = None, *, endpoint: bool = False
    ) -> Any:
        """As of `Rng`."""
        first, last = (0, int(low)) if high is None else (int(low), int(high))
        span = last - first + endpoint
        if span <= 0 or span > LARGEST:
            raise ValueError(f"low >= high: there is no range from {first} to {last}")
        if size is None:
            return first + self._next().part(span)
        return np.array([first + self._next().part(span) for _ in range(size)], np.int64)

    def random(self, size: int | None = None) -> Any:
        """As of `Rng`."""
        if size is None:
            return Number(self._next())
        numbers = np.empty(size, object)
        numbers[:] = [Number(self._next()) for _ in range(size)]
        return numbers

    def choice(self, a: Any, size: int | None = None, replace: bool = True) -> Any:
        """As of `Rng`."""
        items = a if hasattr(a, "__len__") else range(int(a))
        if size is None:
            return items[self.integers(len(items))]
        if not replace and size > len(items):
            raise ValueError(f"cannot take {size} of {len(items)} without replacement")
        chosen = self.integers(len(items), None, size) if replace else self._sample(len(items), size)
        return _gathered([items[i] for i in chosen])

    def permutation(self, x: Any) -> Any:
        """As of `Rng`."""
        items = x if hasattr(x, "__len__") else range(int(x))
        return _gathered([items[i] for i in self._sample(len(items), len(items))])

    def shuffle(self, x: Any) -> None:
        """As of `Rng`."""
        for i in range(len(x) - 1, 0, -1):
            j = self.integers(i + 1)
            x[i], x[j] = x[j], x[i]

    def normal(self, loc: float = 0.0, scale: float = 1.0, size: int | None = None) -> Any:
        """Normal numbers do not branch."""
        raise NotEnumerable("a normal number is drawn")

    def _sample(self, count: int, size: int) -> list[int]:
        numbers = list(range(count))
        for i in range(size):
            j = i + self.integers(count - i)
            numbers[i], numbers[j] = numbers[j], numbers[i]
        return numbers[:size]


def _gathered(items: list[Any]) -> Any:
    if all(isinstance(item, int | float | np.number) for item in items):
        return np.array(items)
    array = np.empty(len(items), object)
    array[:] = items
    return array


class BranchingState(State):
    """A state whose random numbers branch."""

    __slots__ = ("explorer",)

    @staticmethod
    def of(state: State, explorer: Explorer) -> BranchingState:
        """An independent copy of a state, with branching luck."""
        arrays = (a.copy() for a in (state.cells, state.layers, state.data, state.bodies, state.scratch))
        return _with(explorer, *arrays, state.focus, state.vocabulary)

    @property
    def tick(self) -> int:
        """As of `State`; it is noted that somebody has asked."""
        self.explorer.clock_read = True
        return int(self.data[TICK])

    def plain(self, focus: int) -> State:
        """The same state as an ordinary one, from an agent's point of view."""
        return State(self.cells, self.layers, self.data, self.bodies, self.scratch, focus, self.vocabulary)

    def stream(self, purpose: int) -> Any:
        """As of `State`, branching."""
        return Luck(self.explorer, (int(self.data[EPISODE_KEY]), int(self.data[TICK]), purpose, self.focus))

    def seen_by(self, focus: int) -> BranchingState:
        """As of `State`."""
        seen = State.seen_by(self, focus)
        arrays = (seen.cells, seen.layers, seen.data, seen.bodies, seen.scratch)
        return _with(self.explorer, *arrays, focus, self.vocabulary)

    def copy(self) -> BranchingState:
        """As of `State`."""
        return BranchingState.of(self, self.explorer)


def _with(explorer: Explorer, *fields: Any) -> BranchingState:
    state = BranchingState(*fields)
    object.__setattr__(state, "explorer", explorer)
    return state
